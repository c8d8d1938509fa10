"""What an expectation is compared with: `against` checked (EXPECT_007)."""

from __future__ import annotations

from collections.abc import Callable

from rowbook.definitions.models.expectation import AgainstDefinition, PointChoice
from rowbook.definitions.place import Place
from rowbook.errors import listing
from rowbook.expressions.scope import PARAMETERS
from rowbook.expressions.types import Kind, Type
from rowbook.planning.columns import COLUMN_NAME
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.expectations.decomposition import OtherSide
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.expectations.viewpoint import Viewpoint, business_names, dataset_viewpoint
from rowbook.planning.findings import Findings

_MISSING = {"unknown": "DATASET_007", "version": "DATASET_008", "disabled": "DATASET_009"}
_FORMS = ("at", "dataset_id", "period")
_NUMBERS = frozenset({Kind.INTEGER, Kind.DECIMAL})


def other_rows(
    definition: AgainstDefinition,
    place: Place,
    keys: tuple[str, ...],
    here: Viewpoint,
    findings: Findings,
    at_point: Callable[[PointChoice, Place], Viewpoint | None],
    of_dataset: Callable[[AgainstDefinition, Place], Viewpoint | None],
) -> OtherSide | None:
    """The other side, whose columns the keys are too."""
    alias = definition.alias
    if not _may_be_called(alias, place.at("alias"), here, findings):
        return None
    named = [key for key in _FORMS if getattr(definition, key) is not None]
    if len(named) != 1:
        said = f"both {listing(named)}" if named else "nothing"
        message = f"a comparison is with one of {', '.join(_FORMS)}, not with {said}"
        findings.add(place, "EXPECT_007", message)
        return None
    if definition.dataset_version is not None and definition.dataset_id is None:
        message = "`dataset_version` is that of a dataset, and none is named"
        findings.add(place.at("dataset_version"), "EXPECT_007", message, "say `dataset_id`")
    if definition.period is not None:
        return _previous(definition, place, keys, findings)
    if definition.at is not None:
        rows = at_point(definition.at, place.at("at"))
    else:
        rows = of_dataset(definition, place)
    if rows is None:
        return None
    sound = [_check_key(key, place, here, rows, alias, findings) for key in keys]
    return OtherSide(alias, rows) if all(sound) else None


def _previous(
    definition: AgainstDefinition, place: Place, keys: tuple[str, ...], findings: Findings
) -> OtherSide | None:
    """What a run kept of itself are the measures of all rows."""
    if keys:
        message = "what was measured in the previous period is about all rows, not about groups"
        findings.add(place.at("period"), "EXPECT_007", message, "leave `by` out")
    if definition.selector is not None:
        message = "no rows of the previous period are read that could be selected"
        findings.add(place.at("selector"), "EXPECT_007", message, "leave it out")
    return OtherSide(definition.alias, None)


def _may_be_called(alias: str, place: Place, here: Viewpoint, findings: Findings) -> bool:
    tables = (*here.scope.tables, PARAMETERS)
    taken = next((name for name in tables if name.lower() == alias.lower()), None)
    if not COLUMN_NAME.fullmatch(alias):
        message = f"'{alias}' cannot be an alias: use letters, digits and '_'"
    elif taken == PARAMETERS:
        message = f"alias '{PARAMETERS}' is taken by the project's parameters"
    elif taken is not None:
        message = f"alias '{alias}' is taken already by a table or lookup"
    else:
        return True
    findings.add(place, "EXPECT_007", message)
    return False


def _check_key(
    key: str, place: Place, here: Viewpoint, rows: Viewpoint, alias: str, findings: Findings
) -> bool:
    own, other = here.fields.get(key), rows.fields.get(key)
    if other is None and rows.scope.main.complete:
        message = f"'{alias}' has no column '{key}' to be grouped by"
        hint = f"columns: {listing(business_names(rows.scope.main))}"
        findings.add(place, "EXPECT_007", message, hint)
        return False
    if own and other and not _comparable(own.type, other.type):
        message = f"'{key}' is {own.type}, that of '{alias}' {other.type}: keys never meet"
        findings.add(place, "EXPECT_007", message)
        return False
    return True


def _comparable(one: Type, other: Type) -> bool:
    kinds = {one.kind, other.kind}
    return len(kinds) == 1 or kinds <= _NUMBERS or Kind.UNKNOWN in kinds


def dataset_named(
    definition: AgainstDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> Dataset | None:
    found = known.dataset(definition.dataset_id or "", definition.dataset_version)
    if not isinstance(found, Missing):
        return typed(found)
    if not found.uncertain:
        key = "dataset_version" if found.reason == "version" else "dataset_id"
        findings.add(place.at(key), _MISSING[found.reason], found.message, found.hint)
    return None


def rows_of(dataset: Dataset, known: DefinitionLookup) -> Viewpoint:
    return dataset_viewpoint(dataset, CheckPoint("dataset", dataset=dataset), known)
