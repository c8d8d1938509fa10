"""A run may be killed at any moment: the workspace opens, says what is true, and the run can go on
to the very rows that it would have had. Whatever was begun is gone without a person's help."""

from __future__ import annotations

import shutil
import signal
from pathlib import Path

import pytest

from rowbook.sources.files.listing import MARK
from tests.runs.books import FEBRUARY, JANUARY, NOW, Books, Rows, Undisturbed, rows_in
from tests.runs.processes import Ended
from tests.store.samples import intents_of, lease_of

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SEEDS = 3
"""Kills of a usual run, spread over the write points."""
MOST = 90
"""Write points that a run has at most; with as many seeds, as in `make campaign`, all are tried."""
RUN = ("run", "close", "--period", "2026-02", "--now", NOW)


def check_whole(books: Books) -> None:
    """Nothing is begun and not ended; both outputs are registered once, with their runs."""
    assert books.leftovers() == []
    with books.store() as store:
        assert store.seals.verify().findings == ()
        runs = store.runs.newest()
        done = {run.id for run in runs if run.status == "completed" and not run.draft}
        assert [lease_of(store, run.id) for run in runs] == [None] * len(runs)
        for run in runs:
            assert run.status in ("completed", "failed")
            assert {i.state for i in intents_of(store, run.id)} <= {"done", "undone"}
        assert store.leftovers.discards() == ()
        for name, seq in (("closed", 30), ("totals", 40)):
            (dataset,) = store.definitions.versions("dataset", name)
            found = [(p.run_id, p.seq) for p in store.definitions.productions(dataset.id)]
            assert sorted(found) == sorted((run_id, seq) for run_id in done)


def killed_at(number: int, books: Books, *arguments: str) -> Ended:
    ended = books.spawn(*arguments, code=-signal.SIGKILL, ROWBOOK_KILL_AT_WRITE=str(number))
    assert f"killed at write point {number}: " in ended.err
    return ended


def check_truth(books: Books, run_id: str) -> str | None:
    """What is said of a killed run; None if it never began."""
    listed = {run["run_id"]: run["status"] for run in books.runs()}
    assert set(listed.values()) <= {"completed", "failed"}
    status = listed.get(run_id)
    staged = []
    if status == "failed":
        shown = books.show(run_id)
        assert shown["error"]["code"] == "RUN_007"
        staged = [(each["destination"], each["seq"]) for each in shown["staged"]]
    assert books.leftovers() == sorted(
        f".{place.rpartition('/')[2]}.staging-{run_id}-{seq}" for place, seq in staged
    )
    return status


def check_all_or_nothing(books: Books, before: tuple[Rows, Rows], after: Undisturbed) -> None:
    assert (books.rows("closed"), books.rows("log")) in (before, (after.closed, after.log))


def go_on(books: Books, run_id: str) -> None:
    """Brings a killed run to its end, or runs the project again where it had not begun."""
    status = check_truth(books, run_id)
    if status == "failed":
        resumed = books.spawn("runs", "resume", run_id, code=None)
        if resumed.code == 0:
            return
        assert resumed.code == 4
        assert "has nothing to resume" in resumed.err
    if status != "completed":
        books.spawn(*RUN)


@pytest.fixture
def number(request: pytest.FixtureRequest, seed: int, undisturbed: Undisturbed) -> int:
    """The write point of a seed."""
    count = len(undisturbed.points)
    if request.config.getoption("--seeds") is None:
        return (2 * seed + 1) * count // (2 * SEEDS)
    if seed >= count:
        pytest.skip(f"there are {count} write points")
    return seed + 1


def test_an_undisturbed_run_gives_these_rows(undisturbed: Undisturbed) -> None:
    """What the others are compared with."""
    check_whole(undisturbed.books)
    logged = [(row["account"], str(row["total"])) for row in undisturbed.log]
    assert sorted(logged) == sorted(JANUARY + FEBRUARY)
    assert len(undisturbed.closed) == 10
    assert len({row["_row_id"] for row in undisturbed.closed}) == 10
    assert 30 <= len(undisturbed.points) <= MOST, undisturbed.points


@pytest.mark.some(1)
def test_killed_at_any_write_point_a_run_goes_on_to_the_same_rows(
    books: Books, number: int, undisturbed: Undisturbed
) -> None:
    before = books.rows("closed"), books.rows("log")
    ended = killed_at(number, books, *RUN)
    books.runs()
    check_all_or_nothing(books, before, undisturbed)
    go_on(books, ended.run_id)
    assert books.rows("closed") == undisturbed.closed
    assert books.rows("log") == undisturbed.log
    check_whole(books)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("point", "which", "is_decided"),
    [
        ("an output is staged", 0, False),
        ("all outputs are staged", 0, False),
        ("decided", 0, True),
        ("between two publications", 0, True),
    ],
)
def test_killed_before_the_decision_nothing_is_published_and_after_it_all(
    books: Books, undisturbed: Undisturbed, point: str, which: int, is_decided: bool
) -> None:
    before = books.rows("closed"), books.rows("log")
    ended = killed_at(undisturbed.number_of(point, which), books, *RUN)
    status = check_truth(books, ended.run_id)
    assert status == ("completed" if is_decided else "failed")
    if is_decided:
        assert (books.rows("closed"), books.rows("log")) == (undisturbed.closed, undisturbed.log)
    else:
        assert (books.rows("closed"), books.rows("log")) == before
        go_on(books, ended.run_id)
        assert books.rows("closed") == undisturbed.closed
        assert books.rows("log") == undisturbed.log
    check_whole(books)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "died_at" in metafunc.fixturenames:
        points = [("a table was published", 0), ("a table was staged", 0)]
        campaign = metafunc.config.getoption("--seeds") is not None
        metafunc.parametrize("died_at", points if campaign else points[:1])


def test_recovery_killed_at_any_write_point_is_recovered_from(
    request: pytest.FixtureRequest,
    books: Books,
    tmp_path: Path,
    undisturbed: Undisturbed,
    died_at: tuple[str, int],
) -> None:
    """Whoever cleans up after a dead run may die of it too. The workspace is brought back to the
    same place each time, as the store knows where it is."""
    ended = killed_at(undisturbed.number_of(*died_at), books, *RUN)
    saved = books.copy(tmp_path / "saved").folder
    pace = 4 if request.config.getoption("--seeds") is None else 1
    for number in range(2, 50, pace):
        shutil.rmtree(books.folder)
        shutil.copytree(saved, books.folder)
        listed = books.spawn("runs", "list", code=None, ROWBOOK_KILL_AT_WRITE=str(number))
        is_decided = died_at[0] == "a table was published"
        assert check_truth(books, ended.run_id) == ("completed" if is_decided else "failed")
        with books.store() as store:
            assert lease_of(store, ended.run_id) is None
            assert {i.state for i in intents_of(store, ended.run_id)} <= {"done", "undone"}
        if listed.code == 0:
            break
        assert listed.code == -signal.SIGKILL
    assert number > 8
    go_on(books, ended.run_id)
    assert books.rows("closed") == undisturbed.closed
    assert books.rows("log") == undisturbed.log
    check_whole(books)


@pytest.mark.campaign
def test_a_resumed_run_may_be_killed_too(books: Books, undisturbed: Undisturbed) -> None:
    ended = killed_at(undisturbed.number_of("an output is staged"), books, *RUN)
    killed_at(undisturbed.number_of("an output is staged"), books, "runs", "resume", ended.run_id)
    go_on(books, ended.run_id)
    assert books.rows("closed") == undisturbed.closed
    assert books.rows("log") == undisturbed.log
    check_whole(books)


@pytest.mark.campaign
def test_a_new_run_after_a_killed_one_leaves_nothing_of_it(
    books: Books, undisturbed: Undisturbed
) -> None:
    killed_at(undisturbed.number_of("a table was staged"), books, *RUN)
    assert books.leftovers() != []
    books.spawn(*RUN)
    assert books.rows("closed") == undisturbed.closed
    assert books.rows("log") == undisturbed.log
    check_whole(books)


def test_a_table_out_of_reach_is_settled_when_it_is_back(
    books: Books, undisturbed: Undisturbed
) -> None:
    """It was published; as long as that cannot be seen, nobody says that it was not."""
    ended = killed_at(undisturbed.number_of("a table was published", 1), books, *RUN)
    away = books.lake.rename(books.lake.with_name("away"))
    assert {run["run_id"]: run["status"] for run in books.runs()}[ended.run_id] == "failed"
    books.lake.write_text("no folder", encoding="utf-8")
    assert {run["run_id"]: run["status"] for run in books.runs()}[ended.run_id] == "failed"
    books.lake.unlink()
    away.rename(books.lake)
    go_on(books, ended.run_id)
    assert books.rows("log") == undisturbed.log
    check_whole(books)


def test_a_first_table_is_published_once(books: Books, undisturbed: Undisturbed) -> None:
    """Of a first table nothing is kept, and nothing removed: two points fewer."""
    shutil.rmtree(books.lake)
    last = undisturbed.number_of("a table was published", 1) - 2
    killed = killed_at(last, books, *RUN)
    assert killed.err.endswith("a new table was published\n")
    go_on(books, killed.run_id)
    assert books.totals("closed", "2026-02") == books.totals("log", "2026-02") == FEBRUARY
    check_whole(books)


@pytest.mark.campaign
def test_a_killed_draft_goes_on_in_its_sandbox(books: Books, undisturbed: Undisturbed) -> None:
    before = books.rows("closed"), books.rows("log")
    killed = killed_at(30, books, *RUN, "--draft")
    assert killed.err.endswith("a new table was published\n")
    assert check_truth(books, killed.run_id) == "failed"
    books.spawn("runs", "resume", killed.run_id)
    sandbox = books.folder / ".rowbook" / "sandbox" / killed.run_id
    for name, rows in (("closed", undisturbed.closed), ("log", undisturbed.log)):
        assert rows_in(sandbox / name) == [row for row in rows if row["_period"] == "2026-02"]
        assert not [path for path in sandbox.rglob(".*") if path.name != MARK]
    assert (books.rows("closed"), books.rows("log")) == before
    check_whole(books)
