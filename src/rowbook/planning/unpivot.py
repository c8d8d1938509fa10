"""Wide tables: columns of the source that become rows, each with its name and its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rowbook.definitions.models.dataset import TableDefinition, UnpivotDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID, is_system
from rowbook.planning.findings import Findings
from rowbook.planning.scenario_cells import read_cell
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Unpivot:
    """`columns` are physical names, each with what the column `name` holds for it; before they
    become rows they are `wide`: loaded under these names, in the type of the column `value`."""

    columns: Mapping[str, Value]
    name: Field
    value: Field
    drops_nulls: bool

    @property
    def wide(self) -> tuple[Field, ...]:
        nullable = self.drops_nulls or self.value.nullable
        return tuple(Field(each, self.value.type, nullable) for each in self.columns)


def unpivot_of(table: TableDefinition, fields: Sequence[Field]) -> Unpivot | None:
    """None where there is none, or it cannot be (DATASET_018)."""
    given, by_name = table.unpivot, {f.name: f for f in fields}
    if given is None or not {given.name, given.value} <= by_name.keys():
        return None
    name = by_name[given.name]
    try:
        columns = {each: read_cell(each, name.type) for each in given.columns}
    except ValueError:
        return None
    return Unpivot(columns, name, by_name[given.value], given.nulls == "drop")


def check_unpivot(
    table: TableDefinition, fields: Sequence[Field], place: Place, findings: Findings
) -> None:
    """`place` is that of the table."""
    given, here = table.unpivot, place.at("unpivot")
    if given is None:
        return

    def refuse(at: Place, message: str, hint: str | None = None) -> None:
        findings.add(at, "DATASET_018", message, hint)

    types = {f.name: f.type for f in fields}
    for key in ("name", "value"):
        column = getattr(given, key)
        if column not in types:
            hint = suggestion(column, tuple(types), "columns")
            refuse(here.at(key), f"column '{column}' is not declared", hint)
    if given.name == given.value:
        refuse(here.at("value"), f"'{given.value}' cannot hold both the name and the value")
    for i, declared in enumerate(table.columns):
        if declared.name in (given.name, given.value) and declared.source:
            message = f"column '{declared.name}' is made by unpivot, and has no `source`"
            refuse(place.at("columns", i, "source"), message)
        if declared.name == ROW_ID:
            message = "rows that are made of one have no id of their own in the source"
            refuse(place.at("columns", i, "name"), message)
    if not given.columns:
        refuse(here.at("columns"), "unpivot lists no columns")
    for i, name in enumerate(given.columns):
        if fault := _column_fault(table, given, i, types.get(given.name)):
            refuse(here.at("columns", i), f"column '{name}' {fault}")


def _column_fault(
    table: TableDefinition, given: UnpivotDefinition, index: int, kind: t.Type | None
) -> str | None:
    name = given.columns[index]
    if name in given.columns[:index]:
        return "stands twice"
    if is_system(name):
        return "cannot become rows: names with '_' in front belong to the system"
    if any(name in (each.name, each.source) for each in table.columns):
        return "is declared too: it either becomes rows or is a column"
    try:
        read_cell(name, kind or t.STRING)
    except ValueError:
        return f"has a name that is no {kind}, as '{given.name}' is declared"
    return None
