"""What a scenario says of expectations, beside what became of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from rowbook.expectations.verdict import Verdict
from rowbook.expressions import types as t
from rowbook.scenarios.outcome import Outcome, SampledVerdict
from tests.scenarios.samples import compared, only, table, text_of

GROUPS = table(
    {"journal": t.STRING, "SUM(amount)": t.decimal(18, 2)},
    ("J1", Decimal("0.01")),
    ("J2", None),
)
MEASURES = table({"lines": t.INTEGER}, (5,))


def verdict(name: str = "journals balance", status: Any = "violated", **more: Any) -> Verdict:
    detail = "2 of 9 groups violate it"
    given = {"owner": None, **more}
    return Verdict(
        name=name,
        at="input",
        status=status,
        otherwise="warn",
        text="…",
        unit="groups",
        checked=9,
        violated=2,
        detail=detail,
        **given,
    )


def outcome(*verdicts: Verdict) -> Outcome:
    return Outcome(verdicts=tuple(SampledVerdict(each, GROUPS, MEASURES) for each in verdicts))


FOUND = outcome(verdict())


def test_it_is_met_by_what_is_said_alone() -> None:
    assert compared("expectations: [{name: journals balance, status: violated}]", FOUND) == []
    counts = "{name: journals balance, status: violated, checked: 9, violated: 2, quarantined: 0}"
    assert compared(f"expectations: [{counts}]", FOUND) == []


def test_another_status_is_told_with_what_was_found() -> None:
    found = only(compared("expectations: [{name: journals balance, status: passed}]", FOUND))
    assert (found.what, found.message) == (
        "expectation 'journals balance'",
        "2 of 9 groups violate it",
    )
    assert [(c.column, c.expected, c.got) for c in found.cells] == [
        ("status", "passed", "violated")
    ]


def test_other_groups_are_told_row_by_row() -> None:
    text = (
        "expectations: [{name: journals balance, status: violated, groups:"
        " [{journal: J1, SUM(amount): 0.02}, {journal: J2, SUM(amount): null}]}]"
    )
    found = only(compared(text, FOUND))
    assert found.what == "expectation 'journals balance', groups"
    assert found.message == "expected 2 rows, got 2: 1 different"
    assert "SUM(amount): expected 0.02, got 0.01" in text_of([found])
    assert compared(text.replace("0.02", "0.01"), FOUND) == []


def test_groups_that_are_not_said_are_too_many() -> None:
    text = "expectations: [{name: journals balance, status: violated, groups: [{journal: J1}]}]"
    assert only(compared(text, FOUND)).message == "expected 1 row, got 2: 1 unexpected"
    assert compared(text, FOUND, "mode: subset") == []


def test_a_measure_that_is_another() -> None:
    text = "expectations: [{name: journals balance, status: violated, measures: {lines: %s}}]"
    assert compared(text % 5, FOUND) == []
    assert only(compared(text % 6, FOUND)).what == "expectation 'journals balance', measures"


def test_all_passed_is_said_of_each_that_did_not_pass() -> None:
    found = outcome(verdict(), verdict("second", "passed"), verdict("third", "nothing to check"))
    mismatches = compared("expectations: {all: passed}", found)
    assert [(each.what, each.message) for each in mismatches] == [
        (
            "expectation 'journals balance'",
            "expected passed, got violated: 2 of 9 groups violate it",
        ),
        (
            "expectation 'third'",
            "expected passed, got nothing to check: 2 of 9 groups violate it",
        ),
    ]
    assert compared("expectations: {all: passed}", outcome(verdict(status="passed"))) == []


def test_an_expectation_is_told_from_one_of_the_same_name_by_its_dataset() -> None:
    found = outcome(verdict(), verdict(status="passed", owner="gl"))
    text = "expectations: [{name: journals balance, dataset: gl, status: passed}]"
    assert compared(text, found) == []


def test_an_expectation_that_was_not_reached_is_not_met() -> None:
    text = "expectations: [{name: journals balance, status: passed}]"
    assert only(compared(text, Outcome())).message == "it was not reached"


def test_rows_that_were_taken_out_are_compared_without_order() -> None:
    taken = table({"_expectation": t.STRING, "id": t.STRING}, ("known", "a"), ("known", "b"))
    text = "quarantined: {rows: [{id: b}, {id: a}]}"
    assert compared(text, Outcome(quarantined=taken), "order: true") == []
    assert only(compared(text.replace("id: b", "id: c"), Outcome(quarantined=taken))).message == (
        "expected 2 rows, got 2: 1 different"
    )
    assert only(compared(text, Outcome())).message == "there is no quarantine"
