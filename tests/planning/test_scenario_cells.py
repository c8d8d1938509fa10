"""Cells of scenario rows, read from their text by the column's type."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from rowbook.definitions.yaml.nodes import Scalar
from rowbook.expressions import types as t
from rowbook.planning.scenario_cells import read_cell


def plain(text: str) -> Scalar:
    return Scalar(text, 0, 0)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("NO", t.STRING, "NO"),
        ("-9223372036854775808", t.INTEGER, -(2**63)),
        ("1e2", t.decimal(5, 2), Decimal("100.00")),
        ("0.50", t.decimal(5, 1), Decimal("0.5")),
        ("1e-1", t.FLOAT, 0.1),
        ("TRUE", t.BOOLEAN, True),
        ("2026-01-31", t.DATE, date(2026, 1, 31)),
        ("2026-01-31T10:00:00Z", t.TIMESTAMP, datetime(2026, 1, 31, 10, tzinfo=UTC)),
    ],
)
def test_a_cell_is_read_by_its_type(text: str, kind: t.Type, value: object) -> None:
    assert read_cell(plain(text), kind) == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("9223372036854775808", t.INTEGER),
        ("1.0", t.INTEGER),
        ("0.55", t.decimal(5, 1)),
        ("10000", t.decimal(5, 1)),
        ("one", t.FLOAT),
        ("yes", t.BOOLEAN),
        ("2026-02-30", t.DATE),
        ("noon", t.TIMESTAMP),
        ("１２", t.INTEGER),
        ("١٢", t.decimal(5, 1)),
        ("1२", t.FLOAT),
        ("２０２６-01-31", t.DATE),
        ("2026-01-31T１0:00:00Z", t.TIMESTAMP),
    ],
)
def test_what_does_not_fit_is_refused(text: str, kind: t.Type) -> None:
    with pytest.raises(ValueError, match=f"^'{text}' does not fit$"):
        read_cell(plain(text), kind)


@pytest.mark.parametrize("cell", [None, plain("null"), plain(""), plain("~")])
def test_nothing_is_null(cell: object) -> None:
    assert read_cell(cell, t.STRING) is None


def test_a_quoted_null_is_text() -> None:
    assert read_cell(Scalar("null", 0, 0, "double"), t.STRING) == "null"
