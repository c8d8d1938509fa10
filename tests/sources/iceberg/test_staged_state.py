"""What an output is staged upon, and what the table becomes by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.iceberg_schema import FrameColumn
from rowbook.sources.iceberg.staged_state import (
    output_in,
    published_metadata,
    staging_metadata,
    underneath,
    written_by,
)
from tests.sources.iceberg.metadata_samples import metadata, parsed, snapshot, written

OUTPUT = OutputName("run", 1)
MINE = {"rowbook.run": "run", "rowbook.output": "1", "added-records": "3"}
FOLDER, TABLE = Path("/lake/books/gl/_rowbook_run_1"), Path("/lake/books/gl")
FRAME = [
    FrameColumn("account", "string"),
    FrameColumn("amount", "decimal(18,2)"),
    FrameColumn("_period", "string"),
]


def copy_of(
    base: Any, columns: list[FrameColumn], *, whole: bool = False, by_period: bool = True
) -> dict[str, Any]:
    return staging_metadata(base, columns, FOLDER, None, whole=whole, by_period=by_period)


def with_output(content: dict[str, Any], number: int = 9) -> Any:
    """As Spark leaves it."""
    own = {**snapshot(number, **MINE), "sequence-number": content["last-sequence-number"] + 1}
    return parsed(
        {
            **content,
            "snapshots": [*content["snapshots"], own],
            "current-snapshot-id": number,
            "last-sequence-number": own["sequence-number"],
        },
        f"{FOLDER}/metadata/v2.metadata.json",
    )


def names(content: dict[str, Any]) -> list[tuple[int, str]]:
    fields = parsed(content).schema()["fields"]
    return [(each["id"], each["name"]) for each in fields]


def test_a_new_table_has_the_columns_of_the_output_and_is_divided_by_period() -> None:
    content = copy_of(None, FRAME)
    assert names(content) == [(1, "account"), (2, "amount"), (3, "_period")]
    table = parsed(content)
    assert table.columns["amount"] == "decimal(18, 2)"
    assert table.partitions == {"_period"}
    assert parsed(copy_of(None, FRAME, by_period=False)).partitions == set()


def test_a_copy_is_in_a_folder_of_its_own_and_has_the_newest_snapshot_alone() -> None:
    base = written(
        snapshot(7),
        snapshot(8),
        properties={
            "write.location-provider.impl": "evil.Class",
            "write.data.path": "/elsewhere",
            "write.parquet.compression-codec": "zstd",
        },
    )
    content = copy_of(base, FRAME)
    assert content["location"] == str(FOLDER)
    assert [each["snapshot-id"] for each in content["snapshots"]] == [8]
    assert content["properties"] == {"write.parquet.compression-codec": "zstd"}
    assert content["schemas"] == base.content["schemas"]


def test_new_columns_come_behind_the_others_with_numbers_of_their_own() -> None:
    content = copy_of(metadata(), [*FRAME, FrameColumn("note", "string")])
    assert names(content) == [(1, "account"), (2, "amount"), (3, "_period"), (4, "note")]
    assert (content["current-schema-id"], content["last-column-id"]) == (1, 4)
    assert len(content["schemas"]) == 2


def test_a_table_that_is_replaced_keeps_columns_of_the_same_name_and_type() -> None:
    columns = [FrameColumn("account", "string"), FrameColumn("amount", "double")]
    content = copy_of(metadata(), columns, whole=True)
    assert names(content) == [(1, "account"), (4, "amount")]
    assert parsed(content).spec["fields"] == []
    assert content["default-spec-id"] == 1


def test_a_published_output_is_the_main_branch_and_has_a_tag() -> None:
    base = written(snapshot(8), properties={"owner": "finance"})
    staged = with_output(copy_of(base, [*FRAME, FrameColumn("note", "string")]))
    content = published_metadata(base, staged, OUTPUT, TABLE, None)
    table = parsed(content)
    assert (table.main, [each.id for each in table.snapshots]) == (9, [8, 9])
    assert content["refs"] == {
        "main": {"snapshot-id": 9, "type": "branch"},
        "rowbook_run_1": {"snapshot-id": 9, "type": "tag"},
    }
    assert "note" in table.columns
    assert content["location"] == "/lake/books/gl"
    assert content["properties"] == {"owner": "finance"}
    assert content["last-sequence-number"] == 2
    assert content["metadata-log"] == [
        {"timestamp-ms": 1767225600000, "metadata-file": base.file},
    ]
    assert content["snapshot-log"][-1]["snapshot-id"] == 9


def test_a_new_table_is_where_the_catalog_says() -> None:
    staged = with_output(copy_of(None, FRAME))
    content = published_metadata(None, staged, OUTPUT, TABLE, "zstd")
    assert content["location"] == "/lake/books/gl"
    assert content["properties"] == {"write.parquet.compression-codec": "zstd"}
    assert content["metadata-log"] == []
    assert parsed(content).main == 9


def test_how_long_snapshots_are_kept_stays() -> None:
    kept = {"snapshot-id": 8, "type": "branch", "min-snapshots-to-keep": 5}
    base = written(snapshot(8), refs={"main": kept})
    content = published_metadata(base, with_output(copy_of(base, FRAME)), OUTPUT, TABLE, None)
    assert content["refs"]["main"] == {**kept, "snapshot-id": 9}


def test_an_output_is_known_by_what_its_snapshot_says() -> None:
    table = written(snapshot(8, **MINE), snapshot(9))
    found = output_in(table, OUTPUT)
    assert found is not None
    assert (found.id, written_by(found).rows) == (8, 3)
    assert output_in(table, OutputName("run", 2)) is None
    assert output_in(table, OutputName("other", 1)) is None
    assert output_in(None, OUTPUT) is None


def test_a_table_that_others_changed_is_another_to_build_upon() -> None:
    base = written(snapshot(8))
    assert underneath(base) == underneath(written(snapshot(8), properties={"owner": "x"}))
    assert underneath(base) != underneath(written(snapshot(8), snapshot(9)))
    assert underneath(base) != underneath(written(snapshot(8), **{"last-sequence-number": 2}))
    assert underneath(None) != underneath(metadata())
