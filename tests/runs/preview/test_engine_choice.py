"""Which engine computes a preview, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.preview import engine_choice
from rowbook.runs.preview.engine_choice import EngineChoice, EngineName, choose_engine
from rowbook.runs.preview.plain_preview import plan_until
from tests.runs.preview.both_engines import by_reference, write_workspace
from tests.support.write_files import write_files

COLUMNS = "      - {name: s, type: string}\n      - {name: m, type: integer}\n"
LATE = """\
    - seq: 10
      name: double
      type: update
      arguments: {assignments: [{column: m, expression: "m * 2"}]}
    - seq: 20
      name: late
      type: append
      arguments: {source: {dataset_id: late}}
"""


def chosen(folder: Path, named: EngineName | None = None, after: int | None = None) -> EngineChoice:
    with OpenWorkspace(folder, trust=True) as workspace:
        request = request_draft(workspace, "p", "2026-01")
    return choose_engine(resolve_run(request), plan_until(request.plan, after), named)


def test_a_small_input_is_for_the_reference_engine(tmp_path: Path) -> None:
    write_workspace(tmp_path, "csv", {"entries.csv": "s,m\na,1\n"}, columns=COLUMNS)
    assert chosen(tmp_path) == EngineChoice("reference", "a small input")
    assert by_reference(tmp_path, engine=None).engine == "reference"


def test_the_one_that_is_named_is_taken(tmp_path: Path) -> None:
    write_workspace(tmp_path, "csv", {"entries.csv": "s,m\na,1\n"}, columns=COLUMNS)
    assert chosen(tmp_path, "spark") == EngineChoice("spark", "as asked for")


def test_more_than_ten_thousand_rows_are_for_spark(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "entries/a.csv": "s,m\n" + "a,1\n" * 5_000,
        "entries/b.csv": "s,m\n" + "a,1\n" * 5_001,
    }
    write_workspace(tmp_path, "csv", files, columns=COLUMNS)
    assert chosen(tmp_path) == EngineChoice("spark", "the input has more than 10,000 rows")


def test_large_files_are_for_spark_however_few_rows_they_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "MOST_BYTES", 1 << 20)
    write_workspace(
        tmp_path, "csv", {"entries.csv": f"s,m\n{'a' * (3 << 20)},1\n"}, columns=COLUMNS
    )
    assert chosen(tmp_path) == EngineChoice("spark", "the input has 3 MiB")


def test_what_only_spark_reads_is_for_spark(tmp_path: Path) -> None:
    write_workspace(tmp_path, "orc", {"entries.orc": b"ORC"}, columns=COLUMNS)
    assert chosen(tmp_path) == EngineChoice("spark", "data/entries.orc is orc, which Spark reads")


def test_only_what_is_read_until_the_operation_counts(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "entries.csv": "s,m\na,1\n",
        "late.csv": "s,m\n" + "a,1\n" * 10_001,
    }
    write_workspace(
        tmp_path, "csv", files, columns=COLUMNS, table="{{table_name}}", operations=LATE
    )
    columns = "[{name: s, type: string}, {name: m, type: integer}]"
    late = f"dataset: {{name: late, main_table: {{name: late, columns: {columns}}}}}\n"
    write_files(tmp_path, {"datasets/late.yaml": late})
    assert chosen(tmp_path).engine == "spark"
    assert chosen(tmp_path, after=10).engine == "reference"
