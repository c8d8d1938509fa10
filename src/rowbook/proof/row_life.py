"""The life of rows in a run, as `rowbook trace` tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from rowbook.expressions.values import Value
from rowbook.text.cell_text import as_json
from rowbook.value_class import dataclass

Fate: TypeAlias = Literal["published", "deleted", "quarantined", "kept", "not read"]
InputState: TypeAlias = Literal["as read", "changed"]


@dataclass(frozen=True, slots=True)
class CellStep:
    """A column before and after an operation. `formula` is the rule with the row's values put in;
    `overwritten_by` the next operation that gave the column a value; `is_published`: an output
    wrote what this operation left there."""

    column: str
    before: Value
    after: Value
    formula: str = ""
    overwritten_by: int | None = None
    is_published: bool = False

    def as_json(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "before": as_json(self.before),
            "after": as_json(self.after),
            "overwritten_by": self.overwritten_by,
        }


@dataclass(frozen=True, slots=True)
class JoinedMatch:
    """A row of another dataset that an operation used, with the columns that it read of it; no
    `place` where none matched."""

    alias: str
    dataset: str
    place: str | None
    values: Mapping[str, Value]

    def as_json(self) -> dict[str, Any]:
        return {"alias": self.alias, "place": self.place, "values": cells_json(self.values)}


@dataclass(frozen=True, slots=True)
class LifeStep:
    """What an operation did to a row. `met`: its condition was TRUE, FALSE or NULL (None).
    `condition` is the rule, and `outcome` which of its parts held."""

    seq: int
    name: str
    type: str
    met: bool | None
    condition: str = ""
    outcome: str = ""
    changes: tuple[CellStep, ...] = ()
    joined: tuple[JoinedMatch, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "seq": self.seq,
            "name": self.name,
            "met": self.met,
            "changes": [each.as_json() for each in self.changes],
            "joined": [each.as_json() for each in self.joined],
        }


@dataclass(frozen=True, slots=True)
class LifeGroup:
    """A group that a row was counted in, one of so many, 0 where nobody counted them; `level` is
    the aggregate's, where it has several. `alias` is that of a window, whose rows stay rows."""

    seq: int
    keys: Mapping[str, Value]
    rows: int
    level: str | None = None
    alias: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "keys": cells_json(self.keys)}


@dataclass(frozen=True, slots=True)
class LifeOutput:
    """An output that wrote the row, and what it wrote."""

    seq: int
    table: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"seq": self.seq, "table": self.table}


@dataclass(frozen=True, slots=True)
class RowLife:
    """A row from where it was read, or made, to what became of it. `birth` says how it was made
    where it was not read as it is; `values` are those it began with. `earlier` are the lives that
    it had in the runs that produced it."""

    row_id: str | None
    dataset: str
    place: str | None
    fate: Fate
    reason: str = ""
    birth: str = ""
    values: Mapping[str, Value] = field(default_factory=dict)
    steps: tuple[LifeStep, ...] = ()
    groups: tuple[LifeGroup, ...] = ()
    outputs: tuple[LifeOutput, ...] = ()
    earlier: tuple[RowTrace, ...] = ()

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "row_id": self.row_id,
            "dataset": self.dataset,
            "place": self.place,
            "fate": self.fate,
            "reason": self.reason,
            "steps": [each.as_json() for each in self.steps],
            "groups": [each.as_json() for each in self.groups],
            "outputs": [each.as_json() for each in self.outputs],
        }
        if self.earlier:
            found["earlier"] = [each.as_json() for each in self.earlier]
        return found


@dataclass(frozen=True, slots=True)
class RowTrace:
    """The lives of the rows that were asked for in a run; `more` is how many others there are."""

    run_id: str
    project: str
    version: int | None
    period: str
    rows: tuple[RowLife, ...]
    more: int = 0
    inputs: InputState = "as read"
    warnings: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "run_id": self.run_id,
            "rows": [each.as_json() for each in self.rows],
            "more": self.more,
            "inputs": self.inputs,
            "warnings": list(self.warnings),
        }


def cells_json(cells: Mapping[str, Value]) -> dict[str, Any]:
    return {name: as_json(value) for name, value in cells.items()}
