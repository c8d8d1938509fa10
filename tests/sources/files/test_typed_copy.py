"""Text copied into its types before Spark reads it: the same rows, nulls, periods and errors."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.compile.collect import collect
from rowbook.engine.loading.load import load
from rowbook.engine.loading.typed_text import typed_text
from rowbook.sources.files import typed_copy
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import FileKind
from rowbook.sources.files.read_tables import read_places
from rowbook.sources.files.typed_copy import with_copies
from rowbook.sources.raw import Raw
from tests.sources.tables import context, dataset

pytestmark = pytest.mark.spark

LEDGER = dataset("id string!", "amount decimal(18,2)!", "day date", "note string", mode="period")
CSV = "id,amount,day,note\n"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_copy, "LEAST", 0)
    monkeypatch.setattr(typed_copy, "_BLOCK", 64)


def both(
    spark: SparkSession, kind: FileKind, path: Path, held: ExitStack
) -> tuple[list[Raw], list[Raw]]:
    place = FileTable(
        kind, path, period=None, label=path.name, wanted=("id", "amount", "day", "note")
    )
    raws = read_places(spark, [place])
    return [typed_text(LEDGER, with_copies(raw, spark, held)) for raw in raws], list(raws)


def rows_of(raws: list[Raw]) -> list[dict[str, Any]]:
    loaded = load(LEDGER, raws, context(), keep_deleted=True, periods=("2026-01", "2026-02"))
    fields = [*LEDGER.fields, *(f for f in LEDGER.readable.fields.values() if f.name == "_period")]
    return sorted(collect(loaded.frame, fields), key=str)


def written(folder: Path, kind: FileKind, rows: int = 20) -> Path:
    """Two months, each with more lines than a block."""
    for month in ("2026-01", "2026-02"):
        place = folder / "gl" / f"_period={month}" / f"part.{kind}"
        place.parent.mkdir(parents=True)
        if kind == "csv":
            lines = [
                f"J{i},{i}.50,{month}-0{i % 9 + 1},{'' if i % 3 else chr(34) + 'a, b' + chr(34)}"
                for i in range(rows)
            ]
            place.write_text(CSV + "\n".join(lines) + "\n", encoding="utf-8")
        else:
            notes = ["" if i % 3 else ',"note":"a, b"' for i in range(rows)]
            lines = [
                f'{{"id":"J{i}","amount":{i}.50,"day":"{month}-0{i % 9 + 1}"{notes[i]}}}'
                for i in range(rows)
            ]
            place.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / "gl"


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_copy_has_the_same_rows(tmp_path: Path, spark: SparkSession, kind: FileKind) -> None:
    with ExitStack() as held:
        copies, texts = both(spark, kind, written(tmp_path, kind), held)
        assert [(raw.as_text, raw.broken) for raw in copies] == [(False, None)] * len(texts)
        assert all(raw.never_null == {"id", "amount", "day"} for raw in copies)
        found = rows_of(copies)
        assert len(found) == 40
        assert found == rows_of(texts)


@pytest.mark.parametrize(
    "line",
    ["J1,+1.00,,", "J1,1.005,,", ",1.00,,", "J1,1.00,,a,b", 'J1,1.00,,"a\nb"', "J1,1.00,1.2.26,"],
)
def test_what_is_not_certain_is_left_to_the_rules(
    tmp_path: Path, spark: SparkSession, line: str
) -> None:
    path = tmp_path / "gl.csv"
    good = "".join(f"J{i},1.00,2026-01-01,\n" for i in range(20))
    path.write_text(f"{CSV}{good}{line}\n{good}", encoding="utf-8")
    with ExitStack() as held:
        copies, _ = both(spark, "csv", path, held)
        assert [raw.as_text for raw in copies] == [True]


def test_few_bytes_are_not_copied(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(typed_copy, "LEAST", 1 << 20)
    with ExitStack() as held:
        copies, _ = both(spark, "csv", written(tmp_path, "csv"), held)
        assert all(raw.as_text for raw in copies)


def test_a_copy_is_gone_when_nobody_needs_it(tmp_path: Path, spark: SparkSession) -> None:
    with ExitStack() as held:
        copies, _ = both(spark, "csv", written(tmp_path, "csv"), held)
        files = [Path(name.removeprefix("file://")) for name in copies[0].frame.inputFiles()]
        assert all(file.exists() for file in files)
    assert not any(file.exists() for file in files)
