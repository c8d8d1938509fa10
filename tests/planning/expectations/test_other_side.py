"""What an expectation may be compared with."""

from __future__ import annotations

import pytest

from tests.support.trial import NO_DEFAULT, Trial, output, project, update


def _text(expectation: str) -> str:
    listed = f"expectations:\n  - {expectation}\n"
    return project(update(seq=30, extra="1"), output(seq=80), more=listed)


@pytest.mark.parametrize(
    ("expectation", "code", "message"),
    [
        (
            '{name: x, against: ⟦{alias: o}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "a comparison is with one of at, dataset_id, period, not with nothing",
        ),
        (
            '{name: x, against: ⟦{alias: o, at: 30, period: previous}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "a comparison is with one of at, dataset_id, period, not with both at, period",
        ),
        (
            '{name: x, against: {alias: ⟦gl, at: input}, that: "COUNT(*) > COUNT(gl.amount)"}',
            "EXPECT_007",
            "alias 'gl' is taken already by a table or lookup",
        ),
        (
            '{name: x, against: {alias: ⟦Accounts, at: input}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "alias 'Accounts' is taken already by a table or lookup",
        ),
        (
            '{name: x, against: {alias: ⟦param, at: input}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "alias 'param' is taken by the project's parameters",
        ),
        (
            '{name: x, against: {alias: ⟦a b, at: input}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "'a b' cannot be an alias: use letters, digits and '_'",
        ),
        (
            '{name: x, against: {alias: ⟦o, at: input}, that: "COUNT(*) > 0"}',
            "EXPECT_007",
            "`that` reads nothing of 'o'",
        ),
        (
            '{name: x, against: ⟦{alias: o, at: input}, that: "amount > 0"}',
            "EXPECT_007",
            "a comparison is about aggregates of both sides, and `that` has none",
        ),
        (
            '{name: x, against: {alias: o, at: input}, that: "⟦SUM(amount - o.amount) = 0"}',
            "EXPECT_007",
            "an aggregate over both sides: 'amount' and 'o.amount'",
        ),
        (
            '{name: x, against: {alias: o, at: input}, that: "COUNT(*) = COUNT(⟦p.amount)"}',
            "EXPECT_007",
            "unknown table or alias 'p'",
        ),
        (
            '{name: x, that: "COUNT(*) = COUNT(⟦o.amount)"}',
            "EXPECT_007",
            "unknown table or alias 'o'",
        ),
        (
            '{name: x, against: {alias: o, at: input}, that: "COUNT(*) = COUNT(⟦o.amout)"}',
            "EXPR_002",
            "unknown column 'o.amout'",
        ),
        (
            '{name: x, against: {alias: o, at: input}, that: "COUNT(*) = COUNT(⟦o.extra)"}',
            "EXPR_002",
            "unknown column 'o.extra'",
        ),
        (
            '{name: x, against: {alias: o, at: input}, that: "COUNT(*) > ⟦o.amount"}',
            "EXPECT_002",
            "column 'o.amount' stands beside an aggregate, and it is about all rows",
        ),
        (
            "{name: x, unique: [amount], against: ⟦{alias: o, at: input}}",
            "EXPECT_007",
            "`unique` compares with nothing",
        ),
        (
            "{name: x, by: [journal_id], against: ⟦{alias: o, dataset_id: rates},"
            ' that: "COUNT(*) > COUNT(o.rate)"}',
            "EXPECT_007",
            "'o' has no column 'journal_id' to be grouped by",
        ),
        (
            "{name: x, by: [amount], against: ⟦{alias: o, dataset_id: loose},"
            ' that: "COUNT(*) > COUNT(o.amount)"}',
            "EXPECT_007",
            "'amount' is decimal(18,2), that of 'o' string: keys never meet",
        ),
        (
            "{name: x, against: {alias: o, at: input, dataset_version: ⟦2},"
            ' that: "COUNT(*) = COUNT(o.amount)"}',
            "EXPECT_007",
            "`dataset_version` is that of a dataset, and none is named",
        ),
        (
            '{name: x, against: {alias: o, dataset_id: ⟦rate}, that: "COUNT(*) = COUNT(o.rate)"}',
            "DATASET_007",
            "dataset 'rate' is not defined",
        ),
        (
            "{name: x, against: {alias: o, dataset_id: rates, dataset_version: ⟦7},"
            ' that: "COUNT(*) = COUNT(o.rate)"}',
            "DATASET_008",
            "dataset 'rates' has no version 7",
        ),
        (
            '{name: x, against: {alias: o, at: ⟦31}, that: "COUNT(*) = COUNT(o.amount)"}',
            "EXPECT_004",
            "the project has no operation 31",
        ),
        (
            '{name: x, against: {alias: o, at: input, selector: "⟦amount"},'
            ' that: "COUNT(*) = COUNT(o.amount)"}',
            "SELECTOR_003",
            "the condition gives decimal(18,2), not true or false",
        ),
        (
            '{name: x, measures: {lines: "COUNT(*)"}, against: {alias: o, period: previous},'
            ' that: "lines > ⟦o.line"}',
            "EXPECT_007",
            "'o.line' is nothing that was measured",
        ),
        (
            "{name: x, by: [currency], against: {alias: o, period: ⟦previous},"
            ' that: "COUNT(*) > COUNT(o.amount)"}',
            "EXPECT_007",
            "what was measured in the previous period is about all rows, not about groups",
        ),
        (
            '{name: x, against: {alias: o, period: previous, selector: ⟦"posted"},'
            ' that: "COUNT(*) > COUNT(o.amount)"}',
            "EXPECT_007",
            "no rows of the previous period are read that could be selected",
        ),
    ],
)
def test_what_cannot_be_compared_with_is_said_where_it_stands(
    trial: Trial, expectation: str, code: str, message: str
) -> None:
    loose = (
        "---\ndataset: {name: loose, main_table: {name: loose,"
        " columns: [{name: amount, type: string}]}}\n"
    )
    (found,) = trial.refuses(_text(expectation) + loose, code)
    assert found.message == message


def test_a_dataset_to_compare_with_needs_a_resolver(trial: Trial) -> None:
    text = _text(
        '⟦{name: x, against: {alias: o, dataset_id: rates}, that: "COUNT(*) = COUNT(o.rate)"}'
    ).replace(
        "input_dataset_id: gl",
        "resolver_overrides: {gl_entries: warehouse}\n  input_dataset_id: gl",
    )
    (found,) = trial.refuses(text, "RESOLVER_005", base=NO_DEFAULT)
    assert found.message == "no resolver for dataset 'rates', for 'x'"


def test_numbers_of_unlike_types_are_keys_of_each_other(trial: Trial) -> None:
    """An integer meets a decimal of the same value."""
    text = _text(
        "{name: x, by: [amount], against: {alias: o, dataset_id: late_entries},"
        ' that: "COUNT(*) = COUNT(o.line_number)"}'
    )
    trial.accepts(text)
