"""What `rowbook preview monthly_close --period 2026-01 --after 20 --limit 10` shows, as a script:
run in examples/close, it reads the same files, converts, classifies, and prints ten rows.
"""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

LINES = (
    "journal_id string, line_number long, posting_date date, entity string, account_code string,"
    " cost_center_code string, currency string, amount decimal(18,2), description string"
)


def main() -> None:
    spark = SparkSession.builder.master("local[*]").getOrCreate()
    lines = spark.read.csv("data/gl/2026-01.csv", LINES, header=True)
    rates = spark.read.csv(
        "data/fx_monthly.csv", "month string, currency string, units decimal(18,6)", header=True
    )
    accounts = spark.read.csv(
        "data/accounts.csv",
        "account_code string, account_name string, account_group string",
        header=True,
    )
    (
        lines.join(rates.where(F.col("month") == "2026-01").drop("month"), "currency", "left")
        .join(accounts.drop("account_name"), "account_code", "left")
        .withColumn("line_type", F.lit("actual"))
        .withColumn("amount_usd", F.round(F.col("amount") / F.coalesce("units", F.lit(1)), 2))
        .withColumn("account_group", F.coalesce("account_group", F.lit("Unclassified")))
        .show(10, truncate=False)
    )


if __name__ == "__main__":
    main()
