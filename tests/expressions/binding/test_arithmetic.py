"""Decimal arithmetic: precision and scale as Spark has them, and a warning where scale is lost."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.expressions.binding.arithmetic import exact_type
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.scope import Field, Scope, Table
from tests.expressions.samples import marked

SIZES = [(5, 0), (5, 2), (18, 2), (18, 6), (18, 8), (24, 6), (38, 0), (38, 2), (38, 10), (38, 20)]
SCOPE = Scope(
    Table.of(
        (
            *(Field(f"d{p}_{s}", t.decimal(p, s), nullable=False) for p, s in SIZES),
            Field("n", t.INTEGER, nullable=False),
            Field("f", t.FLOAT, nullable=False),
        )
    )
)
"""d18_2 is a decimal(18,2), n an integer."""


@pytest.mark.parametrize(
    ("expression", "type_"),
    [
        # + and -: scale max(s1, s2), one integer digit more
        ("d18_2 + d18_2", "decimal(19,2)"),
        ("d18_2 - d5_0", "decimal(19,2)"),
        ("d18_2 + d18_6", "decimal(23,6)"),
        ("d18_2 + n", "decimal(23,2)"),
        ("d18_2 + 1", "decimal(19,2)"),
        ("d5_2 + 0.125", "decimal(7,3)"),
        ("1.5 + 1.25", "decimal(4,2)"),
        ("d5_2 - -7", "decimal(6,2)"),
        # *: s1 + s2
        ("d18_2 * d18_6", "decimal(37,8)"),
        ("d5_2 * d5_2", "decimal(11,4)"),
        ("d18_2 * 100", "decimal(22,2)"),
        ("d18_2 * 0.19", "decimal(21,4)"),
        ("d5_2 * n", "decimal(26,2)"),
        ("0.5 * 0.5", "decimal(3,2)"),
        # /: at least 6
        ("d5_0 / 2", "decimal(11,6)"),
        ("d5_2 / d5_2", "decimal(13,8)"),
        ("7 / 2", "decimal(7,6)"),
        ("1.0 / 3", "decimal(7,6)"),
        ("n / 2", "decimal(26,6)"),
        ("n / n", "decimal(38,18)"),
        ("d18_2 / d18_2", "decimal(38,20)"),
        ("d18_2 / n", "decimal(38,22)"),
        ("d24_6 / d18_8", "decimal(38,12)"),
        # %: as much as the smaller of both may hold
        ("d18_2 % d5_0", "decimal(7,2)"),
        ("d5_2 % d18_6", "decimal(9,6)"),
        ("n % d5_2", "decimal(5,2)"),
        ("d38_20 % d38_2", "decimal(38,20)"),
        ("MOD(d18_2, 7)", "decimal(3,2)"),
        # float wins
        ("d18_2 * f", "float"),
        ("n / f", "float"),
    ],
)
def test_a_decimal_result_has_sparks_precision_and_scale(expression: str, type_: str) -> None:
    binding = bind(expression, SCOPE)
    assert (str(binding.tree.type), binding.faults) == (type_, ())


@pytest.mark.parametrize(
    ("op", "a", "b", "exact"),
    [
        ("+", (18, 2), (12, 6), (23, 6)),
        ("-", (38, 10), (38, 10), (39, 10)),
        ("*", (18, 2), (12, 6), (31, 8)),
        ("*", (38, 10), (38, 10), (77, 20)),
        ("/", (18, 2), (12, 6), (37, 15)),
        ("/", (5, 0), (1, 0), (11, 6)),
        ("/", (38, 10), (38, 10), (87, 49)),
        ("%", (18, 2), (12, 6), (12, 6)),
    ],
)
def test_the_digits_a_result_needs_before_it_is_bounded(
    op: str, a: tuple[int, int], b: tuple[int, int], exact: tuple[int, int]
) -> None:
    assert exact_type(op, t.decimal(*a), t.decimal(*b)) == t.decimal(*exact)


@pytest.mark.parametrize(
    ("expression", "type_", "marked_text", "message"),
    [
        (
            "d38_10 + d38_10",
            "decimal(38,9)",
            "d38_10 + d38_10",
            "decimal(38,10) + decimal(38,10) needs 39 digits: the result keeps 9 of 10",
        ),
        ("d38_2 - d38_10", "decimal(38,6)", "d38_2 - d38_10", "keeps 6 of 10 decimal places"),
        ("d38_10 * d38_10", "decimal(38,6)", "d38_10 * d38_10", "keeps 6 of 20 decimal places"),
        ("d24_6 * d18_8", "decimal(38,9)", "d24_6 * d18_8", "keeps 9 of 14 decimal places"),
        ("d18_2 * d18_6 * 1.19", "decimal(38,7)", "d18_2 * d18_6 * 1.19", "keeps 7 of 10"),
        ("d38_20 / d38_10", "decimal(38,10)", "d38_20 / d38_10", "keeps 10 of 59 decimal places"),
        ("n + d38_20", "decimal(38,17)", "n + d38_20", "keeps 17 of 20 decimal places"),
        (
            "COALESCE(d38_0, 0.1234567)",
            "decimal(38,6)",
            "COALESCE(d38_0, 0.1234567)",
            "decimal(38,0), decimal(7,7) together need more than 38 digits: the result keeps",
        ),
        ("MAX(d38_10, d38_20)", "decimal(38,10)", "MAX(d38_10, d38_20)", "keeps 10 of 20"),
        ("IF(n > 1, d38_2, d38_10)", "decimal(38,6)", "IF(n > 1, d38_2, d38_10)", "6 of 10"),
        (
            "CASE WHEN n > 1 THEN d38_2 ELSE d38_10 END",
            "decimal(38,6)",
            "CASE WHEN n > 1 THEN d38_2 ELSE d38_10 END",
            "keeps 6 of 10 decimal places",
        ),
        ("d38_2 = d38_10", "boolean", "d38_2 = d38_10", "keeps 6 of 10 decimal places"),
        ("d38_2 IN (1, d38_10)", "boolean", "d38_2 IN (1, d38_10)", "keeps 6 of 10"),
        ("d38_2 BETWEEN 0 AND d38_10", "boolean", "d38_10", "keeps 6 of 10 decimal places"),
    ],
)
def test_lost_digits_of_scale_are_a_warning(
    expression: str, type_: str, marked_text: str, message: str
) -> None:
    binding = bind(expression, SCOPE)
    warning = binding.faults[0]
    assert (warning.code, warning.severity) == ("EXPR_009", "warning")
    assert message in warning.message
    assert marked(expression, warning) == marked_text
    assert binding.usable
    assert str(binding.tree.type) == type_


@pytest.mark.parametrize(
    "expression",
    [
        "d38_0 + d38_0",
        "d38_0 * d38_0",
        "d38_0 * n",
        "d18_2 * d18_6",
        "d38_20 % d38_2",
        "d38_10 = 0",
        "d38_10 = d18_2",
        "COALESCE(d38_10, 0)",
        "d38_10 IN (1, 2, 3.5)",
        "d38_20 + f",
        "ROUND(d38_20, 2)",
        "TO_DECIMAL(d38_20, 38, 2)",
        "-d38_20",
        "ABS(d38_20)",
        # the digits that a quotient has beyond those of its operands are not lost ones
        "d18_2 / d18_2",
        "n / n",
        "d38_2 / d18_2",
    ],
)
def test_where_no_scale_is_lost_there_is_no_warning(expression: str) -> None:
    assert bind(expression, SCOPE).faults == ()


def test_each_lossy_part_is_warned_of_once() -> None:
    expression = "IF(d38_10 * d38_10 > 1, d38_10 * d38_10, d38_10 + d38_10)"
    faults = bind(expression, SCOPE).faults
    assert [(f.code, marked(expression, f)) for f in faults] == [
        ("EXPR_009", "d38_10 * d38_10"),
        ("EXPR_009", "d38_10 * d38_10"),
        ("EXPR_009", "d38_10 + d38_10"),
        ("EXPR_009", "IF(d38_10 * d38_10 > 1, d38_10 * d38_10, d38_10 + d38_10)"),
    ]
    assert len({f.span for f in faults}) == 4
