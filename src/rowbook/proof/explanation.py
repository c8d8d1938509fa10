"""What a figure is made of, as `rowbook explain` tells it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.proof.row_life import InputState, cells_json
from rowbook.text.cell_text import as_json
from rowbook.value_class import dataclass

Replayed: TypeAlias = Literal["equal", "differs", "no"]


@dataclass(frozen=True, slots=True)
class Contribution:
    """What rows of one origin that the same operations made add to a figure. `rows` counts rows of
    the source. Lines that no row stands behind have no dataset: `keys` then say what they are
    (`line`: rounding, constant)."""

    dataset: str | None
    operations: tuple[int, ...]
    keys: Mapping[str, Value]
    rows: int
    amount: Value

    def as_json(self) -> dict[str, Any]:
        return {
            "dataset": self.dataset,
            "operations": list(self.operations),
            "keys": cells_json(self.keys),
            "rows": self.rows,
            "amount": as_json(self.amount),
        }


@dataclass(frozen=True, slots=True)
class ContributingRow:
    """A row of a source with what it adds, and the columns that name it."""

    place: str
    row_id: str | None
    values: Mapping[str, Value]
    amount: Value
    dataset: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "place": self.place,
            "row_id": self.row_id,
            "values": cells_json(self.values),
            "amount": as_json(self.amount),
        }


@dataclass(frozen=True, slots=True)
class JoinedShare:
    """A joined row that took part, for so many rows that add so much."""

    alias: str
    place: str | None
    values: Mapping[str, Value]
    rows: int
    amount: Value

    def as_json(self) -> dict[str, Any]:
        return {
            "alias": self.alias,
            "place": self.place,
            "values": cells_json(self.values),
            "rows": self.rows,
            "amount": as_json(self.amount),
        }


@dataclass(frozen=True, slots=True)
class Absence:
    """Rows that were read and are not in the figure, for one reason. `amount` is what they would
    have added, as far as they had got; `places` are some of them."""

    reason: str
    seq: int | None
    rows: int
    amount: Value
    places: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "reason": self.reason,
            "seq": self.seq,
            "rows": self.rows,
            "amount": as_json(self.amount),
        }


@dataclass(frozen=True, slots=True)
class FormulaPart:
    """A part of a formula that no sum of shares is (a quotient), with its own contributions."""

    formula: str
    value: Value
    contributions: tuple[Contribution, ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "formula": self.formula,
            "value": as_json(self.value),
            "contributions": [each.as_json() for each in self.contributions],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """A figure of an output, and all that stands behind it. `rows` are those of the output that it
    is the value, or the sum, of. `total` is what the contributions add up to. `earlier` are the
    same for what runs before had computed."""

    run_id: str
    project: str
    version: int | None
    period: str
    output: str
    column: str
    figure: Value
    rows: int
    formula: str
    contributions: tuple[Contribution, ...]
    total: Value
    ties: bool
    counted_twice: int = 0
    largest: tuple[ContributingRow, ...] = ()
    more_rows: int = 0
    joined: tuple[JoinedShare, ...] = ()
    not_in: tuple[Absence, ...] = ()
    parts: tuple[FormulaPart, ...] = ()
    replayed: Replayed = "no"
    inputs: InputState = "as read"
    warnings: tuple[str, ...] = ()
    earlier: tuple[Explanation, ...] = ()

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "run_id": self.run_id,
            "output": self.output,
            "column": self.column,
            "figure": as_json(self.figure),
            "rows": self.rows,
            "formula": self.formula,
            "contributions": [each.as_json() for each in self.contributions],
            "total": as_json(self.total),
            "ties": self.ties,
            "counted_twice": self.counted_twice,
            "largest": [each.as_json() for each in self.largest],
            "joined": [each.as_json() for each in self.joined],
            "not_in": [each.as_json() for each in self.not_in],
            "replayed": self.replayed,
            "inputs": self.inputs,
            "warnings": list(self.warnings),
        }
        if self.parts:
            found["parts"] = [each.as_json() for each in self.parts]
        if self.earlier:
            found["earlier"] = [each.as_json() for each in self.earlier]
        return found
