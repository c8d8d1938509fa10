"""Where the data of all periods is that a run reads of a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rowbook.definitions.models.resolver import CatalogStrategy, PathStrategy, ResolverDefinition
from rowbook.errors import RowbookError
from rowbook.periods import Calendar, Period, period_at
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import BY_NAME
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation, choose_rule, resolve
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.planning.resolution.templates import OF_PERIOD, placeholders
from rowbook.planning.run_context import RunContext

_YEARS_BEFORE, _YEARS_AFTER = 100, 20
_TOO_FINE = frozenset({"day", "week"})


def resolve_periods(
    dataset: Dataset, context: RunContext, resolver: ResolverDefinition, known: DefinitionLookup
) -> tuple[ResolvedLocation, ...]:
    """For the run's period, or for those that a view says; a place that several have stands once.
    RESOLVER_003 where no rule leads there."""
    if dataset.reads_all and _has_places(dataset, context, resolver, known):
        located = _everywhere(dataset, context, resolver, known)
    else:
        located = (
            each
            for period in read_periods(dataset, context).periods
            for each in resolve(dataset, period, context.calendar, resolver, known)
        )
    found: dict[tuple[str, str], ResolvedLocation] = {}
    for each in located:
        key = each.rule, each.location
        if before := found.get(key):
            periods = (*before.periods, *each.periods)
            found[key] = replace(before, periods=periods, period_specific=False)
        else:
            found[key] = each
    return tuple(found.values())


def _has_places(
    dataset: Dataset, context: RunContext, resolver: ResolverDefinition, known: DefinitionLookup
) -> bool:
    """Whether each period has a place of its own. DATASET_023 where these cannot all be looked
    for: tables of a server, places of days."""
    rule = choose_rule(dataset, context.period, context.calendar, resolver)
    strategy = rule.strategy
    template = strategy.path if isinstance(strategy, PathStrategy) else strategy.table
    if placeholders(template).isdisjoint(OF_PERIOD):
        return False
    level, where = rule.data_level or context.period.level, None
    if level in _TOO_FINE:
        where = f"each {level} has a place of its own"
    elif _is_served(strategy, known):
        where = "each period has a table of its own in a database"
    if where is not None:
        message = f"all periods of dataset '{dataset.source_name}' cannot be looked for: {where}"
        raise RowbookError.of("DATASET_023", message)
    return True


def _is_served(strategy: object, known: DefinitionLookup) -> bool:
    if isinstance(strategy, CatalogStrategy):
        return True
    reference = getattr(strategy, "datasource_id", None)
    source = known.datasource(reference) if reference else None
    return source is not None and not isinstance(source, Missing) and source.model.type in BY_NAME


def _everywhere(
    dataset: Dataset, context: RunContext, resolver: ResolverDefinition, known: DefinitionLookup
) -> Iterator[ResolvedLocation]:
    """The places that periods of a long time would have; where no rule leads, there is none."""
    for period in _around(context.calendar, context.period):
        try:
            yield from resolve(dataset, period, context.calendar, resolver, known)
        except RowbookError as error:
            if error.diagnostics[0].code != "RESOLVER_003":
                raise


def _around(calendar: Calendar, own: Period) -> Iterator[Period]:
    earlier: list[Period] = []
    before = period_at(calendar, own, -1)
    while before is not None and before.year >= own.year - _YEARS_BEFORE:
        earlier.append(before)
        before = period_at(calendar, before, -1)
    yield from reversed(earlier)
    after: Period | None = own
    while after is not None and after.year <= own.year + _YEARS_AFTER:
        yield after
        after = period_at(calendar, after, 1)
