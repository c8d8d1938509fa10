"""The first snapshot of a table that nobody wrote to names no file."""

from __future__ import annotations

from rowbook.sources.iceberg.avro import read_records
from rowbook.sources.iceberg.catalogs.empty_snapshot import empty_list, empty_snapshot
from tests.sources.iceberg.metadata_samples import metadata


def test_its_list_is_empty() -> None:
    assert list(read_records(empty_list())) == []


def test_it_is_the_next_of_the_table() -> None:
    found = empty_snapshot(metadata(), "/lake/books/gl/metadata/snap.avro")
    assert (found["sequence-number"], found["schema-id"]) == (1, 0)
    assert "parent-snapshot-id" not in found
    assert "first-row-id" not in found


def test_rows_of_a_table_that_numbers_them_begin_where_they_would() -> None:
    table = metadata(**{"format-version": 3, "next-row-id": 5})
    found = empty_snapshot(table, "/lake/books/gl/metadata/snap.avro")
    assert (found["first-row-id"], found["added-rows"]) == (5, 0)
