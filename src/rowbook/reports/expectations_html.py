"""The expectations of a run in a report: what became of each, rows that do not hold, earlier
periods."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rowbook.drawing.markup import Markup, element, joined
from rowbook.expectations.verdict import Verdict
from rowbook.reports.html_tables import table
from rowbook.reports.model import ExpectationHistory, RunReport
from rowbook.text.plan_words import one_line
from rowbook.text.visible import number

_TONES = {"passed": "good", "violated": "bad", "not evaluated": "bad", "waived": "bad"}
_FINE = ("passed", "nothing to check")


def expectations(report: RunReport) -> Iterator[Markup]:
    verdicts = report.expectations
    if not verdicts:
        return
    yield element("h2", "Expectations")
    heads = {"Expectation": "name", "At": "short", "Must hold": "said", "Status": "short"}
    heads |= {"Otherwise": "short", "Checked": "number", "Violated": "number", "Measured": "said"}
    yield table(_caption(verdicts), heads, map(_row, verdicts))
    for each in verdicts:
        if each.status not in _FINE:
            yield from _found(each)
    if report.history:
        yield _history(verdicts, report.history, report.period)


def _caption(verdicts: Sequence[Verdict]) -> str:
    """`4 expectations: 2 passed, 1 waived, 1 skipped`"""
    counts = Counter(each.status for each in verdicts)
    said = ", ".join(f"{count} {status}" for status, count in counts.items())
    return f"{number(len(verdicts), 'expectation')}: {said}"


def _row(verdict: Verdict) -> tuple[str, ...]:
    owner = element("span", f" of {verdict.owner}", class_="quiet") if verdict.owner else ""
    counts = verdict.checked, verdict.violated
    is_counted = verdict.unit != "operations" and counts != (0, 0)
    return (
        joined(one_line(verdict.name), owner),
        verdict.at,
        element("code", one_line(verdict.text)),
        _status(verdict.status),
        verdict.otherwise,
        *(f"{each:,}" if is_counted else "" for each in counts),
        _measures(verdict.measures),
    )


def _status(status: str) -> Markup:
    return element("strong", status, class_=_TONES.get(status, "quiet"))


def _measures(measures: Mapping[str, Any]) -> str:
    return "; ".join(f"{name} = {_cell(value)}" for name, value in measures.items())


def _found(verdict: Verdict) -> Iterator[Markup]:
    said = f"“{one_line(verdict.name)}” is {verdict.status}: {one_line(verdict.detail)}"
    waiver = verdict.waiver
    if waiver is not None:
        said += f"; waived by {waiver.by}, {waiver.at}: {one_line(waiver.reason)}"
    yield element("p", said)
    names = tuple(dict.fromkeys(name for each in verdict.samples for name in each))
    if names:
        rows = [[_cell(each.get(name)) for name in names] for each in verdict.samples]
        caption = f"{len(rows)} that violate “{one_line(verdict.name)}”"
        yield table(caption, dict.fromkeys(names, "short"), rows, kind="samples")


def _cell(value: Any) -> str:
    return "NULL" if value is None else one_line(str(value))


def _history(
    verdicts: Sequence[Verdict], history: Sequence[ExpectationHistory], period: str
) -> Markup:
    """A line for each expectation, a column for each period, this run's last."""
    heads: dict[str, str | None] = {"Expectation": "name"}
    heads |= {each.period: "short" for each in history if each.period != period}
    heads[f"{period}, this run"] = "short"
    earlier = [each for each in history if each.period != period]
    rows = [
        (
            one_line(verdict.name),
            *(_past(each.verdicts.get((verdict.owner, verdict.name))) for each in earlier),
            _past(verdict),
        )
        for verdict in verdicts
    ]
    return table("The last published runs of other periods, and this run", heads, rows)


def _past(verdict: Verdict | None) -> Markup:
    if verdict is None:
        return element("span", "none", class_="quiet")
    measured = _measures(verdict.measures)
    details = (element("span", f" {measured}", class_="quiet"),) if measured else ()
    return joined(_status(verdict.status), *details)
