"""The copy of a table that an output is written to: what is in it, and what stays of it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.locations.removal import NotOursError
from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.staging_places import (
    FolderStaging,
    all_staging,
    fresh_staging,
    recorded_staging,
)
from rowbook.sources.iceberg.staging_table import StagedFile

OUTPUT = OutputName("0199a000-0000-7000-8000-000000000001", 20)


@pytest.fixture
def staging(tmp_path: Path) -> FolderStaging:
    made = fresh_staging(tmp_path / "gl", OUTPUT)
    assert isinstance(made, FolderStaging)
    made.create({})
    return made


def put(staging: FolderStaging, name: str, periods: list[str | None], groups: int = 100) -> int:
    path = staging.folder / "data" / name
    path.parent.mkdir(exist_ok=True)
    rows = pa.table({"amount": [1] * len(periods), "_period": pa.array(periods, pa.string())})
    pq.write_table(rows, path, row_group_size=groups)
    return path.stat().st_size


@pytest.mark.parametrize(
    ("periods", "other"),
    [
        (["2026-01", "2026-01"], None),
        (["2026-01", "2026-02"], None),
        (["2026-03"], ("2026-03",)),
        (["2026-01", "2026-03", "2026-01"], ("2026-03",)),
        (["2026-01", None], (None,)),
        ([], None),
    ],
)
@pytest.mark.parametrize("groups", [1, 100])
def test_rows_of_other_periods_are_found(
    staging: FolderStaging, periods: list[str | None], other: tuple[str | None] | None, groups: int
) -> None:
    put(staging, "a.parquet", periods, groups)
    assert staging.other_period(("2026-01", "2026-02")) == other


def test_files_are_known_by_their_size_and_how_many_rows_they_hold(staging: FolderStaging) -> None:
    size = put(staging, "a.parquet", ["2026-01"] * 3)
    files: list[StagedFile] = [("data/a.parquet", size)]
    assert staging.files() == files
    assert staging.damage(files, 3) is None
    assert staging.damage(files, 4) == "of 4 rows, its files hold 3"
    assert staging.damage([("data/b.parquet", 1)], 0) == "its staged file 'data/b.parquet' is gone"
    path = staging.folder / "data" / "a.parquet"
    path.write_bytes(b"x" * size)
    assert (staging.damage(files, 3) or "").startswith(
        "its staged file 'data/a.parquet' is damaged"
    )


def test_what_is_published_keeps_its_files_and_their_lists_alone(staging: FolderStaging) -> None:
    put(staging, "a.parquet", ["2026-01"])
    for name in ("m0.avro", ".m0.avro.crc", "v2.metadata.json", "version-hint.text"):
        (staging.folder / "metadata" / name).write_text("")
    was_open = staging.is_open
    staging.finish()
    staging.finish()
    assert (was_open, staging.is_open) == (True, False)
    found = [path for path in staging.folder.rglob("*") if path.is_file()]
    assert sorted(path.name for path in found) == ["a.parquet", "m0.avro"]


def test_an_output_that_is_written_again_has_another_folder(staging: FolderStaging) -> None:
    location = staging.location
    again = fresh_staging(location, OUTPUT)
    assert again.name == f"{staging.name}_2"
    again.create({})
    other = fresh_staging(location, OutputName(OUTPUT.run_id, 2))
    other.create({})
    assert all_staging(location, OUTPUT) == (staging, again)
    again.remove()
    assert all_staging(location, OUTPUT) == (staging,)
    assert recorded_staging(location, OUTPUT, again.name) == again
    with pytest.raises(ValueError, match="no folder of output"):
        recorded_staging(location, OUTPUT, other.name)


def test_nothing_but_a_staged_folder_is_removed(tmp_path: Path, staging: FolderStaging) -> None:
    for name in ("metadata", "data", "_rowbook_x", f"{staging.name}/data"):
        with pytest.raises(NotOursError):
            FolderStaging(staging.location, name).remove()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = staging.location / f"{staging.name}_2"
    link.symlink_to(elsewhere)
    with pytest.raises(NotOursError, match="a link"):
        FolderStaging(staging.location, link.name).remove()
    assert elsewhere.is_dir()
