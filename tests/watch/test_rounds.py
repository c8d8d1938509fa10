"""A workspace is watched: what each save leads to."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import pytest

from rowbook import RowbookError, Workspace
from rowbook.api import (
    Checked,
    FileChange,
    RoundEnd,
    RoundStart,
    RowsCompared,
    RowsCounted,
    RowsFailed,
    RowsLeftOut,
    ScenariosRun,
    WatchEvent,
)
from tests.support.write_files import write_files
from tests.watch.workspaces import FILES, Watched

E = TypeVar("E")


def one(events: list[WatchEvent], kind: type[E]) -> E:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def names(events: list[WatchEvent]) -> list[str]:
    return [result.name for result in one(events, ScenariosRun).results]


def test_the_first_round_runs_all_scenarios_and_counts_rows(tmp_path: Path) -> None:
    events = Watched(tmp_path, "close").round()
    assert one(events, RoundStart).changes == ()
    assert one(events, Checked).findings == ()
    assert names(events) == ["amounts are doubled", "rates are one"]
    assert one(events, RowsCounted) == RowsCounted("close", "2026-01", 2)
    assert one(events, RoundEnd).ok


def test_a_save_runs_the_scenarios_it_touches_and_says_why(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.round()
    watched.save("projects/close.yaml", "amount * 2", "amount * 3")
    events = watched.round()
    run = one(events, ScenariosRun)
    assert one(events, RoundStart).changes == (FileChange("projects/close.yaml", "changed"),)
    assert [(r.name, r.status) for r in run.results] == [("amounts are doubled", "failed")]
    assert (run.total, run.reasons) == (2, ("project close",))
    assert not one(events, RoundEnd).ok


@pytest.mark.parametrize(
    ("file", "old", "new", "touched", "reason"),
    [
        ("datasets/rates.yaml", "type: integer", "type: float", "rates are one", "dataset rates"),
        ("scenarios/other.yaml", "rate: 7", "rate: 8", "rates are one", "the scenario itself"),
    ],
)
def test_datasets_and_scenarios_themselves_touch_too(
    tmp_path: Path, file: str, old: str, new: str, touched: str, reason: str
) -> None:
    watched = Watched(tmp_path)
    watched.round()
    watched.save(file, old, new)
    events = watched.round()
    assert names(events) == [touched]
    assert one(events, ScenariosRun).reasons == (reason,)


def test_a_comment_touches_nothing(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("projects/close.yaml", "  operations:", "  # first things first\n  operations:")
    events = watched.round()
    assert names(events) == []
    assert one(events, RowsLeftOut).reason == "no operation changed"


def test_a_file_of_rows_touches_the_scenario_that_names_it(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    inline = "input: {rates: {rows: [{id: a, rate: 7}]}}"
    watched.write("scenarios/rates.csv", "id,rate\na,7\n")
    watched.save("scenarios/other.yaml", inline, "input: {rates: {file: rates.csv}}")
    watched.round()
    watched.write("scenarios/rates.csv", "id,rate\na,8\nb,9\n")
    events = watched.round()
    assert names(events) == ["rates are one"]
    assert one(events, ScenariosRun).reasons == ("rates.csv",)


def test_rows_before_and_after_a_change_of_an_operation(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("projects/close.yaml", "amount * 2", "amount * 2 + IF(id = 'b', 5, 0)")
    effect = one(watched.round(), RowsCompared).effect
    assert (effect.operation.seq, effect.operation.name) == (10, "double")
    assert (effect.changed, effect.added, effect.gone, effect.rows_after) == (1, 0, 0, 3)
    (row,) = effect.changed_rows
    assert row.known_by == {"id": "b"}
    assert [(c.column, c.before, c.after) for c in row.cells] == [("twice", 4, 9)]


def test_a_selector_by_name_is_part_of_the_operations_that_use_it(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("projects/close.yaml", "amount > 10", "amount > 1")
    effect = one(watched.round(), RowsCompared).effect
    assert effect.operation.seq == 20
    assert (effect.rows_before, effect.rows_after) == (2, 1)
    assert [row["id"] for row in effect.gone_rows] == ["b"]


def test_a_change_of_the_input_is_followed_from_the_start(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("datasets/entries.yaml", "type: integer", 'type: "decimal(9,1)"')
    effect = one(watched.round(), RowsCompared).effect
    assert (effect.operation.seq, effect.operation.name) == (None, "entries")


def test_an_output_changes_no_rows(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("projects/close.yaml", "path: out", "path: elsewhere")
    left_out = one(watched.round(), RowsLeftOut)
    assert left_out.operation is not None
    assert left_out.operation.seq == 30


def test_an_operation_that_goes_is_compared_with_what_was_before_it(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    drop = '    - seq: 20\n      name: drop\n      type: delete\n      selector: "{{large}}"\n'
    watched.save("projects/close.yaml", drop, "")
    effect = one(watched.round(), RowsCompared).effect
    assert [row["id"] for row in effect.added_rows] == ["c"]


def test_a_broken_file_is_told_and_the_rest_waits_until_it_is_mended(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    watched.save("projects/close.yaml", "amount * 2", "amout * 2")
    events = watched.round()
    assert [each.code for each in one(events, Checked).errors] == ["EXPR_002"]
    assert [type(event) for event in events] == [RoundStart, Checked, RoundEnd]
    watched.save("projects/close.yaml", "amout * 2", "amount * 4")
    events = watched.round()
    assert names(events) == ["amounts are doubled"]
    assert one(events, RowsCompared).effect.changed == 3


def test_files_that_come_and_go_and_text_that_is_no_yaml(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    watched.round()
    second = FILES["scenarios/other.yaml"].replace("rates are one", "again")
    watched.write("scenarios/second.yaml", second)
    events = watched.round()
    assert one(events, RoundStart).changes == (FileChange("scenarios/second.yaml", "new"),)
    assert names(events) == ["again"]
    (tmp_path / "scenarios/second.yaml").unlink()
    events = watched.round()
    assert one(events, RoundStart).changes == (FileChange("scenarios/second.yaml", "gone"),)
    assert names(events) == []
    watched.write("rowbook.yaml", "workspace: [")
    assert one(watched.round(), Checked).errors
    (tmp_path / "rowbook.yaml").unlink()
    assert one(watched.round(), Checked).errors
    watched.write("rowbook.yaml", FILES["rowbook.yaml"])
    assert one(watched.round(), RoundEnd).ok


def test_data_that_fails_is_told_as_a_run_would(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.round()
    (tmp_path / "data/entries.csv").write_text("id,amount\na,x\n", encoding="utf-8")
    watched.save("projects/close.yaml", "amount * 2", "amount * 3")
    (error,) = one(watched.round(), RowsFailed).errors
    assert "'x' at data/entries.csv:2" in error.message


def test_a_large_input_is_not_read(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    (tmp_path / "data/entries.csv").write_text("id,amount\n" + "a,1\n" * 10_001, encoding="utf-8")
    assert one(watched.round(), RowsLeftOut).reason == "the input has more than 10,000 rows"


def test_a_project_or_period_that_there_is_not_ends_it(tmp_path: Path) -> None:
    with pytest.raises(RowbookError, match="PROJECT_008"):
        Watched(tmp_path, "clothes").round()
    with pytest.raises(RowbookError, match="PERIOD_"):
        Watched(tmp_path, "close", "soon").round()


def test_a_project_without_a_period_is_refused(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    with pytest.raises(RowbookError, match="a period is missing"):
        Workspace.open(tmp_path).watch("close")
    with pytest.raises(RowbookError, match="a project is missing"):
        Workspace.open(tmp_path).watch(None, "2026-01")


_TAKEN = """\
  quarantine: {location: {path: refused}}
  expectations:
    - {name: few, at: input, that: "amount < 9", otherwise: quarantine}
    - {name: odd, at: 10, that: "amount <> 77", otherwise: quarantine}
  operations:
"""


def test_a_change_of_what_is_quarantined_is_one_of_its_operation(tmp_path: Path) -> None:
    watched = Watched(tmp_path, "close")
    watched.save("projects/close.yaml", "  operations:\n", _TAKEN)
    assert one(watched.round(), RowsCounted).rows == 2
    watched.save("projects/close.yaml", "<> 77", "<> 2")
    effect = one(watched.round(), RowsCompared).effect
    assert (effect.operation.seq, effect.rows_before, effect.rows_after) == (10, 2, 1)
    assert [row["id"] for row in effect.gone_rows] == ["b"]
    watched.save("projects/close.yaml", "amount < 9", "amount < 99")
    effect = one(watched.round(), RowsCompared).effect
    assert (effect.operation.seq, effect.rows_before, effect.rows_after) == (None, 2, 3)
