"""Rows made from rows, as projects of the plans benchmark, and the same in PySpark by hand."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from benchmarks.ledger_data import ACCOUNTS, ENTITIES

_LAST_ACCOUNT = "2200"
"""Below it are fifty accounts."""


def entry(i: int) -> str:
    return (
        "      type: append\n      arguments:\n        source: working\n"
        f"        source_selector: \"entity = '{_entity(i)}' AND status <> 'reversed'\"\n"
        "        assignments:\n"
        '          - {column: amount, expression: "-amount"}\n'
        "          - {column: status, expression: \"'reversed'\"}\n"
    )


def entries_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    for i in range(count):
        picked = (F.col("entity") == _entity(i)) & (F.col("status") != "reversed")
        reversed_lines = lines.where(picked).withColumns(
            {"amount": (-F.col("amount")).cast("decimal(18,2)"), "status": F.lit("reversed")}
        )
        lines = lines.unionByName(reversed_lines)
    return lines


def spread(i: int) -> str:
    return (
        "      type: append\n      arguments:\n        source: working\n"
        f"        source_selector: \"posted_by BETWEEN '{_user(i)}' AND '{_user(i, 9)}'"
        " AND status <> 'spread'\"\n"
        "        joins: [{alias: a, dataset_id: accounts, many: true,"
        f" on: \"a.account_code < '{_LAST_ACCOUNT}'\"}}]\n"
        '        spread: {column: amount, weight: "TO_INTEGER(a.account_code)", scale: 2}\n'
        "        assignments:\n"
        '          - {column: account_code, expression: "a.account_code"}\n'
        "          - {column: status, expression: \"'spread'\"}\n"
    )


def spread_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    """In whole cents: journal and line tell a line from the others."""
    weights = [(code, int(code)) for code in ACCOUNTS if code < _LAST_ACCOUNT]
    keys = lines.sparkSession.createDataFrame(weights, "key string, weight bigint")
    same = Window.partitionBy("journal_id", "line_number")
    for i in range(count):
        picked = F.col("posted_by").between(_user(i), _user(i, 9)) & (F.col("status") != "spread")
        made = lines.where(picked).crossJoin(F.broadcast(keys))
        made = made.withColumns(
            {
                "cents": F.abs(F.col("amount") * 100).cast("bigint"),
                "place": F.row_number().over(same.orderBy(F.col("weight").desc(), "key")),
                "total": F.sum("weight").over(same),
            }
        )
        made = made.withColumn(
            "share", F.expr("(2 * cents * weight + total) div (2 * total)")
        ).withColumn("rest", F.col("cents") - F.sum("share").over(same))
        one = F.when(F.col("place") <= F.abs("rest"), F.signum("rest").cast("bigint")).otherwise(0)
        part = (F.col("share") + one) * F.signum(F.col("amount")).cast("bigint")
        made = made.withColumns(
            {
                "amount": (part.cast("decimal(20,0)") / 100).cast("decimal(18,2)"),
                "account_code": F.col("key"),
                "status": F.lit("spread"),
            }
        )
        lines = lines.unionByName(made.select(*lines.columns))
    return lines


def _entity(i: int) -> str:
    return ENTITIES[i % len(ENTITIES)]


def _user(i: int, more: int = 0) -> str:
    return f"user{10 * i + more:03}"
