"""Projects of n operations of one kind, and the same in PySpark by hand.

| kind | operations | by hand |
|---|---|---|
| columns | each makes a column of its own | one select |
| rules | each sets one column where a partner is the one it names | one CASE of n branches |
| ranges | each sets one column where a partner lies between two | one CASE of n branches |
| chain | each computes a column from what the one before left in it | n times `withColumn` |
| aggregates | each adds totals of the lines, by other columns | n `groupBy`, one union |
| levels | each adds totals of the lines at three levels | n `groupingSets`, one union |
| appends | each adds a part of the budget, summed | n `groupBy`, one union |
| shares | each gives lines their share of the total of their group | n windows |
| numbers | each numbers the lines of a group by amount, and adds up to each | n ordered windows |
| entries | each reverses the lines of an entity | n unions of the lines with some of them |
| spread | each splits one line in twenty over 50 accounts, to the cent | a join, two windows |
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from benchmarks.close_task import definitions
from benchmarks.entries_task import entries_by_hand, entry, spread, spread_by_hand
from benchmarks.ledger_data import ENTITIES, LedgerData

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROJECT = "plan"
_KEYS = ("journal_id", "line_number")
_PAIRS = tuple(
    combinations(
        ("entity", "currency", "document_type", "tax_code", "status", "account_code", "posted_by"),
        2,
    )
)
"""What aggregates group by: 21 pairs."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Operations of one kind: the one at a position in YAML, the columns that n of them leave to
    be written, and the same n by hand on frames of lines and budget."""

    operation: Callable[[int], str]
    written: Callable[[int], tuple[str, ...]]
    by_hand: Callable[[DataFrame, DataFrame, int], DataFrame]


def workspace(data: LedgerData, kind: str, count: int) -> str:
    """`rowbook.yaml` with a project of `count` operations and an output."""
    made = KINDS[kind]
    operations = "".join(
        f"    - seq: {i + 1}\n      name: number {i}\n{made.operation(i)}" for i in range(count)
    )
    return (
        f"{definitions(data.folder)}project:\n  name: {PROJECT}\n  input_dataset_id: ledger\n"
        f"  operations:\n{operations}"
        f"    - seq: {count + 1}\n      name: write\n      type: output\n      arguments:\n"
        "        destination: {datasource_id: lake, table: result}\n"
        f"        columns: [{', '.join(made.written(count))}]\n"
    )


def by_hand(spark: SparkSession, data: LedgerData, kind: str, count: int) -> DataFrame:
    """The same in PySpark."""
    lines = spark.read.parquet(str(data.lines))
    budget = spark.read.parquet(str(data.budget))
    return KINDS[kind].by_hand(lines, budget, count).select(*KINDS[kind].written(count))


# --- row by row


def _column(i: int) -> str:
    return (
        "      type: update\n      arguments:\n"
        f'        assignments: [{{column: c{i}, expression: "line_number * {i + 2} + {i}"}}]\n'
    )


def _columns_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    made = ((F.col("line_number") * (i + 2) + i).alias(f"c{i}") for i in range(count))
    return lines.select("*", *made)


def _rule(i: int) -> str:
    return (
        f"      type: update\n      selector: \"partner = 'P{i:05}'\"\n      arguments:\n"
        f"        assignments: [{{column: class, expression: \"'class {i}'\"}}]\n"
    )


def _rules_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    cases = F.when(F.col("partner") == "P00000", F.lit("class 0"))
    for i in range(1, count):
        cases = cases.when(F.col("partner") == f"P{i:05}", F.lit(f"class {i}"))
    return lines.withColumn("class", cases)


def _range(i: int) -> str:
    low, high = _partners(i)
    return _rule(i).replace(f"= 'P{i:05}'", f"BETWEEN '{low}' AND '{high}'")


def _ranges_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    cases = F.when(F.col("partner").between(*_partners(0)), F.lit("class 0"))
    for i in range(1, count):
        cases = cases.when(F.col("partner").between(*_partners(i)), F.lit(f"class {i}"))
    return lines.withColumn("class", cases)


def _partners(i: int) -> tuple[str, str]:
    return f"P{5 * i:05}", f"P{5 * i + 4:05}"


def _link(i: int) -> str:
    value = f"(step * 31 + {i}) % 1000003" if i else "line_number"
    return (
        "      type: update\n      arguments:\n"
        f'        assignments: [{{column: step, expression: "{value}"}}]\n'
    )


def _chain_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    lines = lines.withColumn("step", F.col("line_number"))
    for i in range(1, count):
        lines = lines.withColumn("step", (F.col("step") * 31 + i) % 1000003)
    return lines


# --- rows added to rows


def _aggregate(i: int) -> str:
    return (
        "      type: aggregate\n      selector: journal_id IS NOT NULL\n      arguments:\n"
        f"        group_by: [{', '.join(_PAIRS[i])}]\n        aggregations:\n"
        '          - {column: total, expression: "SUM(amount)"}\n'
        '          - {column: line_count, expression: "COUNT(*)"}\n'
    )


def _aggregates_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    totals = (F.sum("amount").alias("total"), F.count(F.lit(1)).alias("line_count"))
    return _united([lines, *(lines.groupBy(*pair).agg(*totals) for pair in _PAIRS[:count])])


def _levels(i: int) -> str:
    first, second = _PAIRS[i]
    return (
        "      type: aggregate\n      selector: journal_id IS NOT NULL\n      arguments:\n"
        f"        levels:\n          - {{name: both, group_by: [{first}, {second}]}}\n"
        f"          - {{name: one, group_by: [{first}]}}\n          - {{name: all, group_by: []}}\n"
        '        aggregations:\n          - {column: total, expression: "SUM(amount)"}\n'
        '          - {column: line_count, expression: "COUNT(*)"}\n'
        '        assignments: [{column: level, expression: "LEVEL()"}]\n'
    )


def _levels_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    number = F.grouping_id()
    level = F.when(number == 0, "both").when(number == 1, "one").otherwise("all").alias("level")
    totals = (level, F.sum("amount").alias("total"), F.count(F.lit(1)).alias("line_count"))
    made = (
        lines.groupingSets([[first, second], [first], []], first, second).agg(*totals)
        for first, second in _PAIRS[:count]
    )
    return _united([lines, *made])


def _append(i: int) -> str:
    return (
        "      type: append\n      arguments:\n        source: {dataset_id: budget}\n"
        f"        source_selector: \"entity <> '{_entity(i)}'\"\n"
        "        aggregation:\n          group_by: [account_code, cost_center]\n"
        '          aggregations: [{column: amount, expression: "SUM(amount)"}]\n'
    )


def _appends_by_hand(lines: DataFrame, budget: DataFrame, count: int) -> DataFrame:
    total = F.sum("amount").cast("decimal(18,2)").alias("amount")
    parts = (
        budget.where(F.col("entity") != _entity(i))
        .groupBy("account_code", "cost_center")
        .agg(total)
        for i in range(count)
    )
    return _united([lines, *parts])


# --- values of groups on rows


def _share(i: int) -> str:
    return (
        "      type: update\n      arguments:\n"
        f"        windows: [{{alias: g{i}, by: [{', '.join(_PAIRS[i])}],"
        ' values: {total: "SUM(amount)"}}]\n'
        f'        assignments: [{{column: share{i}, expression: "amount / g{i}.total"}}]\n'
    )


def _shares_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    amount = F.col("amount")
    for i, pair in enumerate(_PAIRS[:count]):
        total = F.sum("amount").over(Window.partitionBy(*pair))
        lines = lines.withColumn(f"share{i}", amount / F.nullif(total, F.lit(0)))
    return lines


def _number(i: int) -> str:
    return (
        "      type: update\n      arguments:\n"
        f"        windows:\n          - alias: n{i}\n            by: [{', '.join(_PAIRS[i])}]\n"
        "            order_by: [-amount, journal_id, line_number]\n"
        '            values: {number: "ROW_NUMBER()", running: "SUM(amount)"}\n'
        "        assignments:\n"
        f'          - {{column: number{i}, expression: "n{i}.number"}}\n'
        f'          - {{column: running{i}, expression: "n{i}.running"}}\n'
    )


def _numbers_by_hand(lines: DataFrame, _: DataFrame, count: int) -> DataFrame:
    for i, pair in enumerate(_PAIRS[:count]):
        order = Window.partitionBy(*pair).orderBy(
            F.col("amount").desc_nulls_last(), F.col("journal_id"), F.col("line_number")
        )
        up_to_row = order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
        lines = lines.withColumns(
            {
                f"number{i}": F.row_number().over(order),
                f"running{i}": F.sum("amount").over(up_to_row),
            }
        )
    return lines


def _numbered(count: int) -> tuple[str, ...]:
    made = (name for i in range(count) for name in (f"number{i}", f"running{i}"))
    return (*_KEYS, "amount", *made)


def _entity(i: int) -> str:
    return ENTITIES[i % len(ENTITIES)]


def _united(frames: list[DataFrame]) -> DataFrame:
    return reduce(lambda a, b: a.unionByName(b, allowMissingColumns=True), frames)


KINDS = {
    "columns": Kind(_column, lambda n: (*_KEYS, *(f"c{i}" for i in range(n))), _columns_by_hand),
    "rules": Kind(_rule, lambda _: (*_KEYS, "partner", "class"), _rules_by_hand),
    "ranges": Kind(_range, lambda _: (*_KEYS, "partner", "class"), _ranges_by_hand),
    "chain": Kind(_link, lambda _: (*_KEYS, "step"), _chain_by_hand),
    "aggregates": Kind(
        _aggregate,
        lambda _: (*_KEYS, "entity", "account_code", "amount", "total", "line_count"),
        _aggregates_by_hand,
    ),
    "levels": Kind(
        _levels,
        lambda _: (*_KEYS, "entity", "account_code", "amount", "level", "total", "line_count"),
        _levels_by_hand,
    ),
    "appends": Kind(
        _append, lambda _: (*_KEYS, "account_code", "cost_center", "amount"), _appends_by_hand
    ),
    "shares": Kind(
        _share, lambda n: (*_KEYS, "amount", *(f"share{i}" for i in range(n))), _shares_by_hand
    ),
    "numbers": Kind(_number, _numbered, _numbers_by_hand),
    "entries": Kind(entry, lambda _: (*_KEYS, "entity", "amount", "status"), entries_by_hand),
    "spread": Kind(spread, lambda _: (*_KEYS, "account_code", "amount"), spread_by_hand),
}
