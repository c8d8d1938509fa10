from __future__ import annotations

from pathlib import Path

from rowbook.planning.datasets import Dataset
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.reference.loading.row_places import place_of_row
from tests.support.small_plans import plan_of

TEXT = """
dataset:
  name: t
  main_table: {name: t, columns: [{name: id, type: integer, source: no}, {name: x, type: string}]}
  natural_key_columns: [id]
---
project: {name: p, input_dataset_id: t, operations: []}
"""


def dataset(folder: Path) -> Dataset:
    return plan_of(folder, TEXT).input


def test_a_row_of_text_stands_on_a_line(tmp_path: Path) -> None:
    table = PlainTable(("no", "x"), [{"no": 1}], "a.csv", lines=["a.csv:2"])
    assert place_of_row(dataset(tmp_path), table, 0) == "a.csv:2"


def test_a_row_without_a_line_may_have_a_name(tmp_path: Path) -> None:
    table = PlainTable(("no", "x"), [{"no": 1}], "a", name_of=lambda i: f"a.parquet row {i + 1}")
    assert place_of_row(dataset(tmp_path), table, 0) == "a.parquet row 1"


def test_a_row_of_a_sheet_is_named_by_its_first_cell(tmp_path: Path) -> None:
    table = PlainTable(("no", "x"), [{}], "b", place_of=lambda c, i: f"b.xlsx S!{c}{i}")
    assert place_of_row(dataset(tmp_path), table, 0) == "b.xlsx S!no0"


def test_a_row_of_a_database_is_told_by_its_key(tmp_path: Path) -> None:
    table = PlainTable(("no", "x"), [{"no": 7, "x": "a"}], "ledger.t")
    assert place_of_row(dataset(tmp_path), table, 0) == "ledger.t where id = '7'"
