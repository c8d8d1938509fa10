"""Two tables compared on Spark: cells by value, rows by key, totals; random ones against a plain
comparison in Python."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import Criteria, RetypedColumn
from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from tests.engine.compare.tables import Rows, compared, counts, row, side

pytestmark = pytest.mark.spark
SEEDS = 1


def test_a_tolerance_without_a_key_is_refused(spark: SparkSession) -> None:
    with pytest.raises(RowbookError, match="a tolerance needs a key"):
        compared(spark, "k integer; v float", [], [], key=(), tolerance={"v": Decimal(1)})


def test_columns_of_one_side_are_named_and_not_compared(spark: SparkSession) -> None:
    before = side(spark, "k integer; v string", [row(1, "a")])
    after = side(spark, "k integer; w string", [{"k": 1, "w": "b"}])
    found = compare_tables(before, after, Criteria(key=("k",)))
    assert (found.columns_only_before, found.columns_only_after) == (("v",), ("w",))
    assert counts(found) == (1, 0, 0, 0)
    assert not found.same


def test_a_column_of_an_unlike_type_is_named_and_not_compared(spark: SparkSession) -> None:
    before = side(spark, "k integer; v string", [row(1, "10")])
    after = side(spark, "k integer; v integer", [row(1, 10)])
    found = compare_tables(before, after, Criteria(key=("k",)))
    assert found.retyped == (RetypedColumn("v", t.STRING, t.INTEGER, compared=False),)
    assert (found.columns, counts(found), found.same) == ((), (1, 0, 0, 0), False)


@pytest.mark.campaign
def test_columns_that_differ_by_run_are_left_out_unless_they_are_asked_for(
    spark: SparkSession,
) -> None:
    columns = "k integer; v string; _row_id string; _labels string"
    before = [{**row(1, "a"), "_row_id": "x", "_labels": ""}]
    after = [{**row(1, "b"), "_row_id": "y", "_labels": "new"}]
    assert compared(spark, columns, before, after).changed_cells == {"v": 1, "_labels": 1}
    found = compared(spark, columns, before, after, columns=("_row_id", "v"), ignore=("v",))
    assert found.changed_cells == {"_row_id": 1}


_COLUMNS = "k integer; k2 string; s string; d decimal(12,2); f float; b boolean; day date"
_NAMES = [each.split(" ")[0] for each in _COLUMNS.split("; ")]


def _random_row(chance: random.Random) -> dict[str, Any]:
    return {
        "k": chance.choice([None, *range(12)]),
        "k2": chance.choice([None, "x", "y", "z"]),
        "s": chance.choice([None, "", "a", "A"]),
        "d": chance.choice([None, Decimal("0.00"), Decimal("10.50"), Decimal("-1.25")]),
        "f": chance.choice([None, 0.0, -0.0, 0.5, math.inf]),
        "b": chance.choice([None, True, False]),
        "day": chance.choice([None, date(2026, 1, 31), date(1582, 10, 10)]),
    }


def _random_tables(chance: random.Random) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The second is the first with some rows changed, gone, new and doubled."""
    before = [_random_row(chance) for _ in range(chance.randint(0, 60))]
    after = []
    for each in before:
        fate = chance.random()
        if fate < 0.1:
            continue
        after.append({**each, "s": "changed"} if fate < 0.25 else dict(each))
        after += [dict(each)] * (fate > 0.95)
    after += [_random_row(chance) for _ in range(chance.randint(0, 5))]
    chance.shuffle(after)
    return before, after


def _plain_cells(each: Mapping[str, Any], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(None if each[n] is None else each[n] + 0 if n == "f" else each[n] for n in names)


def _plain_counts(before: Rows, after: Rows, key: Sequence[str]) -> tuple[int, int, int, int]:
    """Equal, changed, only before, only after: by the book, one key after the other."""
    found = Counter[str]()
    tables = []
    for rows in (before, after):
        by_key: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for each in rows:
            by_key.setdefault(_plain_cells(each, key), []).append(_plain_cells(each, _NAMES))
        tables.append(by_key)
    for known in {*tables[0], *tables[1]}:
        was, now = (table.get(known, []) for table in tables)
        same = sum((Counter(was) & Counter(now)).values())
        if key and len(was) == len(now) == 1:
            found["changed"] += 1 - same
        else:
            found["before"] += len(was) - same
            found["after"] += len(now) - same
        found["equal"] += same
    return found["equal"], found["changed"], found["before"], found["after"]


@pytest.mark.some(1)
@pytest.mark.parametrize("key", [(), ("k",), ("k", "k2")])
def test_random_tables_differ_as_a_plain_comparison_says(
    spark: SparkSession, seed: int, key: tuple[str, ...]
) -> None:
    before, after = _random_tables(random.Random(seed))
    both = side(spark, _COLUMNS, before), side(spark, _COLUMNS, after)
    found = compare_tables(*both, Criteria(key=key, limit=1_000))
    assert counts(found) == _plain_counts(before, after, key)
    assert found.rows_before == len(before)
    assert found.rows_after == len(after)
    shown = (found.changed_rows, found.rows_only_before, found.rows_only_after)
    assert tuple(map(len, shown)) == counts(found)[1:]
    assert sum(found.changed_cells.values()) == sum(len(r.cells) for r in found.changed_rows)


@pytest.mark.campaign
def test_a_table_is_the_same_as_itself_in_another_order(spark: SparkSession, seed: int) -> None:
    chance = random.Random(seed)
    rows = [_random_row(chance) for _ in range(40)]
    mixed = chance.sample(rows, len(rows))
    both = side(spark, _COLUMNS, rows), side(spark, _COLUMNS, mixed)
    found = compare_tables(*both, Criteria(key=("k",), group_by=("k2",)))
    assert found.same
    assert found.equal == 40
    assert all(not total.difference for total in found.totals if total.column != "f")
    assert found.groups is not None
    assert found.groups.different == 0
