"""A report from what the store keeps of a run, its plan, its snapshot and its figures."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rowbook.engine.measure.figures import Amount, Moved, Sample, StepFigures
from rowbook.reports.building import build_report
from rowbook.reports.model import Counts, Failure, Followed, InputFile, InputPlace, NamedSelector
from rowbook.runs.execute.result import LedgerEntry, OutputResult
from rowbook.runs.execute.run_figures import Figures
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request, request_draft
from rowbook.store import PastExpectations, Run, RunRecord
from rowbook.store.runs.run_records import (
    ExpectationRecord,
    OutputRecord,
    Resumption,
    StepRecord,
    WaiverRecord,
    WarningRecord,
)
from tests.support.verdicts import PASSED, WAIVED, WAIVER

AT = datetime(2026, 2, 3, 4, 5, 6, tzinfo=UTC)
WORKSPACE = """\
workspace: {name: acme, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "{{table_name}}.csv"}}]
---
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(18,2)"}
---
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: account, type: string}, {name: rate, type: "decimal(9,4)"}]
---
project:
  name: close
  description: Close of the month
  owner: finance
  input_dataset_id: gl
  selectors: {sales: "account LIKE '4%'", unused: "amount = 1"}
  operations:
    - seq: 10
      name: convert
      type: update
      selector: "{{sales}}"
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]
        assignments: [{column: amount, expression: "amount * fx.rate"}]
    - {seq: 20, name: drop, type: delete, selector: "amount = 0"}
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {location: {path: out.csv}}, register_as_dataset: closed}
"""
RUN = Run(
    id="0199a000-0000-7000-8000-000000000001",
    project_id="p1",
    project_name="close",
    project_version=3,
    draft=False,
    calendar_id="gregorian",
    period="2026-01",
    writes_into=("2026-01",),
    as_of="2026-01-31T10:00:00+00:00",
    clock=AT,
    trigger="command",
    engine="local[*]",
    requested_by="ada",
    status="completed",
    created_at=AT,
    started_at=AT,
    finished_at=AT.replace(minute=9),
    failure=None,
    timings=None,
    reopened=None,
    cancel_requested=None,
    staging="removed",
)
COUNTS = {10: (4, 2, 0, 0, 4, 12), 20: (4, 1, 0, 1, 3, 0), 30: (3, 3, 0, 0, 3, 2)}
RESULT = OutputResult(30, "out.csv", 3, ("account", "amount"), 1, 99, 2, "closed-id", 4)


def step(seq: int) -> StepRecord:
    entry = LedgerEntry(seq, "a name", "update", *COUNTS[seq])
    return StepRecord(seq, entry.as_json(), AT)


COMPLETED = RunRecord(
    RUN, tuple(map(step, COUNTS)), (OutputRecord(30, RESULT.as_json(), AT),), (), ()
)


def figures(*found: StepFigures, complete: bool = True, column: str | None = "amount") -> Figures:
    candidates = (column, "usd") if column else ()
    return Figures(candidates, list(found), complete, column)


@pytest.fixture
def asked(tmp_path: Path) -> Request:
    (tmp_path / "rowbook.yaml").write_text(WORKSPACE, encoding="utf-8")
    with OpenWorkspace(tmp_path) as workspace:
        return request_draft(workspace, "close", "2026-01")


def test_a_run_is_named_with_all_that_decided_it(asked: Request) -> None:
    found = build_report(COMPLETED, asked, {"rowbook": "0.1", "spark": "4.1", "datasets": []})
    assert (found.project, found.description, found.owner) == (
        *("close", "Close of the month", "finance"),
    )
    assert (found.version, found.status, found.period) == (3, "completed", "2026-01")
    assert found.as_of == "2026-01-31T10:00:00Z"
    assert (found.rowbook, found.spark) == ("0.1", "4.1")
    assert (found.notes, found.failure, found.warnings) == ((), None, ())


def test_operations_stand_in_words_as_written_and_with_their_counts(asked: Request) -> None:
    convert, drop, publish = build_report(COMPLETED, asked, None).steps
    assert (convert.seq, convert.name, convert.type) == (10, "convert", "update")
    assert convert.selector == "{{sales}}"
    (rule,) = convert.rules
    assert (rule.column, rule.type, rule.is_new) == ("amount", "decimal(18,2)", False)
    assert rule.expression == "amount * fx.rate"
    (lookup,) = convert.lookups
    assert (lookup.alias, lookup.dataset, lookup.version) == ("fx", "rates", 1)
    assert lookup.condition == "gl.account = fx.account"
    assert drop.counts == Counts(4, 1, 0, 1, 3, 0)
    assert (convert.writes_all, publish.writes_all) == (False, True)


def test_selectors_say_who_uses_them(asked: Request) -> None:
    assert build_report(COMPLETED, asked, None).selectors == (
        NamedSelector("sales", "account LIKE '4%'", (10,)),
        NamedSelector("unused", "amount = 1", ()),
    )


def test_an_output_is_named_after_its_operation_and_what_it_was_registered_as(
    asked: Request,
) -> None:
    (output,) = build_report(COMPLETED, asked, None).outputs
    assert (output.name, output.destination, output.rows) == ("publish", "out.csv", 3)
    assert (output.dataset, output.dataset_version) == ("closed", 4)
    unregistered = replace(RESULT, dataset_version=None).as_json()
    record = replace(COMPLETED, outputs=(OutputRecord(30, unregistered, AT),))
    assert build_report(record, asked, None).outputs[0].dataset is None


def test_inputs_are_what_the_snapshot_says(asked: Request) -> None:
    file = {"name": "gl.csv", "size": 12, "modified_ns": 1_770_091_506_000_000_999}
    table = {"name": "rates", "size": 0, "version": "17"}
    places = [
        {"location": "gl.csv", "periods": ["2026-01"], "contents": [file]},
        {"location": "lake/rates", "periods": [], "contents": [table], "missing": "gone"},
    ]
    dataset = {"name": "gl", "version": 2, "resolver": "files", "rule": "all", "locations": places}
    snapshot: dict[str, Any] = {"rowbook": "0.1", "spark": "4.1", "datasets": [dataset]}
    (found,) = build_report(COMPLETED, asked, snapshot).inputs
    assert (found.name, found.version, found.rule) == ("gl", 2, "all")
    assert found.places == (
        InputPlace("gl.csv", ("2026-01",), (InputFile("gl.csv", 12, AT, None),), None),
        InputPlace("lake/rates", (), (InputFile("rates", 0, None, "17"),), "gone"),
    )


def test_without_figures_it_says_how_to_get_them(asked: Request) -> None:
    found = build_report(COMPLETED, asked, None)
    assert found.followed is None
    assert found.figures is not None
    assert "rowbook run --report" in found.figures
    assert [each.total for each in found.steps] == [None, None, None]


def test_figures_stand_beside_their_operations(asked: Request) -> None:
    sample = Sample((), ({"amount": Decimal(2)},))
    found = build_report(
        COMPLETED,
        asked,
        None,
        figures(
            StepFigures(0, Amount(4, Decimal("5.00"))),
            StepFigures(10, Amount(4, Decimal("7.00")), Moved(Decimal(4), Decimal(2)), sample),
            StepFigures(20, Amount(3, Decimal("7.00"))),
            StepFigures(30, Amount(3, Decimal("7.00"))),
        ),
    )
    assert found.figures is None
    assert found.followed == Followed("amount", Decimal("5.00"), 4, ("usd",))
    convert, drop, _ = found.steps
    assert (convert.total, convert.counted, convert.sample) == (Decimal("7.00"), 4, sample)
    assert (drop.total, drop.moved, drop.counted) == (Decimal("7.00"), None, None)


@pytest.mark.parametrize(
    ("measured", "said"),
    [
        (0, "Amounts and sample rows are missing: the input was not computed."),
        (1, "missing from operation 10 'convert' on: they were not computed."),
        (2, "missing from operation 20 'drop' on: they were not computed."),
    ],
)
def test_figures_that_end_early_say_from_where(asked: Request, measured: int, said: str) -> None:
    all_of_them = [StepFigures(seq, Amount(4, Decimal(1))) for seq in (0, 10, 20, 30)]
    taken = figures(*all_of_them[:measured], complete=False)
    found = build_report(COMPLETED, asked, None, taken).figures
    assert found is not None
    assert found.endswith(said)


def test_a_failure_has_the_meaning_and_the_remedy_of_its_code(asked: Request) -> None:
    failure = {"seq": 20, "operation": "drop", "code": "RUN_001", "message": "20 'drop': 1E+20"}
    record = RunRecord(replace(RUN, status="failed", failure=failure), (step(10),), (), (), ())
    found = build_report(record, asked, None)
    assert found.failure is not None
    assert found.failure.meaning is not None
    assert found.failure.hint is not None
    assert [(each.failed, each.counts is None) for each in found.steps] == [
        *((False, False), (True, True), (False, True)),
    ]
    unknown = {"code": "NEW_999", "message": "odd", "hint": "ask"}
    record = replace(record, run=replace(record.run, failure=unknown))
    assert build_report(record, asked, None).failure == Failure(
        None, None, "NEW_999", None, "odd", "ask"
    )


def test_what_happened_beside_is_noted(asked: Request) -> None:
    resumed = Resumption(1, AT, "ben", 10, {"changed": ["gl.csv"]}, {"message": "too large"})
    record = replace(
        COMPLETED,
        run=replace(RUN, reopened="late invoice"),
        resumptions=(resumed,),
        warnings=(WarningRecord(1, {"message": "not registered"}, AT),),
    )
    found = build_report(record, asked, None)
    assert found.notes == (
        "It wrote into a closed period: late invoice",
        "It was resumed by ben at 2026-02-03 04:05:06 UTC, after: too large",
        "Changed input was accepted: gl.csv",
    )
    assert found.warnings == ("not registered",)


def test_expectations_stand_beside_those_of_earlier_periods(asked: Request) -> None:
    record = replace(
        COMPLETED,
        expectations=(ExpectationRecord(1, WAIVED.as_json(), AT),),
        waivers=(
            WaiverRecord(1, {n: getattr(WAIVER, n) for n in ("name", "reason", "by", "at")}, AT),
        ),
    )
    past = [
        PastExpectations("r2", "2025-12", (PASSED.as_json(),)),
        PastExpectations("r1", "2025-11", ()),
    ]
    found = build_report(record, asked, None, past=past)
    assert found.expectations == (WAIVED,)
    assert [(each.period, list(each.verdicts)) for each in found.history] == [
        ("2025-11", []),
        ("2025-12", [("gl_entries", "accounts are known")]),
    ]
    assert found.notes == (
        "The expectation 'journals balance' was waived by ann, 2026-02-03T10:00:00Z: timing, booked"
        " in February",
    )


def test_operations_that_matched_nothing_are_named(asked: Request) -> None:
    idle = LedgerEntry(20, "drop", "delete", 4, 0, 0, 0, 4, 0)
    record = replace(COMPLETED, steps=(step(10), StepRecord(20, idle.as_json(), AT)))
    assert build_report(record, asked, None).unmatched == ("20 'drop'",)
    assert build_report(COMPLETED, asked, None).unmatched == ()


def test_a_ledger_from_before_there_was_a_quarantine_is_read(asked: Request) -> None:
    entry = {name: value for name, value in step(10).entry.items() if name != "quarantined"}
    record = replace(COMPLETED, steps=(StepRecord(10, entry, AT),))
    counts = build_report(record, asked, None).steps[0].counts
    assert counts == Counts(4, 2, 0, 0, 4, 12, 0)


def test_the_quarantine_table_is_among_what_was_written(asked: Request) -> None:
    taken = replace(asked.plan.outputs[0], seq=0, name="quarantine", register_as=None)
    request = replace(asked, plan=replace(asked.plan, quarantine=taken))
    result = replace(RESULT, seq=0, rows=1, dataset=None, dataset_version=None)
    record = replace(COMPLETED, outputs=(OutputRecord(0, result.as_json(), AT),))
    (output,) = build_report(record, request, None).outputs
    assert (output.seq, output.name, output.rows) == (0, "quarantine", 1)
