"""Which columns are still read, told from the steps to come."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rowbook.engine.strategy.needed_columns import ALWAYS_NEEDED, NeededColumns
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import CheckpointStage, StartStage
from rowbook.planning.steps import AnyStep
from tests.engine.strategy.deciding import Deciding
from tests.engine.strategy.deciding import output as written
from tests.support.small_plans import delete, numbered, plan_of, update

WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    temporal_mode: period
    columns:
      - {name: s, type: string}
      - {name: n, type: integer}
      - {name: m, type: "decimal(18,2)"}
      - {name: c, type: string}
      - {name: x, type: integer}
  lookups:
    - {alias: names, dataset_id: names, on: "t.n = names.code"}
---
dataset:
  name: names
  main_table:
    name: o
    columns:
      - {name: code, type: integer}
      - {name: label, type: string}
---
dataset:
  name: extra
  main_table:
    name: e
    columns:
      - {name: s, type: string}
      - {name: x, type: integer}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


def aggregate(keys: str, result: str, selector: str = "TRUE") -> str:
    return (
        f'type: aggregate, selector: "{selector}", arguments: {{group_by: [{keys}],'
        f' aggregations: [{{column: total, expression: "{result}"}}]}}'
    )


def output(columns: str, selector: str = "TRUE") -> str:
    return (
        f'type: output, selector: "{selector}", arguments:'
        f" {{destination: {{location: {{path: out}}}}, columns: [{columns}]}}"
    )


APPEND = 'type: append, arguments: {source: {dataset_id: extra}, source_selector: "x > 1"}'
BY_KEY = '{alias: j, dataset_id: names, on: "t.x = j.code"}'
BY_ROW = '{alias: j, dataset_id: names, on: "t.x < j.code"}'


def needed(steps: Sequence[AnyStep]) -> frozenset[str]:
    found = NeededColumns()
    for step in steps:
        found.add(step)
    return frozenset(found.names)


def read_by(folder: Path, *operations: str) -> frozenset[str]:
    text = numbered(*operations)
    names = needed(plan_of(folder, WORKSPACE + text).steps)
    assert names >= ALWAYS_NEEDED
    return names - ALWAYS_NEEDED


@pytest.mark.parametrize(
    ("operation", "names"),
    [
        (delete("s = 'a' AND n > 1"), {"s", "n"}),
        (delete("names.label = 'a'"), {"n"}),
        (aggregate("s", "SUM(m * x)", "c = 'a'"), {"s", "m", "x", "c"}),
        (aggregate("s", "COUNT(*)"), {"s"}),
        (aggregate("_row_id", "COUNT(*)"), {"_row_id"}),
        (aggregate("s", "SUM(names.code)"), {"s", "n"}),
        (output("s, n"), {"s", "n"}),
        (output("s", "m > 1"), {"s", "m"}),
        (output("s], order_by: [s, '-x'"), {"s", "x"}),
        (output("s, _period, _row_id"), {"s", "_period", "_row_id"}),
        (output("s", "names.label = 'a'"), {"s", "n"}),
        (APPEND, set()),
        ('type: append, arguments: {source: working, source_selector: "n > 1"}', {"n"}),
        (
            "type: append, arguments: {source: working, joins: [{alias: j, dataset_id: names,"
            ' on: "t.x = j.code", many: true}], spread: {column: m, weight: "j.code * n",'
            " scale: 2}}",
            {"x", "m", "n", "_row_id"},
        ),
        (
            "type: append, arguments: {source: working, aggregation: {group_by: [s],"
            ' aggregations: [{column: m, expression: "SUM(x * m)"}]}}',
            {"s", "x", "m"},
        ),
    ],
)
def test_an_operation_reads_its_condition_keys_values_and_joins(
    tmp_path: Path, operation: str, names: set[str]
) -> None:
    assert read_by(tmp_path, operation) == names


def test_a_value_of_an_entry_matters_where_its_column_is_read(tmp_path: Path) -> None:
    entries = (
        'type: append, arguments: {source: working, assignments: [{column: c, expression: "s"}]}'
    )
    assert read_by(tmp_path, entries, output("n")) == {"n"}
    assert read_by(tmp_path, entries, output("c")) == {"c", "s"}


def test_nothing_to_come_needs_only_what_counting_needs() -> None:
    assert needed([]) == {"_deleted", "_operation_seq"}


def test_an_update_always_reads_its_condition_which_is_counted(tmp_path: Path) -> None:
    assert read_by(tmp_path, update("c", "CONCAT(s, '!')", "n > 1")) == {"n"}


def test_a_value_matters_where_a_later_operation_reads_its_column(tmp_path: Path) -> None:
    steps = (update("c", "CONCAT(s, '!')", "n > 1"), output("c"))
    assert read_by(tmp_path, *steps) == {"c", "s", "n"}


def test_a_column_that_is_kept_has_all_its_values_computed(tmp_path: Path) -> None:
    steps = (output("c"), update("c", "CONCAT(s, '!')", "n > 1"))
    assert read_by(tmp_path, *steps) == {"c", "n", "s"}


def test_values_matter_through_a_chain_of_updates(tmp_path: Path) -> None:
    steps = (update("x", "n"), update("m", "x"), update("c", "s"), output("m"))
    assert read_by(tmp_path, *steps) == {"n", "x", "m"}


def test_of_several_assignments_each_matters_for_itself(tmp_path: Path) -> None:
    both = (
        "type: update, arguments: {assignments:"
        " [{column: c, expression: s}, {column: x, expression: n}]}"
    )
    assert read_by(tmp_path, both, output("x")) == {"x", "n"}
    assert read_by(tmp_path, both, output("c, x")) == {"c", "s", "x", "n"}


def test_a_column_that_is_not_always_overwritten_keeps_mattering(tmp_path: Path) -> None:
    assert read_by(tmp_path, update("c", "'v'", "n > 1"), output("c")) == {"c", "n"}


def test_a_join_by_keys_reads_them_and_one_without_tells_rows_apart(tmp_path: Path) -> None:
    keyed = update("c", "j.label", joins=BY_KEY)
    told = update("c", "j.label", joins=BY_ROW)
    assert read_by(tmp_path, keyed, output("c")) == {"c", "x"}
    assert read_by(tmp_path, told, output("c")) == {"c", "x", "_row_id"}


def test_a_checkpoint_drops_what_nothing_reads_any_more(deciding: Deciding) -> None:
    steps = (delete("m = 1"), written("s"), written("s"))
    (checkpoint,) = (
        each
        for each in deciding.stages(*steps, rewrites=frozenset({2}))
        if isinstance(each, CheckpointStage)
    )
    assert {"k", "m", "c", "_row_id"} <= checkpoint.dropped
    assert checkpoint.needed == frozenset({"s", "_deleted", "_operation_seq"})


def test_columns_are_needed_until_the_last_that_reads_them(deciding: Deciding) -> None:
    stages = deciding.stages(delete("m = 1"), written("s", "k = 'a'"), written("s"))
    business = [{n for n in each.needed or () if not n.startswith("_")} for each in stages]
    assert business == [{"s", "k", "m"}, {"s", "k"}, {"s"}, set(), set()]


@pytest.mark.parametrize("ending", ["rows", "collect", "preview"])
def test_rows_that_are_read_as_a_whole_keep_all_columns_and_ids(
    deciding: Deciding, ending: str
) -> None:
    stages = deciding.stages(delete("m = 1"), written("s"), ending=ending)
    assert {each.needed for each in stages} == {None}
    assert isinstance(stages[0], StartStage)
    assert stages[0].with_ids


def test_rows_have_ids_only_where_they_are_read(deciding: Deciding) -> None:
    for columns, ids in (("s", False), ("s, _row_id", True)):
        start = deciding.stages(written(columns))[0]
        assert isinstance(start, StartStage)
        assert start.with_ids is ids


def test_columns_that_nothing_reads_are_left_out_from_the_start(deciding: Deciding) -> None:
    def dropped(*steps: str, **known: object) -> frozenset[str]:
        start = deciding.stages(*steps, **known)[0]
        assert isinstance(start, StartStage)
        return start.dropped

    steps = (update("c", "k"), delete("m = 1"), written("s"))
    assert {"k", "c", "_updated_at"} <= dropped(*steps)
    assert dropped(*steps).isdisjoint({"s", "m", "_deleted", "_operation_seq"})
    assert dropped(*steps, ending="rows") == frozenset()
    assert dropped(*steps, options=Options(narrow_rows=False)) == frozenset()
    assert dropped(*steps, options=Options(local_rows=True)) == frozenset()
    assert dropped(delete("m = 1")) == frozenset(), "a project without outputs computes all"
