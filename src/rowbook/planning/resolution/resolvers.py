"""Which resolver a dataset has; checking resolvers: rules, conditions, templates, strategies."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from rowbook.definitions.models.entity import canonical_id
from rowbook.definitions.models.resolver import (
    CatalogStrategy,
    PathStrategy,
    ResolverDefinition,
    RuleDefinition,
)
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field, Scope, Table
from rowbook.locations.file_options import format_of
from rowbook.locations.identifiers import catalog_table_fault
from rowbook.locations.object_urls import (
    ObjectUrlError,
    is_only_read,
    is_url,
    store_address,
    url_fault,
)
from rowbook.planning.datasets import Dataset
from rowbook.planning.datasources import (
    BY_NAME,
    NO_DELTA,
    NO_DELTA_AT,
    check_path,
    root_of,
)
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing, Version
from rowbook.planning.findings import Findings
from rowbook.planning.resolution.templates import template_faults

if TYPE_CHECKING:
    from rowbook.planning.operations.context import Context

WHEN_SCOPE = Scope(
    Table({}),
    others={
        "period": Table.of(
            [
                *(Field(name, t.STRING, nullable=False) for name in ("identifier", "level")),
                Field("year", t.INTEGER, nullable=False),
                *(Field(name, t.INTEGER) for name in ("quarter", "month", "day")),
                *(Field(name, t.DATE, nullable=False) for name in ("start", "end")),
            ]
        ),
        "table": Table.of([Field("name", t.STRING, nullable=False)]),
        "dataset": Table.of([Field("name", t.STRING, nullable=False)]),
    },
)


def resolver_for(
    dataset: Dataset, overrides: Mapping[str, str], known: DefinitionLookup
) -> Version[ResolverDefinition] | Missing | None:
    """The project's override, else the dataset's resolver, else the default, else None. A view has
    its own override, else that of the dataset it reads."""
    named = [(dataset.name, dataset.id)]
    if dataset.origin is not None:
        named.append((dataset.origin.name, dataset.origin.id))
    for name, identity in named:
        for reference, resolver in overrides.items():
            if reference == name or canonical_id(reference) == identity:
                return known.resolver(resolver)
    if dataset.definition.resolver_id is not None:
        return known.resolver(dataset.definition.resolver_id)
    return known.default_resolver()


def check_resolver(
    dataset: Dataset, place: Place, context: Context, code: str, called: str = ""
) -> None:
    """That a dataset in use has a resolver; a resolver that is named but not there is reported
    where it is named."""
    if context.sandbox:
        return
    found = resolver_for(dataset, context.project.resolver_overrides, context.known)
    if found is None:
        message = f"no resolver for dataset '{dataset.name}'{called and ', '}{called}"
        context.findings.add(place, code, message)


def check_resolver_definition(
    model: ResolverDefinition,
    place: Place,
    known: DefinitionLookup,
    levels: Collection[str],
    findings: Findings,
) -> None:
    """Everything that can be wrong with a resolver; `levels` are those of all calendars."""
    if not model.rules:
        message = f"resolver '{model.name}' has no rules"
        findings.add(place.at("rules"), "RESOLVER_004", message, "add at least one rule")
    always: str | None = None
    for i, rule in enumerate(model.rules):
        here = place.at("rules", i)
        if always is not None:
            message = f"rule '{rule.name}' is never reached: '{always}' before it always matches"
            findings.warn(here.at("name"), "RESOLVER_004", message)
        if rule.when is None and always is None:
            always = rule.name
        _check_rule(rule, here, known, levels, findings)


def _check_rule(
    rule: RuleDefinition,
    place: Place,
    known: DefinitionLookup,
    levels: Collection[str],
    findings: Findings,
) -> None:
    findings.condition(place.at("when"), rule.when, WHEN_SCOPE, not_boolean="RESOLVER_004")
    if rule.data_level is not None and rule.data_level not in levels:
        hint = suggestion(rule.data_level, sorted(levels), "levels")
        message = f"'{rule.data_level}' is not a level of any calendar"
        findings.add(place.at("data_level"), "PERIOD_004", message, hint)
    strategy, here = rule.strategy, place.at("strategy")
    key = "path" if isinstance(strategy, PathStrategy) else "table"
    template = strategy.path if isinstance(strategy, PathStrategy) else strategy.table
    for fault in template_faults(template):
        findings.fault(here.at(key), fault)
    if isinstance(strategy, CatalogStrategy):
        if wrong := catalog_table_fault(template):
            message = f"the name of the table {wrong}"
            hint = "write table, schema.table or catalog.schema.table"
            findings.add(here.at("table"), "RESOLVER_004", message, hint)
        return
    root, is_database = ".", False
    if strategy.datasource_id is not None:
        found = known.datasource(strategy.datasource_id)
        if isinstance(found, Missing):
            if not found.uncertain:
                code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
                findings.add(here.at("datasource_id"), code, found.message, found.hint)
            return
        root, is_database = root_of(found.model), found.model.type in BY_NAME
        if isinstance(strategy, PathStrategy) and is_database:
            message = f"data source '{found.model.name}' is a database: it has no paths"
            findings.add(here.at("path"), "RESOLVER_004", message, "use a strategy of type table")
            return
    if not is_database:
        check_path(template, here.at(key), known, findings, root)
    if isinstance(strategy, PathStrategy) and known.boundary.contains(template):
        _check_url(strategy, here, findings)
    if (
        isinstance(strategy, PathStrategy)
        and strategy.datasource_id is None
        and strategy.format is None
        and format_of(strategy.path) is None
    ):
        message = "the format of the files is not known"
        hint = "set format, name a data source, or end the path with .parquet, .csv, .json, .orc"
        findings.add(here.at("path"), "RESOLVER_004", message, hint)


def _check_url(strategy: PathStrategy, place: Place, findings: Findings) -> None:
    """What is wrong with a URL itself is reported with the path."""
    url = strategy.path
    if not is_url(url) or url_fault(url):
        return
    if strategy.format == "delta" and is_only_read(url):
        message = NO_DELTA_AT.format(url)
        findings.add(place.at("path"), "DATASOURCE_008", message, NO_DELTA)
    if strategy.datasource_id is None:
        try:
            store_address(url, {})
        except ObjectUrlError as fault:
            findings.add(place.at("path"), "DATASOURCE_008", str(fault), fault.hint)
