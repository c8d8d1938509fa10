"""The close of `rowbook init` as a PySpark script: run in the workspace's folder with months, it
reads the same files and writes the same rows into folders of its own.

    python pyspark_starter.py 2026-01 2026-02

Without what a run does beside that: no value is checked, no join refuses a second match, no row is
counted, and a table that is replaced is gone while it is written.
"""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

from pyspark.sql import Column, DataFrame, GroupedData, SparkSession, Window
from pyspark.sql import functions as F

LINES = (
    "journal_id string, line_number long, posting_date date, journal_type string, status string,"
    " entity string, account_code string, cost_center string, partner_entity string,"
    " currency string, amount decimal(18,2), description string"
)
BUDGET = (
    "version string, entity string, account_code string, cost_center string, plan_item string,"
    " amount_usd decimal(18,2)"
)
RATES = "month string, currency string, units_per_usd decimal(18,6)"
ACCOUNTS = "account_code string, account_name string, account_group string, statement string"
CENTERS = (
    "cost_center string, cost_center_name string, department string, headcount long,"
    " valid_from date, valid_to date"
)
REPORT = ("level", "entity", "report_line", "actual_usd", "budget_usd", "variance_usd")
LEDGER = (
    "journal_id",
    "line_number",
    "posting_date",
    "entity",
    "partner_entity",
    "account_code",
    "cost_center",
    "department",
    "report_line",
    "statement",
    "currency",
    "amount",
    "amount_usd",
    "description",
)
DONE = "completed"


def main() -> None:
    spark = SparkSession.builder.master("local[*]").getOrCreate()
    for month in sys.argv[1:]:
        close(spark, month, Path.cwd())
        print(f"{DONE} {month}", flush=True)


def close(spark: SparkSession, month: str, root: Path) -> None:
    data = root / "data"
    centers = _centers(spark, month, data)
    lines = _allocated(_lines(spark, month, data), centers)
    lines = _classified(spark, lines, centers, data)
    report = _report(lines).coalesce(1)
    report.write.csv(f"{root}/by_hand/report/{month}", mode="overwrite", header=True)
    ledger = lines.where(F.col("line_type") == "actual").select(*LEDGER).coalesce(1)
    ledger.write.parquet(f"{root}/by_hand/ledger/{month}", mode="overwrite")


def _lines(spark: SparkSession, month: str, data: Path) -> DataFrame:
    rates = spark.read.csv(f"{data}/fx_rates.csv", RATES, header=True)
    rates = rates.where(F.col("month") == month).drop("month")
    units = F.when(F.col("currency") == "USD", F.lit(1)).otherwise(F.col("units_per_usd"))
    actual = (
        spark.read.csv(f"{data}/gl/{month}.csv", LINES, header=True)
        .where((F.col("status") != "draft") & (F.col("amount") != 0))
        .join(F.broadcast(rates), "currency", "left")
        .withColumn("amount_usd", F.round(F.col("amount") / units, 2))
        .withColumn("line_type", F.lit("actual"))
    )
    budget = (
        spark.read.csv(f"{data}/budget/{month}.csv", BUDGET, header=True)
        .where(F.col("version") == "approved")
        .groupBy("entity", "account_code", "cost_center")
        .agg(F.sum("amount_usd").alias("amount_usd"))
        .withColumn("line_type", F.lit("budget"))
    )
    return actual.unionByName(budget, allowMissingColumns=True)


def _centers(spark: SparkSession, month: str, data: Path) -> DataFrame:
    end = F.last_day(F.to_date(F.lit(f"{month}-01")))
    valid = (F.col("valid_from") <= end) & (F.col("valid_to").isNull() | (end < F.col("valid_to")))
    return spark.read.csv(f"{data}/cost_centers.csv", CENTERS, header=True).where(valid)


def _allocated(lines: DataFrame, centers: DataFrame) -> DataFrame:
    """The rent in parts, whose cents that rounding left over go to the largest, and off Finance."""
    rent = lines.where((F.col("account_code") == "6100") & (F.col("cost_center") == "CC410"))
    rent = rent.withColumn("amount", F.lit(None)).withColumn(
        "line", F.monotonically_increasing_id()
    )
    users = centers.where(F.col("cost_center") != "CC410")
    users = users.select(F.col("cost_center").alias("user"), "headcount")
    line = Window.partitionBy("line")
    usd, heads = F.col("amount_usd"), F.col("headcount")
    part = F.round(usd * heads / F.sum(heads).over(line), 2)
    left = (usd - F.sum("part").over(line)) * 100
    place = F.row_number().over(line.orderBy(F.desc("headcount"), "user"))
    cent = F.when(place <= F.abs(left), F.signum(left) * F.lit(Decimal("0.01"))).otherwise(0)
    parts = (
        rent.crossJoin(F.broadcast(users))
        .withColumn("part", part)
        .withColumn("amount_usd", F.col("part") + cent.cast("decimal(3,2)"))
        .withColumn("cost_center", F.col("user"))
        .drop("user", "headcount", "part", "line")
    )
    counter = rent.withColumn("amount_usd", -usd).drop("line")
    return lines.unionByName(parts).unionByName(counter)


def _classified(spark: SparkSession, lines: DataFrame, centers: DataFrame, data: Path) -> DataFrame:
    accounts = spark.read.csv(f"{data}/accounts.csv", ACCOUNTS, header=True)
    missing = F.col("amount_usd").isNull()
    return (
        lines.join(F.broadcast(accounts), "account_code", "left")
        .join(F.broadcast(centers.select("cost_center", "department")), "cost_center", "left")
        .withColumn("report_line", F.when(missing, F.lit("Rate is missing")).otherwise(_line()))
        .withColumn("statement", _known(~missing))
        .withColumn("actual_usd", _if(F.col("line_type") == "actual", -F.col("amount_usd")))
        .withColumn("budget_usd", _if(F.col("line_type") == "budget", -F.col("amount_usd")))
    )


def _known(priced: Column) -> Column:
    return F.coalesce(F.when(priced, F.col("statement")), F.lit("unclassified"))


def _if(condition: Column, value: Column) -> Column:
    return F.when(condition, value).otherwise(F.lit(0))


def _line() -> Column:
    """The last rule that holds counts, so it is asked first."""
    group = F.coalesce("account_group", F.lit("Unclassified"))
    expenses = group == "Operating expenses"
    others = F.col("department").isin("Operations", "Administration")
    support = (F.col("account_code") == "6400") & (F.col("cost_center") == "CC220")
    return (
        F.when(F.col("account_code").isin("4900", "6900"), "Intercompany")
        .when(support, "Cost of sales")
        .when(expenses & others, "General and administration")
        .when(expenses & (F.col("department") == "Engineering"), "Research and development")
        .when(expenses & (F.col("department") == "Sales"), "Selling expenses")
        .otherwise(group)
    )


def _report(lines: DataFrame) -> DataFrame:
    detail = lines.where(F.col("statement") != "balance_sheet")
    by_entity = _summed(detail.groupBy("entity", "report_line"), "entity")
    of_group = _summed(detail.groupBy("report_line"), "group")
    result = _summed(detail.groupBy(), "result").withColumn("report_line", F.lit("Net result"))
    totals = by_entity.unionByName(of_group, allowMissingColumns=True)
    return totals.unionByName(result, allowMissingColumns=True).select(*REPORT, "line_count")


def _summed(groups: GroupedData, level: str) -> DataFrame:
    actual, budget = F.sum("actual_usd"), F.sum("budget_usd")
    return groups.agg(
        F.lit(level).alias("level"),
        actual.alias("actual_usd"),
        budget.alias("budget_usd"),
        (actual - budget).alias("variance_usd"),
        F.count(F.lit(1)).alias("line_count"),
    )


if __name__ == "__main__":
    main()
