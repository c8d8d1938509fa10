"""Runs and the status of periods; several periods in one command."""

from __future__ import annotations

import pytest

from tests.runs.books import FEBRUARY, JANUARY, NOW, Books

pytestmark = [pytest.mark.spark, pytest.mark.slow]

RUN = ("run", "close", "--period", "2026-02", "--now", NOW)


def test_a_closed_period_is_written_to_for_a_reason_and_a_locked_one_never(books: Books) -> None:
    books.do("periods", "close", "2026-02")
    refused = books.do(*RUN, code=4)
    assert "PERIOD_007" in refused.err
    assert "2026-02" in refused.err
    assert len(books.runs()) == 1
    assert books.totals("closed", "2026-02") == []

    reopened = books.close("2026-02", "--reopen-closed", "late invoice", "--format", "json").json
    assert reopened["status"] == "completed"
    assert books.totals("closed", "2026-02") == FEBRUARY
    assert books.show(reopened["run_id"])["reopened"] == "late invoice"
    assert "late invoice" in books.do("runs", "show", reopened["run_id"]).out

    books.do("periods", "lock", "2026-02", "--yes")
    for more in ((), ("--reopen-closed", "late invoice")):
        refused = books.do(*RUN, *more, code=4)
        assert "PERIOD_008" in refused.err
    assert len(books.runs()) == 2


def test_a_month_of_a_closed_quarter_is_closed(books: Books) -> None:
    books.do("periods", "close", "2026-Q1")
    assert "PERIOD_007" in books.do(*RUN, code=4).err


def test_a_period_closed_while_a_run_is_at_work_is_not_written_to(books: Books) -> None:
    with books.start(*RUN) as running:
        running.wait_until_it_says("  10  convert")
        running.stop(books.is_free)
        books.do("periods", "close", "2026-02")
        running.go_on()
        ended = running.end()
    assert ended.code == 3, ended.err
    assert "PERIOD_007" in ended.err
    label = books.show(ended.run_id)
    assert (label["status"], label["error"]["seq"]) == ("failed", None)
    assert books.totals("closed", "2026-02") == books.totals("log", "2026-02") == []
    assert [each["seq"] for each in label["staged"]] == [30, 40]


@pytest.mark.campaign
def test_what_ran_is_said_though_a_later_period_is_refused(books: Books) -> None:
    books.do("periods", "close", "2026-02")
    asked = ("run", "close", "--periods", "2026-01..2026-02", "--format", "json")
    ended = books.spawn(*asked, code=4)
    assert [each["status"] for each in ended.json["runs"]] == ["completed"]
    assert "PERIOD_007" in ended.err


def test_several_periods_run_one_after_the_other_until_one_fails(books: Books) -> None:
    """There is no input for March."""
    asked = ("run", "close", "--periods", "2026-01..2026-04", "--format", "json")
    ended = books.spawn(*asked, code=3).json["runs"]
    assert [each["status"] for each in ended] == ["completed", "completed", "failed"]
    assert ended[2]["error"]["code"] == "DATASOURCE_006"
    listed = [(run["period"], run["status"]) for run in books.runs()]
    assert listed == [
        ("2026-03", "failed"),
        ("2026-02", "completed"),
        ("2026-01", "completed"),
        ("2026-01", "completed"),
    ]
    assert books.totals("closed", "2026-01") == JANUARY
    assert books.totals("closed", "2026-02") == FEBRUARY
