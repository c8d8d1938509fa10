"""A row of the table of rules."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.trial import (
    BASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, and a text that breaks it with one finding for each code and mark."""

    rules: str
    what: str
    text: str
    codes: str
    base: str = BASE


FX = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'


def summed(group_by: str, *results: str) -> str:
    """The aggregation of an append."""
    return f"aggregation: {{group_by: [{group_by}], aggregations: [{', '.join(results)}]}}"


TOTAL = '{column: amount, expression: "SUM(amount)"}'
