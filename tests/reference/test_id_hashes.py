"""Row ids without Spark: the very values that Spark gives them."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.local_frames import frame_of
from rowbook.engine.compile.row_ids import row_id, with_row_ids
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.reference.id_hashes import hash_values, new_row_ids, uuid_text
from tests.support.small_plans import NOW

FIELDS = (
    Field("s", t.STRING),
    Field("i", t.INTEGER),
    Field("m", t.decimal(18, 2)),
    Field("w", t.decimal(38, 6)),
    Field("f", t.FLOAT),
    Field("b", t.BOOLEAN),
    Field("d", t.DATE),
    Field("z", t.TIMESTAMP),
)
EDGES: dict[str, tuple[Value, ...]] = {
    "s": ("", "a", "Ünïcödé ß 👍🏽", "x" * 31, "y" * 100, "1234567", "12345678901"),
    "i": (0, -1, 2**63 - 1, -(2**63), 42, 7, 2**32),
    "m": ("0.00", "-0.01", "9999999999999999.99", "-9999999999999999.99", "1.20", "5.00", "0.10"),
    "w": (
        "0.000000",
        "-0.000001",
        "1.270000",
        f"{'9' * 32}.999999",
        f"-{'9' * 32}.000000",
        "0.000127",
    ),
    "f": (0.0, -0.0, math.nan, math.inf, -math.inf, 5e-324, 1.1),
    "b": (True, False),
    "d": (date(1970, 1, 1), date(1, 1, 1), date(9999, 12, 31), date(2026, 1, 31)),
    "z": (
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(2026, 1, 31, 10, 0, 0, 1, tzinfo=UTC),
    ),
}
"""Of each type; a decimal has the scale of its column."""


def rows() -> list[dict[str, Value]]:
    """Every edge once, then rows of NULLs, then equal ones."""
    made: list[dict[str, Value]] = []
    for i in range(max(map(len, EDGES.values()))):
        row = {name: values[i % len(values)] for name, values in EDGES.items()}
        made.append({**row, **{name: Decimal(str(row[name])) for name in ("m", "w")}})
    empty: dict[str, Value] = dict.fromkeys(EDGES)
    return [*made, empty, {**empty, "s": "a"}, {**empty, "i": 1}, *([made[1]] * 3)]


@pytest.mark.spark
def test_values_of_every_type_are_hashed_as_spark_hashes_them(spark: SparkSession) -> None:
    given = rows()
    frame = frame_of(spark, given, FIELDS)
    names = [field.name for field in FIELDS]
    found = frame.select(*(F.xxhash64(name) for name in names), F.xxhash64(*names)).collect()
    for row, hashes in zip(given, found, strict=True):
        cells = [row[name] for name in names]
        types = [field.type for field in FIELDS]
        alone = [hash_values([v], [kind]) for v, kind in zip(cells, types, strict=True)]
        together = hash_values(cells, types)
        assert [each % 2**64 for each in hashes] == [*alone, together], row


@pytest.mark.spark
@pytest.mark.parametrize("unique", [True, False], ids=["unique", "numbered"])
def test_ids_are_those_of_spark(spark: SparkSession, unique: bool) -> None:
    given = rows()[: -3 if unique else None]
    names = [field.name for field in FIELDS]
    frame = with_row_ids(frame_of(spark, given, FIELDS), "operation 7", names, unique=unique)
    found = [each[0] for each in frame.select(row_id(NOW, stored=False)).collect()]
    cells = [[row[name] for name in names] for row in given]
    types = [field.type for field in FIELDS]
    ids = list(new_row_ids(cells, types, "operation 7", NOW, unique=unique))
    assert sorted(ids) == sorted(found)
    assert len(set(ids)) == len(ids)


def test_an_id_is_a_uuid_of_version_7_of_the_runs_start() -> None:
    text = uuid_text(NOW, 0xABC, 0xFFFF_FFFF_FFFF_FFFF)
    assert text == "019c21ac-ec65-7abc-bfff-ffffffffffff"


def test_where_a_null_stands_counts() -> None:
    types = [t.STRING, t.STRING]
    one, other = new_row_ids([(None, "a"), ("a", None)], types, "input", NOW, unique=True)
    assert one != other
