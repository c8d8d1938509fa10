"""An output registered as a dataset: its schema, where it is, and which run wrote it."""

from __future__ import annotations

import re
from typing import Any

from rowbook.definitions.models.dataset import DatasetDefinition, TableDefinition
from rowbook.definitions.models.entity import derived_id
from rowbook.errors import RowbookError
from rowbook.expressions.types import parse_type
from rowbook.planning.columns import PERIOD, VALIDITY_PAIRS, is_system
from rowbook.planning.datasets import typed
from rowbook.planning.definitions.from_records import RecordedDefinition
from rowbook.planning.definitions.lookup import DefinitionLookup, Version
from rowbook.planning.resolution.destinations import FormatOptions
from rowbook.planning.steps import OutputStep
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import ResolvedOutput, locate
from rowbook.runs.versions.changes import changed_to
from rowbook.runs.versions.conflicts import conflicts_of
from rowbook.sources import registry
from rowbook.sources.source import Target
from rowbook.store import Conflict, Definition, DefinitionVersion, content_hash


def registration(step: OutputStep, known: DefinitionLookup) -> tuple[Definition, Definition]:
    """The dataset, and the resolver that finds it."""
    name = step.register_as or ""
    resolver = f"{name}.output"
    dataset = {"name": name, "main_table": _table(step, name), "resolver_id": resolver}
    rule = {"name": "where the output was written", "strategy": _strategy(step, known)}
    return (
        Definition("dataset", derived_id("dataset", name), name, {"dataset": dataset}),
        Definition(
            "resolver",
            derived_id("resolver", resolver),
            resolver,
            {"resolver": {"name": resolver, "rules": [rule]}},
        ),
    )


def registration_conflicts(workspace: OpenWorkspace, dataset: Definition) -> tuple[Conflict, ...]:
    """Of projects that pin an earlier version, where the new one breaks what that had."""
    latest = workspace.store.definitions.get("dataset", dataset.id)
    if latest is None or latest.content_hash == content_hash(dataset.content):
        return ()
    found = changed_to(latest, dataset)
    return conflicts_of((found,), workspace) if found.breaking else ()


def describes(latest: DefinitionVersion, output: ResolvedOutput, request: Request) -> bool:
    """Whether a definition that was applied from a file is one of what the output writes: the same
    columns, at the same place. Then it stays as it is, with all that it says beside."""
    if latest.produced_by is not None or latest.disabled:
        return False
    found = RecordedDefinition("dataset", latest.version, latest.content).entry().model
    if not isinstance(found, DatasetDefinition) or found.of is not None:
        return False
    return _has_columns(found.main_table, output.step) and _is_at(found, latest, output, request)


def _has_columns(table: TableDefinition, step: OutputStep) -> bool:
    """A column that holds no NULL may be said to."""
    written = _table(step, table.name)
    wanted = {each["name"]: each for each in written["columns"]}
    as_written = table.period_from is None and table.unpivot is None
    if not as_written or table.temporal_mode != written.get("temporal_mode"):
        return False
    return {each.name for each in table.columns} == wanted.keys() and all(
        str(parse_type(each.type)) == wanted[each.name]["type"]
        and (each.nullable or not wanted[each.name].get("nullable", True))
        and each.source in (None, each.name)
        for each in table.columns
    )


def _is_at(
    model: DatasetDefinition, latest: DefinitionVersion, output: ResolvedOutput, request: Request
) -> bool:
    dataset = typed(Version(model, latest.version))
    try:
        places = locate(dataset, request)
        tables = [registry.table_at(each, request.definitions) for each in places]
    except (RowbookError, OSError):
        return False
    return len(tables) == 1 and registry.overlaps(output.target, tables[0])


def production_data(target: Target, run_id: str) -> dict[str, Any]:
    """What identifies the data of an output: its place, the run, and its content as it is now."""
    contents = [each.as_json() for each in registry.contents(registry.table_of(target))]
    return {"location": target.label, "run_id": run_id, "contents": contents}


def _table(step: OutputStep, name: str) -> dict[str, Any]:
    written = [step.columns.fields[each] for each in step.written]
    names = {field.name for field in written}
    pair = next((pair for pair in VALIDITY_PAIRS if names.issuperset(pair)), ())
    columns = [
        {"name": field.name, "type": str(field.type)}
        | ({} if field.nullable else {"nullable": False})
        for field in written
        if not is_system(field.name) or field.name in pair
    ]
    table: dict[str, Any] = {"name": re.sub(r"\W", "_", name)}
    if PERIOD.name in names:
        table["temporal_mode"] = "period"
    elif pair:
        table["temporal_mode"] = "bitemporal"
    return {**table, "columns": columns}


def _strategy(step: OutputStep, known: DefinitionLookup) -> dict[str, Any]:
    """With templates as they are: other periods find theirs."""
    destination = step.destination
    found = FormatOptions.of(destination, known)
    if found is not None and found.one_file is not None:
        source = {"datasource_id": destination.datasource_id} if not destination.location else {}
        return {"type": "path", **source, "path": found.label, "format": found.kind}
    if destination.location is None:
        return {
            "type": "table",
            "datasource_id": destination.datasource_id,
            "table": destination.table,
        }
    location = destination.location
    return {"type": "path", "path": location.path, "format": location.format}
