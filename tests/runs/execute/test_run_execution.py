"""A run publishes as a whole: all of its outputs, or none; and what is staged is not computed
again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from rowbook.errors import RowbookError
from rowbook.errors.termination import RunInterruptedError
from rowbook.runs.execute import run_writer
from rowbook.runs.execute.execute_run import RunOptions
from rowbook.runs.execute.run_execution import Execution
from rowbook.sources import registry
from rowbook.sources.plain_output import PlainOutput
from rowbook.sources.source import Publishing, StagedOutput, Target, WriteRequest, WriteResult
from tests.runs.whole_runs import (
    PROJECT,
    activate,
    booked,
    lent,
    listed,
    no_spark,
    resume,
    run,
    staged,
)
from tests.sources.tables import names_in
from tests.support.shell import Shell

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture
def close(shell: Shell, request: pytest.FixtureRequest) -> Shell:
    text = getattr(request, "param", PROJECT.replace("MODE", "replace"))
    return activate(shell, text)


@pytest.fixture
def options(spark: SparkSession) -> RunOptions:
    return lent(spark)


def stopping(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """What is done, once, when all is staged and nothing is decided."""
    acts = [act]
    monkeypatch.setattr(Execution, "_may_publish", lambda *_: acts.pop()() if acts else None)


def refuse() -> None:
    raise RowbookError.of("RUN_002", "stopped")


def test_outputs_are_published_in_order_and_then_registered(
    close: Shell, options: RunOptions
) -> None:
    result = run(close, options)
    assert result.status == "completed"
    assert [(o.seq, o.destination, o.rows, o.dataset_version) for o in result.outputs] == [
        (20, "out/closed", 1, 1),
        (30, "out/list", 1, None),
    ]
    assert (booked(close), listed(close)) == ([("4000", "21.00")], ["4000,21.00"])
    assert names_in(close.folder / "out") == ["closed", "list"]


def test_a_later_failure_publishes_nothing_and_what_is_staged_is_not_computed_again(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    close.write({"out/list/notes.txt": "mine"})
    failed = run(close, options)
    assert (failed.status, failed.outputs) == ("failed", ())
    assert names_in(close.folder / "out") == [f".closed.staging-{failed.run_id}-20", "list"]
    shown = close.run("runs", "show", failed.run_id)
    assert "staged" in shown.out
    (close.folder / "out/list/notes.txt").unlink()
    targets: list[str] = []

    def stage(output: PlainOutput, target: Target, order: WriteRequest) -> StagedOutput | None:
        targets.append(target.label)
        return registry.stage_plain(output, target, order)

    monkeypatch.setattr(run_writer, "stage_plain", stage)
    done = resume(close, failed.run_id, options)
    assert (done.status, targets) == ("completed", ["out/list"])
    assert [each.seq for each in done.outputs] == [20, 30]
    assert (booked(close), listed(close)) == ([("4000", "21.00")], ["4000,21.00"])
    assert names_in(close.folder / "out") == ["closed", "list"]


def test_a_run_that_is_stopped_before_the_decision_is_published_by_resuming_without_spark(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping(monkeypatch, refuse)
    failed = run(close, options)
    assert failed.error is not None
    assert (failed.status, failed.error.code, failed.outputs) == ("failed", "RUN_002", ())
    assert [entry.matched for entry in failed.ledger] == [1, 1, 1]
    assert len(staged(close)) == 2
    close.write({"data/gl/2026-01.csv": "account,amount\n4000,99.00\n"})
    done = resume(close, failed.run_id, RunOptions(session=no_spark))
    assert (done.status, [each.rows for each in done.outputs]) == ("completed", [1, 1])
    assert [entry.matched for entry in done.ledger] == [1, 1, 1]
    assert [each.dataset_version for each in done.outputs] == [1, None]
    assert (booked(close), listed(close)) == ([("4000", "21.00")], ["4000,21.00"])
    assert names_in(close.folder / "out") == ["closed", "list"]


def test_rows_that_are_staged_no_longer_whole_are_computed_again(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping(monkeypatch, refuse)
    failed = run(close, options)
    shutil.rmtree(close.folder / "out" / f".list.staging-{failed.run_id}-30")
    done = resume(close, failed.run_id, options)
    assert done.status == "completed"
    assert (booked(close), listed(close)) == ([("4000", "21.00")], ["4000,21.00"])


@pytest.mark.parametrize("close", [PROJECT.replace("MODE", "error_if_exists")], indirect=True)
def test_what_is_refused_at_publication_is_finished_by_resuming(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping(monkeypatch, lambda: close.write({"out/list/part.csv": "account,twice\nx,1\n"}))
    failed = run(close, options)
    assert failed.error is not None
    assert failed.error.code == "OUTPUT_006"
    assert failed.error.message == "decided, 1 of 2 published: out/list exists already"
    assert [each.seq for each in failed.outputs] == [20]
    assert booked(close) == [("4000", "21.00")]
    assert listed(close) == ["x,1"]
    shutil.rmtree(close.folder / "out/list")
    done = resume(close, failed.run_id, RunOptions(session=no_spark))
    assert (done.status, [each.seq for each in done.outputs]) == ("completed", [20, 30])
    assert listed(close) == ["4000,21.00"]
    assert staged(close) == []


def test_a_cancelled_run_leaves_nothing_staged(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    stopping(monkeypatch, interrupt)
    with pytest.raises(RunInterruptedError, match="at operation 30 of 30: nothing is published"):
        run(close, options)
    assert close.run("runs", "list").code == 0
    assert names_in(close.folder / "out") == []


TWICE = (
    PROJECT.replace("out/list, format: csv", "out/closed, format: parquet")
    .replace("[account, twice]", "[account, twice, _period]")
    .replace("MODE", "append")
)


@pytest.mark.parametrize("close", [TWICE], indirect=True)
def test_two_outputs_to_one_destination_are_published_in_order(
    close: Shell, options: RunOptions
) -> None:
    result = run(close, options)
    assert result.error is None
    assert booked(close) == [("4000", "21.00"), ("4000", "21.00")]
    assert names_in(close.folder / "out") == ["closed"]


AS_WRITTEN = PROJECT.replace("name: close\n", "name: close\n  publish: as_written\n", 1)


@pytest.mark.parametrize("close", [AS_WRITTEN.replace("MODE", "replace")], indirect=True)
def test_published_as_written_an_output_is_there_whatever_comes_later(
    close: Shell, options: RunOptions
) -> None:
    close.write({"out/list/notes.txt": "mine"})
    failed = run(close, options)
    assert (failed.status, [each.seq for each in failed.outputs]) == ("failed", [20])
    assert booked(close) == [("4000", "21.00")]


READS = """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: new rates
      type: output
      arguments:
        destination: {datasource_id: inbox, table: rates}
        columns: [account]
    - seq: 20
      name: convert
      type: update
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]
        assignments: [{column: twice, expression: "amount * fx.rate"}]
    - seq: 30
      name: book
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [account, twice]
"""


@pytest.mark.parametrize("close", [READS], indirect=True)
def test_a_destination_that_is_read_later_is_read_as_it_was_before_the_run(
    close: Shell, options: RunOptions
) -> None:
    """The rates that replace it have no column `rate` at all."""
    result = run(close, options)
    assert result.error is None
    assert [each.seq for each in result.outputs] == [10, 30]
    assert booked(close) == [("4000", "21.000000")]


@pytest.mark.parametrize("close", [TWICE], indirect=True)
def test_what_was_published_though_it_seemed_refused_is_not_published_again(
    close: Shell, options: RunOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the answer of a server is lost; here the one that appends, after the other."""
    publish, steps = registry.publish, list[int]()

    def lose_the_answer(
        outputs: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        written = publish(outputs, publishing)
        steps.append(outputs[0].seq)
        if outputs[0].seq == 30:
            raise RowbookError.of("OUTPUT_006", "the answer was lost")
        return written

    with monkeypatch.context() as patch:
        patch.setattr(registry, "publish", lose_the_answer)
        failed = run(close, options)
    assert failed.error is not None
    assert failed.error.message == "decided, 1 of 2 published: the answer was lost"
    assert steps == [20, 30]
    done = resume(close, failed.run_id, options)
    assert (done.status, [each.seq for each in done.outputs]) == ("completed", [20, 30])
    assert booked(close) == [("4000", "21.00"), ("4000", "21.00")]
