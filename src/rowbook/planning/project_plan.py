"""Planning a project: the schema followed through all operations, every fault collected."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.operations import (
    AggregateOperation,
    AnyOperation,
    AppendOperation,
    DeleteOperation,
    OutputOperation,
    UpdateOperation,
)
from rowbook.definitions.models.project import AnyProject, InlineProject, ProjectDefinition
from rowbook.definitions.place import Place
from rowbook.errors import Diagnostic, in_order
from rowbook.expressions.selectors import Selectors, read_selectors
from rowbook.expressions.syntax.lexer import SELECTOR_NAME
from rowbook.periods import Calendar
from rowbook.planning.columns import Columns
from rowbook.planning.datasets import Dataset, Lookups, lookups_of, typed
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.expectations.project_expectations import plan_expectations
from rowbook.planning.expectations.quarantine_table import plan_quarantine
from rowbook.planning.expectations.run_points import RunPoints
from rowbook.planning.findings import Findings
from rowbook.planning.operations.aggregate import plan_aggregate
from rowbook.planning.operations.append import plan_append, registered_hint
from rowbook.planning.operations.context import Context, OperationPlace
from rowbook.planning.operations.delete import plan_delete
from rowbook.planning.operations.one_file import check_sheets
from rowbook.planning.operations.output import plan_output
from rowbook.planning.operations.update import plan_update
from rowbook.planning.resolution.parameter_values import (
    GivenParameters,
    ParameterValue,
    parameter_values,
)
from rowbook.planning.resolution.resolvers import check_resolver
from rowbook.planning.steps import AnyStep, AppendStep, OutputStep
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ProjectPlan:
    """A project whose operations are all sound, in the order they run."""

    project: AnyProject
    input: Dataset
    calendar: Calendar
    columns: Columns
    steps: tuple[AnyStep, ...]
    warnings: tuple[Diagnostic, ...] = ()
    """What was found in it, and does not keep it from running."""
    parameters: tuple[ParameterValue, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    """In the order in which their points are reached; of one point, as they are written."""
    quarantine: OutputStep | None = None
    """Where rows go that expectations take out; its seq is 0, which no operation has."""

    @property
    def outputs(self) -> tuple[OutputStep, ...]:
        """All that is written, in order: quarantined rows when all operations are through."""
        found = tuple(step for step in self.steps if isinstance(step, OutputStep))
        return found if self.quarantine is None else (*found, self.quarantine)


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan, or None where there are errors among the diagnostics."""

    plan: ProjectPlan | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Surroundings:
    known: DefinitionLookup
    sandbox: bool = False
    """Data comes from a scenario: resolvers and data sources need not exist."""
    registered_by: Mapping[str, str] = field(default_factory=dict)
    given: GivenParameters | None = None
    """What a run is given; None in a check, where a parameter need not have a value yet."""


def plan_project(
    entry: Entry[ProjectDefinition] | Entry[InlineProject], among: Surroundings
) -> Planned:
    model, place = entry.model, entry.place
    findings = Findings(place.at("selectors"))
    selectors = read_selectors(model.selectors)
    for fault in selectors.faults:
        findings.fault(place.at("selectors"), fault)
    _check_names(model, place, findings)
    parameters = parameter_values(model, place, among.given, findings)
    context = _context(model, place, selectors, findings, among)
    context = replace(
        context, parameters={each.parameter.name: each.parameter for each in parameters}
    )
    calendar = _calendar(model, place, context)
    _check_overrides(model, place, context)
    columns = context.input.working_columns() if context.input else Columns.of((), complete=False)
    steps = _follow(entry, columns, context)
    if not model.operations and not entry.broken_seqs:
        message = f"project '{model.name}' has no operations"
        findings.warn(place.at("operations"), "PROJECT_007", message)
    points = RunPoints(entry, columns, steps, context)
    expectations = plan_expectations(points)
    quarantine = plan_quarantine(expectations, points)
    _check_approval(model, place, findings)
    plan = None
    if context.input and calendar and not findings.failed and not entry.broken_seqs:
        plan = ProjectPlan(
            model,
            context.input,
            calendar,
            columns,
            steps,
            in_order(findings.diagnostics),
            parameters,
            expectations,
            quarantine,
        )
    return Planned(plan, tuple(findings.diagnostics))


def _check_approval(model: AnyProject, place: Place, findings: Findings) -> None:
    if isinstance(model, ProjectDefinition) and model.approval and model.publish == "as_written":
        message = f"outputs of project '{model.name}' are published before anybody could approve"
        findings.add(place.at("approval"), "APPROVAL_004", message)


def _check_names(model: AnyProject, place: Place, findings: Findings) -> None:
    """A selector whose name cannot be written between {{ and }} is of no use."""
    for name in model.selectors:
        if not re.fullmatch(SELECTOR_NAME, name):
            position = place.at("selectors", name).key_position
            message = f"'{name}' is not a selector's name"
            hint = "start with a letter or '_'; then letters, digits, '_', '-' and '.'"
            findings.diagnostics.append(Diagnostic("WORKSPACE_003", message, position, hint))


def _context(
    model: AnyProject, place: Place, selectors: Selectors, findings: Findings, among: Surroundings
) -> Context:
    found = among.known.dataset(model.input_dataset_id, model.input_dataset_version)
    dataset, lookups = None, Lookups()
    if not isinstance(found, Missing):
        dataset = typed(found)
        lookups = lookups_of(dataset, among.known)[0]
    context = Context(
        model,
        among.known,
        findings,
        dataset,
        lookups,
        selectors,
        among.sandbox,
        among.registered_by,
    )
    if isinstance(found, Missing):
        _report_missing_input(found, place, context)
    elif dataset is not None:
        check_resolver(dataset, place.at("input_dataset_id"), context, "RESOLVER_005")
    return context


_INPUT_CODES = {"unknown": "PROJECT_001", "version": "DATASET_008", "disabled": "DATASET_009"}


def _report_missing_input(found: Missing, place: Place, context: Context) -> None:
    if found.uncertain:
        return
    name = context.project.input_dataset_id
    hint = registered_hint(name, context) if name in context.registered_by else found.hint
    key = "input_dataset_version" if found.reason == "version" else "input_dataset_id"
    context.findings.add(place.at(key), _INPUT_CODES[found.reason], found.message, hint)


def _calendar(model: AnyProject, place: Place, context: Context) -> Calendar | None:
    found = context.known.calendar(model.calendar_id or "gregorian")
    if not isinstance(found, Missing):
        return found
    if not found.uncertain:
        context.findings.add(place.at("calendar_id"), "PERIOD_002", found.message, found.hint)
    return None


def _check_overrides(model: AnyProject, place: Place, context: Context) -> None:
    for dataset, resolver in model.resolver_overrides.items():
        here = place.at("resolver_overrides", dataset)
        found = context.known.dataset(dataset, None)
        if isinstance(found, Missing) and found.reason == "unknown" and not found.uncertain:
            position = here.key_position
            finding = Diagnostic("DATASET_007", found.message, position, found.hint)
            context.findings.diagnostics.append(finding)
        other = context.known.resolver(resolver)
        if isinstance(other, Missing) and not other.uncertain and not context.sandbox:
            context.findings.add(here, "RESOLVER_001", other.message, other.hint)


def _follow(
    entry: Entry[ProjectDefinition] | Entry[InlineProject], columns: Columns, context: Context
) -> tuple[AnyStep, ...]:
    """Plan the operations in the order of seq, each against the columns the one before left."""
    operations = entry.model.operations
    counts = Counter(o.seq for o in operations)
    order = sorted(range(len(operations)), key=lambda i: operations[i].seq)
    broken = sorted((-1 if seq is None else seq) for seq in entry.broken_seqs)
    steps: list[AnyStep] = []
    places: list[Place] = []
    seen: set[int] = set()
    for i in order:
        operation, place = operations[i], entry.operation(i)
        if broken and broken[0] <= operation.seq:
            columns = columns.uncertain()
        _check_common(operation, place, counts, seen, context)
        seen.add(operation.seq)
        step = _plan_operation(operation, OperationPlace(place, columns), context)
        if step is None:
            continue
        columns = step.columns
        steps.append(step)
        places.append(place)
    check_sheets(steps, places, context)
    _check_lookups(steps, entry.place.at("input_dataset_id"), context)
    return tuple(steps)


def _check_lookups(steps: Sequence[AnyStep], place: Place, context: Context) -> None:
    """That the lookups of the input that operations use have resolvers; an append's are others."""
    own = {join.alias for join in context.lookups.joins}
    used = {
        join.alias: join.dataset
        for step in steps
        if not (isinstance(step, AppendStep) and step.source)
        for join in step.joins
        if join.alias in own
    }
    for dataset in used.values():
        called = f"a lookup of '{context.project.input_dataset_id}'"
        check_resolver(dataset, place, context, "RESOLVER_005", called)


_MAX_SEQ = 2**63 - 1
"""What `_operation_seq`, an integer column, can hold."""


def _check_common(
    operation: AnyOperation, place: Place, counts: Counter[int], seen: set[int], context: Context
) -> None:
    """BR-001, and the name."""
    findings = context.findings
    if operation.seq < 1:
        findings.add(place.at("seq"), "PROJECT_002", f"seq {operation.seq} is not positive")
    elif operation.seq > _MAX_SEQ:
        findings.add(place.at("seq"), "PROJECT_002", f"seq is larger than {_MAX_SEQ}")
    elif operation.seq in seen:
        free = max(counts) + 1
        message = f"seq {operation.seq} stands twice"
        findings.add(place.at("seq"), "PROJECT_002", message, f"the next free one is {free}")
    if not operation.name.strip():
        findings.add(place.at("name"), "PROJECT_003", "an operation needs a name")
    if operation.id is not None and not operation.id.strip():
        findings.add(place.at("id"), "PROJECT_003", "an operation's id must not be empty")


def _plan_operation(
    operation: AnyOperation, here: OperationPlace, context: Context
) -> AnyStep | None:
    match operation:
        case UpdateOperation():
            return plan_update(operation, here, context)
        case AggregateOperation():
            return plan_aggregate(operation, here, context)
        case AppendOperation():
            return plan_append(operation, here, context)
        case DeleteOperation():
            return plan_delete(operation, here, context)
        case OutputOperation():
            return plan_output(operation, here, context)
