"""Which files make a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.locations.boundary import Boundary
from rowbook.sources.files.listing import data_files, partition_of, spark_path
from tests.sources.tables import csv_file


def names(table: Path, kind: str = "csv", boundary: Boundary | None = None) -> list[str]:
    found = data_files(table, "csv" if kind == "csv" else "parquet", boundary)
    return [file.relative for file in found]


def test_a_table_is_a_file_or_all_files_below_a_folder(tmp_path: Path) -> None:
    one = csv_file(tmp_path, "a\n", "gl/b/1.csv")
    csv_file(tmp_path, "a\n", "gl/2.csv")
    assert names(one) == [""]
    assert names(tmp_path / "gl") == ["2.csv", "b/1.csv"]


def test_hidden_files_and_other_formats_do_not_count(tmp_path: Path) -> None:
    taken = ["1.csv", "2.CSV", "3.csv.gz", "000000_0", "_period=2026-01/1.csv"]
    passed_over = ["_SUCCESS", ".1.csv.crc", "_x.csv", ".gl.staging-1/1.csv", "_temporary/1.csv"]
    others = ["1.parquet", "readme.txt", "1.csv.swp"]
    for name in (*taken, *passed_over, *others):
        csv_file(tmp_path, "a\n", f"gl/{name}")
    assert names(tmp_path / "gl") == sorted(taken)
    assert names(tmp_path / "gl", "parquet") == ["000000_0", "1.parquet"]


def test_columns_stand_in_folders_names(tmp_path: Path) -> None:
    csv_file(tmp_path, "a\n", "gl/_period=2026-01/kind=a%2Fb/x=__HIVE_DEFAULT_PARTITION__/1.csv")
    (file,) = data_files(tmp_path / "gl", "csv")
    assert file.partitions == {"_period": "2026-01", "kind": "a/b", "x": None}
    assert (file.depth, file.size) == (4, 2)
    assert partition_of("plain") is None


def test_a_link_may_lead_where_the_workspace_allows(tmp_path: Path) -> None:
    workspace, lake = tmp_path / "workspace", tmp_path / "lake"
    csv_file(lake, "a\n", "2025/1.csv")
    (workspace / "gl").mkdir(parents=True)
    (workspace / "gl" / "2025").symlink_to(lake / "2025")
    assert names(workspace / "gl", boundary=Boundary(workspace, (str(lake),))) == ["2025/1.csv"]


@pytest.mark.parametrize("what", ["folder", "file"])
def test_a_link_that_leads_out_is_refused(tmp_path: Path, what: str) -> None:
    workspace = tmp_path / "workspace"
    secret = csv_file(tmp_path, "a\n", "secret/1.csv")
    (workspace / "gl").mkdir(parents=True)
    link = workspace / "gl" / ("1.csv" if what == "file" else "old")
    link.symlink_to(secret if what == "file" else secret.parent)
    for boundary in (Boundary(workspace), None):
        with pytest.raises(RowbookError) as refused:
            names(workspace / "gl", boundary=boundary)
        assert refused.value.diagnostics[0].code == "DATASOURCE_004"


def test_a_link_that_leads_in_a_circle_is_refused(tmp_path: Path) -> None:
    csv_file(tmp_path, "a\n", "gl/a/1.csv")
    csv_file(tmp_path, "a\n", "gl/b/2.csv")
    (tmp_path / "gl" / "a" / "to_b").symlink_to(tmp_path / "gl" / "b")
    (tmp_path / "gl" / "b" / "to_a").symlink_to(tmp_path / "gl" / "a")
    with pytest.raises(RowbookError) as refused:
        names(tmp_path / "gl")
    assert "a folder that it stands in" in refused.value.diagnostics[0].message


def test_a_pattern_in_a_path_is_told_to_spark_as_text() -> None:
    assert spark_path(Path("/a [b]/{c}*?.csv")) == r"file:/a \[b\]/\{c\}\*\?.csv"
