"""Random text files are read without Spark as Spark reads them, or left to Spark."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.errors import RowbookError
from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import FileKind
from rowbook.sources.files.plain_tables import read_places
from rowbook.sources.source_errors import NotPlainError
from rowbook.spark.column_names import column

pytestmark = pytest.mark.spark

SEEDS = 1
FILES = 150
NAMES = ("a", "b", "c")
_CELLS = (
    *("", "", '""', "x", " x ", "NA", "-1.50", "ü👍", "\t", "#c", "'", "\\", "a b"),
    *('"q"', '"a,b"', '"l1\nl2"', '"he said ""hi"""', '"\n"', '"""', 'mid"quote', ' "lead', '"x" '),
)
_VALUES = (
    *("null", "true", "1", "-0.50", "1E+3", '""', '"x"', '"\\u00fc\\ud83d\\ude00"', '"a\\nb\\t"'),
    *('"\\ud800"', "01", "NaN", "'x'", '"\t"', "1.", "[1]", '{"y": 1}', '"\\/"', '"ü"'),
)


def csv_text(pick: random.Random) -> str:
    lines = [",".join(NAMES)]
    for _ in range(pick.randint(0, 5)):
        width = pick.choice((3, 3, 3, 3, 3, 3, 2, 4))
        line = ",".join(pick.choice(_CELLS) for _ in range(width))
        lines += [line, *([""] * pick.choice((0, 0, 0, 1)))]
    text = "\n".join(lines) + pick.choice(("\n", "\n", ""))
    return text.replace("\n", "\r\n") if pick.random() < 0.3 else text


def json_text(pick: random.Random) -> str:
    lines = ['{"a": 1, "b": 2, "c": 3}']
    for _ in range(pick.randint(0, 4)):
        names = pick.sample(NAMES, pick.randint(0, 3))
        members = [f'"{name}":{pick.choice(("", " "))}{pick.choice(_VALUES)}' for name in names]
        members += [f'"{names[0]}": 1'] if names and pick.random() < 0.1 else []
        line = f"{{{', '.join(members)}}}"
        lines.append(pick.choice((line, line, line, line, f" {line} ", f"{line} x", "[]", " ", "")))
    text = "\n".join(lines) + pick.choice(("\n", "\n", ""))
    return text.replace("\n", "\r\n") if pick.random() < 0.3 else text


@pytest.mark.parametrize(("kind", "text"), [("csv", csv_text), ("json", json_text)])
def test_random_texts_are_read_alike(
    spark: SparkSession,
    tmp_path: Path,
    seed: int,
    kind: FileKind,
    text: Callable[[random.Random], str],
) -> None:
    pick = random.Random(seed)
    folder = tmp_path / "t"
    folder.mkdir()
    for number in range(FILES):
        file = folder / f"{number:03}.{kind}"
        file.write_bytes(text(pick).encode())
        if not is_plain(FileTable(kind, file, label=f"t/{file.name}", wanted=NAMES)):
            file.unlink()
    table = FileTable(kind, folder, label="t", wanted=NAMES)
    assert len(table.files()[0]) > FILES / 5
    assert plain_rows(table) == spark_rows(spark, table)


def is_plain(table: FileTable) -> bool:
    try:
        read_places([table])
    except (NotPlainError, RowbookError):
        return False
    return True


def plain_rows(table: FileTable) -> Counter[tuple[str | None, ...]]:
    found: Counter[tuple[str | None, ...]] = Counter()
    for part in read_places([table]):
        found.update(_cells([row.get(name) for name in NAMES]) for row in part.rows)
        found[("broken",)] += len(part.broken)
    return found


def spark_rows(spark: SparkSession, table: FileTable) -> Counter[tuple[str | None, ...]]:
    found: Counter[tuple[str | None, ...]] = Counter()
    with ExitStack() as resources:
        for raw in registry.read(spark, [table], resources):
            assert raw.broken is not None
            names = [column(n) if n in raw.columns else F.lit(None) for n in NAMES]
            for *cells, broken in raw.frame.select(*names, column(raw.broken)).collect():
                found[("broken",) if broken is not None else _cells(cells)] += 1
    return found


def _cells(cells: Sequence[object]) -> tuple[str | None, ...]:
    return tuple(None if cell is None else str(cell) for cell in cells)
