"""What the log of a Delta table says, without Spark: tables are made by another writer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake import DeltaTable as LakeTable
from deltalake import write_deltalake

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.contents import Content
from rowbook.sources.delta.delta_table import DeltaTable
from rowbook.sources.delta.log import Log
from rowbook.sources.delta.source import DeltaSource
from rowbook.sources.delta.state import live_files, read_head
from tests.sources.delta.samples import place, refusal

SCHEMA = {
    "type": "struct",
    "fields": [
        {"name": "id", "type": "string", "nullable": True, "metadata": {}},
        {"name": "amount", "type": "decimal(18,2)", "nullable": True, "metadata": {}},
    ],
}
Action = dict[str, Any]
METADATA: Action = {
    "metaData": {"id": "t", "schemaString": json.dumps(SCHEMA), "partitionColumns": []}
}
PROTOCOL: Action = {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}}


def add(path: str, size: int, **more: Any) -> Action:
    return {"add": {"path": path, "size": size, **more}}


def remove(path: str, **more: Any) -> Action:
    return {"remove": {"path": path, **more}}


def log(table: Path, *commits: Sequence[Action]) -> Path:
    """A table of which there is nothing but the log."""
    folder = table / "_delta_log"
    folder.mkdir(parents=True, exist_ok=True)
    for version, actions in enumerate(commits):
        text = "".join(f"{json.dumps(action, ensure_ascii=False)}\n" for action in actions)
        (folder / f"{version:020}.json").write_text(text, encoding="utf-8")
    return table


def drop_commits(table: Path, *versions: int) -> None:
    for version in versions:
        (table / "_delta_log" / f"{version:020}.json").unlink()


def grown(path: Path, versions: int) -> Path:
    """A table with a row and a file more in each version."""
    for i in range(versions):
        write_deltalake(path, pa.table({"id": [f"J{i}"], "note": ["x"]}), mode="append")
    return path


def sizes(path: Path, version: int) -> int:
    """What another reader says that the files of a version have."""
    table = LakeTable(path, version=version).get_add_actions(flatten=True)
    return int(sum(pa.table(table)["size_bytes"].to_pylist()))


def refused(where: DeltaTable, code: str) -> str:
    with pytest.raises(RowbookError) as error:
        DeltaSource().contents(where)
    return refusal(error, code)


def test_a_table_is_known_by_its_newest_version(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 3)
    files = DeltaSource().contents(place(table))
    assert files == (Content("data/gl", sizes(table, 2), version="2"),)
    assert DeltaSource().columns(place(table)) == ("id", "note")


def test_an_older_version_has_its_own_columns_and_size(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 2)
    more = pa.table({"id": ["J9"], "currency": ["EUR"]})
    write_deltalake(table, more, mode="overwrite", schema_mode="overwrite")
    assert DeltaSource().columns(place(table)) == ("id", "currency")
    assert DeltaSource().columns(place(table, version=1)) == ("id", "note")
    (content,) = DeltaSource().contents(place(table, version=1))
    assert (content.size, content.version) == (sizes(table, 1), "1")


def test_files_that_were_removed_do_not_count(tmp_path: Path) -> None:
    first = [PROTOCOL, METADATA, add("a", 10), add("b", 20)]
    table = log(tmp_path / "gl", first, [remove("a"), add("c", 5)])
    assert DeltaSource().contents(place(table)) == (Content("data/gl", 25, version="1"),)


def test_a_file_of_which_rows_were_deleted_counts_once(tmp_path: Path) -> None:
    def vector(offset: int) -> Action:
        return {"deletionVector": {"storageType": "u", "pathOrInlineDv": "x", "offset": offset}}

    table = log(
        tmp_path / "gl",
        [PROTOCOL, METADATA, add("a", 10)],
        [add("a", 10, **vector(1)), remove("a")],
        [add("a", 10, **vector(9)), remove("a", **vector(1))],
    )
    assert DeltaSource().contents(place(table)) == (Content("data/gl", 10, version="2"),)


@pytest.mark.parametrize("at", [2, 4])
def test_a_checkpoint_stands_for_all_before_it(tmp_path: Path, at: int) -> None:
    table = grown(tmp_path / "gl", 5)
    LakeTable(table, version=at).create_checkpoint()
    drop_commits(table, *range(at))
    assert DeltaSource().contents(place(table)) == (Content("data/gl", sizes(table, 4), None, "4"),)
    assert DeltaSource().columns(place(table)) == ("id", "note")
    said = "version 1 of data/gl is no longer there: its log was cleaned up"
    assert refused(place(table, version=1), "DATASOURCE_006") == said


def test_parts_of_a_checkpoint_count_only_together(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 4)
    LakeTable(table).create_checkpoint()
    whole = table / "_delta_log" / f"{3:020}.checkpoint.parquet"
    rows = pq.read_table(whole)
    whole.unlink()
    for part, piece in enumerate((rows.slice(0, 2), rows.slice(2)), start=1):
        name = f"{3:020}.checkpoint.{part:010}.{2:010}.parquet"
        pq.write_table(piece, table / "_delta_log" / name)
    (table / "_delta_log" / f"{2:020}.checkpoint.{1:010}.{2:010}.parquet").write_bytes(b"")
    assert list(Log.of(table).checkpoints) == [3]
    drop_commits(table, 0, 1, 2)
    before = Content("data/gl", 4 * rows["add"].to_pylist()[-1]["size"], version="3")
    assert DeltaSource().contents(place(table)) == (before,)


@pytest.mark.parametrize("form", ["json", "parquet"])
def test_a_checkpoint_may_name_its_files_in_sidecars(tmp_path: Path, form: str) -> None:
    table = log(tmp_path / "gl", [], [], [add("c", 5)])
    drop_commits(table, 0, 1)
    features: Action = {"minReaderVersion": 3, "minWriterVersion": 7}
    features |= {"readerFeatures": ["v2Checkpoint"], "writerFeatures": ["v2Checkpoint"]}
    actions: list[Action] = [
        {"checkpointMetadata": {"version": 1}},
        {"protocol": features},
        METADATA,
        {"txn": {"appId": "rowbook:r:1", "version": 1}},
        {"sidecar": {"path": "s.parquet", "sizeInBytes": 9, "modificationTime": 1}},
    ]
    name = f"{1:020}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11.{form}"
    file = table / "_delta_log" / name
    if form == "json":
        file.write_text("".join(f"{json.dumps(action)}\n" for action in actions))
    else:
        pq.write_table(
            pa.Table.from_pylist([dict.fromkeys(_kinds(actions)) | a for a in actions]), file
        )
    (table / "_delta_log" / "_sidecars").mkdir()
    files = pa.Table.from_pylist([add("a", 10), add("b", 20)])
    pq.write_table(files, table / "_delta_log" / "_sidecars" / "s.parquet")
    assert DeltaSource().contents(place(table)) == (Content("data/gl", 35, version="2"),)
    segment = Log.of(table).segment(2)
    assert segment is not None
    assert read_head(segment).transactions == {"rowbook:r:1": 1}
    assert sorted(file.path for file in live_files(segment)) == ["a", "b", "c"]


def _kinds(actions: Sequence[Action]) -> list[str]:
    return [kind for action in actions for kind in action]


def test_of_a_table_that_asks_for_more_than_we_know_only_the_version_is_told(
    tmp_path: Path,
) -> None:
    features = {"minReaderVersion": 3, "minWriterVersion": 7, "readerFeatures": ["timeWarp"]}
    table = log(tmp_path / "gl", [{"protocol": features}, METADATA, add("a", 10)])
    assert DeltaSource().contents(place(table)) == (Content("data/gl", 0, version="0"),)
    with pytest.raises(RowbookError) as error:
        DeltaSource().columns(place(table))
    assert refusal(error, "DATASOURCE_007") == "data/gl needs a reader that knows timeWarp"


def test_where_there_is_nothing_there_is_no_data(tmp_path: Path) -> None:
    (tmp_path / "empty" / "_delta_log").mkdir(parents=True)
    assert refused(place(tmp_path / "none"), "DATASOURCE_006") == "no data at data/none"
    assert refused(place(tmp_path / "empty"), "DATASOURCE_006") == "no data at data/empty"


def test_files_alone_are_no_delta_table(tmp_path: Path) -> None:
    (tmp_path / "gl").mkdir()
    pq.write_table(pa.table({"id": ["J1"]}), tmp_path / "gl" / "part.parquet")
    said = "data/gl is not a Delta table: it has no _delta_log"
    assert refused(place(tmp_path / "gl"), "DATASOURCE_007") == said
    (tmp_path / "file").write_text("x")
    assert refused(place(tmp_path / "file"), "DATASOURCE_007") == said.replace("gl", "file")


def test_a_version_that_never_was_is_told_from_one_that_is_gone(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 2)
    said = refused(place(table, version=7), "DATASOURCE_006")
    assert said == "version 7 of data/gl is not there"


def test_a_version_without_its_files_is_gone(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 1)
    (old,) = table.glob("*.parquet")
    write_deltalake(table, pa.table({"id": ["J9"], "note": ["y"]}), mode="overwrite")
    assert DeltaSource().contents(place(table, version=0))
    old.unlink()
    said = f"version 0 of data/gl is no longer there: {old.name} was removed"
    assert refused(place(table, version=0), "DATASOURCE_006") == said
    assert DeltaSource().contents(place(table))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("", "it does not say what the table's columns are"),
    ],
)
def test_a_broken_log_is_told(tmp_path: Path, text: str, said: str) -> None:
    table = log(tmp_path / "gl", [])
    (table / "_delta_log" / f"{0:020}.json").write_text(text)
    message = refused(place(table), "DATASOURCE_007")
    assert message == f"the log of data/gl cannot be read: {said}"


def test_a_log_with_a_gap_is_told(tmp_path: Path) -> None:
    table = grown(tmp_path / "gl", 3)
    drop_commits(table, 1)
    message = refused(place(table), "DATASOURCE_007")
    assert message == "the log of data/gl cannot be read: commits are missing in it"


def test_no_character_in_a_value_ends_a_line_but_the_end_of_the_line(tmp_path: Path) -> None:
    odd: Action = {"commitInfo": {"userMetadata": "a\u2028b\x85c\x0bd"}}
    table = log(tmp_path / "gl", [PROTOCOL, METADATA, odd, add("a", 10)])
    assert DeltaSource().contents(place(table))[0].size == 10


def test_a_log_names_files_inside_the_boundary_alone(tmp_path: Path) -> None:
    workspace = tmp_path / "work"
    table = workspace / "gl"
    boundary = Boundary(workspace)
    other = workspace / "other"
    first = [PROTOCOL, METADATA, add(f"file:{other}/a.parquet", 10)]
    log(table, first)
    assert DeltaSource().contents(place(table, boundary=boundary))[0].size == 10
    assert refused(place(table), "DATASOURCE_004").startswith("the log of data/gl names a file in ")
    for outside in (f"file://{tmp_path}/a", f"{tmp_path}/a", "../../a", "s3://bucket/a"):
        log(table, [PROTOCOL, METADATA, add(outside, 10)])
        said = refused(place(table, boundary=boundary), "DATASOURCE_004")
        assert said.startswith("the log of data/gl names ")


def test_a_link_in_a_table_leads_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "a.parquet").touch()
    table = log(tmp_path / "gl", [PROTOCOL, METADATA, add("a.parquet", 10)])
    (table / "a.parquet").symlink_to(tmp_path / "secret" / "a.parquet")
    refused(place(table), "DATASOURCE_004")
    log(table, [PROTOCOL, METADATA, add("x/a.parquet", 10)])
    (table / "x").symlink_to(tmp_path / "secret")
    refused(place(table), "DATASOURCE_004")
    DeltaSource().contents(place(table, boundary=Boundary(tmp_path)))
