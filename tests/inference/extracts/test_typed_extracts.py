"""Parquet files and Delta tables to look at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.errors import RowbookError
from rowbook.inference.columns.table_profile import profile_table
from rowbook.inference.extracts.data_places import DataPlace, data_places
from rowbook.inference.extracts.typed_extracts import delta_extract, parquet_extract
from rowbook.locations.boundary import Boundary


def _place(path: Path, root: Path) -> DataPlace:
    (place,) = data_places([path], Boundary(root))
    return place


def _write_delta(folder: Path, *, partitions: tuple[str, ...] = ()) -> None:
    log = folder / "_delta_log"
    log.mkdir(parents=True)
    part = folder / "part-0.parquet"
    pq.write_table(pa.table({"id": pa.array([1, 2, 3]), "n": pa.array([1.5, None, 2.0])}), part)
    fields = [
        {"name": name, "type": kind, "nullable": True, "metadata": {}}
        for name, kind in (("id", "long"), ("n", "double"))
    ]
    actions: list[dict[str, Any]] = [
        {"protocol": {"minReaderVersion": 1, "minWriterVersion": 2}},
        {
            "metaData": {
                "id": "t",
                "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": list(partitions),
                "format": {"provider": "parquet", "options": {}},
                "configuration": {},
            }
        },
        {
            "add": {
                "path": part.name,
                "size": part.stat().st_size,
                "partitionValues": {},
                "modificationTime": 0,
                "dataChange": True,
            }
        },
    ]
    lines = "".join(json.dumps(action) + "\n" for action in actions)
    (log / f"{0:020}.json").write_text(lines, encoding="utf-8")


def test_a_delta_table_has_the_types_of_its_log_and_the_rows_of_its_files(tmp_path: Path) -> None:
    _write_delta(tmp_path / "lake" / "books")
    extract = delta_extract(_place(tmp_path / "lake" / "books", tmp_path))
    assert (extract.name, extract.place, extract.is_table) == ("books", "books", True)
    profile = profile_table(extract)
    assert [(c.name, str(c.choice.type), c.nullable) for c in profile.columns] == [
        ("id", "integer", False),
        ("n", "decimal(18,2)", True),
    ]
    assert profile.keys.keys == (("id",),)


def test_rows_of_a_divided_delta_table_are_left_to_spark(tmp_path: Path) -> None:
    _write_delta(tmp_path / "books", partitions=("id",))
    extract = delta_extract(_place(tmp_path / "books", tmp_path))
    assert not extract.is_looked_at
    profile = profile_table(extract)
    assert [(c.choice.evidence, c.nullable) for c in profile.columns] == [
        ("integer: as the source says, bigint in the source", True),
        ("float: as the source says, double in the source", True),
    ]


def test_a_folder_of_parquet_files_is_one_table(tmp_path: Path) -> None:
    folder = tmp_path / "lake" / "books"
    folder.mkdir(parents=True)
    for n in (1, 2):
        pq.write_table(pa.table({"id": [n]}), folder / f"part-{n}.parquet")
    extract = parquet_extract(_place(folder, tmp_path))
    assert [row for _, row in extract.rows()] == [(1,), (2,)]
    pq.write_table(pa.table({"other": [1]}), folder / "part-3.parquet")
    with pytest.raises(RowbookError, match="has other columns than"):
        parquet_extract(_place(folder, tmp_path))


def test_types_that_are_not_loaded_are_told(tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": [1], "scan": [b"x"]}), tmp_path / "x.parquet")
    profile = profile_table(parquet_extract(_place(tmp_path / "x.parquet", tmp_path)))
    assert [column.name for column in profile.columns] == ["id"]
    assert profile.left_out == ("column 'scan' is not loaded: it is binary",)
