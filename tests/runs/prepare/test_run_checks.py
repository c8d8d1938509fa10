"""What a run would fail of is said before Spark starts, and all of it at once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.errors import Diagnostic
from rowbook.runs.execute.execute_run import RunOptions, start_run
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import check_run, run_problems
from rowbook.runs.preview.preview_rows import SparkUse, preview_rows
from tests.runs.conversion import FILES, MADE_ON_THE_WAY
from tests.support.refusal import refusal
from tests.support.write_files import write_files

RULE = '"{{table_name}}/{{YYYY}}-{{MM}}.csv"'


def problems(folder: Path, period: str = "2026-01", *, draft: bool = True) -> list[Diagnostic]:
    with OpenWorkspace(folder) as workspace:
        request = request_draft(workspace, "close", period)
        found = resolve_run(request if draft else replace(request, version=1))
        return list(run_problems(found))


def test_a_run_that_can_be_done_has_none(tmp_path: Path) -> None:
    write_files(tmp_path, FILES)
    assert problems(tmp_path) == []


def test_all_that_is_missing_is_said_at_once(tmp_path: Path) -> None:
    write_files(tmp_path, {**FILES, "data/gl/2026-02.csv": "acount,amount\n4000,1.00\n"})
    (tmp_path / "data" / "rates.csv").unlink()
    assert [(d.code, d.message) for d in problems(tmp_path, "2026-Q1")] == [
        ("DATASET_010", "dataset 'gl': column 'account' is missing in data/gl/2026-02.csv"),
        (
            "DATASOURCE_006",
            "no data at data/gl/2026-03.csv, where rule 'one file a month' of resolver 'inbox'"
            " says that it is for 2026-03",
        ),
        (
            "DATASOURCE_006",
            "no data at data/rates nor data/rates.csv, where rule 'all' of resolver 'tables' says"
            " that it is for 2026-Q1",
        ),
    ]


def test_data_that_an_output_makes_may_be_missing_before_it(tmp_path: Path) -> None:
    write_files(tmp_path, {**FILES, "projects/close.yaml": MADE_ON_THE_WAY})
    assert problems(tmp_path, draft=False) == []
    assert [d.code for d in problems(tmp_path)] == ["DATASOURCE_006"]


def test_a_destination_that_must_not_exist_is_looked_at(tmp_path: Path) -> None:
    once = FILES["projects/close.yaml"].replace(
        "columns: [account, usd", "mode: error_if_exists\n        columns: [account, usd"
    )
    assert "error_if_exists" in once
    write_files(tmp_path, {**FILES, "projects/close.yaml": once})
    assert problems(tmp_path, draft=False) == []
    write_files(tmp_path, {"out/closed/part.parquet": ""})
    assert "OUTPUT_006" in {d.code for d in problems(tmp_path, draft=False)}


@pytest.mark.parametrize("place", ['"gl.csv"', '"gl/{{YYYY}}.csv"', '"gl/{{YYYY}}Q{{Q}}.csv"'])
def test_a_place_that_several_periods_share_is_that_of_none(place: str, tmp_path: Path) -> None:
    coarse = {name: text.replace(RULE, place) for name, text in FILES.items()}
    assert coarse != FILES
    rows = "account,amount\n4000,1.00\n"
    write_files(tmp_path, {**coarse, **dict.fromkeys(_places(), rows)})
    (found,) = problems(tmp_path)
    assert found.code == "DATASET_015"
    assert "does not say which of its rows are of the run's period" in found.message
    write_files(tmp_path, dict.fromkeys(_places(), "account,amount,_period\n4000,1.00,2026-01\n"))
    assert problems(tmp_path) == []


def test_a_date_says_the_period_of_a_place_that_several_share(tmp_path: Path) -> None:
    dated = {
        name: text.replace(RULE, '"gl.csv"').replace(
            "temporal_mode: period\n    columns: [",
            "temporal_mode: period\n    period_from: posted\n"
            "    columns: [{name: posted, type: date}, ",
        )
        for name, text in FILES.items()
    }
    rows = "account,amount,posted\n4000,1.00,2026-01-15\n"
    write_files(tmp_path, {**dated, "data/gl.csv": rows})
    assert problems(tmp_path) == []


def _places() -> tuple[str, ...]:
    return ("data/gl.csv", "data/gl/2026.csv", "data/gl/2026Q1.csv")


def test_neither_a_run_nor_a_preview_starts_spark_before(tmp_path: Path) -> None:
    def no_session() -> None:
        raise AssertionError("Spark is not needed to see that data is missing")

    write_files(tmp_path, FILES)
    (tmp_path / "data" / "rates.csv").unlink()
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "close", "2026-01")
        result = start_run(workspace, request, RunOptions(on_session=no_session))
        assert [d.code for d in result.errors] == ["DATASOURCE_006"]
        assert refusal(lambda: check_run(resolve_run(request))).code == "DATASOURCE_006"
        use = SparkUse(None, False, lambda _: None, no_session)
        error = refusal(
            lambda: preview_rows(request, "spark", use, lambda _: None, after=None, limit=1)
        )
        assert error.code == "DATASOURCE_006"
