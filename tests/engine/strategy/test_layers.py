"""Which updates and deletes are one projection: those that do not read what others of them gave to
some rows only."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rowbook.engine.strategy.layers import MOST_NODES, MOST_STEPS, LayerBuilder
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import LayerStage, Situation
from rowbook.engine.strategy.step_analysis import RowWise, reads
from rowbook.engine.strategy.strategy import decide
from rowbook.expressions import bound
from rowbook.planning.steps import DeleteStep, UpdateStep
from tests.support.small_plans import delete, numbered, plan_of, update

USUAL = Options()
WORKSPACE = """
dataset:
  name: t
  main_table:
    name: t
    columns:
      - {name: s, type: string}
      - {name: n, type: integer}
      - {name: c, type: string}
      - {name: x, type: integer}
  lookups:
    - {alias: names, dataset_id: names, on: "t.n = names.code"}
---
dataset:
  name: names
  main_table:
    name: n
    columns:
      - {name: code, type: integer}
      - {name: label, type: string}
---
dataset:
  name: others
  main_table:
    name: o
    columns:
      - {name: code, type: integer}
      - {name: label, type: string}
---
project:
  name: p
  input_dataset_id: t
  operations:
"""


def join(dataset: str = "names", on: str = "t.n = j.code") -> str:
    return f'{{alias: j, dataset_id: {dataset}, on: "{on}"}}'


def set_all(column: str, value: str) -> str:
    """An update without a selector."""
    return (
        f'type: update, arguments: {{assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


def layer_of(steps: Sequence[RowWise]) -> LayerBuilder:
    """A layer of steps that share one."""
    layer = LayerBuilder()
    assert all(layer.take(step) for step in steps)
    return layer


def updated(step: RowWise) -> UpdateStep:
    assert isinstance(step, UpdateStep)
    return step


def row_wise(folder: Path, *operations: str) -> list[RowWise]:
    text = numbered(*operations)
    steps = plan_of(folder, WORKSPACE + text).steps
    return [step for step in steps if isinstance(step, UpdateStep | DeleteStep)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (update("c", "'v'"), update("c", "'w'")),
        (update("c", "s"), update("x", "n", "s = 'a'")),
        (update("c", "c"), update("x", "x + 1", "x > 1")),
        (update("x", "1", "c = 'a'"), delete("c = 'a'")),
        (update("c", "names.label"), update("x", "1", "names.label = 'a'")),
        (update("c", "j.label", joins=join()), update("x", "j.code", joins=join())),
        (update("c", "j.label", joins=join()), update("x", "names.code")),
    ],
)
def test_steps_that_read_nothing_written_before_share_a_layer(
    tmp_path: Path, first: str, second: str
) -> None:
    one, two = row_wise(tmp_path, first, second)
    assert layer_of([one, two]).composed == [one, two]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (set_all("c", "UPPER(s)"), update("x", "1", "c = 'a'")),
        (set_all("c", "UPPER(s)"), update("c", "CONCAT(c, '!')")),
        (set_all("c", "UPPER(s)"), delete("c = 'a'")),
        (set_all("fresh", "x + 1"), update("x", "fresh * fresh")),
        (set_all("c", "names.label"), update("c", "CONCAT(c, '!')")),
        (set_all("c", "UPPER(s)"), update("x", "LEN(j.label) + LEN(c)", joins=join())),
    ],
)
def test_what_all_rows_were_given_is_computed_by_who_reads_it(
    tmp_path: Path, first: str, second: str
) -> None:
    one, two = row_wise(tmp_path, first, second)
    layer = layer_of([one, two])
    assert layer.steps == [one, two]
    composed = layer.composed[1]
    assert composed != two
    assert reads(composed).isdisjoint(a.column for a in updated(one).assignments)
    assert composed.columns is two.columns


def test_a_value_of_all_rows_serves_until_some_rows_get_another(tmp_path: Path) -> None:
    one, two, three, four = row_wise(
        tmp_path,
        *(set_all("c", "'v'"), update("x", "1", "c = 'v'")),
        *(update("c", "'w'", "x = 1"), update("s", "c")),
    )
    assert not layer_of([one, two]).take(three)  # x is not the same for all
    assert layer_of([one]).take(three)
    assert not layer_of([one, three]).take(four)
    assert layer_of([three, one]).take(four)


def test_values_within_values_end_a_layer_before_they_grow_out_of_hand(tmp_path: Path) -> None:
    """Each makes the expression twice as large."""
    doubled = row_wise(tmp_path, *(set_all("x", "x + x") for _ in range(12)))
    layer = LayerBuilder()
    taken = [layer.take(step) for step in doubled]
    assert taken[:6] == [True] * 6
    assert taken[-1] is False
    sizes = [bound.size(updated(step).assignments[0].expression) for step in layer.composed]
    assert max(sizes) <= MOST_NODES


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (update("c", "'v'"), update("x", "1", "c = 'a'")),
        (update("c", "'v'"), update("c", "CONCAT(c, '!')")),
        (update("c", "'v'"), delete("c = 'a'")),
        (update("fresh", "1"), update("x", "fresh")),
        (set_all("n", "1"), update("c", "names.label")),
        (set_all("n", "1"), update("c", "j.label", joins=join())),
        (set_all("c", "'v'"), update("x", "1", "_updated_at > TIMESTAMP('2026-01-31T00:00:00Z')")),
        (update("c", "'v'"), update("x", "1", "_updated_at > TIMESTAMP('2026-01-31T00:00:00Z')")),
        (delete("c = 'a'"), update("x", "1")),
        (delete("c = 'a'"), delete("c = 'b'")),
        (update("n", "1"), update("c", "names.label")),
        (update("n", "1"), update("c", "j.label", joins=join())),
        (
            update("c", "j.label", joins=join()),
            update("x", "j.code", joins=join(on="t.x = j.code")),
        ),
        (update("c", "j.label", joins=join()), update("x", "j.code", joins=join("others"))),
    ],
)
def test_a_layer_ends_before_what_reads_its_results_or_means_something_else(
    tmp_path: Path, first: str, second: str
) -> None:
    one, two = row_wise(tmp_path, first, second)
    assert not layer_of([one]).take(two)


def test_all_steps_of_a_layer_count_not_only_the_last(tmp_path: Path) -> None:
    one, two, three = row_wise(
        tmp_path, update("c", "'v'"), update("x", "1"), update("s", "'a'", "c = 'v'")
    )
    assert not layer_of([one, two]).take(three)
    assert layer_of([two]).take(three)


def test_a_layer_has_so_many_steps_and_no_more(tmp_path: Path) -> None:
    (one,) = row_wise(tmp_path, update("c", "'v'"))
    layer = layer_of([one] * MOST_STEPS)
    assert not layer.take(one)


def test_a_step_reads_what_its_condition_values_and_joins_read(tmp_path: Path) -> None:
    one, two = row_wise(
        tmp_path, update("c", "CONCAT(s, j.label)", "x > 1", join()), delete("names.label = 'a'")
    )
    assert reads(one) == {"s", "x", "n"}
    assert reads(two) == {"n"}


def layers_of(folder: Path, *operations: str, options: Options = USUAL) -> list[list[int]]:
    """The seqs of each layer's steps."""
    stages = decide(plan_of(folder, WORKSPACE + numbered(*operations)), Situation(options)).stages
    return [[step.seq for step in each.steps] for each in stages if isinstance(each, LayerStage)]


def test_layers_end_where_a_step_does_not_fit_or_another_operation_stands(tmp_path: Path) -> None:
    append = "type: append, arguments: {source: {dataset_id: t}}"
    steps = (
        *(update("c", "'v'", "x = 1"), update("s", "'w'"), update("x", "2", "c = 'v'")),
        *(append, update("c", "'a'"), delete("n = 1"), update("s", "'z'")),
    )
    assert layers_of(tmp_path, *steps) == [[1, 2], [3], [5, 6], [7]]
    assert layers_of(tmp_path, *steps, options=Options(layers=False)) == [
        [seq] for seq in (1, 2, 3, 5, 6, 7)
    ]


def test_rules_of_a_layer_become_a_table_from_so_many_on(tmp_path: Path) -> None:
    rules = [update("c", f"'{i}'", f"s = '{i}' AND n = {i}") for i in range(8)]

    def tables(number: int, options: Options) -> list[int]:
        plan = plan_of(tmp_path, WORKSPACE + numbered(*rules[:number], update("x", "1", "n > 1")))
        (layer,) = (s for s in decide(plan, Situation(options)).stages if isinstance(s, LayerStage))
        assert len(layer.singles) == number + 1 - sum(len(t.rules) for t in layer.tables)
        return [len(table.rules) for table in layer.tables]

    assert tables(8, Options()) == [8]
    assert tables(7, Options()) == []
    assert tables(8, Options(rule_tables=False)) == []
    assert tables(7, Options(smallest_table=2)) == [7]
