from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from rowbook import Workspace
from rowbook.api import Contribution, Explanation
from rowbook.errors import RowbookError
from rowbook.store import Resumption, RunRecord
from rowbook.store.runs.run_registry import Runs
from tests.runs.proof.ledgers import GROUP, closed, drafts
from tests.support.recorded_run import record_run
from tests.support.shell import Shell

D = Decimal


def explain(shell: Shell, run_id: str, column: str = "total", **options: Any) -> Explanation:
    return Workspace.open(shell.folder).explain(run_id, column, **options)


def test_a_figure_is_traced_to_lines_of_files_and_equals_what_was_published(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    found = explain(shell, run, output="40", where="entity = 'DE'")
    assert (found.figure, found.ties, found.replayed) == (D("16.00"), True, "equal")
    assert found.contributions == (Contribution("gl", (10, 30), {}, 2, D("16.00")),)
    assert [(each.place, each.amount) for each in found.largest] == [
        ("data/gl/2026-01.csv:2", D("11.00")),
        ("data/gl/2026-01.csv:3", D("5.00")),
    ]
    assert [(each.place, each.values, each.amount) for each in found.joined] == [
        ("data/rates.csv:2", {"currency": "EUR", "rate": D("1.1000")}, D("11.00")),
        ("data/rates.csv:3", {"currency": "USD", "rate": D("1.0000")}, D("5.00")),
    ]
    assert [(each.reason, each.seq, each.rows, each.amount) for each in found.not_in] == [
        ("deleted by 5 'drop'", 5, 1, None),
        ("in another group: entity as read", None, 1, D("7.00")),
    ]


def test_columns_gather_what_adds_to_a_figure(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    found = explain(shell, run, output="40", group_by=["currency"])
    assert [(each.keys, each.rows, each.amount) for each in found.contributions] == [
        ({"currency": "USD"}, 2, D("12.00")),
        ({"currency": "EUR"}, 1, D("11.00")),
    ]


def test_only_rows_of_interest_have_a_reason(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    found = explain(shell, run, output="40", where="entity = 'DE'", not_in="id = 4")
    assert [(each.reason, each.places) for each in found.not_in] == [
        ("deleted by 5 'drop'", ("data/gl/2026-01.csv:5",))
    ]


def test_a_quarter_reads_the_files_of_its_months(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-Q1")
    found = explain(shell, run, output="40", where="entity = 'DE'")
    assert found.figure == D("71.00")
    assert [each.place for each in found.largest] == [
        "data/gl/2026-03.csv:2",
        "data/gl/2026-02.csv:2",
        "data/gl/2026-01.csv:2",
        "data/gl/2026-01.csv:3",
    ]


def test_input_that_was_kept_is_taken_from_there(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    shell.write({"data/rates.csv": "currency,rate\nEUR,2.0000\nUSD,1.0000\n"})
    found = explain(shell, run, output="40", where="entity = 'DE'")
    assert (found.figure, found.inputs, found.replayed) == (D("16.00"), "as read", "equal")
    assert found.warnings == ("rates is not what it was: its content is taken from what was kept",)


def without_evidence(shell: Shell) -> str:
    (run,) = drafts(shell, "2026-01")
    for path in (shell.folder / ".rowbook" / "evidence").iterdir():
        path.unlink()
    shell.write({"data/rates.csv": "currency,rate\nEUR,2.0000\nUSD,1.0000\n"})
    return run


def test_input_that_was_changed_is_refused_with_what_changed(shell: Shell) -> None:
    run = without_evidence(shell)
    with pytest.raises(RowbookError, match=r"RUN_008  rates of dataset 'rates': .*rates.csv"):
        explain(shell, run, output="40")


def test_what_is_there_now_is_explained_where_that_is_accepted(shell: Shell) -> None:
    run = without_evidence(shell)
    found = explain(shell, run, output="40", where="entity = 'DE'", accept_changed_input=True)
    assert (found.figure, found.inputs, found.replayed) == (D("25.00"), "changed", "differs")
    printed = shell.run(
        "explain", run, "--output", "40", "--column", "total", "--accept-changed-input"
    )
    lines = [line for line in printed.out.splitlines() if line]
    assert all(line.endswith("(as the data is now)") for line in lines)


def test_an_output_that_was_replaced_since_is_explained_all_the_same(shell: Shell) -> None:
    (first,) = closed(shell, "2026-01")
    assert explain(shell, first, output="40", where="entity = 'DE'").version == 1
    shell.write({"data/gl/2026-01.csv": "id,entity,currency,amount\n1,DE,EUR,99.00\n"})
    record_run(shell.folder, "close", "2026-01")
    found = explain(shell, first, output="40", where="entity = 'DE'")
    assert (found.figure, found.inputs) == (D("16.00"), "as read")
    assert found.replayed in ("equal", "no")


def test_several_texts_are_no_figure(shell: Shell) -> None:
    (run,) = drafts(shell, "2026-01")
    with pytest.raises(RowbookError, match="PROOF_002  'entity' is string, and 2 rows"):
        explain(shell, run, "entity", output="40")


def test_a_figure_leads_into_the_run_that_wrote_its_dataset(shell: Shell) -> None:
    (first,) = closed(shell, "2026-01")
    shell.write({"projects/group.yaml": GROUP})
    assert shell.run("activate", "group").code == 0
    run = record_run(shell.folder, "group", "2026-01")
    found = explain(shell, run)
    assert (found.figure, found.contributions[0].dataset) == (D("23.00"), "closed")
    (earlier,) = found.earlier
    assert (earlier.run_id, earlier.column, earlier.figure) == (first, "usd", D("23.00"))
    assert [each.place for each in earlier.largest] == [
        "data/gl/2026-01.csv:2",
        "data/gl/2026-01.csv:4",
        "data/gl/2026-01.csv:3",
    ]
    assert earlier.warnings == ()


def test_a_run_that_was_resumed_on_other_input_made_each_output_of_what_it_read_then(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run,) = drafts(shell, "2026-01")
    shell.write({"data/rates.csv": "currency,rate\nEUR,2.0000\nUSD,1.0000\n"})
    other = record_run(shell.folder, "close", "2026-01", draft=True)
    record = Runs.record

    def resumed(registry: Runs, run_id: str) -> RunRecord:
        """As if the run had been resumed between its outputs, on what the other one read."""
        found = record(registry, run_id)
        if run_id != run:
            return found
        snapshot = registry.snapshot(other)
        assert snapshot is not None
        accepted = {"changed": ["rates changed"], "datasets": snapshot["datasets"]}
        at = next(each.recorded_at for each in found.outputs if each.seq == 40)
        return replace(found, resumptions=(Resumption(1, at, "ann", 20, accepted, None),))

    monkeypatch.setattr(Runs, "record", resumed)
    before = explain(shell, run, "usd", output="20", where="entity = 'DE'")
    assert (before.figure, before.warnings[0]) == (
        D("16.00"),
        "the run was resumed on changed input after this was written: rates changed",
    )
    after = explain(shell, run, output="40", where="entity = 'DE'")
    assert (after.figure, after.warnings[0]) == (
        D("25.00"),
        "the run was resumed on changed input before this was written: rates changed",
    )


def test_equal_lines_of_a_file_add_one_each(shell: Shell) -> None:
    drafts(shell)
    line = "1,DE,USD,5.00\n"
    shell.write({"data/gl/2026-01.csv": f"id,entity,currency,amount\n{line}{line}"})
    run = record_run(shell.folder, "close", "2026-01", draft=True)
    found = explain(shell, run, output="40")
    assert [(each.place, each.amount) for each in found.largest] == [
        ("data/gl/2026-01.csv:2", D("5.00")),
        ("data/gl/2026-01.csv:3", D("5.00")),
    ]
