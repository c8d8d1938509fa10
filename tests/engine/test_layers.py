"""Which updates and deletes are one projection: those that do not read each other's results."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine import layers
from rowbook.engine.layers import MOST_STEPS, RowWise
from rowbook.planning.steps import DeleteStep, UpdateStep
from tests.engine.running import delete, numbered, plan_of, update

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
    assert layers.fits(one, [])
    assert layers.fits(two, [one])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (update("c", "'v'"), update("x", "1", "c = 'a'")),
        (update("c", "'v'"), update("c", "CONCAT(c, '!')")),
        (update("c", "'v'"), delete("c = 'a'")),
        (update("fresh", "1"), update("x", "fresh")),
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
    assert not layers.fits(two, [one])


def test_all_steps_of_a_layer_count_not_only_the_last(tmp_path: Path) -> None:
    one, two, three = row_wise(
        tmp_path, update("c", "'v'"), update("x", "1"), update("s", "'a'", "c = 'v'")
    )
    assert layers.fits(two, [one])
    assert not layers.fits(three, [one, two])
    assert layers.fits(three, [two])


def test_a_layer_has_so_many_steps_and_no_more(tmp_path: Path) -> None:
    (one,) = row_wise(tmp_path, update("c", "'v'"))
    assert layers.fits(one, [one] * (MOST_STEPS - 1))
    assert not layers.fits(one, [one] * MOST_STEPS)


def test_a_step_reads_what_its_condition_values_and_joins_read(tmp_path: Path) -> None:
    one, two = row_wise(
        tmp_path, update("c", "CONCAT(s, j.label)", "x > 1", join()), delete("names.label = 'a'")
    )
    assert layers.reads(one) == {"s", "x", "n"}
    assert layers.reads(two) == {"n"}
