"""The close in DuckDB's SQL: the lines as a table in memory, then both outputs from it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb

from benchmarks.close_task import DETAIL, IMMATERIAL, NOISE, RULES, SUMMARY, Rule, selector
from benchmarks.ledger_data import PERIOD, LedgerData


def close(data: LedgerData, out: Path) -> None:
    """Writes `detail` and `summary`."""
    out.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute(f"CREATE TEMP TABLE detail AS {_detail(data)}")
        for name, query in {"detail": "FROM detail", "summary": _SUMMARY}.items():
            connection.execute(
                f"COPY ({query}) TO '{out / name}.parquet' (FORMAT parquet, COMPRESSION snappy)"
            )


def _detail(data: LedgerData) -> str:
    noise = ", ".join(f"'{status}'" for status in NOISE)
    return f"""
        WITH converted AS (
            SELECT gl.*, accounts.account_class, 'actual' AS line_type,
                round(gl.amount * coalesce(rates.rate, 1), 2) AS amount_group,
                round(abs(amount_group), 0) AS size
            FROM read_parquet('{data.lines}/*.parquet') AS gl
            LEFT JOIN (FROM '{data.rates}' WHERE month = '{PERIOD}') AS rates USING (currency)
            LEFT JOIN '{data.accounts}' AS accounts USING (account_code)
            WHERE status NOT IN ({noise}) AND amount <> 0
        ),
        lines AS (SELECT *, {_classified(RULES)} AS class FROM converted),
        budget AS (
            SELECT entity, account_code, cost_center, sum(amount) AS amount_group,
                'budget' AS line_type
            FROM '{data.budget}' WHERE version = 'original' GROUP BY ALL
        )
        SELECT {", ".join(DETAIL)} FROM lines
        UNION ALL BY NAME
        FROM budget
    """


def _classified(rules: Sequence[Rule]) -> str:
    """The last rule that holds counts, so it is asked first."""
    cases = (f"WHEN {selector(rule.tests)} THEN '{rule.name}'" for rule in reversed(rules))
    return f"CASE {' '.join(cases)} ELSE coalesce(account_class, 'Unknown') END"


_SUMMARY = f"""
    WITH by_account AS (
        SELECT entity, account_code, line_type, sum(amount_group) AS total, count(*) AS line_count
        FROM detail GROUP BY ALL
    ),
    by_entity AS (
        SELECT entity, line_type, sum(total) AS total, sum(line_count)::BIGINT AS line_count
        FROM by_account GROUP BY ALL
    ),
    levels AS (
        SELECT 'account' AS level, * FROM by_account WHERE abs(total) >= {IMMATERIAL}
        UNION ALL BY NAME
        SELECT 'entity' AS level, * FROM by_entity
    )
    SELECT {", ".join(SUMMARY)} FROM levels
"""
