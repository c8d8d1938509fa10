"""What a past run read is read again, from its places or from what was kept."""

from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.runs.evidence.past_input import PastInput, input_of, past_input
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.period_tables import plain_tables
from rowbook.store import Resumption
from tests.runs.conversion import FILES
from tests.support.recorded_run import record_run
from tests.support.shell import Shell

PROJECT = FILES["projects/close.yaml"].partition("    - seq: 30\n")[0]
RATES = "account,rate\n4000,2\n"


@pytest.fixture
def close(shell: Shell) -> Shell:
    return activated(shell)


def activated(shell: Shell, evidence: str = "small") -> Shell:
    settings = f"workspace: {{name: acme, default_resolver_id: inbox, evidence: {evidence}}}\n"
    shell.write({**FILES, "projects/close.yaml": PROJECT, "rowbook.yaml": settings})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


def recalled(shell: Shell, run_id: str) -> tuple[PastInput, list[list[str]]]:
    """With the first column of each dataset."""
    with OpenWorkspace(shell.folder) as workspace, ExitStack() as resources:
        found = past_input(workspace, workspace.store.runs.record(run_id), resources)
        rows = []
        if found.is_as_read:
            for each in found.resolved.inputs:
                tables = plain_tables(each).tables
                rows.append([",".join(map(str, row.values())) for t in tables for row in t.rows])
        return found, rows


def told(found: PastInput) -> list[tuple[str, str, bool, bool]]:
    return [(p.location, p.presence, p.from_evidence, p.at_hand) for p in found.places]


def kept(shell: Shell) -> list[Path]:
    return sorted((shell.folder / ".rowbook" / "evidence").iterdir())


def test_what_nobody_changed_is_read_where_it_is(close: Shell) -> None:
    found, rows = recalled(close, record_run(close.folder, "close", "2026-01"))
    assert told(found) == [("gl/2026-01.csv", "same", False, True), ("rates", "same", False, True)]
    assert [len(each) for each in rows] == [1, 1]


def test_contents_are_kept_once_for_their_owner_alone(close: Shell) -> None:
    record_run(close.folder, "close", "2026-01")
    first = kept(close)
    record_run(close.folder, "close", "2026-02")
    assert (len(first), len(kept(close))) == (2, 3)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in kept(close)}
    assert modes == {0o600}
    assert stat.S_IMODE(first[0].parent.stat().st_mode) == 0o700
    assert not list((close.folder / ".rowbook" / "inputs").iterdir())


def in_place(path: Path) -> None:
    path.write_text("account,rate\n4000,3\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "presence"),
    [(in_place, "changed"), (Path.unlink, "missing")],
    ids=["edited in place", "gone"],
)
def test_a_file_that_changed_is_taken_from_evidence(
    close: Shell, change: Callable[[Path], None], presence: str
) -> None:
    run_id = record_run(close.folder, "close", "2026-01")
    change(close.folder / "data" / "rates.csv")
    found, rows = recalled(close, run_id)
    assert told(found)[1] == ("rates", presence, True, True)
    assert rows[1][0].split(",")[:2] == ["4000", "2"]


def test_a_file_that_was_saved_in_another_form_has_other_bytes_and_the_same_rows(
    close: Shell,
) -> None:
    run_id = record_run(close.folder, "close", "2026-01")
    rates = close.folder / "data" / "rates.csv"
    rates.write_text("account,rate\r\n4000,2.0000\r\n", encoding="utf-8")
    found, _ = recalled(close, run_id)
    assert told(found)[1] == ("rates", "other bytes, same rows", True, True)


def test_what_was_not_kept_is_missing_and_read_as_it_is(shell: Shell) -> None:
    activated(shell, "none")
    run_id = record_run(shell.folder, "close", "2026-01")
    in_place(shell.folder / "data" / "rates.csv")
    found, _ = recalled(shell, run_id)
    assert told(found)[1] == ("rates", "changed", False, False)
    assert [each.location for each in found.missing] == ["rates"]
    assert found.missing[0].changes == ("data/rates.csv changed",)
    assert found.resolved.inputs[1].tables[0].table is not None


def test_a_kept_content_that_was_changed_is_not_believed(close: Shell) -> None:
    run_id = record_run(close.folder, "close", "2026-01")
    in_place(close.folder / "data" / "rates.csv")
    for path in kept(close):
        path.write_text("account,rate\n4000,4\n", encoding="utf-8")
    found, _ = recalled(close, run_id)
    assert told(found)[1] == ("rates", "changed", False, False)


def test_a_run_goes_on_with_a_warning_where_evidence_cannot_be_kept(close: Shell) -> None:
    (close.folder / ".rowbook" / "evidence").write_text("in the way", encoding="utf-8")
    run_id = record_run(close.folder, "close", "2026-01")
    with OpenWorkspace(close.folder) as workspace:
        record = workspace.store.runs.record(run_id)
    assert [each.warning["message"] for each in record.warnings] == [
        "no evidence is kept of data/gl/2026-01.csv: Not a directory",
        "no evidence is kept of data/rates.csv: Not a directory",
    ]


def test_a_run_that_was_resumed_on_other_input_read_that(close: Shell) -> None:
    run_id = record_run(close.folder, "close", "2026-01")
    accepted = {"datasets": [{"name": "gl", "locations": []}], "changed": ["gl changed"]}
    with OpenWorkspace(close.folder) as workspace:
        record = workspace.store.runs.record(run_id)
        snapshot = workspace.store.runs.snapshot(run_id)
    assert snapshot is not None
    assert input_of(record, snapshot) == snapshot["datasets"]
    started = record.run.created_at
    again = Resumption(1, started, "ann", 0, None, None)
    other = Resumption(2, started, "ann", 0, accepted, None)
    resumed = replace(record, resumptions=(again, other))
    assert input_of(resumed, snapshot) == accepted["datasets"]
