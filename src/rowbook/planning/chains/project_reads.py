"""What a project reads and registers, by its definition: also where it cannot be planned yet,
because datasets that it reads are still to be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.entity import canonical_id, derived_id
from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.other_periods import includes_own
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.yaml import nodes
from rowbook.errors import Position
from rowbook.planning.chains.project_graph import ChainProject, DatasetRead, ProjectState
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.definitions.lookup import Missing
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import used_datasets
from rowbook.value_class import dataclass

Registrations: TypeAlias = tuple[tuple[str, Position], ...]

_VERSIONS = {"input_dataset_id": "input_dataset_version", "dataset_id": "dataset_version"}
"""The keys of a project that name datasets, and those beside them that name a version."""
_WITH_LOOKUPS = ("input_dataset_id", "source", "against")
"""Where the lookups of a dataset may be used: that of the input, sources of rows, and what an
expectation compares with."""


@dataclass(frozen=True, slots=True)
class ProjectSource:
    """A project among what it may use. `registered` are the datasets that any project registers,
    which need not be known yet; `pins` versions by id, for references that name none; `plan` is
    asked only where it matters which lookups are used."""

    entry: Entry[ProjectDefinition]
    state: ProjectState
    known: Definitions
    registered: frozenset[str]
    plan: Callable[[], ProjectPlan | None]
    pins: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Reference:
    text: str
    version: int | None
    position: Position
    has_lookups: bool


def chain_project(source: ProjectSource) -> ChainProject:
    reads: dict[tuple[str, int | None], DatasetRead] = {}
    for each in _references(source.entry):
        dataset, is_read = _through_view(each.text, source)
        named = _read(replace(each, text=dataset), source)
        lookups = _lookups(named, source, has_lookups=each.has_lookups)
        for read in (*([named] * is_read), *lookups):
            reads.setdefault((read.dataset, read.version), read)
    name = source.entry.model.name
    return ChainProject(name, source.state, tuple(reads.values()), registrations(source.entry))


def registrations(entry: Entry[ProjectDefinition]) -> Registrations:
    """The datasets that outputs become, each with the place that says so."""
    found: dict[str, Position] = {}
    for i, operation in enumerate(entry.model.operations):
        if isinstance(operation, OutputOperation) and operation.arguments.register_as_dataset:
            place = entry.operation(i).at("arguments", "register_as_dataset")
            found.setdefault(operation.arguments.register_as_dataset, place.position)
    return tuple(found.items())


def _references(entry: Entry[ProjectDefinition]) -> Iterator[_Reference]:
    """In the order of the file, wherever it names a dataset."""
    at = entry.place.document.source.position

    def walk(node: nodes.Node, below: str) -> Iterator[_Reference]:
        match node:
            case nodes.Sequence():
                for item in node.items:
                    yield from walk(item, below)
            case nodes.Mapping():
                for key, value in node.entries:
                    if key.text in _VERSIONS and isinstance(value, nodes.Scalar):
                        named = node.entry(_VERSIONS[key.text])
                        version = named[1] if named else None
                        number = version.as_int() if isinstance(version, nodes.Scalar) else None
                        may_look_up = not {key.text, below}.isdisjoint(_WITH_LOOKUPS)
                        yield _Reference(value.text, number, at(value.start), may_look_up)
                    else:
                        yield from walk(value, key.text)
            case nodes.Scalar():
                return

    return walk(entry.place.node, "")


def _through_view(reference: str, source: ProjectSource) -> tuple[str, bool]:
    """The dataset that is read, and whether for the run's own period: what others were published
    for is there already, and who made it need not run again."""
    found = source.known.declared(reference, None)
    if isinstance(found, Missing) or found.model.of is None:
        return reference, True
    return found.model.of, includes_own(found.model.periods)


def _read(reference: _Reference, source: ProjectSource) -> DatasetRead:
    name, identity = _named(reference.text, reference.version, source)
    version = reference.version or source.pins.get(identity)
    return DatasetRead(name, version, reference.position)


def _lookups(of: DatasetRead, source: ProjectSource, *, has_lookups: bool) -> Iterator[DatasetRead]:
    """Those that the project uses; all, where that is not known yet. The expectations of a dataset
    use its lookups wherever it is loaded, and may compare it with others."""
    found = source.known.dataset(of.dataset, of.version)
    if isinstance(found, Missing):
        return
    against = [each.against for each in found.model.expectations if each.against]
    others = [(each.dataset_id, each.dataset_version) for each in against if each.dataset_id]
    if has_lookups or found.model.expectations:
        others += [(each.dataset_id, each.dataset_version) for each in found.model.lookups]
    if not others:
        return
    plan = source.plan()
    used = None if plan is None else {each.source_name for each in used_datasets(plan)}
    for reference, named_version in others:
        dataset, is_read = _through_view(reference, source)
        name, identity = _named(dataset, named_version, source)
        if is_read and (used is None or name in used):
            version = named_version or source.pins.get(identity)
            yield DatasetRead(name, version, of.position)


def _named(reference: str, version: int | None, source: ProjectSource) -> tuple[str, str]:
    """The name and the id of a dataset that is known, or that somebody registers."""
    found = source.known.dataset(reference, version)
    if not isinstance(found, Missing):
        return found.model.name, found.model.identity
    identity = canonical_id(reference)
    by_id = {derived_id("dataset", name): name for name in source.registered}
    name = by_id.get(identity, reference)
    return name, derived_id("dataset", name)
