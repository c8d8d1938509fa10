"""Expectations on Spark: what is seen of each is what the reference engine sees, whichever way the
plan is computed."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.execution.pipeline import Pipeline
from rowbook.engine.session.sizing import FEW_ROWS
from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import CheckStage, Situation
from rowbook.engine.strategy.strategy import decide
from rowbook.errors import RowbookError
from rowbook.planning.project_plan import ProjectPlan
from tests.engine.running import ListWriter, Rows, run, settings
from tests.engine.test_random_projects import LoadingReader
from tests.support.reference_run import bag, refer, seen_of
from tests.support.small_plans import CONTEXT, plan_of

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
    found = {"lines": LINES, "accounts": ACCOUNTS, "more": MORE, **given}
    return {
        name: [
            {n: Decimal(v) if n == "amount" and v is not None else v for n, v in row.items()}
            for row in rows
        ]
        for name, rows in found.items()
    }


def check(spark: SparkSession, plan: ProjectPlan, given: dict[str, Rows], options: Options) -> None:
    expected, writer = refer(plan, given), ListWriter()
    rows, pipeline = run(plan, LoadingReader(spark, given), options=options, writer=writer)
    assert seen_of(pipeline.observations) == seen_of(expected.observations)
    assert bag(rows) == bag(expected.rows)
    assert bag(writer.rows[0]) == bag(expected.quarantine)
    assert {seq: n for seq, n in pipeline.quarantined.items() if seq} == expected.quarantined
    if options.ledger:
        counts = {seq: (c.matched, c.added) for seq, c in pipeline.counts.items() if seq}
        assert counts == expected.counts


@pytest.mark.some(1)
@pytest.mark.parametrize("way", WAYS)
def test_all_forms_are_seen_as_by_the_reference_engine(
    small_data: SparkSession, tmp_path: Path, way: str
) -> None:
    check(small_data, plan_of(tmp_path, DATASETS + PROJECT), tables(), WAYS[way])


PLAIN = PROJECT.replace(", otherwise: quarantine", "").replace("otherwise: quarantine", "")
PLAIN = PLAIN.replace("whole: [journal]", "").replace("tolerate: {rows: 0}", "show: [account]")
NOTHING_TAKEN = DATASETS.replace(", otherwise: quarantine, whole: [account]", "").replace(
    ", otherwise: quarantine", ""
) + "".join(line for line in PLAIN.splitlines(keepends=True) if "  quarantine:" not in line)


@pytest.mark.campaign
def test_rows_of_samples_have_ids_although_the_run_needs_none(
    small_data: SparkSession, tmp_path: Path
) -> None:
    plan, given = plan_of(tmp_path, NOTHING_TAKEN), tables()
    assert {each.otherwise for each in plan.expectations} == {"warn", "stop"}
    expected, writer = refer(plan, given), ListWriter()
    pipeline = Pipeline(plan, CONTEXT, LoadingReader(small_data, given), writer)
    pipeline.run()
    assert seen_of(pipeline.observations) == seen_of(expected.observations)
    assert bag(writer.rows[4]) == bag(expected.outputs[4])


@pytest.mark.campaign
def test_checks_alone_see_the_same_and_write_nothing(
    small_data: SparkSession, tmp_path: Path
) -> None:
    plan, given = plan_of(tmp_path, DATASETS + PROJECT), tables()
    writer = ListWriter()
    pipeline = Pipeline(plan, CONTEXT, LoadingReader(small_data, given), writer)
    assert seen_of(pipeline.check()) == seen_of(refer(plan, given).observations)
    assert writer.rows == {}


@pytest.mark.parametrize("way", ["usual", "local rows"])
def test_an_empty_month_has_nothing_to_check_and_does_not_wait(
    small_data: SparkSession, tmp_path: Path, way: str
) -> None:
    plan, given = plan_of(tmp_path, DATASETS + PROJECT), tables(lines=[], more=[])
    writer = ListWriter()
    reader = LoadingReader(small_data, given)
    pipeline = Pipeline(plan, CONTEXT, reader, writer, options=WAYS[way])
    pipeline.run()
    assert seen_of(pipeline.observations) == seen_of(refer(plan, given).observations)
    assert [row["_expectation"] for row in writer.rows[0]] == ["kinds are known"]


TOTALS = """
project:
  name: p
  input_dataset_id: lines
  expectations:
    - {name: accounts balance, by: [account], that: "SUM(amount) > 0"}
    - {name: chosen accounts, selector: "account < '9'", by: [account, journal],
       that: "MIN_AGG(line) = 1 AND COUNT(amount) = COUNT(*)"}
    - {name: only lines, selector: "total IS NULL", by: [account], that: "MAX_AGG(line) < 2"}
    - {name: accounts stand once, unique: [account, journal]}
    - {name: all in all, that: "SUM(amount) = COUNT(*)"}
    - {name: many, measures: {n: "COUNT(*)", large: "MAX_AGG(amount) * 2"}, that: "n > 100"}
    - {name: as before, measures: {n: "COUNT(*)"}, against: {alias: last, period: previous},
       that: "n >= last.n"}
    - {name: averages, by: [account], that: "AVG(amount) > 5"}
    - {name: with the deleted, by: [account], include_deleted: true, that: "COUNT(*) > 1"}
    - {name: short accounts, that: "account LIKE '_' OR total > 0"}
    - {name: chosen journals, selector: "account = '2'", that: "journal <> 'B'"}
    - {name: no second lines, that: "line <> 2"}
  operations:
    - {seq: 1, name: drop, type: delete, selector: "amount = 3"}
    - {seq: 2, name: more, type: append, arguments: {source: {dataset_id: more}}}
    - {seq: 3, name: totals, type: aggregate, arguments: {group_by: [account, journal],
       aggregations: [{column: total, expression: "SUM(amount)"}]}}
    - {seq: 4, name: small totals, type: delete, selector: "total < 0"}
    - {seq: 5, name: by account, type: aggregate, selector: "total IS NULL",
       arguments: {group_by: [account],
       aggregations: [{column: total, expression: "SUM(amount)"}]}}
    - {seq: 6, name: out, type: output, arguments: {destination: {location: {path: out}}}}
    - {seq: 7, name: sums, type: output, selector: "total IS NOT NULL",
       arguments: {destination: {location: {path: sums}}}}
"""
TOTALLED = DATASETS.replace(", otherwise: quarantine, whole: [account]", "").replace(
    ", otherwise: quarantine", ""
)


@pytest.mark.parametrize(
    "options", [Options(), Options(ledger=False), Options(group_checks=False)], ids=str
)
@pytest.mark.parametrize("lines", [LINES, []], ids=["lines", "an empty month"])
def test_groups_of_an_aggregate_tell_what_rows_would(
    small_data: SparkSession, tmp_path: Path, options: Options, lines: Rows
) -> None:
    plan, given = plan_of(tmp_path, TOTALLED + TOTALS), tables(lines=lines)
    stages = decide(plan, Situation(options)).stages
    told = [each.chosen for each in stages if isinstance(each, CheckStage)]
    assert sum(map(len, told)) == (7 if options.group_checks else 0)
    pipeline = Pipeline(plan, CONTEXT, LoadingReader(small_data, given), ListWriter())
    pipeline.options = options
    pipeline.run()
    assert seen_of(pipeline.observations) == seen_of(refer(plan, given).observations)


FAILING = """
project:
  name: p
  input_dataset_id: lines
  quarantine: {location: {path: quarantine}}
  expectations: [{name: first lines, at: 1, that: "line = 1", otherwise: quarantine}]
  operations:
    - {seq: 1, name: no account, type: update,
       arguments: {assignments: [{column: account, expression: "'0'"}]}}
    - {seq: 2, name: second lines, type: update, selector: "line = 2",
       arguments: {assignments: [{column: line, expression: "line * 9000000000000000000"}]}}
    - {seq: 3, name: all lines, type: update,
       arguments: {assignments: [{column: line, expression: "line * 9000000000000000000 * 2"}]}}
    - {seq: 4, name: out, type: output, arguments: {destination: {location: {path: out}}}}
"""


def test_a_failure_is_not_told_of_rows_that_were_taken_out_before(
    small_data: SparkSession, tmp_path: Path
) -> None:
    plan, given = plan_of(tmp_path, DATASETS + FAILING), tables()
    pipeline = Pipeline(plan, CONTEXT, LoadingReader(small_data, given), ListWriter())
    with pytest.raises(RowbookError, match="operation 3 'all lines': a value of column 'line'"):
        pipeline.run()
