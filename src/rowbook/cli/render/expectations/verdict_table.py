"""What became of expectations, for people and for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.printing import print_lines
from rowbook.cli.render.text_tables import print_table
from rowbook.text.table_layout import TextColumn

if TYPE_CHECKING:
    from rowbook.api import Verdict, Waiver

_COLUMNS = (
    TextColumn("expectation", long="cut"),
    TextColumn("at"),
    TextColumn("status"),
    TextColumn("otherwise", spare=2),
    *(TextColumn(each, numeric=True, spare=1) for each in ("checked", "violated")),
)
_FINE = ("passed", "nothing to check")


def verdicts_json(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    return [each.as_json() for each in verdicts]


def print_verdict_table(verdicts: Sequence[Verdict]) -> None:
    """A line for each. What is not counted has no counts: operations, and all rows as one."""
    if verdicts:
        print_table(_COLUMNS, [_row(each) for each in verdicts])


def _row(verdict: Verdict) -> tuple[Any, ...]:
    counts = verdict.checked, verdict.violated
    shown = ("", "") if verdict.unit == "operations" or counts == (0, 0) else counts
    return verdict.name, verdict.at, verdict.status, verdict.otherwise, *shown


def print_waivers(waivers: Sequence[Waiver]) -> None:
    print_lines(f"'{each.name}' was {waiver_text(each)}" for each in waivers)


def print_samples(verdicts: Sequence[Verdict]) -> None:
    """Of those that do not hold: what was found, and the rows or groups that are kept of it."""
    for verdict in verdicts:
        if verdict.status in _FINE:
            continue
        print_lines([f"{verdict.status}: '{verdict.name}' ({verdict.at}): {verdict.detail}"])
        names = tuple(dict.fromkeys(name for each in verdict.samples for name in each))
        if names:
            rows = [[each.get(name) for name in names] for each in verdict.samples]
            print_table([TextColumn(name, long="cut") for name in names], rows)


def waiver_text(waiver: Waiver) -> str:
    """`waived by ann, 2026-02-03 10:00 UTC: …`"""
    when = waiver.at[:16].replace("T", " ")
    return f"waived by {waiver.by}, {when} UTC: {waiver.reason}"
