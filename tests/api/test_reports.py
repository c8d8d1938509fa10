"""Reports of runs from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook import RowbookError, Workspace


@pytest.mark.campaign
@pytest.mark.spark
@pytest.mark.slow
def test_a_run_leaves_its_report(close: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "close.html"
    result = close.run(
        "monthly_close", "2026-01", draft=True, report=path, report_column="amount_usd"
    )
    assert (result.status, result.warnings) == ("completed", ())
    page = path.read_text(encoding="utf-8")
    assert "What became of amount_usd" in page
    assert ", from Python" in page
    assert "36,444.30" in page
    assert page.count("adds up to the figure, replayed: equal</span>") == 6, "five, and a total"


def test_a_report_that_cannot_be_written_is_refused_before_spark_starts(
    unstarted: Workspace, tmp_path: Path
) -> None:
    with pytest.raises(RowbookError, match="there is no such folder"):
        unstarted.run("monthly_close", "2026-01", report=tmp_path / "no" / "close.html")
    with pytest.raises(RowbookError, match="report_column is for a report"):
        unstarted.run("monthly_close", "2026-01", report_column="amount")
    assert unstarted.runs() == ()
