"""What checksums tell of a parquet file's pages, without reading values."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.sources.files.parquet.page_checksums import is_whole

ROWS = pa.table(
    {
        "account": pa.array(["4000", "4010", None, "4000"] * 5),
        "amount": pa.array([Decimal(i) / 100 for i in range(20)], pa.decimal128(18, 2)),
        "posted": pa.array([date(2026, 1, 1 + i) for i in range(20)]),
        "share": pa.array([i / 3 for i in range(20)]),
    }
)


def are_whole(path: Path) -> list[bool]:
    metadata = pq.read_metadata(path)
    read, group = memoryview(path.read_bytes()), metadata.row_group(0)
    leaves = [metadata.schema.column(i) for i in range(group.num_columns)]
    return [is_whole(read, group.column(i), leaf) for i, leaf in enumerate(leaves)]


def written(path: Path, table: pa.Table = ROWS, **options: object) -> Path:
    given = {"write_page_checksum": True, "version": "1.0", **options}
    pq.write_table(table, path, **given)
    return path


@pytest.mark.parametrize("packed", ["snappy", "zstd", "none"])
@pytest.mark.parametrize("by_dictionary", [True, False])
def test_pages_that_are_as_they_were_written_are_whole(
    tmp_path: Path, packed: str, by_dictionary: bool
) -> None:
    file = written(tmp_path / "f", compression=packed, use_dictionary=by_dictionary)
    assert are_whole(file) == [True] * 4


def test_a_file_without_rows_is_whole(tmp_path: Path) -> None:
    none = ROWS.append_column("final", pa.array([True] * 20)).slice(0, 0)
    assert are_whole(written(tmp_path / "f", none)) == [True] * 5


def test_pages_without_checksums_have_to_be_read(tmp_path: Path) -> None:
    assert are_whole(written(tmp_path / "f", write_page_checksum=False)) == [False] * 4


def test_pages_of_the_second_form_have_to_be_read(tmp_path: Path) -> None:
    assert are_whole(written(tmp_path / "f", data_page_version="2.0")) == [False] * 4


def test_where_a_dictionary_was_given_up_values_have_to_be_read(tmp_path: Path) -> None:
    """A page may be of the other kind because its header is damaged."""
    table = pa.table({"id": [f"J{i:05}" for i in range(4000)]})
    small = dict.fromkeys(("dictionary_pagesize_limit", "data_page_size"), 1000)
    assert are_whole(written(tmp_path / "f", table, write_batch_size=100, **small)) == [False]


@pytest.mark.parametrize("by_dictionary", [True, False])
def test_no_bit_is_changed_unnoticed_but_where_it_changes_no_value(
    tmp_path: Path, by_dictionary: bool
) -> None:
    file = written(tmp_path / "f", use_dictionary=by_dictionary)
    content, metadata = file.read_bytes(), pq.read_metadata(file)
    unnoticed = 0
    for i in range(metadata.num_columns):
        chunk, leaf = metadata.row_group(0).column(i), metadata.schema.column(i)
        start = chunk.data_page_offset
        if chunk.dictionary_page_offset:
            start = chunk.dictionary_page_offset
        for bit in range(8 * start, 8 * (start + chunk.total_compressed_size)):
            changed = bytearray(content)
            changed[bit // 8] ^= 1 << bit % 8
            if is_whole(memoryview(changed), chunk, leaf):
                unnoticed += 1
                read = pa.BufferReader(bytes(changed))
                checked = pq.ParquetFile(read, page_checksum_verification=True)
                assert checked.read().equals(ROWS)
    assert unnoticed < 8 * len(content) / 5  # what headers say of the least and largest values
