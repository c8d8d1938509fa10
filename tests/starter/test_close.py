"""The close that a newcomer gets: its scenarios pass, and the figures of its months add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rowbook import Workspace
from rowbook.cli.app import run
from rowbook.starter.creation import init_workspace
from rowbook.starter.template_files import TemplateName
from tests.starter.reading import CENT, CLOSE, LINES, Line, rows, total, written_rows
from tests.starter.shared_session import shared_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]
_MONTH = "2026-02"


@pytest.fixture(scope="module")
def close(tmp_path_factory: pytest.TempPathFactory, spark: SparkSession) -> Iterator[Workspace]:
    """Applied, activated, and run for a month: to be looked at only."""
    folder = tmp_path_factory.mktemp("starter") / "acme"
    init_workspace(folder, "close")
    with Workspace.open(folder, spark=spark) as workspace:
        workspace.apply()
        workspace.activate("monthly_close")
        result = workspace.run("monthly_close", _MONTH)
        assert (result.status, result.error) == ("completed", None)
        assert {each.name: each.status for each in result.expectations} == {
            "accounts are known": "passed",
            "journals balance": "passed",
            "about as many lines as last month": "skipped",
            "rules lose nothing": "passed",
        }
        assert [warning.split(":")[0] for warning in result.warnings] == [
            "'about as many lines as last month' (input)"
        ]
        yield workspace


def _statement(close: Workspace) -> list[dict[str, str]]:
    return written_rows(close.root / "reports" / "profit_and_loss", _MONTH)


def _sums(statement: list[dict[str, str]], level: str, column: str) -> dict[str, Decimal]:
    """A column of a level, added up by report line."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for row in statement:
        if row["level"] == level:
            sums[row["report_line"]] += Decimal(row[column])
    return dict(sums)


def _lines(month: str) -> list[Line]:
    return [line for line in LINES if line.month == month and line.counts]


@pytest.mark.parametrize(
    ("template", "engines"),
    [
        pytest.param("close", "--both", marks=pytest.mark.campaign),
        ("minimal", "--both"),
        ("close", None),
    ],
)
def test_the_scenarios_of_a_template_pass(
    template: TemplateName,
    engines: str | None,
    tmp_path: Path,
    spark: SparkSession,
    capsys: pytest.CaptureFixture[str],
) -> None:
    init_workspace(tmp_path / "acme", template)
    with shared_session(spark):
        code = run(["test", *([engines] if engines else ()), "-C", str(tmp_path / "acme")])
    passed = "6 passed" if template == "close" else "1 passed"
    last = capsys.readouterr().out.splitlines()[-1]
    assert (code, last) == (0, f"{passed} by both engines" if engines else passed)


def test_entities_add_up_to_the_group_and_the_group_to_the_result(
    close: Workspace,
) -> None:
    statement = _statement(close)
    for column in ("actual_usd", "budget_usd", "variance_usd", "line_count"):
        group = _sums(statement, "group", column)
        assert _sums(statement, "entity", column) == group
        assert _sums(statement, "result", column) == {"Net result": total(group.values())}


def test_the_variance_is_actual_less_budget_on_every_line(close: Workspace) -> None:
    statement = _statement(close)
    assert len(statement) == 31
    for row in statement:
        actual, budget = Decimal(row["actual_usd"]), Decimal(row["budget_usd"])
        assert Decimal(row["variance_usd"]) == actual - budget


def test_actuals_are_the_lines_of_the_ledger_in_dollars(close: Workspace) -> None:
    actual = _sums(_statement(close), "group", "actual_usd")
    assert set(actual) == {
        *("Revenue", "Cost of sales", "Selling expenses", "Research and development"),
        *("General and administration", "Intercompany"),
    }
    sold = [line.usd for line in _lines(_MONTH) if line.account_code in ("4000", "4100")]
    assert actual["Revenue"] == -total(sold)
    in_all = [line.usd for line in _lines(_MONTH) if line.account_code[0] in "456"]
    assert total(actual.values()) == -total(in_all)


def test_intercompany_is_nothing_for_the_group(close: Workspace) -> None:
    statement = _statement(close)
    assert _sums(statement, "group", "actual_usd")["Intercompany"] == 0
    assert _sums(statement, "group", "budget_usd")["Intercompany"] == 0
    entities = [
        Decimal(row["actual_usd"])
        for row in statement
        if (row["level"], row["report_line"]) == ("entity", "Intercompany")
    ]
    assert len(entities) == 4
    assert 0 not in entities


def test_the_budget_is_the_approved_one(close: Workspace) -> None:
    planned = total(
        Decimal(row["amount_usd"])
        for row in rows(CLOSE[f"data/budget/{_MONTH}.csv"])
        if row["version"] == "approved"
    )
    (result,) = _sums(_statement(close), "result", "budget_usd").values()
    assert result == -planned


def test_the_published_ledger_balances_but_for_roundings(close: Workspace) -> None:
    published = close.read("closed_ledger", _MONTH).collect()
    journals: dict[str, list[Decimal]] = defaultdict(list)
    for row in published:
        journals[row["journal_id"]].append(row["amount_usd"])
    assert len(journals) > 250
    for amounts in journals.values():
        assert abs(total(amounts)) <= Decimal("0.005") * len(amounts)


def test_rent_is_spread_by_headcount_and_taken_off_finance_to_the_cent(close: Workspace) -> None:
    published = close.read("closed_ledger", _MONTH).collect()
    booked = {line.journal_id: line.usd for line in _lines(_MONTH) if line.account_code == "6100"}
    assert len(published) == len(_lines(_MONTH)) + 4 * (5 + 1)
    heads = {"CC110": 11, "CC120": 4, "CC210": 13, "CC220": 7, "CC310": 6}
    for journal_id, rent in booked.items():
        rows = [
            r for r in published if (r["journal_id"], r["account_code"]) == (journal_id, "6100")
        ]
        of_finance = [r["amount_usd"] for r in rows if r["cost_center"] == "CC410"]
        parts = {r["cost_center"]: r["amount_usd"] for r in rows if r["cost_center"] != "CC410"}
        assert sorted(of_finance) == [-rent, rent]
        assert total(parts.values()) == rent
        assert all(abs(parts[center] - rent * heads[center] / 41) < CENT for center in heads)


@pytest.mark.campaign
def test_a_cost_center_changes_its_department_when_it_is_said_to(close: Workspace) -> None:
    def departments(month: str) -> set[str]:
        frame = close.preview("monthly_close", month, after=40)
        found = frame.where(frame["cost_center"] == "CC220").select("department").distinct()
        return {row["department"] for row in found.collect()}

    assert departments("2026-02") == {"Operations"}
    assert departments("2026-03") == {"Engineering"}


def test_a_quarter_converts_each_month_with_its_own_rate(close: Workspace) -> None:
    frame = close.preview("monthly_close", "2026-Q1", after=20)
    quarter: dict[str, Decimal] = defaultdict(Decimal)
    for row in frame.select("_period", "account_code", "amount_usd").collect():
        if row["account_code"] == "4000":
            quarter[row["_period"]] += row["amount_usd"]
    assert quarter == {
        month: total(line.usd for line in _lines(month) if line.account_code == "4000")
        for month in ("2026-01", "2026-02", "2026-03")
    }


def test_the_small_template_runs_as_its_readme_says(tmp_path: Path, spark: SparkSession) -> None:
    init_workspace(tmp_path / "acme", "minimal")
    with Workspace.open(tmp_path / "acme", spark=spark) as workspace:
        workspace.apply()
        workspace.activate("sales_report")
        assert workspace.run("sales_report", "2026-01").status == "completed"
    found = written_rows(tmp_path / "acme" / "reports" / "sales_by_customer", "2026-01")
    assert sorted(tuple(row.values())[:4] for row in found) == [
        ("Bayline Foods", "1", "349.90", "374.39"),
        ("Larch Retail", "2", "1280.00", "1523.20"),
        ("Ostara Hotels", "1", "2150.50", "2150.50"),
    ]
