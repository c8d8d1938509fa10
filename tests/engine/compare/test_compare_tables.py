"""Two tables compared on Spark: cells by value, rows by key, totals; random ones against a plain
comparison in Python."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compare.aligned import KeyCandidate, Side
from rowbook.engine.compare.compare_tables import compare_tables
from rowbook.engine.compare.difference import (
    CellChange,
    ChangedRow,
    Criteria,
    Repeated,
    RetypedColumn,
    TableDifference,
    Total,
)
from rowbook.engine.compile.local_frames import frame_of
from rowbook.errors import RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import parse_type

pytestmark = pytest.mark.spark
SEEDS = 2

Rows = Sequence[Mapping[str, Any]]


def side(spark: SparkSession, columns: str, rows: Rows) -> Side:
    """A table; columns as `name type; …`."""
    fields = []
    for each in columns.split("; "):
        name, _, kind = each.partition(" ")
        fields.append(Field(name, parse_type(kind) or t.UNKNOWN))
    return Side(frame_of(spark, rows, fields), tuple(fields))


def row(*values: Any) -> dict[str, Any]:
    """A row of columns k, v, …"""
    return dict(zip("kvw", values, strict=False))


def compared(
    spark: SparkSession, schema: str, before: Rows, after: Rows, **criteria: Any
) -> TableDifference:
    both = side(spark, schema, before), side(spark, schema, after)
    return compare_tables(*both, Criteria(**{"key": ("k",), **criteria}))


def counts(found: TableDifference) -> tuple[int, int, int, int]:
    return found.equal, found.changed, found.only_before, found.only_after


# --- values


EQUAL: list[tuple[tuple[str, str], Any, Any]] = [
    (("integer", "integer"), None, None),
    (("decimal(18,2)", "decimal(18,4)"), Decimal("10.50"), Decimal("10.5000")),
    (("integer", "decimal(18,2)"), 7, Decimal("7.00")),
    (("decimal(38,0)", "decimal(38,18)"), Decimal(12), Decimal("12.000000000000000000")),
    (("decimal(38,18)", "integer"), Decimal("0E-18"), 0),
    (("float", "float"), 0.0, -0.0),
    (("float", "float"), math.nan, math.nan),
    (("integer", "float"), 3, 3.0),
    (("date", "timestamp"), date(2026, 1, 31), datetime(2026, 1, 31, tzinfo=UTC)),
    (("string", "string"), "", ""),
]
"""Types and values of two cells."""


def test_equal_values_are_equal_whatever_their_types(spark: SparkSession) -> None:
    def of(kinds: Sequence[str], values: Sequence[Any]) -> Side:
        columns = "; ".join(["k integer", *(f"v{n} {kind}" for n, kind in enumerate(kinds))])
        return side(spark, columns, [{"k": 1, **{f"v{n}": v for n, v in enumerate(values)}}])

    one = of([kinds[0] for kinds, _, _ in EQUAL], [before for _, before, _ in EQUAL])
    other = of([kinds[1] for kinds, _, _ in EQUAL], [after for _, _, after in EQUAL])
    found = compare_tables(one, other, Criteria(key=("k",)))
    assert len(found.columns) == len(EQUAL)
    assert found.changed_cells == {}
    assert counts(found) == (1, 0, 0, 0)
    assert found.same
    whole = compare_tables(one, other, Criteria())
    assert counts(whole) == (1, 0, 0, 0)


DIFFERENT: list[tuple[str, Any, Any]] = [
    ("integer", None, 0),
    ("string", None, ""),
    ("string", "a", "A"),
    ("string", "a", "a "),
    ("decimal(18,2)", Decimal("10.50"), Decimal("10.51")),
    ("float", 0.1 + 0.2, 0.3),
    ("boolean", False, None),
    (
        "timestamp",
        datetime(2026, 1, 31, 10, tzinfo=UTC),
        datetime(2026, 1, 31, 10, 0, 0, 1, tzinfo=UTC),
    ),
]
"""A type, and the values of two cells."""


def test_a_cell_that_differs_is_shown_as_it_was_and_as_it_is(spark: SparkSession) -> None:
    names = [f"v{n}" for n in range(len(DIFFERENT))]
    columns = "; ".join(f"{n} {kind}" for n, (kind, _, _) in zip(names, DIFFERENT, strict=True))
    before = {n: was for n, (_, was, _) in zip(names, DIFFERENT, strict=True)}
    after = {n: now for n, (_, _, now) in zip(names, DIFFERENT, strict=True)}
    found = compared(spark, f"k integer; {columns}", [{"k": 1, **before}], [{"k": 1, **after}])
    assert counts(found) == (0, 1, 0, 0)
    cells = tuple(CellChange(name, before[name], after[name]) for name in names)
    assert found.changed_rows == (ChangedRow({"k": 1}, cells),)
    assert found.changed_cells == dict.fromkeys(names, 1)
    assert not found.same


def test_numbers_may_differ_by_the_tolerance_and_no_more(spark: SparkSession) -> None:
    columns = "k integer; v decimal(18,2); w float"
    before = [row(n, Decimal("10.00"), 1.0) for n in range(4)] + [row(4, None, 1.0)]
    after = [
        row(0, Decimal("10.01"), 1.0),
        row(1, Decimal("9.98"), 1.0),
        row(2, Decimal("10.00"), 1.0 + 1e-9),
        row(3, Decimal("10.00"), 1.5),
        row(4, Decimal("0.00"), 1.0),
    ]
    allowed = {"v": Decimal("0.01"), "w": Decimal("0.000001")}
    found = compared(spark, columns, before, after, tolerance=allowed)
    assert [each.key["k"] for each in found.changed_rows] == [1, 3, 4]
    assert found.changed_cells == {"v": 2, "w": 1}


def test_a_tolerance_without_a_key_is_refused(spark: SparkSession) -> None:
    with pytest.raises(RowbookError, match="a tolerance needs a key"):
        compared(spark, "k integer; v float", [], [], key=(), tolerance={"v": Decimal(1)})


# --- columns


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


def test_columns_that_differ_by_run_are_left_out_unless_they_are_asked_for(
    spark: SparkSession,
) -> None:
    columns = "k integer; v string; _row_id string; _labels string"
    before = [{**row(1, "a"), "_row_id": "x", "_labels": ""}]
    after = [{**row(1, "b"), "_row_id": "y", "_labels": "new"}]
    assert compared(spark, columns, before, after).changed_cells == {"v": 1, "_labels": 1}
    found = compared(spark, columns, before, after, columns=("_row_id", "v"), ignore=("v",))
    assert found.changed_cells == {"_row_id": 1}


# --- keys


def test_rows_of_a_key_that_stands_twice_are_compared_whole(spark: SparkSession) -> None:
    before = [row(1, "a"), row(1, "b"), row(1, "b"), row(2, "c"), row(None, "d")]
    after = [row(1, "b"), row(1, "x"), row(2, "e"), row(None, "f")]
    found = compared(spark, "k integer; v string", before, after)
    assert (found.repeated_before, found.repeated_after) == (Repeated(1, 3), Repeated(1, 2))
    assert counts(found) == (1, 2, 2, 1)
    assert [each.key["k"] for each in found.changed_rows] == [2, None]
    assert found.rows_only_before == (row(1, "a"), row(1, "b"))
    assert found.rows_only_after == (row(1, "x"),)


def test_a_row_that_is_there_more_often_is_shown_so_often(spark: SparkSession) -> None:
    found = compared(
        spark, "k integer; v string", [row(1, "a")] * 5 + [row(2, "b")] * 2, [row(1, "a")], key=()
    )
    assert counts(found) == (1, 0, 6, 0)
    assert found.rows_only_before == (*[row(1, "a")] * 4, *[row(2, "b")] * 2)
    cut = compared(
        spark, "k integer; v string", [row(1, "a")] * 5 + [row(2, "b")] * 2, [], key=(), limit=3
    )
    assert (cut.only_before, cut.rows_only_before) == (7, (row(1, "a"),) * 3)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        ([1, 2, 3], ("k",)),
        ([1, 1, 3], ("v",)),
        ([1, None, 3], ("k",)),
        ([1, None, None], ("v",)),
    ],
)
def test_the_first_candidate_that_tells_rows_apart_is_the_key(
    spark: SparkSession, keys: list[int | None], chosen: tuple[str, ...]
) -> None:
    rows = [row(key, f"v{i}") for i, key in enumerate(keys)]
    both = side(spark, "k integer; v string", rows), side(spark, "k integer; v string", rows)
    candidates = [KeyCandidate(("x",)), KeyCandidate(("k",)), KeyCandidate(("v",))]
    assert compare_tables(*both, Criteria(), candidates).key == chosen


def test_a_loose_candidate_may_be_null_more_than_once(spark: SparkSession) -> None:
    before = [row(1, "a"), row(None, "b"), row(None, "c")]
    after = [row(1, "x"), row(None, "b"), row(None, "y")]
    both = side(spark, "k integer; v string", before), side(spark, "k integer; v string", after)
    found = compare_tables(*both, Criteria(), [KeyCandidate(("k",), loose=True)])
    assert (found.key, counts(found)) == (("k",), (1, 1, 1, 1))


def test_row_ids_are_a_key_only_where_some_are_the_same(spark: SparkSession) -> None:
    def of(*ids: str) -> Side:
        return side(spark, "_row_id string; v string", [{"_row_id": i, "v": "a"} for i in ids])

    candidates = [KeyCandidate(("_row_id",))]
    assert compare_tables(of("1", "2"), of("2", "3"), Criteria(), candidates).key == ("_row_id",)
    assert compare_tables(of("1", "2"), of("3", "4"), Criteria(), candidates).key == ()


def test_rows_that_are_matched_by_their_ids_are_shown_by_what_people_know(
    spark: SparkSession,
) -> None:
    columns = "_row_id string; k integer; v string; w string"
    before = [{"_row_id": "x", **row(7, "a", "b")}, {"_row_id": "y", **row(None, "a", "b")}]
    after = [{**each, "w": "c"} for each in before]
    both = side(spark, columns, before), side(spark, columns, after)
    candidates = [KeyCandidate(("_row_id",))]
    found = compare_tables(*both, Criteria(), candidates, natural_key=("k",))
    assert [(each.key, each.known_by) for each in found.changed_rows] == [
        ({"_row_id": "x"}, {"k": 7}),
        ({"_row_id": "y"}, {"v": "a"}),
    ]


# --- totals


def test_totals_of_numeric_columns_stand_side_by_side(spark: SparkSession) -> None:
    columns = "k integer; v decimal(38,2); w integer"
    before = [row(1, Decimal("10.50"), 2**62), row(2, Decimal("-0.25"), 2**62)]
    after = [row(1, Decimal("10.50"), None), row(3, None, None)]
    found = compared(spark, columns, before, after)
    assert found.totals == (
        Total("v", Decimal("10.25"), Decimal("10.50"), Decimal("0.25")),
        Total("w", Decimal(2**63), None, Decimal(-(2**63))),
    )


def test_a_sum_that_no_decimal_holds_has_no_difference(spark: SparkSession) -> None:
    large = Decimal("9" * 38)
    rows = [row(1, large), row(2, large)]
    found = compared(spark, "k integer; v decimal(38,0)", rows, [row(1, large)])
    assert found.totals == (Total("v", None, large, None),)


def test_groups_that_differ_are_shown_with_their_totals(spark: SparkSession) -> None:
    columns = "k integer; v string; w decimal(9,2)"
    before = [row(1, "a", Decimal(1)), row(2, "b", Decimal(2)), row(3, None, Decimal(3))]
    after = [row(1, "a", Decimal(1)), row(2, "b", Decimal(5)), row(3, "c", Decimal(3))]
    groups = compared(spark, columns, before, after, group_by=("v",)).groups
    assert groups is not None
    assert (groups.count, groups.different) == (4, 3)
    assert [(g.group["v"], g.rows_before, g.rows_after, g.totals[0].difference)
            for g in groups.shown] == [
        ("b", 1, 1, Decimal("3.00")),
        ("c", 0, 1, Decimal("3.00")),
        (None, 1, 0, Decimal("-3.00")),
    ]  # fmt: skip
    cut = compared(spark, columns, before, after, group_by=("v",), limit=1).groups
    assert cut is not None
    assert (cut.different, len(cut.shown)) == (3, 1)


# --- random tables


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
