"""A star: journal lines and up to eight tables that each has one row for a key of theirs, looked up
by every line, and totals by what was found; the project and the same as a query of Spark SQL.

Unselective totals take all lines. Selective ones take those for which two of the tables have one
value among many: one line in some hundreds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.close_task import definitions
from benchmarks.ledger_data import ACCOUNTS, CENTERS, ENTITIES, RATES, SEED, LedgerData

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PROJECT = "star"
Totals: TypeAlias = Literal["selective", "unselective"]

_KINDS = 20
"""Values of a table's `kind`, one of which selective totals take."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """A table of one row for each key; lines have the key in a column of the same name."""

    name: str
    key: str
    keys: tuple[str, ...]


LOOKUPS = (
    Lookup("partners", "partner", tuple(f"P{n:05}" for n in range(100_000))),
    Lookup("chart", "account_code", ACCOUNTS),
    Lookup("centers", "cost_center", CENTERS),
    Lookup("users", "posted_by", tuple(f"user{n:03}" for n in range(200))),
    Lookup("entities", "entity", ENTITIES),
    Lookup("currencies", "currency", (*RATES, "EUR")),
    Lookup("documents", "document_type", ("SA", "KR", "DR", "AB", "AF", "IC")),
    Lookup("taxes", "tax_code", ("V0", "V1", "A1", "A2")),
)
"""Lines ask for 5,000 of the partners; half of them have none, and some have a tax that no table
knows."""

GROUPED = ("chart", "entities")
WRITTEN = ("chart_kind", "entities_kind", "total", "weight", "line_count")


def star_tables(data: LedgerData, seed: int = SEED) -> Path:
    """The tables that are looked up, beside a ledger, made where they are not there."""
    for number, lookup in enumerate(LOOKUPS):
        path = data.folder / f"{lookup.name}.parquet"
        if not path.exists():
            random = np.random.default_rng([seed, 2, number])
            size = len(lookup.keys)
            kinds = [f"K{kind:02}" for kind in random.integers(0, _KINDS, size)]
            kinds[0] = "K00"
            weights = pa.array(random.integers(1, 100, size), pa.int64())
            pq.write_table(
                pa.table({lookup.key: list(lookup.keys), "kind": kinds, "weight": weights}), path
            )
    return data.folder


def workspace(data: LedgerData, lookups: int, totals: Totals) -> str:
    """`rowbook.yaml` with a project that looks up in so many tables, and adds totals."""
    tables = LOOKUPS[:lookups]
    selector = f'      selector: "{_condition(totals)}"\n' if totals == "selective" else ""
    weights = " + ".join(f"COALESCE({each.name}_weight, 0)" for each in tables)
    joins = "".join(
        f"          - {{alias: {each.name}, dataset_id: {each.name},"
        f' on: "gl.{each.key} = {each.name}.{each.key}"}}\n'
        for each in tables
    )
    assignments = "".join(
        f'          - {{column: {each.name}_{name}, expression: "{each.name}.{name}"}}\n'
        for each in tables
        for name in ("kind", "weight")
    )
    return (
        f"{definitions(data.folder)}{''.join(map(_dataset, tables))}"
        f"project:\n  name: {PROJECT}\n  input_dataset_id: ledger\n  operations:\n"
        "    - seq: 10\n      name: look up\n      type: update\n      arguments:\n"
        f"        joins:\n{joins}        assignments:\n{assignments}"
        f"    - seq: 20\n      name: totals\n      type: aggregate\n{selector}"
        "      arguments:\n"
        f"        group_by: [{', '.join(f'{name}_kind' for name in _grouped(tables))}]\n"
        "        aggregations:\n"
        '          - {column: total, expression: "SUM(amount)"}\n'
        f'          - {{column: weight, expression: "SUM({weights})"}}\n'
        '          - {column: line_count, expression: "COUNT(*)"}\n'
        "    - seq: 30\n      name: write\n      type: output\n"
        '      selector: "line_count IS NOT NULL"\n      arguments:\n'
        "        destination: {datasource_id: lake, table: result}\n"
        f"        columns: [{', '.join(WRITTEN)}]\n"
    )


def by_hand(spark: SparkSession, data: LedgerData, lookups: int, totals: Totals) -> DataFrame:
    """The same as a query of Spark SQL."""
    tables = LOOKUPS[:lookups]
    spark.read.parquet(str(data.lines)).createOrReplaceTempView("star_lines")
    for each in tables:
        path = str(data.folder / f"{each.name}.parquet")
        spark.read.parquet(path).createOrReplaceTempView(f"star_{each.name}")
    joins = " ".join(
        f"LEFT JOIN star_{each.name} {each.name} ON gl.{each.key} = {each.name}.{each.key}"
        for each in tables
    )
    weights = " + ".join(f"COALESCE({each.name}.weight, 0)" for each in tables)
    keys = [f"{name}.kind" for name in _grouped(tables)]
    named = ", ".join(f"{key} {key.replace('.', '_')}" for key in keys)
    condition = _condition(totals).replace("_kind", ".kind")
    return spark.sql(
        f"SELECT {named}, SUM(gl.amount) total, SUM({weights}) weight, COUNT(*) line_count"
        f" FROM star_lines gl {joins} WHERE {condition} GROUP BY {', '.join(keys)}"
    )


def _condition(totals: Totals) -> str:
    if totals == "unselective":
        return "TRUE"
    return "partners_kind = 'K07' AND users_kind = 'K00'"


def _grouped(tables: tuple[Lookup, ...]) -> tuple[str, ...]:
    return tuple(each.name for each in tables if each.name in GROUPED)


def _dataset(lookup: Lookup) -> str:
    return (
        f"dataset:\n  name: {lookup.name}\n  main_table:\n    name: {lookup.name}\n    columns:\n"
        f"      - {{name: {lookup.key}, type: string, nullable: false}}\n"
        "      - {name: kind, type: string, nullable: false}\n"
        "      - {name: weight, type: integer, nullable: false}\n---\n"
    )
