"""Views: datasets that read periods of another one. What they are made of, what they must not say,
and which datasets can be read so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.entity import canonical_id
from rowbook.definitions.models.other_periods import PeriodSpan
from rowbook.definitions.place import Place
from rowbook.errors import Diagnostic
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing, Version, ViewOrigin
from rowbook.planning.findings import Findings

_OF_THE_OTHER = ("main_table", "natural_key_columns", "lookups", "resolver_id", "version")
_OF_ITS_OWN = ("name", "description", "of", "expectations")
_OF_VIEWS = ("periods", "missing", "require")
_CODES = {"unknown": "DATASET_007", "version": "DATASET_008", "disabled": "DATASET_009"}


def view_of(
    view: Version[DatasetDefinition],
    other: Version[DatasetDefinition] | Missing,
    *,
    is_reported: bool,
) -> Version[DatasetDefinition] | Missing:
    """The other dataset under the name of the view, with the periods that this says. What is wrong
    with them is no second error where it `is_reported` at the view's own place."""
    if isinstance(other, Missing):
        if other.reason == "version":
            return other
        message = f"dataset '{view.model.name}' reads another one: {other.message}"
        return replace(other, message=message, uncertain=other.uncertain or is_reported)
    if fault := _unreadable(view.model, other.model):
        message = f"dataset '{view.model.name}' reads another one: {fault}"
        return Missing("unknown", message, uncertain=is_reported)
    own = {name: getattr(view.model, name) for name in (*_OF_ITS_OWN, *_OF_VIEWS)}
    model = other.model.model_copy(update={**own, "id": view.model.identity, "version": None})
    origin = ViewOrigin(other.model.identity, other.model.name, view.version)
    return Version(model, other.version, view.place, origin)


def check_view(
    model: DatasetDefinition,
    place: Place,
    known: DefinitionLookup,
    registered_by: Mapping[str, str],
    findings: Findings,
) -> None:
    """DATASET_021 for keys that do not go with `of`, DATASET_022 for what cannot be read so."""
    for key in _OF_THE_OTHER:
        if key in model.model_fields_set:
            message = f"'{key}' is that of dataset '{model.of}', which '{model.name}' reads"
            remedy = f"remove `{key}`, or `of` for a dataset of its own"
            _refuse(key, message, remedy, place, findings)
    for key, fault in _period_faults(model):
        findings.add(place.at(key), "DATASET_021", fault)
    reference, here = model.of or "", place.at("of")
    other = known.dataset(reference, None)
    if canonical_id(reference) in (model.name, model.identity):
        findings.add(here, "DATASET_022", f"dataset '{model.name}' reads itself")
    elif not isinstance(other, Missing):
        if unreadable := _unreadable(model, other.model):
            findings.add(here, "DATASET_022", unreadable)
    elif not other.uncertain:
        hint = other.hint
        if reference in registered_by:
            project = registered_by[reference]
            hint = f"project '{project}' registers it: run that first, or define it in a file"
        findings.add(here, _CODES[other.reason], other.message, hint)


def check_no_view(model: DatasetDefinition, place: Place, findings: Findings) -> None:
    for key in _OF_VIEWS:
        if key in model.model_fields_set:
            message = f"'{key}' is for a dataset that reads another one"
            hint = "say which with `of`, without a main_table"
            _refuse(key, message, hint, place, findings)


def _refuse(key: str, message: str, hint: str, place: Place, findings: Findings) -> None:
    position = place.at(key).key_position
    findings.diagnostics.append(Diagnostic("DATASET_021", message, position, hint))


def _period_faults(model: DatasetDefinition) -> Iterator[tuple[str, str]]:
    periods, said = model.periods, model.model_fields_set
    if isinstance(periods, PeriodSpan):
        if (periods.trailing is None) == (periods.offset is None):
            yield "periods", "periods are counted by either trailing or offset"
        elif periods.trailing is not None and periods.trailing < 1:
            yield "periods", f"'trailing' must be 1 or greater, not {periods.trailing}"
    if periods == "all":
        for key in ("missing", "require"):
            if key in said:
                yield key, f"'{key}' says nothing about all periods: those that are there are read"
    if periods == "current" and "require" in said:
        yield "require", "'require' is about periods other than the run's, and none is read"


def _unreadable(view: DatasetDefinition, other: DatasetDefinition) -> str | None:
    if other.of is not None:
        return f"dataset '{other.name}' reads another one itself: name '{other.of}'"
    table = other.main_table
    if table.temporal_mode != "period":
        return f"rows of dataset '{other.name}' belong to no period: it has no temporal_mode period"
    if view.periods == "all" and table.period_from is not None:
        return (
            f"all periods of dataset '{other.name}' cannot be told, as a date says those of its"
            " rows: say how many with trailing"
        )
    return None
