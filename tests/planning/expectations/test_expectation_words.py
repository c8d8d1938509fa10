"""Expectations in plain English."""

from __future__ import annotations

import pytest

from rowbook.planning.expectations.expectation_words import expectation_in_words
from tests.support.trial import Trial, output, project, update


@pytest.mark.parametrize(
    ("expectation", "words"),
    [
        ('that: "amount > 0"', "Every row: amount is more than 0. Otherwise the run says so."),
        (
            'that: "amount > 0", selector: "posted", otherwise: stop, include_deleted: true',
            "Each row where posted is true, deleted ones too: amount is more than 0."
            " Otherwise nothing is published.",
        ),
        ("unique: [journal_id]", "journal_id stands once. Otherwise the run says so."),
        (
            'unique: [journal_id, line_number], selector: "posted"',
            "Of the rows where posted is true: journal_id and line_number stand together once."
            " Otherwise the run says so.",
        ),
        (
            'by: [journal_id], that: "SUM(amount) = 0", selector: "posted"',
            "For each journal_id of the rows where posted is true: the sum of amount is 0."
            " Otherwise the run says so.",
        ),
        (
            'measures: {lines: "COUNT(*)"}, that: "lines > 0"',
            "Over all rows: the number of rows is more than 0. Otherwise the run says so.",
        ),
        (
            "by: [currency], against: {alias: start, at: input},"
            ' that: "SUM(amount) = SUM(start.amount)"',
            "For each currency: the sum of amount is the sum of start.amount; start are all rows of"
            " the input. Otherwise the run says so.",
        ),
        (
            "by: [account_code], against: {alias: b, dataset_id: budget, selector: \"kind = 'x'\"},"
            ' that: "COUNT(*) >= COUNT(b.amount)"',
            "For each account_code: the number of rows is at least the number of rows in which"
            " b.amount has a value; b are the rows where kind is 'x', of budget. Otherwise the run"
            " says so.",
        ),
        (
            'measures: {lines: "COUNT(*)"}, against: {alias: last, period: previous},'
            ' that: "lines >= last.lines"',
            "Over all rows: the number of rows is at least last.lines; last is what was measured in"
            " the previous period. Otherwise the run says so.",
        ),
        (
            'that: "amount > 0", tolerate: {share: 0.01, rows: 50}, otherwise: stop',
            "Every row: amount is more than 0. Up to 1 % of them and at most 50 rows may be wrong."
            " Above it nothing is published.",
        ),
        (
            'at: 30, that: "amount > 0", tolerate: {rows: 1}, otherwise: quarantine,'
            " whole: [journal_id]",
            "Every row: amount is more than 0. Up to 1 row may be wrong: such rows and all with the"
            " same journal_id are quarantined. Above it nothing is published.",
        ),
    ],
)
def test_what_must_hold_is_said(trial: Trial, expectation: str, words: str) -> None:
    more = (
        "quarantine: {datasource_id: lake, table: held_back}\nexpectations:\n"
        '  - {name: last, at: 30, otherwise: quarantine, that: "amount <> 0"}\n'
        f"  - {{name: x, {expectation}}}\n"
    )
    plan = trial.plan(project(update(seq=30, extra="1"), output(seq=80), more=more))
    (found,) = (each for each in plan.expectations if each.name == "x")
    assert expectation_in_words(found) == words


def test_an_operation_that_must_match_picks_a_row(trial: Trial) -> None:
    operation = update(extra="1").replace("name:", "must_match: {otherwise: warn}, name:", 1)
    (found,) = trial.plan(project(operation)).expectations
    said = "The operation picks at least one row. Otherwise the run says so."
    assert expectation_in_words(found) == said
