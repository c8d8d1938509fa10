"""Expectations on Spark: what is seen of each is what the reference engine sees, whichever way the
plan is computed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.expectations.observation import Observation
from rowbook.planning.project_plan import ProjectPlan
from tests.engine.running import ListWriter, Rows, run, settings
from tests.engine.test_random_projects import LoadingReader
from tests.support.reference_run import Expected, bag, refer
from tests.support.small_plans import plan_of

pytestmark = pytest.mark.spark

DATASETS = """
dataset:
  name: lines
  main_table:
    name: l
    columns:
      - {name: journal, type: string}
      - {name: line, type: integer}
      - {name: account, type: string}
      - {name: amount, type: "decimal(18,2)"}
  lookups:
    - {alias: accounts, dataset_id: accounts, on: "l.account = accounts.code"}
---
dataset:
  name: accounts
  main_table:
    name: a
    columns: [{name: code, type: string}, {name: kind, type: string}]
  expectations:
    - {name: kinds are known, that: "kind IN ('asset', 'cost')", otherwise: quarantine}
    - {name: codes stand once, unique: [code], otherwise: stop}
---
dataset:
  name: more
  main_table:
    name: m
    columns: [{name: account, type: string}, {name: amount, type: "decimal(18,2)"}]
  expectations:
    - {name: more than nothing, that: "amount > 0", otherwise: quarantine, whole: [account]}
---
"""
PROJECT = """
project:
  name: p
  input_dataset_id: lines
  quarantine: {location: {path: quarantine}}
  expectations:
    - {name: amounts are there, at: input, that: "amount IS NOT NULL", otherwise: quarantine}
    - name: accounts are known
      at: input
      that: "accounts.kind IS NOT NULL"
      otherwise: quarantine
      whole: [journal]
    - {name: lines are numbered once, at: input, unique: [journal, line]}
    - {name: journals balance, at: input, by: [journal], that: "SUM(amount) = 0"}
    - {name: few journals, at: input, by: [journal], that: "COUNT(*) < 3"}
    - {name: amounts are small, that: "amount < 40"}
    - {name: no lack of lines, selector: "amount > 0", that: "line IS NOT NULL", at: 1}
    - {name: amounts are doubled, at: 1, that: "amount * amount * amount > 0"}
    - {name: nothing is lost, at: 3, against: {alias: start, at: input},
       that: "SUM(amount) = SUM(start.amount)"}
    - {name: accounts keep their amounts, at: 3, by: [account],
       against: {alias: start, at: input}, that: "SUM(amount) = SUM(start.amount)"}
    - {name: more is in it, at: end, by: [account], selector: "amount > 0",
       against: {alias: m, dataset_id: more}, that: "SUM(amount) >= SUM(m.amount)"}
    - {name: there are lines, that: "COUNT(*) BETWEEN 2 AND 5"}
    - {name: numbers fit, that: "SUM(line + 9223372036854775807) > 0"}
    - {name: each number fits, at: input, that: "line + 9223372036854775807 > 0"}
    - {name: written ones are large, at: {output: 4}, that: "amount > 10"}
    - {name: as before, measures: {n: "COUNT(*)"}, against: {alias: last, period: previous},
       that: "n >= last.n"}
    - {name: appended ones are few, at: 3, that: "amount <> 70", otherwise: quarantine,
       tolerate: {rows: 0}}
    - {name: after two, at: 3, unique: [account], selector: "amount >= 20", otherwise: quarantine}
  operations:
    - {seq: 1, name: double, type: update, selector: "account = '1'", must_match: true,
       arguments: {assignments: [{column: amount, expression: "TO_DECIMAL(amount * 2, 18, 2)"}]}}
    - {seq: 2, name: drop, type: delete, selector: "amount = 6"}
    - {seq: 3, name: more, type: append, arguments: {source: {dataset_id: more}}}
    - {seq: 4, name: out, type: output, selector: "amount > 0", must_match: {otherwise: warn},
       arguments: {destination: {location: {path: out}}, columns: [account, amount]}}
"""
LINES: Rows = [
    {"journal": "A", "line": 1, "account": "1", "amount": "10"},
    {"journal": "A", "line": 2, "account": "2", "amount": "-10"},
    {"journal": "B", "line": 1, "account": "1", "amount": "3"},
    {"journal": "B", "line": 1, "account": "2", "amount": None},
    {"journal": "C", "line": 1, "account": "9", "amount": "7"},
    {"journal": "C", "line": 2, "account": "1", "amount": "-7"},
    {"journal": None, "line": None, "account": "2", "amount": "50"},
    {"journal": None, "line": None, "account": "2", "amount": "50", "_deleted": True},
]
ACCOUNTS: Rows = [
    {"code": "1", "kind": "asset"},
    {"code": "2", "kind": "cost"},
    {"code": "3", "kind": "cost"},
    {"code": "3", "kind": "cost"},
    {"code": "9", "kind": "other"},
]
MORE: Rows = [
    {"account": "7", "amount": "70"},
    {"account": "8", "amount": "80"},
    {"account": "8", "amount": "0"},
    {"account": "2", "amount": "25"},
]
WAYS = {
    "usual": Options(),
    "all kept": Options(segments=False, layers=False),
    "no ledger": Options(ledger=False),
    "local rows": Options(few_rows=True, local_rows=True),
}


@pytest.fixture(scope="module")
def small_data(spark: SparkSession) -> Iterator[SparkSession]:
    with settings(spark, FEW_ROWS) as small:
        yield small


def tables(**given: Rows) -> dict[str, Rows]:
    from decimal import Decimal

    found = {"lines": LINES, "accounts": ACCOUNTS, "more": MORE, **given}
    return {
        name: [
            {n: Decimal(v) if n == "amount" and v is not None else v for n, v in row.items()}
            for row in rows
        ]
        for name, rows in found.items()
    }


def by_name(expected: Expected | Pipeline) -> dict[str, Observation]:
    return {each.name: seen for each, seen in expected.observations}


def check(spark: SparkSession, plan: ProjectPlan, given: dict[str, Rows], options: Options) -> None:
    expected, writer = refer(plan, given), ListWriter()
    rows, pipeline = run(plan, LoadingReader(spark, given), options=options, writer=writer)
    found, wanted = by_name(pipeline), by_name(expected)
    assert found.keys() == wanted.keys()
    for name, seen in wanted.items():
        assert found[name] == seen, name
    assert bag(rows) == bag(expected.rows)
    assert bag(writer.rows[0]) == bag(expected.quarantine)
    assert {seq: n for seq, n in pipeline.quarantined.items() if seq} == expected.quarantined
    if options.ledger:
        counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
        assert counts == expected.counts


@pytest.mark.parametrize("way", WAYS)
def test_all_forms_are_seen_as_by_the_reference_engine(
    small_data: SparkSession, tmp_path: Path, way: str
) -> None:
    check(small_data, plan_of(tmp_path, DATASETS + PROJECT), tables(), WAYS[way])
