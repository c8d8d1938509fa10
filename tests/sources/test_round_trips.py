"""What is written is what is read back: every type, in every format."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.local_frames import frame_of
from rowbook.planning.datasets import Dataset
from rowbook.sources.files.file_table import FileTable, FileTarget
from rowbook.sources.files.listing import FileKind
from tests.sources.tables import dataset, put, rows_of, target
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

_FORMATS: list[tuple[str, dict[str, str]]] = [
    ("parquet", {}),
    ("orc", {}),
    ("json", {}),
    ("json", {"date_format": "dd.MM.yyyy", "timestamp_format": "dd.MM.yyyy HH:mm:ss.SSSSSS"}),
    ("csv", {}),
    ("csv", {"delimiter": ";", "decimal_separator": ",", "quote": "'"}),
    (
        "csv",
        {"decimal_separator": ",", "thousands_separator": ".", "negative": "trailing"},
    ),
    ("csv", {"thousands_separator": "'", "negative": "parentheses", "strip": "€"}),
    ("json", {"decimal_separator": ",", "thousands_separator": ".", "negative": "trailing"}),
    ("csv", {"header": "false", "null_text": "NULL", "escape": "\\"}),
    ("csv", {"encoding": "utf-16", "date_format": "dd.MM.yyyy"}),
]
FORMATS = pytest.mark.parametrize(("kind", "options"), _FORMATS)
FOLDERS = pytest.mark.parametrize(
    ("kind", "options"),
    [
        pytest.param(kind, options, marks=pytest.mark.campaign)
        if options.keys() - {"header", "null_text", "escape"}
        else (kind, options)
        for kind, options in _FORMATS
    ],
)
"""How values are written decides nothing about folders, and about files without rows."""
EXACT: tuple[FileKind, ...] = ("csv", "json", "orc", "parquet")
"""Formats that give back what was written; a workbook is for people."""
VALUES: dict[str, list[Any]] = {
    "string": [
        "x", "", " ", " lead", "trail ", "\t", "é", "😀", "漢字", "ﬁ", "e\u0301", '"', '""', "'",
        "a,b", "a;b", "line\nbreak", "a\r\nb", "a\rb", "\\", "\\n", 'a\\"b', "#x", "NaN", "007",
        "-", "\u00a0", "\x85", "\u2028", "null", "x" * 5000,
    ],
    "integer": [0, 1, -1, 2**63 - 1, -(2**63), 10**15],
    "decimal(18,2)": [Decimal(t) for t in ("0.00", "-0.01", "10.50", "9999999999999999.99")],
    "decimal(38,18)": [
        Decimal(t)
        for t in (
            "0E-18", "0.000000000000000001", "-0.000000000000000001",
            "99999999999999999999.999999999999999999", "-12345678901234567890.123456789012345678",
        )
    ],
    "decimal(38,10)": [
        Decimal(t)
        for t in (
            "0E-10", "0.0000012345", "-10.5000000000", "9999999999999999999999999999.9999999999",
        )
    ],
    "decimal(38,0)": [Decimal("9" * 38), Decimal(-1), Decimal("1" + "0" * 37)],
    "float": [0.0, -0.0, 1.5, 0.1, 1e-7, 1e300, 5e-324, 1e10, math.inf, -math.inf, 2**53 + 1.0],
    "boolean": [True, False],
    "date": [
        date(2026, 1, 31), date(1, 1, 1), date(1500, 2, 28), date(1582, 10, 4), date(1582, 10, 15),
        date(9999, 12, 31),
    ],
    "timestamp": [
        datetime(2026, 1, 31, 10, 5, 7, tzinfo=UTC),
        datetime(2026, 1, 31, tzinfo=UTC),
        datetime(2026, 1, 31, 10, 5, 7, 123456, tzinfo=UTC),
        datetime(2026, 1, 31, 10, 5, 7, 120000, tzinfo=UTC),
        datetime(1850, 6, 1, 1, 2, 3, 1, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1500, 3, 1, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1582, 10, 4, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1582, 10, 15, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 58, 500000, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
}  # fmt: skip


UNKNOWN_TO_ORC: dict[str, list[Any]] = {
    **{kind: [] for kind in VALUES},
    "date": [date(1582, 10, 5), date(1582, 10, 14)],
    "timestamp": [
        datetime(1582, 10, 5, tzinfo=UTC),
        datetime(1582, 10, 14, 23, 59, 59, 999999, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
    ],
}


def there(where: FileTarget, wanted: Dataset) -> FileTable:
    names = [field.name for field in wanted.fields]
    return FileTable(where.kind, where.path, where.options, label=where.label, wanted=names)


def frame(spark: SparkSession, wanted: Dataset, rows: Sequence[dict[str, Any]]) -> DataFrame:
    return frame_of(spark, rows, wanted.fields)


@pytest.mark.some(5)
@FORMATS
def test_values_come_back_as_they_were(
    spark: SparkSession, tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    """A column of each type; a last row, and the rest of those that have fewer values, is NULL."""
    columns = {
        f"v{n}": (kind_of_value, values + ([] if kind == "orc" else UNKNOWN_TO_ORC[kind_of_value]))
        for n, (kind_of_value, values) in enumerate(VALUES.items())
    }
    typed = (f"{name} {kind_of_value}" for name, (kind_of_value, _) in columns.items())
    wanted = dataset("n integer", *typed, "w string")
    most = max(len(values) for _, values in columns.values()) + 1
    rows = [
        {"n": n, **{name: _at(n, values) for name, (_, values) in columns.items()}, "w": "end"}
        for n in range(most)
    ]
    where = target(tmp_path / "t", kind, **options)
    assert put(frame(spark, wanted, rows), where).rows == len(rows)
    found = sorted(rows_of(spark, wanted, there(where, wanted)), key=lambda row: int(row["n"]))
    for name, (kind_of_value, _) in columns.items():
        values = [row[name] for row in rows]
        assert [row[name] for row in found] == values, kind_of_value
        assert [str(row[name]) for row in found] == [str(value) for value in values], kind_of_value


def _at(n: int, values: list[Any]) -> Any:
    return values[n] if n < len(values) else None


@FOLDERS
def test_periods_come_back_from_their_folders(
    spark: SparkSession, tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    wanted = dataset("a string", "_period string", "b integer", mode="period")
    rows = [{"a": p, "_period": p, "b": i} for i, p in enumerate(("2026", "2026-01", "FY 26/Q1"))]
    where = target(tmp_path / "t", kind, **options)
    put(frame(spark, wanted, rows), where, periods=("2026", "2026-01", "FY 26/Q1"))
    found = rows_of(spark, wanted, there(where, wanted), periods=("2026", "2026-01", "FY 26/Q1"))
    assert sorted(found, key=lambda row: int(row["b"])) == rows


@FOLDERS
def test_a_table_without_rows_comes_back_without_rows(
    spark: SparkSession, tmp_path: Path, kind: str, options: dict[str, str]
) -> None:
    wanted = dataset("a string!", "b decimal(18,2)!", "c date")
    where = target(tmp_path / "t", kind, **options)
    if options.get("header") == "false":
        assert put(frame(spark, wanted, []), where).rows == 0
        return
    put(frame(spark, wanted, []), where)
    assert rows_of(spark, wanted, there(where, wanted)) == []


@pytest.mark.parametrize(
    ("kind_of_value", "value"),
    [(kind, value) for kind, values in UNKNOWN_TO_ORC.items() for value in values],
)
def test_orc_refuses_what_would_come_back_as_another_value(
    spark: SparkSession, tmp_path: Path, kind_of_value: str, value: Any
) -> None:
    wanted = dataset(f"v {kind_of_value}")
    diagnostic = refusal(
        lambda: put(frame(spark, wanted, [{"v": value}]), target(tmp_path / "t", "orc"))
    )
    assert diagnostic.code == "OUTPUT_006"
    assert diagnostic.message.startswith("data/t: an orc file cannot hold ")
    assert list(tmp_path.iterdir()) == []


def test_not_a_number_comes_back(spark: SparkSession, tmp_path: Path) -> None:
    wanted = dataset("v float", "w string")
    for kind in EXACT:
        where = target(tmp_path / kind, kind)
        put(frame(spark, wanted, [{"v": math.nan, "w": "x"}]), where)
        (row,) = rows_of(spark, wanted, there(where, wanted))
        assert math.isnan(row["v"])


TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\x01\x02\ufffd"), max_size=12
)


@pytest.mark.fuzz
@settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(
    rows=st.lists(
        st.fixed_dictionaries(
            {
                "t": st.none() | TEXTS,
                "u": st.none() | TEXTS.filter(lambda text: not text.endswith("\r")),
                "d": st.none() | st.decimals(-(10**14), 10**14, places=3),
            }
        ),
        min_size=30,
        max_size=100,
    )
)
def test_any_text_comes_back(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    wanted = dataset("d decimal(18,3)", "t string", "u string")
    for kind in EXACT:
        where = target(tmp_path_factory.mktemp("t") / "t", kind)
        assert put(frame(spark, wanted, rows), where).rows == len(rows)
        found = rows_of(spark, wanted, there(where, wanted))
        assert sorted(map(repr, found)) == sorted(
            repr({name: row[name] for name in ("d", "t", "u")}) for row in rows
        )
