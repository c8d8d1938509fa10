"""The close in Polars: lazy, on the streaming engine, both outputs in one go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import polars as pl

from benchmarks.close_task import DETAIL, IMMATERIAL, NOISE, RULES, SUMMARY, Rule, Test
from benchmarks.ledger_data import PERIOD, LedgerData

_WIDE = pl.Decimal(38, 8)
"""A product of decimals keeps the larger scale of its factors: with 8 digits it is exact."""


def close(data: LedgerData, out: Path) -> None:
    """Writes `detail` and `summary`."""
    detail = pl.concat([_lines(data), _budget(data)], how="diagonal").select(DETAIL)
    outputs = {"detail": detail, "summary": _totals(detail)}
    out.mkdir(parents=True, exist_ok=True)
    sinks = [
        frame.sink_parquet(
            out / f"{name}.parquet", compression="snappy", maintain_order=False, lazy=True
        )
        for name, frame in outputs.items()
    ]
    pl.collect_all(sinks, engine="streaming")


def _lines(data: LedgerData) -> pl.LazyFrame:
    rates = pl.scan_parquet(data.rates).filter(pl.col("month") == PERIOD)
    accounts = pl.scan_parquet(data.accounts)
    rate = pl.col("rate").fill_null(1)
    return (
        pl.scan_parquet(data.lines / "*.parquet")
        .filter(~pl.col("status").is_in(NOISE) & (pl.col("amount") != 0))
        .join(rates.select("currency", "rate"), on="currency", how="left")
        .join(accounts.drop("account_name"), on="account_code", how="left")
        .with_columns(
            amount_group=(pl.col("amount").cast(_WIDE) * rate)
            .round(2, mode="half_away_from_zero")
            .cast(pl.Decimal(38, 2))
        )
        .with_columns(size=pl.col("amount_group").abs().round(0, mode="half_away_from_zero"))
        .with_columns(_classified(RULES).alias("class"), line_type=pl.lit("actual"))
    )


def _budget(data: LedgerData) -> pl.LazyFrame:
    return (
        pl.scan_parquet(data.budget)
        .filter(pl.col("version") == "original")
        .group_by("entity", "account_code", "cost_center")
        .agg(amount_group=pl.col("amount").sum().cast(pl.Decimal(38, 2)))
        .with_columns(line_type=pl.lit("budget"))
    )


def _totals(detail: pl.LazyFrame) -> pl.LazyFrame:
    by_account = detail.group_by("entity", "account_code", "line_type").agg(
        total=pl.col("amount_group").sum(), line_count=pl.len()
    )
    by_entity = by_account.group_by("entity", "line_type").agg(
        total=pl.col("total").sum(), line_count=pl.col("line_count").sum()
    )
    material = by_account.filter(pl.col("total").abs() >= IMMATERIAL)
    levels = [
        material.with_columns(level=pl.lit("account")),
        by_entity.with_columns(level=pl.lit("entity")),
    ]
    return pl.concat(levels, how="diagonal").select(SUMMARY)


def _classified(rules: Sequence[Rule]) -> pl.Expr:
    """The last rule that holds counts, so it is asked first."""
    *earlier, last = rules
    cases = pl.when(_condition(last.tests)).then(pl.lit(last.name))
    for rule in reversed(earlier):
        cases = cases.when(_condition(rule.tests)).then(pl.lit(rule.name))
    return cases.otherwise(pl.col("account_class").fill_null("Unknown"))


def _condition(tests: Sequence[Test]) -> pl.Expr:
    return reduce(pl.Expr.__and__, map(_test, tests))


def _test(test: Test) -> pl.Expr:
    column, values = pl.col(test.column), test.values
    match test.kind:
        case "=":
            return column == values[0]
        case "in":
            return column.is_in(values)
        case "between":
            return column.is_between(*map(pl.lit, values))
        case ">=":
            return column >= values[0]
