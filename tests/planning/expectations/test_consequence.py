"""Quarantine and tolerance: where they can be."""

from __future__ import annotations

import pytest

from tests.support.trial import Trial, output, project, update


def _text(expectation: str, table: str = "held_back") -> str:
    listed = f"quarantine: {{datasource_id: lake, table: {table}}}\nexpectations:\n"
    taking = '- {name: taken, at: input, otherwise: quarantine, that: "amount <> 0"}'
    more = f"{listed}  {taking}\n  - {expectation}\n"
    return project(update(seq=30, extra="1"), output(seq=80), more=more)


@pytest.mark.parametrize(
    ("expectation", "message"),
    [
        (
            '{name: x, that: "amount > 0", otherwise: ⟦quarantine}',
            "rows that there are in the end cannot be quarantined any more",
        ),
        (
            '{name: x, at: {output: 80}, that: "amount > 0", otherwise: ⟦quarantine}',
            "rows that an output writes cannot be quarantined any more",
        ),
        (
            '{name: x, at: 30, that: "COUNT(*) > 0", otherwise: ⟦quarantine}',
            "the condition is about all rows: there are none to quarantine",
        ),
        (
            '{name: x, at: 30, that: "amount > 0", include_deleted: ⟦true, otherwise: quarantine}',
            "rows that are deleted are not quarantined",
        ),
        (
            '{name: x, that: "amount > 0", whole: ⟦[journal_id]}',
            "`whole` says which rows are quarantined, and none are",
        ),
        (
            '{name: x, at: 30, that: "amount > 0", whole: [currency, ⟦gl.currency],'
            " otherwise: quarantine}",
            "column 'currency' stands twice",
        ),
        (
            "{name: x, at: input, by: [journal_id], against: {alias: o, at: ⟦30},"
            ' that: "COUNT(*) = COUNT(o.amount)", otherwise: quarantine}',
            "rows are quarantined by what was there before, and this comes later",
        ),
    ],
)
def test_rows_cannot_be_quarantined_everywhere(
    trial: Trial, expectation: str, message: str
) -> None:
    (found,) = trial.refuses(_text(expectation), "EXPECT_005")
    assert found.message == message


@pytest.mark.parametrize(
    ("tolerance", "message"),
    [
        ("⟦{}", "`tolerate` says neither share nor rows"),
        ("{rows: ⟦-1}", "'rows' is 0 or more, not -1"),
        ("{share: ⟦1.5}", "'share' is a number from 0 to 1, not '1.5'"),
        ("{share: ⟦1%}", "'share' is a number from 0 to 1, not '1%'"),
        ("{share: ⟦nan}", "'share' is a number from 0 to 1, not 'nan'"),
    ],
)
def test_a_tolerance_is_a_share_or_a_number_of_rows(
    trial: Trial, tolerance: str, message: str
) -> None:
    text = _text(f'{{name: x, that: "amount > 0", tolerate: {tolerance}}}')
    (found,) = trial.refuses(text, "EXPECT_008")
    assert found.message == message


def test_a_condition_about_an_aggregate_says_itself_what_is_tolerated(trial: Trial) -> None:
    text = _text('{name: x, by: [currency], that: "SUM(amount) = 0", tolerate: ⟦{rows: 1}}')
    (found,) = trial.refuses(text, "EXPECT_008")
    assert found.message == "`tolerate` counts rows, and the condition is about an aggregate"
