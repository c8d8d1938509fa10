from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.engine.execution import row_groups
from rowbook.engine.execution.row_groups import (
    GROUPING,
    Measure,
    RowGrouping,
    RowGroups,
    Writing,
)
from rowbook.sources.files.parquet.row_files import RowFiles

MEASURES = (
    Measure("rows", "rows"),
    Measure("total", "sum", "m"),
    Measure("known", "count", "m"),
    Measure("least", "min", "i"),
    Measure("most", "max", "i"),
    Measure("written", "number", "picked"),
)
BY_TEXT = RowGrouping(None, ("s",), MEASURES)


SCHEMA = pa.schema(
    [
        pa.field(GROUPING, pa.int32()),
        pa.field("s", pa.string()),
        pa.field("i", pa.int64()),
        pa.field("rows", pa.int64()),
        pa.field("total", pa.decimal128(38, 2)),
        *(pa.field(name, pa.int64()) for name in ("known", "least", "most", "written")),
    ]
)


def task(folder: Path, *groupings: RowGrouping, most: int = 10**9) -> RowGroups:
    files = RowFiles(str(folder), "run", "snappy", ".snappy.parquet", ("s", "number"))
    writing = Writing(files, "picked", ("s", "i"))
    return RowGroups((writing,), groupings or (BY_TEXT,), SCHEMA, most)


def batch(*rows: tuple[str | None, str | None, int, bool]) -> pa.RecordBatch:
    texts, amounts, numbers, picked = zip(*rows, strict=True) if rows else ((), (), (), ())
    decimals = [None if each is None else Decimal(each) for each in amounts]
    return pa.record_batch(
        {
            "s": pa.array(texts, pa.string()),
            "m": pa.array(decimals, pa.decimal128(18, 2)),
            "i": pa.array(numbers, pa.int64()),
            "picked": pa.array(picked, pa.bool_()),
        }
    )


def groups(batches: list[pa.RecordBatch]) -> list[tuple[Any, ...]]:
    names = [name for name in SCHEMA.names if name not in (GROUPING, "i")]
    return [tuple(row[n] for n in names) for each in batches for row in each.to_pylist()]


FIRST = batch(("a", "1.50", 4, True), (None, None, 7, True), ("a", None, 2, False))
SECOND = batch(("b", "-9999999999999999.99", 1, True), ("a", "0.25", 9, True))


def test_rows_that_are_picked_are_written_and_all_are_grouped(tmp_path: Path) -> None:
    found = groups(list(task(tmp_path)([FIRST, SECOND])))
    assert found == [
        ("a", 3, Decimal("1.75"), 2, 2, 9, 2),
        (None, 1, None, 0, 7, 7, 1),
        ("b", 1, Decimal("-9999999999999999.99"), 1, 1, 1, 1),
    ]
    (file,) = tmp_path.iterdir()
    rows = pq.ParquetFile(file).read().to_pydict()
    assert rows == {"s": ["a", None, "b", "a"], "number": [4, 7, 1, 9]}


def test_no_rows_give_no_groups_and_no_file(tmp_path: Path) -> None:
    assert list(task(tmp_path)([])) == []
    assert list(tmp_path.iterdir()) == []


def test_groups_begin_anew_before_a_sum_has_no_room(tmp_path: Path) -> None:
    found = groups(list(task(tmp_path, most=3)([FIRST, SECOND])))
    assert [(s, rows) for s, rows, *_ in found] == [("a", 2), (None, 1), ("b", 1), ("a", 1)]


def test_each_grouping_has_the_rows_that_it_picks(tmp_path: Path) -> None:
    by_number = RowGrouping("picked", ("i",), (MEASURES[0], MEASURES[1]))
    of_all = RowGrouping(None, (), (MEASURES[0],))
    found = [
        row for b in task(tmp_path, BY_TEXT, by_number, of_all)([FIRST]) for row in b.to_pylist()
    ]
    assert [(row["s"], row["rows"]) for row in found if row[GROUPING] == 0] == [("a", 2), (None, 1)]
    assert [(row["i"], row["rows"], row["total"]) for row in found if row[GROUPING] == 1] == [
        (4, 1, Decimal("1.50")),
        (7, 1, None),
    ]
    assert [row["rows"] for row in found if row[GROUPING] == 2] == [3]


def test_batches_are_grouped_together_as_far_as_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_groups, "_ROWS", 5)
    found = groups(list(task(tmp_path)([FIRST, SECOND, FIRST])))
    assert [(s, rows) for s, rows, *_ in found] == [("a", 5), (None, 2), ("b", 1)]


def test_groups_that_hardly_repeat_are_given_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_groups, "_MOST_GROUPS", 1)
    monkeypatch.setattr(row_groups, "_ROWS", 3)
    given = list(task(tmp_path)([FIRST, SECOND]))
    assert [each.num_rows for each in given] == [2, 2]


def test_groups_of_many_batches_are_put_together_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_groups, "_PARTS", 3)
    monkeypatch.setattr(row_groups, "_ROWS", 2)
    (found,) = task(tmp_path)([SECOND] * 10)
    totals = {row["s"]: (row["rows"], row["total"]) for row in found.to_pylist()}
    assert totals == {"a": (10, Decimal("2.50")), "b": (10, Decimal("-99999999999999999.90"))}
