"""How values of a source become values of a declared type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.reference.loading.fitting import fit_value
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """`fit` gives a value as one of a type, ValueError where it is none. `guess` says what texts
    look like that are none, where that can be told."""

    fit: Callable[[Value, Type], Value] = fit_value
    guess: Callable[[Sequence[str], Type], str | None] = lambda _, __: None


def usual_fit(_: str, __: Mapping[str, str]) -> ColumnFit:
    """Whatever a column says of how it is written."""
    return ColumnFit()
