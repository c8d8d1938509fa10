from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rowbook.sources.files.parquet import row_files
from rowbook.sources.files.parquet.row_files import RowFiles


def files_in(folder: Path, by: str | None = None) -> RowFiles:
    return RowFiles(
        str(folder), "run", "snappy", ".snappy.parquet", ("s", "m", "_period"), by, "_period"
    )


def batch(
    texts: Sequence[str | None], periods: Sequence[str | None] | None = None
) -> pa.RecordBatch:
    amounts = [Decimal(i) for i in range(len(texts))]
    return pa.record_batch(
        {
            "s": pa.array(texts, pa.string()),
            "m": pa.array(amounts, pa.decimal128(18, 2)),
            "_period": pa.array(periods or ["2026-01"] * len(texts), pa.string()),
            "further": pa.array(range(len(texts))),
        }
    )


def written(folder: Path) -> dict[str, list[str | None]]:
    """The texts in each file, by its path without the name."""
    found: dict[str, list[str | None]] = {}
    for file in sorted(folder.rglob("*.parquet")):
        rows = pq.ParquetFile(file).read()
        found.setdefault(str(file.parent.relative_to(folder)), []).extend(rows["s"].to_pylist())
    return found


def test_batches_of_a_task_become_one_file_of_the_columns_that_are_asked_for(
    tmp_path: Path,
) -> None:
    (told,) = files_in(tmp_path).write([batch(["a", None]), batch(["b"])])
    assert told.to_pydict() == {"rows": [3]}
    (file,) = tmp_path.iterdir()
    assert file.name == "part-00000-run-c000.snappy.parquet"
    rows = pq.ParquetFile(file)
    assert rows.schema_arrow.names == ["s", "m", "_period"]
    assert rows.schema.column(1).physical_type == "INT64"
    assert rows.metadata.num_row_groups == 1
    assert rows.read()["s"].to_pylist() == ["a", None, "b"]


def test_rows_stand_in_folders_of_their_periods(tmp_path: Path) -> None:
    rows = batch(["a", "b", "c"], ["2026-01", "2026-02", "2026-01"])
    list(files_in(tmp_path, "period").write([rows, batch(["d"], [None])]))
    assert written(tmp_path) == {
        "period=2026-01": ["a", "c"],
        "period=2026-02": ["b"],
        "period=__HIVE_DEFAULT_PARTITION__": ["d"],
    }


def test_more_periods_than_may_be_open_are_written_in_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_files, "_MOST_OPEN", 2)
    months = [f"2026-{month:02}" for month in range(1, 6)]
    list(files_in(tmp_path, "period").write([batch(list("abcde"), months)] * 2))
    expected = {f"period={month}": [text] * 2 for month, text in zip(months, "abcde", strict=True)}
    assert written(tmp_path) == expected
    names = [file.name for file in tmp_path.rglob("*.parquet")]
    assert len(names) == 10
    assert max(names) == "part-00000-run-c004.snappy.parquet"


def test_rows_of_a_group_are_no_more_than_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_files, "_GROUP", 1)
    list(files_in(tmp_path).write([batch(["a"]), batch(["b", "c"])]))
    (file,) = tmp_path.iterdir()
    metadata = pq.ParquetFile(file).metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [1, 2]


def test_no_rows_make_no_file(tmp_path: Path) -> None:
    (told,) = files_in(tmp_path).write([batch([])])
    assert told.to_pydict() == {"rows": [0]}
    assert list(tmp_path.iterdir()) == []


def test_a_task_that_fails_leaves_no_file_that_could_be_read(tmp_path: Path) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield batch(["a"])
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        list(files_in(tmp_path).write(batches()))
    (file,) = tmp_path.iterdir()
    with pytest.raises(pa.ArrowInvalid):
        pq.ParquetFile(file)


def test_what_a_disk_did_not_take_is_said_with_its_code(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"^ROWBOOK DISK_001: No such file or directory$"):
        list(files_in(tmp_path / "gone").write([batch(["a"])]))


def test_columns_that_hardly_repeat_have_no_dictionary(tmp_path: Path) -> None:
    """One that Arrow gives up in the middle of a group costs more than it saves."""
    count = 200_000
    rows = pa.record_batch(
        {
            "number": pa.array([f"J{i:08}" for i in range(count)]),
            "account": pa.array([f"{i % 300}" for i in range(count)]),
            "nothing": pa.nulls(count, pa.string()),
        }
    )
    files = RowFiles(str(tmp_path), "run", "snappy", ".parquet", ("number", "account", "nothing"))
    list(files.write([rows]))
    (file,) = tmp_path.iterdir()
    group = pq.ParquetFile(file).metadata.row_group(0)
    chunks = [group.column(i) for i in range(3)]
    assert [chunk.has_dictionary_page for chunk in chunks] == [False, True, True]
    assert pq.read_table(file).column("number").to_pylist() == rows.column("number").to_pylist()
