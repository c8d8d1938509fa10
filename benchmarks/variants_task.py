"""Closes that nobody tuned for, drawn from a seed: the project, and the same by hand in PySpark.

Each converts lines to group currency, classifies them by rules of one shape, adds totals of
groupings that do not nest, and writes one output or three. One in four reads csv, writes Delta, or
has lines of sixty columns. Conditions are written so that Rowbook and Spark SQL read them alike.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from benchmarks.close_task import definitions
from benchmarks.ledger_data import ACCOUNTS, CENTERS, PERIOD, SEED, LedgerData, ledger_data

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PROJECT = "variant"
Shape: TypeAlias = Literal["ranges", "LIKE", "mixed", "dependent"]
Feature: TypeAlias = Literal["parquet", "60 columns", "Delta out", "csv in"]
SHAPES: tuple[Shape, ...] = ("ranges", "LIKE", "mixed", "dependent")
FEATURES: tuple[Feature, ...] = ("parquet", "60 columns", "Delta out", "csv in")
GROUPINGS = (
    ("entity", "account_code"),
    ("cost_center", "currency"),
    ("document_type", "class"),
    ("entity", "class", "posting_date"),
    ("partner",),
    ("posted_by", "entity"),
    ("tax_code", "account_code"),
)
"""None is a part of another."""
SLICES = ("document_type = 'IC'", "size >= 100000", "entity IN ('CH01', 'US02', 'JP01')")
"""Lines that the third output takes."""
TOTALS = {"total": "SUM(amount_group)", "largest": "MAX_AGG(size)", "line_count": "COUNT(*)"}
_KEPT = (
    *("journal_id", "line_number", "posting_date", "entity", "account_code", "cost_center"),
    *("currency", "amount", "amount_group", "size", "class", "document_type"),
)
_EXTRA = tuple(f"attribute_{number:02}" for number in range(46))
_LINES = (
    *_KEPT[:8],
    *("status", "document_type", "tax_code", "partner", "posted_by", "description"),
)


@dataclass(frozen=True, slots=True)
class Rule:
    """Lines on which the condition holds get the class."""

    condition: str
    value: str


@dataclass(frozen=True, slots=True)
class Variant:
    """`slice` is what the third output takes; None where there is one output alone, of lines and
    totals."""

    shape: Shape
    feature: Feature
    rules: tuple[Rule, ...]
    groupings: tuple[tuple[str, ...], ...]
    slice: str | None

    @property
    def label(self) -> str:
        outputs = 1 if self.slice is None else 3
        groupings = f"{len(self.groupings)} groupings"
        return f"{len(self.rules)} rules ({self.shape}), {groupings}, {outputs} out, {self.feature}"

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns of lines that are written."""
        return (*_KEPT, *_EXTRA) if self.feature == "60 columns" else _KEPT

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(key for keys in self.groupings for key in keys))

    @property
    def tables(self) -> dict[str, tuple[str, ...]]:
        """The columns of each output."""
        totals = tuple(key for key in self.keys if key not in self.kept)
        if self.slice is None:
            return {"everything": (*self.kept, "level", *totals, *TOTALS)}
        summary = ("level", *self.keys, *TOTALS)
        return {"lines": self.kept, "totals": summary, "part": self.kept}


def variants(seed: int, count: int) -> tuple[Variant, ...]:
    """Each shape and each feature once in four, in an order of the seed's."""
    drawn = random.Random(seed)
    shapes, features = [*SHAPES], [*FEATURES]
    drawn.shuffle(shapes)
    drawn.shuffle(features)
    return tuple(
        Variant(
            shape := shapes[number % 4],
            features[(number + number // 4) % 4],
            _rules(drawn, shape),
            tuple(drawn.sample(GROUPINGS, drawn.choice((2, 3)))),
            None if drawn.random() < 0.5 else drawn.choice(SLICES),
        )
        for number in range(count)
    )


def _rules(drawn: random.Random, shape: Shape) -> tuple[Rule, ...]:
    count = drawn.randint(10, 60)
    kinds = {"ranges": (_range,), "LIKE": (_like,)}.get(shape, (_range, _like, _equal, _two))
    rules = [Rule(drawn.choice(kinds)(drawn), f"C{n:02}") for n in range(count)]
    if shape == "dependent":
        names = [rule.value for rule in rules]
        for number in range(drawn.randint(3, 8)):
            taken = ", ".join(f"'{name}'" for name in drawn.sample(names, 4))
            least = drawn.choice((1_000, 10_000, 50_000))
            condition = f"class IN ({taken}) AND size >= {least}"
            rules.append(Rule(condition, f"D{number}"))
            names.append(f"D{number}")
    return tuple(rules)


def _range(drawn: random.Random) -> str:
    if drawn.random() < 0.2:
        least = drawn.choice((100, 5_000, 80_000))
        return f"size BETWEEN {least} AND {least * drawn.randint(2, 9)}"
    low, high = sorted(drawn.sample(ACCOUNTS, 2))
    if drawn.random() < 0.5:
        return f"account_code BETWEEN '{low}' AND '{high}'"
    return f"account_code >= '{low}' AND account_code < '{high}'"


def _like(drawn: random.Random) -> str:
    column, value = drawn.choice(
        [
            ("account_code", drawn.choice(ACCOUNTS)[: drawn.randint(1, 3)] + "%"),
            ("cost_center", drawn.choice(CENTERS)[: drawn.randint(3, 4)] + "%"),
            ("description", drawn.choice(("%rent%", "Invoice%", "%month", "%ss_%"))),
        ]
    )
    return f"{column} LIKE '{value}'"


def _equal(drawn: random.Random) -> str:
    if drawn.random() < 0.5:
        return f"account_code = '{drawn.choice(ACCOUNTS)}'"
    centers = ", ".join(f"'{each}'" for each in drawn.sample(CENTERS, drawn.randint(2, 6)))
    return f"cost_center IN ({centers})"


def _two(drawn: random.Random) -> str:
    document = drawn.choice(("SA", "KR", "AF", "IC"))
    return f"document_type = '{document}' AND {_range(drawn)}"


# --- data


def variant_data(folder: Path, rows: int, variant: Variant) -> LedgerData:
    """A ledger of this size, with its lines as the variant reads them; made if not there."""
    data = ledger_data(folder, rows)
    if variant.feature not in ("60 columns", "csv in"):
        return data
    form = "csv" if variant.feature == "csv in" else "wide"
    made = LedgerData(data.folder.with_name(f"{data.folder.name}-{form}"), rows)
    if not made.folder.is_dir():
        making = LedgerData(made.folder.with_suffix(".new"), rows)
        shutil.rmtree(making.folder, ignore_errors=True)
        shutil.copytree(data.folder, making.folder, ignore=shutil.ignore_patterns("gl"))
        making.lines.mkdir(parents=True)
        for number, path in enumerate(sorted(data.lines.glob("*.parquet"))):
            lines = pq.read_table(path)
            if form == "csv":
                pa_csv.write_csv(lines, making.lines / f"{path.stem}.csv")
            else:
                pq.write_table(_widened(lines, number), making.lines / path.name)
        making.folder.rename(made.folder)
    return made


def _widened(lines: pa.Table, number: int) -> pa.Table:
    drawn = np.random.default_rng([SEED, 3, number])
    for place, name in enumerate(_EXTRA):
        codes = pa.array(drawn.integers(0, 10 ** (1 + place % 4), len(lines)))
        lines = lines.append_column(name, codes.cast(pa.string()))
    return lines


# --- by Rowbook


def workspace(data: LedgerData, variant: Variant, out: Path) -> str:
    """`rowbook.yaml` with the project."""
    kind = "delta" if variant.feature == "Delta out" else "parquet"
    text = definitions(data.folder).replace(f"['{data.folder}']", f"['{data.folder}', '{out}']")
    if variant.feature == "60 columns":
        last = "      - {name: description, type: string}\n"
        extra = "".join(f"      - {{name: {name}, type: string}}\n" for name in _EXTRA)
        text = text.replace(last, last + extra)
    if variant.feature == "csv in":
        lines, texts = 'datasource_id: lake, path: "gl', 'datasource_id: texts, path: "gl'
        source = (
            f"datasource: {{name: texts, type: csv, options: {{root: '{data.folder}'}}}}\n---\n"
        )
        text = text.replace(lines, texts) + source
    return (
        f"{text}datasource: {{name: books, type: {kind}, options: {{root: '{out}'}}}}\n---\n"
        f"project:\n  name: {PROJECT}\n  input_dataset_id: ledger\n  operations:\n{_FIRST}"
        f"{''.join(_rule(n, rule) for n, rule in enumerate(variant.rules))}"
        f"{''.join(_totals(n, keys) for n, keys in enumerate(variant.groupings))}"
        f"{''.join(_output(n, name, variant) for n, name in enumerate(variant.tables))}"
    )


def _rule(number: int, rule: Rule) -> str:
    return (
        f"    - seq: {100 + number}\n      name: rule {number}\n      type: update\n"
        f'      selector: "{rule.condition}"\n      arguments: {{assignments:'
        f" [{{column: class, expression: \"'{rule.value}'\"}}]}}\n"
    )


def _totals(number: int, keys: Sequence[str]) -> str:
    sums = "".join(
        f'          - {{column: {name}, expression: "{expression}"}}\n'
        for name, expression in TOTALS.items()
    )
    selector = '      selector: "level IS NULL"\n' if number else ""
    return (
        f"    - seq: {200 + number}\n      name: totals {number}\n      type: aggregate\n"
        f"{selector}      arguments:\n"
        f"        group_by: [{', '.join(keys)}]\n        aggregations:\n"
        f"          - {{column: level, expression: \"MAX_AGG('{number}')\"}}\n{sums}"
    )


def _output(number: int, name: str, variant: Variant) -> str:
    selectors = {
        "lines": "level IS NULL",
        "totals": "level IS NOT NULL",
        "part": f"level IS NULL AND {variant.slice}",
    }
    selector = f'      selector: "{selectors[name]}"\n' if name in selectors else ""
    return (
        f"    - seq: {300 + number}\n      name: write {name}\n      type: output\n{selector}"
        f"      arguments:\n        destination: {{datasource_id: books, table: {name}}}\n"
        f"        columns: [{', '.join(variant.tables[name])}]\n"
    )


_FIRST = """\
    - seq: 10
      name: Leave out drafts, voids and lines of nothing
      type: delete
      selector: "status IN ('draft', 'void') OR amount = 0"
    - seq: 20
      name: Convert to group currency
      type: update
      arguments:
        joins:
          - {alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}
        assignments:
          - {column: amount_group, expression: "ROUND(gl.amount * COALESCE(fx.rate, 1), 2)"}
    - seq: 30
      name: Size and class
      type: update
      arguments:
        assignments:
          - {column: size, expression: "ROUND(ABS(amount_group), 0)"}
          - {column: class, expression: "COALESCE(accounts.account_class, 'Unknown')"}
"""


# --- by hand


def by_hand(spark: SparkSession, data: LedgerData, variant: Variant, out: Path) -> None:
    """As a good engineer writes it: small tables broadcast, rules as one CASE as far as none reads
    what another made, each output one lazy plan."""
    from pyspark.sql import functions as F

    lines = _classified(_converted(spark, data, variant), variant)
    sums = [F.expr(each.replace("_AGG", "")).alias(name) for name, each in TOTALS.items()]
    found = [
        lines.groupBy(*keys).agg(*sums).withColumn("level", F.lit(str(number)))
        for number, keys in enumerate(variant.groupings)
    ]
    totals = reduce(_united, found)
    if variant.slice is None:
        frames = {"everything": _united(lines, totals)}
    else:
        frames = {"lines": lines, "totals": totals, "part": lines.where(variant.slice)}
    kind = "delta" if variant.feature == "Delta out" else "parquet"
    for name, columns in variant.tables.items():
        frames[name].select(*columns).write.format(kind).save(str(out / name))


def _converted(spark: SparkSession, data: LedgerData, variant: Variant) -> DataFrame:
    from pyspark.sql import functions as F

    rates = spark.read.parquet(str(data.rates)).where(F.col("month") == PERIOD)
    accounts = spark.read.parquet(str(data.accounts))
    if variant.feature == "csv in":
        types = {"line_number": "bigint", "posting_date": "date", "amount": "decimal(18,2)"}
        schema = ", ".join(f"{name} {types.get(name, 'string')}" for name in _LINES)
        lines = spark.read.csv(str(data.lines), schema=schema, header=True, mode="FAILFAST")
    else:
        lines = spark.read.parquet(str(data.lines))
    return (
        lines.where("status NOT IN ('draft', 'void') AND amount <> 0")
        .join(F.broadcast(rates.select("currency", "rate")), "currency", "left")
        .join(F.broadcast(accounts.drop("account_name")), "account_code", "left")
        .withColumn("amount_group", F.round(F.col("amount") * F.coalesce("rate", F.lit(1)), 2))
        .withColumn("size", F.round(F.abs("amount_group"), 0))
        .withColumn("class", F.coalesce("account_class", F.lit("Unknown")))
    )


def _classified(lines: DataFrame, variant: Variant) -> DataFrame:
    """The last rule that holds counts, so it is asked first; one that reads the class comes after
    those that make it."""
    from pyspark.sql import functions as F

    alone = [rule for rule in variant.rules if "class" not in rule.condition]
    cases = " ".join(f"WHEN {rule.condition} THEN '{rule.value}'" for rule in reversed(alone))
    lines = lines.withColumn("class", F.expr(f"CASE {cases} ELSE class END"))
    for rule in variant.rules[len(alone) :]:
        case = f"CASE WHEN {rule.condition} THEN '{rule.value}' ELSE class END"
        lines = lines.withColumn("class", F.expr(case))
    return lines


def _united(rows: DataFrame, others: DataFrame) -> DataFrame:
    return rows.unionByName(others, allowMissingColumns=True)
