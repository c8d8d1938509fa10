"""Which rows an output may hold, as far as its plan tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.compare.aligned import LevelKinds, RowKinds
from rowbook.planning.steps import OutputStep
from rowbook.runs.compare.row_kinds import row_kinds
from tests.support.small_plans import delete, numbered, plan_of, total, update

DATASETS = """
dataset:
  name: gl
  main_table:
    name: gl
    columns: [{name: account, type: string}, {name: amount, type: "decimal(9,2)"}]
---
project:
  name: p
  input_dataset_id: gl
  operations:
"""
COUNTED = total("account", "lines")
SUMMED = total("account", "amount", "SUM(amount)")
APPENDED = "type: append, arguments: {source: {dataset_id: gl}}"


def output(selector: str = "TRUE", more: str = "") -> str:
    destination = "destination: {location: {path: out/t, format: csv}}"
    return f'type: output, selector: "{selector}", arguments: {{{destination}{more}}}'


def kinds(folder: Path, *operations: str) -> RowKinds:
    plan = plan_of(folder, DATASETS + numbered(*operations))
    return row_kinds([step for step in plan.steps if isinstance(step, OutputStep)], plan)


@pytest.mark.parametrize(
    ("operations", "lines", "aggregates"),
    [
        ((output(), COUNTED), True, ()),
        ((COUNTED, output()), True, (1,)),
        ((COUNTED, SUMMED, output()), True, (1, 2)),
        ((COUNTED, output("lines IS NOT NULL")), False, (1,)),
        ((COUNTED, output("lines > 1 AND account = 'a'")), False, (1,)),
        ((COUNTED, SUMMED, output("NOT (lines IS NULL)")), False, (1,)),
        ((COUNTED, output("lines IS NULL")), True, (1,)),
        ((SUMMED, output("amount IS NOT NULL")), True, (1,)),
        ((SUMMED, output("_operation_seq IS NULL")), True, ()),
        ((SUMMED, output("_operation_seq = 1")), False, (1,)),
        ((SUMMED, SUMMED, output("_operation_seq IN (2, 9)")), False, (2,)),
        ((APPENDED, SUMMED, output("_operation_seq = 1")), True, ()),
        ((COUNTED, update("lines", "0", "lines IS NULL"), output("lines = 0")), True, (1,)),
        ((COUNTED, delete("lines IS NULL"), output()), False, (1,)),
        ((COUNTED, delete("_operation_seq = 1"), output()), True, ()),
        (
            (COUNTED, delete("_operation_seq = 1"), output(more=", include_deleted: true")),
            True,
            (1,),
        ),
        ((delete("_operation_seq = 2"), COUNTED, output()), True, (2,)),
        ((COUNTED, output("_operation_seq = 1"), output("_operation_seq IS NULL")), True, (1,)),
    ],
)
def test_what_surely_is_not_there_is_left_out(
    operations: tuple[str, ...], lines: bool, aggregates: tuple[int, ...], tmp_path: Path
) -> None:
    assert kinds(tmp_path, *operations) == RowKinds(lines, aggregates)


def levels(assignments: str = '{column: level, expression: "LEVEL()"}') -> str:
    return (
        "type: aggregate, arguments: {levels: [{name: one, group_by: [account]},"
        ' {name: all, group_by: []}], aggregations: [{column: lines, expression: "COUNT(*)"}],'
        f" assignments: [{assignments}]}}"
    )


@pytest.mark.parametrize(
    ("operations", "names", "column"),
    [
        ((levels(), output()), ("one", "all"), "level"),
        ((levels(), output("level = 'all'")), ("all",), "level"),
        ((levels(), output("level <> 'all' AND lines > 1")), ("one",), "level"),
        ((levels(), output("account IS NOT NULL")), ("one",), "level"),
        ((levels(), delete("level = 'one'"), output()), ("all",), "level"),
        ((levels(), output(more=", columns: [lines]")), ("one", "all"), None),
        ((levels(""), output()), ("one", "all"), None),
        ((levels(), update("level", "'x'", "lines = 1"), output()), ("one", "all"), None),
        ((levels(), output("level = 'one'"), output("level = 'all'")), ("one", "all"), "level"),
    ],
)
def test_levels_that_surely_are_not_there_are_left_out(
    operations: tuple[str, ...], names: tuple[str, ...], column: str | None, tmp_path: Path
) -> None:
    found = kinds(tmp_path, *operations)
    assert (found.aggregates, found.levels) == ((1,), {1: LevelKinds(names, column)})


def test_a_level_that_no_output_holds_is_no_kind_of_rows(tmp_path: Path) -> None:
    assert kinds(tmp_path, levels(), output("level = 'other'")) == RowKinds(lines=False)
