"""Resolving: which rule of a resolver holds, and where the data is for a period."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time

from rowbook.definitions.models.resolver import (
    CatalogStrategy,
    PathStrategy,
    ResolverDefinition,
    RuleDefinition,
    TableStrategy,
)
from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Value, columns
from rowbook.expressions.evaluate import evaluate
from rowbook.locations.file_options import format_of
from rowbook.periods import Calendar, Period
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import BY_NAME, root_of, source_kind
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.resolvers import WHEN_SCOPE
from rowbook.planning.resolution.templates import fill, own_places
from rowbook.planning.run_context import moment_in


@dataclass(frozen=True, slots=True)
class ResolvedLocation:
    """A concrete place of a dataset's data. `periods` are the identifiers it was resolved for;
    where the place is `period_specific`, its rows belong to that one period."""

    resolver: str
    rule: str
    strategy: str
    datasource: str | None
    location: str
    format: str | None
    periods: tuple[str, ...]
    period_specific: bool


def resolve(
    dataset: Dataset,
    period: Period,
    calendar: Calendar,
    resolver: ResolverDefinition,
    overall: DefinitionLookup,
) -> tuple[ResolvedLocation, ...]:
    """Where the data of a dataset is for a period: one place, or one for each finer period. A place
    that names and identifiers have led outside the boundary is refused (DATASOURCE_004)."""
    rule = choose_rule(dataset, period, calendar, resolver)
    expanded = calendar.expand(period, rule.data_level) if rule.data_level else (period,)
    names = {"table_name": dataset.table_name, "dataset_name": dataset.source_name}
    strategy = rule.strategy
    template = strategy.path if isinstance(strategy, PathStrategy) else strategy.table
    places: dict[str, list[str]] = {}
    for each in expanded:
        location = fill(template, each, names)
        _check_inside(location, strategy, overall)
        places.setdefault(location, []).append(each.identifier)
    reference = None if isinstance(strategy, CatalogStrategy) else strategy.datasource_id
    own = own_places(template, calendar.peers(expanded[0]), names)
    return tuple(
        ResolvedLocation(
            resolver.name,
            rule.name,
            strategy.type,
            reference,
            location,
            _format(strategy, overall),
            tuple(periods),
            location in own,
        )
        for location, periods in places.items()
    )


def _check_inside(
    location: str, strategy: PathStrategy | TableStrategy | CatalogStrategy, known: DefinitionLookup
) -> None:
    if isinstance(strategy, CatalogStrategy):
        return
    root = "."
    if strategy.datasource_id is not None:
        source = known.datasource(strategy.datasource_id)
        if isinstance(source, Missing) or source.model.type in BY_NAME:
            return
        root = root_of(source.model)
    if not known.boundary.contains(location, root):
        message = f"'{location}' is outside the workspace and its allowed locations"
        raise RowbookError.of("DATASOURCE_004", message)


def _format(
    strategy: PathStrategy | TableStrategy | CatalogStrategy, known: DefinitionLookup
) -> str | None:
    if isinstance(strategy, CatalogStrategy):
        return None
    if isinstance(strategy, PathStrategy):
        if strategy.format is not None:
            return strategy.format
        if strategy.datasource_id is None:
            return format_of(strategy.path)
    if strategy.datasource_id is None:
        return None
    source = known.datasource(strategy.datasource_id)
    return None if isinstance(source, Missing) else source_kind(source.model)


def choose_rule(
    dataset: Dataset, period: Period, calendar: Calendar, resolver: ResolverDefinition
) -> RuleDefinition:
    """The first rule whose condition holds; RESOLVER_003 tells of every rule why not."""
    row = _row(dataset, period)
    moment = moment_in(period, calendar, datetime.combine(period.end, time(), UTC))
    reasons: list[str] = []
    for rule in resolver.rules:
        if rule.when is None:
            return rule
        binding = bind(rule.when, WHEN_SCOPE)
        if not binding.usable:
            raise RowbookError(
                *(Diagnostic(f.code, f.message, hint=f.hint) for f in binding.faults)
            )
        if evaluate(binding.tree, row, moment) is True:
            return rule
        read = sorted(columns(binding.tree), key=str)
        values = ", ".join(f"{source}.{name} is {row[source, name]}" for source, name in read)
        reasons.append(f"'{rule.name}' needs {rule.when}" + (f", but {values}" if values else ""))
    listed = "; ".join(reasons) or "it has no rules"
    raise RowbookError.of(
        "RESOLVER_003",
        f"no rule of resolver '{resolver.name}' matches dataset '{dataset.name}' for"
        f" {period.identifier}: {listed}",
    )


def _row(dataset: Dataset, period: Period) -> dict[tuple[str | None, str], Value]:
    names = ("identifier", "level", "year", "quarter", "month", "day", "start", "end")
    return {
        **{("period", name): getattr(period, name) for name in names},
        ("table", "name"): dataset.table_name,
        ("dataset", "name"): dataset.source_name,
    }
