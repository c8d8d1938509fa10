from __future__ import annotations

from decimal import Decimal

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.bound_text import formula_text, outcome_text, rule_text
from rowbook.expressions.closures import Moment
from rowbook.expressions.evaluate import evaluate
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.expressions.values import Value
from tests.support.small_plans import NOW

SCOPE = Scope(
    Table.of(
        [
            Field("amount", t.decimal(18, 2)),
            Field("status", t.STRING),
            Field("done", t.BOOLEAN),
        ]
    ),
    "gl",
).with_other("rates", Table.of([Field("rate", t.decimal(18, 6))]))
ROW: dict[tuple[str | None, str], Value] = {
    (None, "amount"): Decimal("-5.00"),
    (None, "status"): "o'k",
    (None, "done"): None,
    ("rates", "rate"): Decimal("0.500000"),
}


def known(tree: Bound) -> Value:
    return evaluate(tree, ROW, Moment(NOW, "2026-01"))


@pytest.mark.parametrize(
    "text",
    [
        "ROUND(amount / rates.rate, 2)",
        "amount - (amount - 1)",
        "(amount + 1) * 2",
        "status = 'draft' OR amount = 0 AND done",
        "(status = 'draft' OR done) AND amount > 0",
        "NOT (done OR amount > 0)",
        "status IS NOT NULL",
        "status IN ('a', 'b')",
        "IF(done, amount, 0)",
        "-amount",
    ],
)
def test_a_rule_is_shown_as_it_is_written(text: str) -> None:
    assert rule_text(bind(text, SCOPE).tree) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ROUND(gl.amount / rates.rate, 2)", "ROUND(-5.00 / 0.500000, 2)"),
        ("-amount", "-(-5.00)"),
        ("IF(amount < 0, amount * 2, 0)", "-5.00 * 2"),
        ("CONCAT(status, '!')", "CONCAT('o''k', '!')"),
        ("COALESCE(done, TRUE)", "COALESCE(NULL, TRUE)"),
    ],
)
def test_a_formula_has_values_for_columns_and_the_branch_that_was_taken(
    text: str, shown: str
) -> None:
    assert formula_text(bind(text, SCOPE).tree, known) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("status = 'draft' OR amount < 0", "FALSE OR TRUE"),
        ("done AND (status = 'x' OR amount < 0)", "NULL AND (FALSE OR TRUE)"),
        ("NOT (amount < 0)", "NOT TRUE"),
    ],
)
def test_an_outcome_says_which_parts_held(text: str, shown: str) -> None:
    assert outcome_text(bind(text, SCOPE).tree, known) == shown
