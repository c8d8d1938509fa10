"""Runs, previews and rows from Python, on one Spark session."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import RowbookError, Workspace
from rowbook.starter.creation import init_workspace
from tests.api.conftest import copy_example
from tests.api.test_definitions import codes, edit
from tests.starter.shared_session import shared_session
from tests.support.refusal import refusal

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from rowbook.planning.steps import AnyStep

pytestmark = [pytest.mark.spark, pytest.mark.slow]


@pytest.fixture
def small(tmp_path: Path) -> str:
    """A workspace with one short project."""
    folder = tmp_path / "small"
    init_workspace(folder, "minimal")
    return str(folder)


@pytest.fixture
def shop(small: str, spark: SparkSession) -> Iterator[Workspace]:
    """One short project, for what does not depend on what is computed. Nothing applied yet."""
    with Workspace.open(small, spark=spark) as workspace:
        yield workspace


def prepared(workspace: Workspace) -> Workspace:
    workspace.apply()
    workspace.activate("monthly_close")
    return workspace


# --- run


def test_a_run_gives_its_ledger_and_what_it_wrote(closed: Workspace) -> None:
    (run,) = closed.runs(status="completed", project="monthly_close", period="2026-01")
    assert (run.draft, run.project_version, run.trigger, run.engine) == (
        False,
        1,
        "python",
        closed.spark.sparkContext.master,
    )
    shown = closed.show(run.id)
    assert [
        (e.seq, e.rows_in, e.matched, e.added, e.deleted, e.rows_out) for e in shown.ledger
    ] == [
        (10, 60, 60, 0, 0, 60),
        (20, 60, 60, 0, 0, 60),
        (30, 60, 2, 0, 2, 58),
        (40, 58, 30, 30, 0, 88),
        (50, 88, 30, 0, 0, 88),
        (60, 88, 59, 6, 0, 94),
        (70, 94, 6, 0, 0, 94),
        (80, 94, 88, 0, 0, 94),
    ]
    assert [(o.destination, o.rows, o.dataset_version) for o in shown.outputs] == [
        ("data/reports/close_subtotals", 6, None),
        ("data/reports/closed_ledger", 88, 1),
    ]
    assert shown.ledger[-1].outputs == shown.outputs[1:]
    assert (shown.warnings, shown.resumptions, run.failure) == ((), (), None)


def test_what_is_shown_later_is_what_the_run_gave(close: Workspace) -> None:
    steps: list[int] = []
    result = close.run(
        "monthly_close", "2026-01", draft=True, on_step=lambda step: steps.append(step.seq)
    )
    assert (result.status, result.error, result.warnings) == ("completed", None, ())
    assert steps == [10, 20, 30, 40, 50, 60, 70, 80]
    shown = close.show(result.run_id)
    assert (shown.ledger, shown.outputs) == (result.ledger, result.outputs)
    assert shown.run.draft
    snapshot = close.snapshot(result.run_id)
    assert snapshot is not None
    assert snapshot["period"] == "2026-01"


def test_a_project_that_was_never_activated_runs_as_a_draft_and_says_so(shop: Workspace) -> None:
    result = shop.run("sales_report", "2026-01")
    assert result.warnings == ("project 'sales_report' was never activated: it ran as a draft",)
    assert not (shop.root / "reports").exists()


def test_clock_and_as_of_are_taken_as_dates_or_as_text(shop: Workspace) -> None:
    now = datetime(2026, 2, 1, 6, 30, tzinfo=UTC)
    as_dates = shop.run("sales_report", "2026-01", draft=True, now=now, as_of=date(2026, 1, 15))
    as_text = shop.run(
        "sales_report", "2026-01", draft=True, now="2026-02-01T06:30:00Z", as_of="2026-01-15"
    )
    for result in (as_dates, as_text):
        run = shop.show(result.run_id).run
        assert (run.clock, run.as_of) == (now, "2026-01-15")


def test_a_run_that_fails_is_a_result_and_can_be_resumed(close: Workspace) -> None:
    prepared(close)
    ledger = close.root / "data" / "gl" / "2026-02.csv"
    good = ledger.read_bytes()
    ledger.write_bytes(good.replace(b"2026-02-", b"2026-99-", 1))
    result = close.run("monthly_close", "2026-02")
    assert (result.status, result.outputs) == ("failed", ())
    assert result.error is not None
    assert result.error.code == "DATASET_011"
    ledger.write_bytes(good)
    with pytest.raises(RowbookError) as error:
        close.resume(result.run_id)
    assert codes(error) == ["RUN_008"]
    resumed = close.resume(result.run_id, accept_changed_input=True)
    assert (resumed.status, resumed.run_id) == ("completed", result.run_id)
    assert len(close.show(result.run_id).resumptions) == 1


def test_periods_run_in_order_until_one_fails(close: Workspace) -> None:
    results = close.run_periods("monthly_close", "2026-03", "2026-06", draft=True)
    assert [result.status for result in results] == ["completed", "failed"]
    assert [run.period for run in close.runs()] == ["2026-04", "2026-03"]


def test_a_closed_period_is_written_to_only_with_a_reason(shop: Workspace) -> None:
    shop.apply()
    shop.activate("sales_report")
    shop.close_period("2026-01")
    with pytest.raises(RowbookError) as error:
        shop.run("sales_report", "2026-01")
    assert codes(error) == ["PERIOD_007"]
    assert shop.runs() == ()
    result = shop.run("sales_report", "2026-01", reopen_closed="late invoice")
    assert result.status == "completed"
    assert shop.show(result.run_id).run.reopened == "late invoice"


@pytest.mark.campaign
def test_a_repeated_run_gives_the_same_rows_with_the_same_ids(closed: Workspace) -> None:
    (run,) = closed.runs(project="monthly_close", period="2026-01", status="completed", limit=1)
    repeated = closed.repeat(run.id)
    assert repeated.status == "completed"

    def rows(folder: str) -> list[tuple[str, Decimal | None]]:
        frame = closed.spark.read.parquet(str(closed.root / folder))
        return sorted((row["_row_id"], row["amount_usd"]) for row in frame.collect())

    assert closed.show(repeated.run_id).run.draft
    assert rows(repeated.outputs[1].destination) == rows("data/reports/closed_ledger")


@pytest.mark.campaign
def test_a_run_that_is_asked_to_end_is_cancelled(
    close: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROWBOOK_LEASE_SECONDS", "2")

    def cancel_at_the_end(step: AnyStep) -> None:
        if step.seq == 80:
            (run,) = close.runs(status="running")
            assert close.cancel(run.id).cancel_requested is not None
            time.sleep(1.5)

    result = close.run("monthly_close", "2026-01", draft=True, on_step=cancel_at_the_end)
    assert result.status == "cancelled"
    assert result.error is not None
    assert result.error.code == "RUN_009"
    assert [output.seq for output in result.outputs] == [70]
    with pytest.raises(RowbookError) as error:
        close.cancel(result.run_id)
    assert codes(error) == ["RUN_005"]


# --- preview, read


def test_a_preview_is_a_frame_of_the_rows_after_a_step(close: Workspace) -> None:
    frame = close.preview("monthly_close", "2026-01", after=30)
    assert frame.columns == [
        *("journal_id", "line_number", "posting_date", "entity", "account_code"),
        *("cost_center_code", "currency", "amount", "description"),
        *("line_type", "amount_usd", "account_group", "_period"),
    ]
    assert frame.count() == 58
    assert frame.filter("amount = 0").count() == 0
    assert close.preview("monthly_close", "2026-01").count() == 94
    assert close.runs() == ()


def test_system_columns_are_shown_where_they_are_asked_for(close: Workspace) -> None:
    frame = close.preview("monthly_close", "2026-01", after=10, system=True)
    plan = close.plan("monthly_close", "2026-01")
    assert frame.columns == [column.name for column in plan.steps[0].columns]
    assert frame.select("_row_id").distinct().count() == 60


def test_a_preview_follows_the_file_also_where_a_version_is_active(close: Workspace) -> None:
    prepared(close)
    edit(close.root, "projects/monthly_close.yaml", '"amount = 0"', '"amount <= 0"')
    assert close.preview("monthly_close", "2026-01", after=30).filter("amount < 0").count() == 0


def test_a_step_that_does_not_exist_is_refused(close: Workspace) -> None:
    diagnostic = refusal(lambda: close.preview("monthly_close", "2026-01", after=35))
    assert (diagnostic.message, diagnostic.hint) == (
        "there is no operation 35",
        "seqs: 10, 20, 30, 40, 50, 60, 70, 80",
    )


def test_a_dataset_is_read_as_a_run_would_load_it(close: Workspace) -> None:
    rates = close.read("fx_rates", "2026-01")
    assert rates.columns == ["currency", "units_per_usd", "_period"]
    assert {row["_period"] for row in rates.collect()} == {"2026-01"}
    assert close.read("gl_entries", "2026-Q1").count() == 180


def test_what_a_run_registered_is_read_like_any_dataset(closed: Workspace) -> None:
    lines = closed.read("closed_ledger", "2026-01")
    assert lines.count() == 88
    assert lines.schema["amount_usd"].dataType.simpleString() == "decimal(25,2)"
    (production,) = closed.dataset("closed_ledger").productions
    assert closed.show(production.run_id).run.period == "2026-01"


def test_what_cannot_be_read_is_refused(close: Workspace) -> None:
    for asked, code in (
        ({"dataset": "gl"}, "DATASET_007"),
        ({"dataset": "gl_entries", "version": 7}, "DATASET_008"),
        ({"dataset": "gl_entries", "calendar": "lunar"}, "PERIOD_002"),
        ({"dataset": "gl_entries", "period": "Januray"}, "PERIOD_001"),
        ({"dataset": "gl_entries", "period": "2027-05"}, "DATASOURCE_006"),
    ):
        with pytest.raises(RowbookError) as error:
            close.read(**{"period": "2026-01", **asked})  # type: ignore[arg-type]
        assert codes(error) == [code]


def test_a_dataset_with_a_faulty_definition_is_not_read(close: Workspace) -> None:
    edit(close.root, "datasets/ledger.yaml", "type: date", "type: dat")
    with pytest.raises(RowbookError) as error:
        close.read("gl_entries", "2026-01")
    assert codes(error) == ["DATASET_002"]


# --- sessions


def test_a_session_that_was_handed_in_stays_open_and_as_it_was(
    folder: Path, spark: SparkSession
) -> None:
    zone = spark.conf.get("spark.sql.session.timeZone")
    given = spark.newSession()
    given.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    with Workspace.open(folder, spark=given) as workspace:
        assert workspace.spark.conf.get("spark.sql.session.timeZone") == "UTC"
        assert workspace.read("accounts", "2026-01").count() > 0
    assert given.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    assert spark.conf.get("spark.sql.session.timeZone") == zone
    assert given.range(3).count() == 3


@pytest.mark.campaign
def test_two_workspaces_share_a_session_and_nothing_else(
    tmp_path: Path, spark: SparkSession
) -> None:
    folders = [copy_example(tmp_path / name) for name in ("one", "other")]
    edit(folders[1], "projects/monthly_close.yaml", '"amount = 0"', '"amount <> 0"')
    with (
        Workspace.open(folders[0], spark=spark) as one,
        Workspace.open(folders[1], spark=one.spark) as other,
    ):
        kept = one.preview("monthly_close", "2026-01", after=30)
        result = other.run("monthly_close", "2026-01", draft=True)
        assert [entry.deleted for entry in result.ledger if entry.seq == 30] == [58]
        assert kept.count() == 58
        assert one.runs() == ()
        assert len(other.runs()) == 1


_OWN = """
import sys
from pyspark import SparkContext
from rowbook import RowbookError, Workspace

with Workspace.open(sys.argv[1], engine="local[1]") as close:
    assert SparkContext._active_spark_context is None
    assert close.run("sales_report", "2026-01", draft=True).status == "completed"
    first = close.spark.sparkContext.applicationId
    assert close.preview("sales_report", "2026-01").count() == 7
    assert close.repeat(close.runs()[0].id).status == "completed"
    assert close.spark.sparkContext.applicationId == first
    assert {run.engine for run in close.runs()} == {"local[1]"}
    second = Workspace.open(sys.argv[1])
    try:
        second.spark
    except RowbookError as error:
        assert error.diagnostics[0].code == "ENGINE_006", error
    else:
        raise AssertionError("a second JVM")
assert SparkContext._active_spark_context is None
print("done")
"""


_CONNECT = """
import sys
from pyspark.sql import SparkSession
from rowbook import Workspace

spark = SparkSession.builder.remote(sys.argv[2]).create()
with Workspace.open(sys.argv[1], spark=spark) as close:
    assert close.run("sales_report", "2026-01", draft=True).status == "completed"
    assert close.preview("sales_report", "2026-01").count() == 7
    (run,) = close.runs()
    assert run.engine == "sc://127.0.0.1", run.engine
assert spark.range(3).count() == 3
spark.stop()
print("done")
"""


def in_a_process(script: str, *arguments: str) -> tuple[int, str, str]:
    """For sessions that a process cannot have beside that of the tests."""
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.campaign
def test_one_session_of_its_own_serves_all_runs_and_ends_with_the_workspace(small: str) -> None:
    code, out, err = in_a_process(_OWN, small)
    assert (code, out) == (0, "done\n"), err


@pytest.mark.campaign
def test_a_connect_session_can_be_handed_in(small: str, connect_url: str) -> None:
    code, out, err = in_a_process(_CONNECT, small, connect_url)
    assert (code, out) == (0, "done\n"), err


def test_few_rows_are_run_without_spark(small: str) -> None:
    told: list[str] = []
    with Workspace.open(small) as workspace:
        result = workspace.run(
            "sales_report", "2026-01", draft=True, on_session=lambda: told.append("starts")
        )
    assert result.status == "completed"
    assert told == []


def test_spark_starts_once_for_several_periods(small: str, spark: SparkSession) -> None:
    sources = Path(small, "datasources", "files.yaml")
    text, written = sources.read_text(), "name: reports\n  type: "
    assert f"{written}csv" in text
    sources.write_text(text.replace(f"{written}csv", f"{written}json"))
    told: list[str] = []
    with shared_session(spark) as opened:
        workspace = Workspace.open(small, keep_session=False)
        results = workspace.run_periods(
            "sales_report",
            "2026-01",
            "2026-02",
            draft=True,
            on_session=lambda: told.append("starts"),
        )
    assert [result.status for result in results] == ["completed", "completed"]
    assert [settings.profile for settings in opened] == ["small"]
    assert told == ["starts"]
