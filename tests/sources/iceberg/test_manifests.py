"""Lists of files are opened, and what they name is read, only inside of what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.sources.iceberg.manifests import check_files
from rowbook.sources.iceberg.table_metadata import TableSnapshot
from tests.sources.iceberg.lakes import lake_in
from tests.sources.iceberg.test_avro import file, long, text

MANIFEST = {
    "type": "record",
    "name": "manifest_file",
    "fields": [{"name": "manifest_path", "type": "string"}],
}
ENTRY = {
    "type": "record",
    "name": "manifest_entry",
    "fields": [
        {"name": "status", "type": "int"},
        {
            "name": "data_file",
            "type": {
                "type": "record",
                "name": "r2",
                "fields": [{"name": "file_path", "type": "string"}],
            },
        },
    ],
}


def snapshot(folder: Path, *files: tuple[int, str], manifest: str | None = None) -> TableSnapshot:
    """With one list, of files and their status: 1 is added, 2 deleted."""
    entries = b"".join(long(status) + text(path.encode()) for status, path in files)
    (folder / "m0.avro").write_bytes(file(entries, len(files), ENTRY))
    named = text((manifest or str(folder / "m0.avro")).encode())
    (folder / "snap.avro").write_bytes(file(named, 1, MANIFEST))
    return TableSnapshot(1, {"manifest-list": str(folder / "snap.avro")})


def refused(found: TableSnapshot, folder: Path) -> str:
    with pytest.raises(RowbookError) as error:
        check_files(found, lake_in(folder, "hadoop"), "lake:gl")
    (diagnostic,) = error.value.diagnostics
    return f"{diagnostic.code} {diagnostic.message}"


def test_files_inside_may_be_read(tmp_path: Path) -> None:
    found = snapshot(tmp_path, (1, f"{tmp_path}/data/a.parquet"), (0, f"file:{tmp_path}/b.parquet"))
    check_files(found, lake_in(tmp_path, "hadoop"), "lake:gl")
    inline = TableSnapshot(1, {"manifests": [str(tmp_path / "m0.avro")]})
    check_files(inline, lake_in(tmp_path, "hadoop"), "lake:gl")


@pytest.mark.parametrize("path", ["/etc/passwd", "file:/etc/passwd", "ROOT/../a.parquet"])
def test_a_file_outside_is_refused(tmp_path: Path, path: str) -> None:
    said = refused(snapshot(tmp_path, (1, path.replace("ROOT", str(tmp_path)))), tmp_path)
    assert said.startswith("DATASOURCE_004 the metadata of lake:gl names a file in /")


def test_a_link_that_leads_outside_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").symlink_to("/etc/passwd")
    said = refused(snapshot(tmp_path, (1, f"{tmp_path}/a.parquet")), tmp_path)
    assert said.startswith("DATASOURCE_004")


def test_what_was_deleted_is_not_read(tmp_path: Path) -> None:
    check_files(snapshot(tmp_path, (2, "/etc/passwd")), lake_in(tmp_path, "hadoop"), "lake:gl")


def test_a_list_outside_is_not_opened(tmp_path: Path) -> None:
    assert "outside" in refused(snapshot(tmp_path, manifest="/dev/zero"), tmp_path)
    assert "outside" in refused(TableSnapshot(1, {"manifest-list": "/dev/zero"}), tmp_path)


def test_files_that_are_not_on_this_machine_are_refused(tmp_path: Path) -> None:
    said = refused(snapshot(tmp_path, (1, "s3://bucket/a.parquet")), tmp_path)
    assert said == "DATASOURCE_008 's3://bucket/a.parquet' is not a path of this machine"


def test_a_broken_list_is_said_to_be_so(tmp_path: Path) -> None:
    found = snapshot(tmp_path)
    (tmp_path / "m0.avro").write_bytes(b"")
    said = refused(found, tmp_path)
    assert said == (
        "DATASOURCE_007 the metadata of lake:gl cannot be read: m0.avro: it ends too early"
    )
    (tmp_path / "m0.avro").unlink()
    assert "m0.avro: No such file" in refused(found, tmp_path)
