"""Projects among recorded definitions: planned, with what they use, and the versions to pin."""

from __future__ import annotations

from collections.abc import Mapping

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.place import Place
from rowbook.errors import Diagnostic
from rowbook.planning.datasets import Dataset, lookups_of
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.expectations.dataset_expectations import dataset_expectations
from rowbook.planning.findings import Findings
from rowbook.planning.project_plan import Planned, ProjectPlan, Surroundings, plan_project
from rowbook.planning.resolution.parameter_values import GivenParameters
from rowbook.planning.resolution.resolvers import resolver_for
from rowbook.planning.steps import AppendStep


def plan_recorded(
    entry: Entry[ProjectDefinition],
    known: DefinitionLookup,
    registered_by: Mapping[str, str] | None = None,
    given: GivenParameters | None = None,
) -> Planned:
    """As `plan_project`, for definitions that come from the store: they stand in no file that is
    checked beside the project, and may no longer go together."""
    among = Surroundings(known, registered_by=registered_by or {}, given=given)
    planned = plan_project(entry, among)
    if planned.plan is None:
        return planned
    faults = _check_uses(planned.plan, known, entry.place)
    return Planned(None if faults else planned.plan, (*planned.diagnostics, *faults))


def used_datasets(plan: ProjectPlan) -> tuple[Dataset, ...]:
    """The datasets that a project reads, each version once: input, joins, lookups, appends, and
    what its expectations look at."""
    found = (plan.input, *datasets_beside_input(plan))
    return tuple({(each.id, each.version): each for each in found}.values())


def datasets_beside_input(plan: ProjectPlan) -> list[Dataset]:
    """What is loaded to be appended, joined or compared with; the input maybe once more."""
    found: list[Dataset] = []
    for step in plan.steps:
        found += [step.source] if isinstance(step, AppendStep) and step.source else []
        found += [join.dataset for join in step.joins]
    return [*found, *(each for expectation in plan.expectations for each in expectation.reads)]


def pins_of(plan: ProjectPlan, known: DefinitionLookup) -> dict[str, int]:
    """The version of each dataset that a project uses, by id. Where operations name versions of
    their own beside a reference without one, it is the version of the latter. Of a view, that of
    its definition, and of the dataset that it reads."""
    versions: dict[str, list[int]] = {}
    pins: dict[str, int] = {}
    for dataset in used_datasets(plan):
        read = dataset.id
        if dataset.origin is not None:
            pins[dataset.id], read = dataset.origin.view_version, dataset.origin.id
        versions.setdefault(read, []).append(dataset.version)
    for dataset_id, used in versions.items():
        latest = known.dataset(dataset_id, None)
        unnamed = None if isinstance(latest, Missing) else latest.version
        pins[dataset_id] = unnamed if unnamed in used else max(used)
    return pins


def _check_uses(plan: ProjectPlan, known: DefinitionLookup, place: Place) -> tuple[Diagnostic, ...]:
    """What `plan_project` leaves to the checks of datasets: their lookups, their resolvers."""
    findings, here = Findings(), place.at("input_dataset_id")
    appends = (step for step in plan.steps if isinstance(step, AppendStep))
    sources = [plan.input, *(step.source for step in appends if step.source)]
    for dataset in dict.fromkeys(sources):
        for found in lookups_of(dataset, known)[1]:
            alias = dataset.definition.lookups[found.index].alias
            message = f"lookup '{alias}' of dataset '{dataset.name}': {found.fault.message}"
            findings.add(here, found.fault.code, message, found.fault.hint)
    for dataset in used_datasets(plan):
        faults = Findings()
        dataset_expectations(dataset, place, known, faults)
        for fault in (each for each in faults.diagnostics if each.severity == "error"):
            message = f"an expectation of dataset '{dataset.name}': {fault.message}"
            findings.add(here, fault.code, message, fault.hint)
        resolver = resolver_for(dataset, plan.project.resolver_overrides, known)
        if isinstance(resolver, Missing):
            message = f"dataset '{dataset.name}': {resolver.message}"
            findings.add(here, "RESOLVER_001", message, resolver.hint)
    return tuple(findings.diagnostics)
