"""Footers of parquet files."""

from __future__ import annotations

import contextlib
import random
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.errors import RowbookError
from rowbook.sources.files.parquet.metadata import read_footer
from tests.support.refusal import refusal


def table(**columns: pa.Array) -> pa.Table:
    return pa.table(dict(columns))


def test_columns_on_top_and_rows_are_read(tmp_path: Path) -> None:
    nested = pa.array(
        [{"x": 1, "y": [1, 2]}, None], pa.struct({"x": "int64", "y": pa.list_(pa.int8())})
    )
    maps = pa.array([[("k", 1)], []], pa.map_("string", "int64"))
    written = table(a=pa.array([1, 2]), nested=nested, maps=maps, b=pa.array(["é", None]))
    pq.write_table(written, tmp_path / "t.parquet")
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (footer.columns, footer.rows) == (("a", "nested", "maps", "b"), 2)


def test_a_file_without_rows_still_has_columns(tmp_path: Path) -> None:
    pq.write_table(table(a=pa.array([], "int64")), tmp_path / "t.parquet")
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (footer.columns, footer.rows) == (("a",), 0)


def test_many_columns_and_row_groups_are_read(tmp_path: Path) -> None:
    wide = pa.table({f"c{i}": list(range(100)) for i in range(300)})
    pq.write_table(wide, tmp_path / "t.parquet", row_group_size=7)
    footer = read_footer(tmp_path / "t.parquet", "t.parquet")
    assert (len(footer.columns), footer.rows) == (300, 100)


def test_the_signature_is_about_names_and_types_alone(tmp_path: Path) -> None:
    amounts = pa.array([Decimal("1.50")], pa.decimal128(18, 2))
    required = pa.schema([pa.field("a", pa.decimal128(18, 2), nullable=False)])
    written = {
        "one": table(a=amounts),
        "same": table(a=pa.array([Decimal("9.00"), None], pa.decimal128(18, 2))),
        "required": pa.table([amounts], schema=required),
        "scale": table(a=pa.array([Decimal("1.5")], pa.decimal128(18, 3))),
        "name": table(b=amounts),
        "more": table(a=amounts, b=amounts),
    }
    signatures = {}
    for name, each in written.items():
        pq.write_table(each, tmp_path / name)
        signatures[name] = read_footer(tmp_path / name, name).signature
    assert signatures["one"] == signatures["same"] == signatures["required"]
    assert len(set(signatures.values())) == 4


@pytest.mark.parametrize("content", [b"", b"PAR1", b"a,b\n1,2\n", b"PAR1\xff\xff\xff\xffPAR1"])
def test_what_is_no_parquet_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.parquet").write_bytes(content)
    diagnostic = refusal(lambda: read_footer(tmp_path / "t.parquet", "data/t.parquet"))
    assert diagnostic.code == "DATASOURCE_007"
    assert diagnostic.message.startswith("data/t.parquet is not a parquet file: ")


@pytest.mark.fuzz
def test_a_damaged_footer_is_refused_or_read_but_never_crashes(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({f"c{i}": [i] for i in range(5)}), path)
    sound = path.read_bytes()
    length = int.from_bytes(sound[-8:-4], "little")
    dice = random.Random(7)
    for _ in range(1000):
        damaged = bytearray(sound)
        for _ in range(dice.randint(1, 4)):
            damaged[len(sound) - 8 - dice.randint(1, length)] = dice.randrange(256)
        path.write_bytes(damaged)
        with contextlib.suppress(RowbookError):
            read_footer(path, "t.parquet")
