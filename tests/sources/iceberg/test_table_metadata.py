"""Metadata files say what a table is; of any format that is known, and packed."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from rowbook.sources.iceberg.table_metadata import NO_SNAPSHOT, TableMetadata
from tests.sources.iceberg.metadata_samples import metadata, parsed, snapshot, written


def test_columns_and_what_divides_the_files_are_told() -> None:
    table = metadata()
    assert table.columns == {"account": "string", "amount": "decimal(18, 2)", "_period": "string"}
    assert table.partitions == {"_period"}
    assert table.main == NO_SNAPSHOT
    assert table.snapshots == ()


def test_what_is_read_is_the_snapshot_that_the_main_branch_names() -> None:
    table = written(snapshot(8), snapshot(9, **{"total-files-size": "17"}))
    assert table.main == 9
    found = table.snapshot(9)
    assert found is not None
    assert (found.number("total-files-size"), found.number("added-records")) == (17, 0)
    assert table.snapshot(7) is None


def test_a_snapshot_has_the_columns_of_its_time() -> None:
    old = {"schema-id": 0, "fields": [{"id": 1, "name": "a", "required": False, "type": "int"}]}
    new = {"schema-id": 1, "fields": [{"id": 2, "name": "b", "required": False, "type": "int"}]}
    table = written(
        snapshot(8),
        schemas=[old, new],
        **{"current-schema-id": 1, "partition-specs": [{"spec-id": 0, "fields": []}]},
    )
    assert list(table.columns) == ["b"]
    assert [each["name"] for each in table.schema(table.snapshot(8))["fields"]] == ["a"]


def test_the_first_format_has_one_schema_and_one_way_to_divide() -> None:
    content = {
        key: value
        for key, value in metadata().content.items()
        if key not in ("schemas", "current-schema-id", "partition-specs", "default-spec-id")
    }
    spec = metadata().spec["fields"]
    old = {"format-version": 1, "schema": metadata().schema(), "partition-spec": spec}
    table = parsed({**content, **old, "current-snapshot-id": None})
    assert list(table.columns) == ["account", "amount", "_period"]
    assert table.partitions == {"_period"}
    assert table.main == NO_SNAPSHOT


def test_a_packed_file_is_unpacked() -> None:
    packed = gzip.compress(json.dumps(dict(metadata().content)).encode())
    assert TableMetadata.parse(packed, "v1.gz.metadata.json").columns == metadata().columns


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"format-version": 4}, "it is of format 4, and 3 is the newest known"),
        ({"schemas": []}, "cannot be read"),
        ({"schemas": 7}, "cannot be read"),
        ({"current-schema-id": 5}, "cannot be read"),
        ({"snapshots": [{}]}, "cannot be read"),
    ],
)
def test_what_cannot_be_understood_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        metadata(**changes)


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\x1f\x8b\0", b"\xff"])
def test_what_is_no_metadata_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        TableMetadata.parse(data, "v1.metadata.json")
