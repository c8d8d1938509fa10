"""Several runs at once: one for a project and period, any number otherwise."""

from __future__ import annotations

import signal
import time
from contextlib import ExitStack

import pytest

from rowbook.sources.publishing.marks import marked_outputs
from tests.runs.books import CLOSE, FEBRUARY, JANUARY, NOW, Books, Undisturbed
from tests.runs.processes import wait_until

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FIRST_STEP = "  10  convert"
STEPS = (FIRST_STEP, "  30  publish", "  40  log")
RUN = ("run", "close", "--period", "2026-02", "--now", NOW)
OTHER = CLOSE.replace("name: close\n", "name: other\n").replace("closed", "others")


@pytest.mark.campaign
def test_of_four_runs_of_a_project_and_period_one_is_done(books: Books) -> None:
    """The one that runs is held at its first operation until the others had their turn, and for
    longer than its lease lasts: it lives nevertheless."""
    with ExitStack() as all_of_them:
        asked = [books.start(*RUN, ROWBOOK_LEASE_SECONDS="2") for _ in range(4)]
        started = [all_of_them.enter_context(each) for each in asked]
        wait_until(lambda: any(FIRST_STEP in each.said for each in started), "a first step")
        winner = next(each for each in started if FIRST_STEP in each.said)
        winner.stop(books.is_free)
        ended = [each.end() for each in started if each is not winner]
        time.sleep(2)
        late = books.do(*RUN, code=4)
        winner.go_on()
        done = winner.end()
    assert done.code == 0, done.err
    assert "; it lives, but was last heard of at " in late.err
    for refused in (*ended, late):
        assert refused.code == 4
        assert "RUN_003  project 'close' is being run for 2026-02 by " in refused.err
        assert f"(run {done.run_id}, since " in refused.err
        assert "Traceback" not in refused.err
    assert [run["run_id"] for run in books.runs()][:-1] == [done.run_id]
    assert books.totals("closed", "2026-02") == books.totals("log", "2026-02") == FEBRUARY
    assert books.leftovers() == []


@pytest.mark.campaign
def test_other_projects_and_other_periods_run_side_by_side(books: Books) -> None:
    """Three at once write into the same folder, two into the same tables: nothing is lost."""
    books.write({"projects/other.yaml": OTHER.replace("totals", "other_totals")})
    books.write({"data/inbox/gl/2026-03.csv": "account,amount\n7000,5.00\n"})
    books.do("activate", "other")
    with ExitStack() as all_of_them:
        started = [
            all_of_them.enter_context(books.start("run", project, "--period", period))
            for project, period in (
                ("close", "2026-02"),
                ("close", "2026-03"),
                ("other", "2026-02"),
            )
        ]
        ended = [each.end() for each in started]
    assert [each.code for each in ended] == [0, 0, 0], [each.err for each in ended]
    assert books.totals("closed", "2026-01") == JANUARY
    assert books.totals("closed", "2026-02") == books.totals("others", "2026-02") == FEBRUARY
    assert books.totals("closed", "2026-03") == [("7000", "10.00")]
    assert books.totals("log", "2026-02") == sorted(FEBRUARY * 2)
    assert books.totals("log", "2026-03") == [("7000", "10.00")]
    assert books.leftovers() == []


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "step" in metafunc.fixturenames:
        campaign = metafunc.config.getoption("--seeds") is not None
        metafunc.parametrize("step", STEPS if campaign else STEPS[-1:])


def test_a_run_that_slept_too_long_elsewhere_publishes_nothing_more(
    books: Books, step: str
) -> None:
    def mark(table: str) -> tuple[str, int]:
        return marked_outputs(books.lake / table)[0]

    with books.start(*RUN, ROWBOOK_LEASE_SECONDS="2") as sleeper:
        sleeper.wait_until_it_says(step)
        sleeper.stop(books.is_free)
        books.move_leases_elsewhere()
        time.sleep(2)
        done = books.spawn(*RUN)
        before = (books.rows("closed"), books.rows("log"), mark("closed"), mark("log"))
        sleeper.go_on()
        late = sleeper.end()
    assert late.code == 3, late.err
    assert f"RUN_004  run {late.run_id} lost its lease for 2026-02" in late.err
    after = (books.rows("closed"), books.rows("log"), mark("closed"), mark("log"))
    assert after == before
    assert mark("closed") == (done.run_id, 30)
    assert mark("log") == (done.run_id, 40)
    assert books.totals("closed", "2026-02") == books.totals("log", "2026-02") == FEBRUARY
    statuses = {run["run_id"]: run["status"] for run in books.runs()}
    assert statuses[done.run_id] == "completed"
    assert statuses[late.run_id] == "failed"
    assert books.leftovers() == []


@pytest.mark.campaign
def test_what_was_published_is_known_though_others_published_since(
    books: Books, undisturbed: Undisturbed
) -> None:
    """A run appends to a table and dies before it can say so; another one, at work already, finds
    that out before it appends to the same table. Its rows are there once."""
    books.write({"data/inbox/gl/2026-03.csv": "account,amount\n7000,5.00\n"})
    last = undisturbed.number_of("a table was published", 1)
    with books.start("run", "close", "--period", "2026-03") as other:
        other.wait_until_it_says(FIRST_STEP)
        other.stop(books.is_free)
        died = books.spawn(*RUN, code=-signal.SIGKILL, ROWBOOK_KILL_AT_WRITE=str(last))
        other.go_on()
        assert other.end().code == 0
    assert {run["run_id"]: run["status"] for run in books.runs()}[died.run_id] == "completed"
    assert books.totals("log", "2026-01") == JANUARY
    assert books.totals("log", "2026-02") == FEBRUARY
    assert books.totals("log", "2026-03") == [("7000", "10.00")]
    assert books.leftovers() == []
