"""Lineage of small projects, written out: what is named, and that no more is."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.lineage.column_lineage import ColumnSource, OutputLineage
from rowbook.lineage.plan_lineage import plan_lineage
from tests.support.small_plans import delete, numbered, plan_of, total, update

_DATASETS = """
dataset:
  name: main
  main_table:
    name: t
    columns:
      - {name: k, type: string}
      - {name: a, type: "decimal(18,2)"}
      - {name: b, type: "decimal(18,2)"}
      - {name: c, type: string}
      - {name: d, type: date}
  lookups: [{alias: names, dataset_id: names, on: "t.k = names.code"}]
---
dataset:
  name: names
  natural_key_columns: [code]
  main_table:
    name: n
    columns: [{name: code, type: string}, {name: label, type: string}, {name: rate, type: "decimal(18,2)"}]
---
dataset:
  name: late
  main_table:
    name: l
    temporal_mode: period
    columns: [{name: k, type: string}, {name: a, type: "decimal(18,2)"}, {name: kind, type: string}]
---
project:
  name: p
  input_dataset_id: main
  operations:
"""  # noqa: E501


def written(columns: str, *, selector: str = "", more: str = "") -> str:
    """An output of some columns, for `numbered`."""
    where = f'selector: "{selector}", ' if selector else ""
    return (
        f"type: output, {where}arguments: {{destination: {{location: {{path: out}}}},"
        f" columns: [{columns}]{more}}}"
    )


def output(folder: Path, *operations: str) -> OutputLineage:
    """The one output of a project of these operations."""
    (found,) = plan_lineage(plan_of(folder, _DATASETS + numbered(*operations))).outputs
    return found


def texts(sources: tuple[ColumnSource, ...]) -> list[str]:
    return [
        f"{each.kind} {each.dataset}.{each.column}"
        + (f" {','.join(map(str, each.operations))}" if each.operations else "")
        for each in sources
    ]


def of(found: OutputLineage, column: str) -> list[str]:
    lineage = found.column(column)
    assert lineage is not None
    return texts(lineage.sources)


def test_a_column_that_nothing_touches_is_the_dataset_s(tmp_path: Path) -> None:
    found = output(tmp_path, written("k, a"))
    assert (of(found, "k"), of(found, "a")) == (["identity main.k"], ["identity main.a"])
    assert found.rows == ()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("b", ["identity main.b 1"]),
        ("a + b", ["transformation main.a 1", "transformation main.b 1"]),
        ("TO_DECIMAL(7, 18, 2)", []),
        ("IF(c = 'x', a, b)", ["identity main.a 1", "identity main.b 1", "conditional main.c 1"]),
        (
            "names.rate",
            ["identity names.rate 1", "join main.k 1", "join names.code 1"],
        ),
    ],
)
def test_a_column_that_is_always_written_comes_from_its_expression_alone(
    value: str, expected: list[str], tmp_path: Path
) -> None:
    assert of(output(tmp_path, update("a", value), written("a")), "a") == expected


def test_a_column_that_is_written_under_a_condition_keeps_its_sources(tmp_path: Path) -> None:
    found = output(tmp_path, update("a", "b", "c = 'x'"), written("a, b"))
    assert of(found, "a") == ["identity main.a", "identity main.b 1", "conditional main.c 1"]
    assert of(found, "b") == ["identity main.b"]


def test_what_was_overwritten_is_no_source(tmp_path: Path) -> None:
    found = output(tmp_path, update("a", "a * 2"), update("a", "b"), written("a"))
    assert of(found, "a") == ["identity main.b 2"]


def test_a_delete_decides_which_rows_there_are(tmp_path: Path) -> None:
    found = output(tmp_path, delete("c = 'x'"), written("a"))
    assert of(found, "a") == ["identity main.a"]
    assert texts(found.rows) == ["filter main.c 1"]


def test_rows_that_may_be_deleted_keep_what_they_had(tmp_path: Path) -> None:
    steps = delete("c = 'x'"), update("a", "b")
    found = output(tmp_path, *steps, written("a, _deleted", more=", include_deleted: true"))
    assert of(found, "a") == ["identity main.a", "identity main.b 2", "conditional main.c 1"]
    assert of(found, "_deleted") == ["filter main.c 1"]
    assert found.rows == ()


def test_totals_come_from_what_is_summed_and_by_what_is_grouped(tmp_path: Path) -> None:
    found = output(
        tmp_path,
        total("k", "a", "SUM(a * b)", "c = 'x'"),
        update("d", "d", "_operation_seq IS NULL"),
        written("k, a, b", selector="_operation_seq = 1"),
    )
    assert [each.birth.label for each in found.births] == ["totals of 1"]
    assert of(found, "a") == ["aggregation main.a 1", "aggregation main.b 1"]
    assert of(found, "k") == ["identity main.k 1"]
    assert of(found, "b") == []
    assert texts(found.rows) == ["filter main.c 1", "group by main.k 1"]


def test_keys_by_expression_levels_and_assignments(tmp_path: Path) -> None:
    step = (
        "type: aggregate, arguments: {levels: [{name: one, group_by: [k, {column: year, expression:"
        ' "YEAR(d)"}]}, {name: all, group_by: []}], aggregations: [{column: a, expression:'
        ' "SUM(a)"}], assignments: [{column: c, expression: "LEVEL()"}, {column: b, expression:'
        " \"IF(LEVEL() = 'all', a, 0)\"}]}"
    )
    found = output(tmp_path, step, written("k, year, a, b, c", selector="c = 'one'"))
    assert [each.birth.label for each in found.births] == ["input rows", "totals of 1 (one)"]
    _, totals = found.births
    assert {each.column: texts(each.sources) for each in totals.columns} == {
        "k": ["identity main.k 1"],
        "year": ["transformation main.d 1"],
        "a": ["aggregation main.a 1"],
        "b": [],
        "c": [],
    }
    assert texts(totals.rows) == ["group by main.d 1", "group by main.k 1"]


def test_windows_see_the_rows_of_their_group_in_their_order(tmp_path: Path) -> None:
    step = (
        'type: update, arguments: {windows: [{alias: w, by: [k], order_by: [d], selector: "c = '
        '\'x\'", values: {sofar: "SUM(b)"}}], assignments: [{column: a, expression: "w.sofar"}]}'
    )
    assert of(output(tmp_path, step, written("a")), "a") == [
        "aggregation main.b 1",
        "window main._row_id 1",
        "filter main.c 1",
        "window main.d 1",
        "window main.k 1",
    ]


def test_appended_rows_are_of_their_dataset_and_its_period(tmp_path: Path) -> None:
    step = (
        "type: append, arguments: {source: {dataset_id: late}, source_selector: \"kind = 'x'\","
        ' assignments: [{column: b, expression: "a * 2"}]}'
    )
    found = output(tmp_path, step, written("k, a, b, c", selector="_operation_seq = 1"))
    assert [each.birth.label for each in found.births] == ["rows of 1"]
    assert of(found, "a") == ["identity late.a 1"]
    assert of(found, "b") == ["transformation late.a 1"]
    assert of(found, "c") == []
    assert texts(found.rows) == ["filter late._period", "filter late.kind 1"]


def test_a_spread_goes_by_weights_and_among_equals_by_all_columns(tmp_path: Path) -> None:
    step = (
        'type: append, arguments: {source: working, source_selector: "a > 0", joins: [{alias: n,'
        ' dataset_id: names, on: "c = n.label", many: true}], spread: {column: a, weight: "n.rate",'
        ' scale: 2}, assignments: [{column: k, expression: "n.code"}]}'
    )
    found = output(tmp_path, step, written("k, a, b", selector="_operation_seq = 1"))
    assert [each.birth.label for each in found.births] == ["entries of 1"]
    assert of(found, "a") == [
        "transformation main.a 1",
        "transformation names.rate 1",
        "join main.c 1",
        "sort names._row_id 1",
        "sort names.code 1",
        "join names.label 1",
        "sort names.label 1",
        "sort names.rate 1",
    ]
    assert of(found, "b") == ["identity main.b 1"]
    assert texts(found.rows) == ["filter main.a 1", "join main.c 1", "join names.label 1"]


def test_an_output_s_selector_and_order_are_about_its_rows(tmp_path: Path) -> None:
    last = written("a", selector="names.label = 'x'", more=", order_by: [d]")
    assert texts(output(tmp_path, last).rows) == [
        *("sort main.d 1", "filter main.k 1", "filter names.code 1", "filter names.label 1")
    ]


def test_a_rule_that_cannot_meet_rows_says_nothing_of_them(tmp_path: Path) -> None:
    found = output(
        tmp_path,
        update("c", "'line'"),
        total("k", "a", "SUM(a)"),
        update("b", "a", "c = 'total' AND d IS NULL"),
        written("a, b", selector="c = 'line'"),
    )
    assert [each.birth.label for each in found.births] == ["input rows"]
    assert of(found, "b") == ["identity main.b"]
    assert found.rows == ()
