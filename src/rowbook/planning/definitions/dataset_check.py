"""What can be wrong with the definition of a dataset."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.definitions.models.dataset import ColumnDefinition, DatasetDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import types as t
from rowbook.locations.text_options import FORMAT_OPTIONS, format_fault
from rowbook.planning.columns import COLUMN_NAME, PERIOD, SYSTEM_TYPES, is_system
from rowbook.planning.datasets import Dataset, lookups_of, typed
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing, Version
from rowbook.planning.definitions.views import check_no_view, check_view
from rowbook.planning.expectations.dataset_expectations import check_expectations
from rowbook.planning.findings import Findings
from rowbook.planning.unpivot import check_unpivot


def check_dataset(
    model: DatasetDefinition,
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
    registered_by: Mapping[str, str] | None = None,
) -> None:
    if model.of is not None:
        check_view(model, place, known, registered_by or {}, findings)
    else:
        _check_own(model, place, known, findings)
    _check_expectations(model, place, known, findings)


def _check_expectations(
    model: DatasetDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    """Of a view against the columns of the dataset that it reads, where that can be told."""
    found: Version[DatasetDefinition] | Missing = Version(model, 1)
    if model.of is not None:
        found = known.dataset(model.name, None)
    if model.expectations and not isinstance(found, Missing):
        check_expectations(typed(found), place, known, findings)


def _check_own(
    model: DatasetDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    check_no_view(model, place, findings)
    table, columns = model.main_table, place.at("main_table", "columns")
    if not COLUMN_NAME.fullmatch(table.name):
        findings.add(
            place.at("main_table", "name"), "DATASET_001", f"'{table.name}' is not a table's name"
        )
    if not table.columns:
        findings.add(columns, "DATASET_006", f"dataset '{model.name}' declares no columns")
    seen: dict[str, str] = {}
    for i, column in enumerate(table.columns):
        _check_column(column, columns.at(i), seen, findings)
    for i, key in enumerate(model.natural_key_columns):
        if key not in seen.values():
            hint = suggestion(key, tuple(seen.values()), "columns")
            findings.add(
                place.at("natural_key_columns", i),
                "DATASET_004",
                f"natural key column '{key}' is not declared",
                hint,
            )
    dataset = typed(Version(model, 1))
    if table.temporal_mode == "bitemporal":
        _check_validity(dataset, place.at("main_table"), findings)
    if table.period_from is not None:
        _check_period_from(dataset, place.at("main_table", "period_from"), findings)
    check_unpivot(table, dataset.fields, place.at("main_table"), findings)
    if model.version is not None and model.version < 1:
        findings.add(place.at("version"), "YAML_004", "a version is 1 or greater")
    for found in lookups_of(dataset, known)[1]:
        here = place.at("lookups", found.index, found.key)
        if found.in_text:
            findings.fault(here, found.fault)
        else:
            findings.add(here, found.fault.code, found.fault.message, found.fault.hint)


def _check_column(
    column: ColumnDefinition, place: Place, seen: dict[str, str], findings: Findings
) -> None:
    kind = t.parse_type(column.type)
    if not COLUMN_NAME.fullmatch(column.name):
        message = f"'{column.name}' is not a column's name"
        hint = "say `source:` where the physical name differs"
        findings.add(place.at("name"), "DATASET_001", message, hint)
    elif is_system(column.name) and column.name not in SYSTEM_TYPES:
        message = f"'{column.name}' is not a column that a dataset may declare"
        findings.add(place.at("name"), "SYSTEM_COLUMN", message)
    elif kind and is_system(column.name) and kind.kind not in SYSTEM_TYPES[column.name]:
        allowed = " or ".join(sorted(k.value for k in SYSTEM_TYPES[column.name]))
        message = f"system column '{column.name}' is {allowed}, not {kind}"
        findings.add(place.at("type"), "DATASET_002", message)
    if kind is None:
        is_decimal = column.type.startswith("decimal(")
        bounds = "precision is 1 to 38, scale 0 to precision"
        types = suggestion(column.type, t.TYPE_NAMES, "types")
        message = f"'{column.type}' is not a type"
        findings.add(place.at("type"), "DATASET_002", message, bounds if is_decimal else types)
    if column.format is not None:
        _check_format(column.format.options, kind, place.at("format"), findings)
    before = seen.get(column.name.lower())
    if before is None:
        seen[column.name.lower()] = column.name
        return
    how = "stands twice" if before == column.name else f"differs from '{before}' only by case"
    findings.add(place.at("name"), "DATASET_003", f"column '{column.name}' {how}")


def _check_format(
    options: Mapping[str, str], kind: t.Type | None, place: Place, findings: Findings
) -> None:
    """DATASET_017. How decimals are separated its data source may say."""
    for name in options:
        if kind is not None and kind.kind not in FORMAT_OPTIONS[name]:
            message = f"{name} says nothing about a column that is {kind}"
            findings.add(place.at(name), "DATASET_017", message)
        elif fault := format_fault(name, options):
            findings.add(place.at(name), "DATASET_017", f"'{name}' {fault}")


def _check_period_from(dataset: Dataset, place: Place, findings: Findings) -> None:
    table, types = dataset.definition.main_table, {f.name: f.type for f in dataset.fields}
    name = table.period_from or ""
    if table.temporal_mode != "period":
        message = "period_from is for a table with temporal_mode: period"
        findings.add(place, "DATASET_016", message)
    elif name not in types:
        hint = suggestion(name, tuple(types), "columns")
        findings.add(place, "DATASET_016", f"column '{name}' is not declared", hint)
    elif types[name] not in (t.DATE, t.TIMESTAMP, t.UNKNOWN):
        message = f"column '{name}' is {types[name]}, not date or timestamp"
        findings.add(place, "DATASET_016", message)
    elif PERIOD.name in types:
        message = f"rows have a column '{PERIOD.name}' and period_from: one of them says the period"
        findings.add(place, "DATASET_016", message)


def _check_validity(dataset: Dataset, place: Place, findings: Findings) -> None:
    pair = dataset.validity
    message = f"bitemporal table '{dataset.table_name}' declares no validity pair"
    if pair is None:
        findings.add(place.at("temporal_mode"), "DATASET_005", message)
        return
    kinds = {f.type for f in dataset.fields if f.name in pair}
    if kinds not in ({t.DATE}, {t.TIMESTAMP}) and t.UNKNOWN not in kinds:
        findings.add(
            place.at("temporal_mode"),
            "DATASET_005",
            f"{pair[0]} and {pair[1]} must both be date, or both timestamp",
        )
