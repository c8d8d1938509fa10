"""A run that failed goes on where it failed; one that somebody ended leaves nothing behind."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from tests.runs.books import CLOSE, FEBRUARY, JANUARY, NOW, Books
from tests.runs.processes import wait_until
from tests.store.samples import lease_of

pytestmark = [pytest.mark.spark, pytest.mark.slow]

LASTING = "LEN(REPLACE(REPLACE(LPAD(account, 1000000, 'ab'), 'a', 'ba'), 'bb', 'b'))"
"""Takes some tenths of a second a row."""
SLOW = f"""\
project:
  name: slow
  publish: as_written
  input_dataset_id: gl
  operations:
    - seq: 10
      name: copy
      type: output
      arguments: {{destination: {{datasource_id: lake, table: copy}}}}
    - seq: 20
      name: count
      type: update
      arguments:
        assignments:
          - column: n
            expression: "{LASTING}"
    - seq: 30
      name: publish
      type: output
      arguments: {{destination: {{datasource_id: lake, table: slow}}}}
"""


def identities(table: Path) -> dict[str, tuple[int, int]]:
    """Which files a table consists of, and when they were written."""
    found = [path for path in table.rglob("*") if path.is_file()]
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in found}


@pytest.fixture(scope="module")
def failed(prepared: Books, tmp_path_factory: pytest.TempPathFactory) -> tuple[Books, str]:
    """A run whose second output found a file in its way, after the first was published. Copy it."""
    books = prepared.copy(tmp_path_factory.mktemp("failed") / "acme")
    as_written = CLOSE.replace("name: close\n", "name: close\n  publish: as_written\n", 1)
    books.write({"projects/close.yaml": as_written})
    books.do("activate", "close")
    books.write({"data/lake/log/notes.txt": "mine"})
    ended = books.close("2026-02", "--format", "json", code=3)
    assert "Traceback" not in ended.err
    return books, ended.json["run_id"]


@pytest.fixture
def half_done(failed: tuple[Books, str], tmp_path: Path) -> tuple[Books, str]:
    return failed[0].copy(tmp_path / "acme"), failed[1]


def test_a_failed_run_says_where_and_keeps_what_it_wrote(half_done: tuple[Books, str]) -> None:
    books, run_id = half_done
    label = books.show(run_id)
    assert label["status"] == "failed"
    assert label["error"]["seq"] == 40
    assert label["error"]["operation"] == "log"
    assert label["error"]["code"] == "OUTPUT_006"
    assert label["error"]["message"] == (
        "data/lake/log holds 'notes.txt', which is no parquet file of a table"
    )
    assert [output["seq"] for output in label["outputs"]] == [30]
    assert [step["seq"] for step in label["operations"]] == [10, 20, 30]
    assert [step["rows_out"] for step in label["operations"]] == [3, 5, 5]
    assert books.totals("closed", "2026-02") == FEBRUARY
    assert books.totals("log", "2026-02") == []
    assert (books.lake / "log" / "notes.txt").read_text() == "mine"
    assert books.leftovers() == []


def test_a_resumed_run_goes_on_with_its_clock_and_leaves_finished_outputs_alone(
    half_done: tuple[Books, str],
) -> None:
    books, run_id = half_done
    (books.lake / "log" / "notes.txt").unlink()
    before, rows = identities(books.lake / "closed"), books.rows("closed")
    resumed = books.spawn("runs", "resume", run_id, "--format", "json").json
    assert (resumed["run_id"], resumed["status"]) == (run_id, "completed")
    assert [output["seq"] for output in resumed["outputs"]] == [30, 40]
    assert [output["dataset_version"] for output in resumed["outputs"]] == [1, 1]
    assert [entry["rows_out"] for entry in resumed["operations"]] == [3, 5, 5, 5]
    assert identities(books.lake / "closed") == before
    assert books.totals("log", "2026-01") == JANUARY
    assert books.totals("log", "2026-02") == FEBRUARY
    ids = {row["_row_id"] for row in rows if row["total"] is not None}
    assert {row["_row_id"] for row in books.rows("log")} == ids
    label = books.show(run_id)
    assert (label["clock"], label["error"]) == (NOW, None)
    assert [step["seq"] for step in label["operations"]] == [10, 20, 30, 40]
    (resumption,) = label["resumptions"]
    assert (resumption["from_seq"], resumption["failure"]["code"]) == (30, "OUTPUT_006")
    assert books.leftovers() == []

    refused = books.do("runs", "resume", run_id, code=4)
    assert f"RUN_005  run {run_id} is completed and cannot be resumed" in refused.err


def test_a_run_that_does_not_exist_cannot_be_resumed(prepared: Books) -> None:
    assert "RUN_006  there is no run 0000" in prepared.do("runs", "resume", "0000", code=2).err


def test_a_run_whose_input_changed_is_resumed_only_if_that_is_accepted(
    half_done: tuple[Books, str],
) -> None:
    books, run_id = half_done
    (books.lake / "log" / "notes.txt").unlink()
    books.write({"data/inbox/gl/2026-02.csv": "account,amount\n4000,1.00\n"})
    refused = books.do("runs", "resume", run_id, code=4)
    changed = "gl/2026-02.csv of dataset 'gl': data/inbox/gl/2026-02.csv changed"
    assert f"RUN_008  {changed}\n" in refused.err
    assert "--accept-changed-input" in refused.err
    assert books.show(run_id)["status"] == "failed"
    books.spawn("runs", "resume", run_id, "--accept-changed-input")
    assert books.totals("log", "2026-02") == [("4000", "2.00")]
    assert books.totals("closed", "2026-02") == FEBRUARY
    (resumption,) = books.show(run_id)["resumptions"]
    assert resumption["accepted_input"]["changed"] == [changed]


@pytest.mark.campaign
def test_a_value_that_overflows_names_its_operation(books: Books) -> None:
    """It is found when rows are written, operations later."""
    expression = "9223372036854775807 + LEN(account)"
    text = SLOW.replace("name: slow\n", "name: overflow\n").replace(LASTING, expression)
    books.write({"projects/overflow.yaml": text})
    books.do("activate", "overflow")
    ended = books.spawn("run", "overflow", "--period", "2026-02", "--format", "json", code=3).json
    assert ended["error"]["code"] == "RUN_001"
    assert ended["error"]["message"] == "a value of column 'n' does not fit integer"
    assert ended["error"]["operation"] == {"seq": 20, "name": "count"}
    assert ended["errors"] == [ended["error"]]
    assert [output["seq"] for output in ended["outputs"]] == [10]
    label = books.show(ended["run_id"])
    assert (label["error"]["code"], label["error"]["seq"]) == ("RUN_001", 20)
    assert len(books.rows("copy")) == 3
    assert not (books.lake / "slow").exists()
    assert books.leftovers() == []


@pytest.fixture
def slow(books: Books) -> Books:
    """A workspace with a project that takes its time."""
    books.write({"projects/slow.yaml": SLOW})
    rows = "".join(f"{n},1.00\n" for n in range(100))
    books.write({"data/inbox/gl/2026-02.csv": f"account,amount\n{rows}"})
    books.do("activate", "slow")
    return books


def test_ctrl_c_cancels_a_run_and_nothing_is_published_by_half(slow: Books) -> None:
    with slow.start("run", "slow", "--period", "2026-02") as running:
        running.wait_until_it_says("  30  publish")
        time.sleep(1)
        running.send(signal.SIGINT)
        ended = running.end(30)
    assert ended.code == 130, ended.err
    assert "Traceback" not in ended.err
    assert ended.err.splitlines()[-1] == (
        "interrupted at operation 30 of 30: output 'copy' is published, output 'publish' is not;"
        " a run that was cancelled is not resumed: run it again"
    )
    check_cancelled(slow, ended.run_id)
    refused = slow.do("runs", "resume", ended.run_id, code=4)
    assert f"RUN_005  run {ended.run_id} is cancelled and cannot be resumed" in refused.err


def test_a_process_that_is_asked_to_end_leaves_a_run_that_can_be_resumed(slow: Books) -> None:
    with slow.start("run", "slow", "--period", "2026-02") as running:
        running.wait_until_it_says("  30  publish")
        time.sleep(1)
        running.send(signal.SIGTERM)
        ended = running.end(30)
    assert ended.code == 130, ended.err
    assert ended.err.splitlines()[-1] == (
        "interrupted at operation 30 of 30: output 'copy' is published, output 'publish' is not;"
        f" `rowbook runs resume {ended.run_id}` goes on"
    )
    label = slow.show(ended.run_id)
    assert (label["status"], label["error"]["code"]) == ("failed", "RUN_007")
    assert [output["seq"] for output in label["outputs"]] == [10]
    with slow.store() as store:
        assert lease_of(store, ended.run_id) is None


@pytest.mark.campaign
def test_a_run_can_be_cancelled_from_elsewhere(slow: Books) -> None:
    with slow.start("run", "slow", "--period", "2026-02", ROWBOOK_LEASE_SECONDS="8") as running:
        running.wait_until_it_says("  30  publish")
        (run_id,) = (run["run_id"] for run in slow.runs() if run["status"] == "running")
        said = slow.do("runs", "cancel", run_id)
        assert said.out == f"run {run_id} was asked to end\n"
        ended = running.end(30)
    assert ended.code == 130, ended.err
    assert f"RUN_009  run {run_id} was cancelled" in ended.err
    check_cancelled(slow, run_id)
    refused = slow.do("runs", "cancel", run_id, code=4)
    assert f"RUN_005  run {run_id} is cancelled and has nothing to cancel" in refused.err


def check_cancelled(books: Books, run_id: str) -> None:
    """It says so, keeps the output that was finished, and nothing of the other, when Spark has
    noticed too and a command has looked after it."""
    time.sleep(1)
    label = books.show(run_id)
    assert (label["status"], label["error"]) == ("cancelled", None)
    assert [output["seq"] for output in label["outputs"]] == [10]
    assert len(books.rows("copy")) == 100
    assert not (books.lake / "slow").exists()
    assert books.leftovers() == []
    with books.store() as store:
        assert lease_of(store, run_id) is None


def test_a_run_killed_while_spark_writes_is_resumed_beside_what_spark_still_does(
    slow: Books,
) -> None:
    """The server goes on with what a dead client asked for; that does not get into the table."""
    rows = "".join(f"{n},1.00\n" for n in range(14))
    slow.write({"data/inbox/gl/2026-02.csv": f"account,amount\n{rows}"})
    with slow.start("run", "slow", "--period", "2026-02") as running:
        running.wait_until_it_says("  30  publish")
        begun = f".slow.staging-{running.run_id}*/**/*.parquet"
        wait_until(lambda: bool(list(slow.lake.glob(begun))), "a file of Spark's")
        running.send(signal.SIGKILL)
        ended = running.end()
    slow.spawn("runs", "resume", ended.run_id)
    assert sorted(row["account"] for row in slow.rows("slow")) == sorted(map(str, range(14)))
    assert slow.leftovers() == []
