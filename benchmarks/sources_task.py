"""What the benchmark of data sources writes and reads: journal lines of two months in one table.

Twelve columns of the generated ledger with its types, an instant among them, and the period that
tables are stored by. Instants are whole seconds: Spark's own csv and json keep nothing finer than
milliseconds, and all contestants shall write the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from benchmarks.ledger_data import PERIOD, LedgerData
from benchmarks.postgres import Postgres

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

OTHER = "2025-12"
"""The month that is in the table already, and stays."""
PERIOD_COLUMN = "_period"

FolderKind: TypeAlias = Literal["parquet", "csv", "json", "orc", "delta"]
FOLDERS: tuple[FolderKind, ...] = get_args(FolderKind)
KINDS = (*FOLDERS, "jdbc")


@dataclass(frozen=True, slots=True)
class Column:
    """A column; its type as a dataset declares it."""

    name: str
    type: str
    nullable: bool = False


COLUMNS = (
    Column("journal_id", "string"),
    Column("line_number", "integer"),
    Column("posting_date", "date"),
    Column("posted_at", "timestamp"),
    Column("entity", "string"),
    Column("account_code", "string"),
    Column("cost_center", "string", nullable=True),
    Column("currency", "string"),
    Column("amount", "decimal(18,2)"),
    Column("document_type", "string"),
    Column("partner", "string", nullable=True),
    Column("description", "string", nullable=True),
)
NAMES = (*(column.name for column in COLUMNS), PERIOD_COLUMN)


@dataclass(frozen=True, slots=True)
class Folder:
    """A table that is a folder of files, with a log beside them if it is a Delta table."""

    kind: FolderKind
    path: Path


@dataclass(frozen=True, slots=True)
class Relation:
    """A table of a database."""

    server: Postgres
    name: str


Table: TypeAlias = Folder | Relation


@contextmanager
def ledger_lines(spark: SparkSession, data: LedgerData) -> Iterator[dict[str, DataFrame]]:
    """The lines to write, by period: the same ones for both, held in Spark's memory meanwhile."""
    from pyspark.sql import functions as F

    second = F.pmod(F.xxhash64("journal_id", "line_number"), F.lit(36_000)) + 8 * 3_600
    posted_at = F.timestamp_seconds(F.unix_date("posting_date") * F.lit(86_400) + second)
    lines = spark.read.parquet(str(data.lines)).withColumn("posted_at", posted_at)
    held = lines.select(*(column.name for column in COLUMNS)).persist()
    held.count()
    yield {period: held.withColumn(PERIOD_COLUMN, F.lit(period)) for period in (OTHER, PERIOD)}
    held.unpersist()
