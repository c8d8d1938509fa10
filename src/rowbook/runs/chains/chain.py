"""A chain: the projects that a run needs, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.project import ProjectDefinition
from rowbook.definitions.recording import entry_of
from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.chains.project_graph import ChainProject, ProjectGraph, ProjectState
from rowbook.planning.chains.project_reads import ProjectSource, chain_project, registrations
from rowbook.planning.definitions.from_files import Definitions
from rowbook.planning.project_plan import Planned, ProjectPlan
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.planning.used_datasets import plan_recorded
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import find_project
from rowbook.value_class import dataclass

_NOT_ACTIVE = {
    "draft": "was never activated",
    "inactive": "was deactivated",
    "conflict": "is in conflict",
}


@dataclass(frozen=True, slots=True)
class ChainRequest:
    """`project` is run after all that it depends on; None: all projects, the active ones, or of
    drafts those in files. The rest is as for a run; parameters are given to the project alone."""

    project: str | None
    draft: bool = False
    as_of: str | None = None
    now: str | None = None
    given: GivenParameters = NOTHING_GIVEN


@dataclass(frozen=True, slots=True)
class Chain:
    """`target` is the project that was asked for; None where all were."""

    request: ChainRequest
    target: str | None
    graph: ProjectGraph
    order: tuple[str, ...]

    @property
    def late(self) -> tuple[str, ...]:
        """Those whose data can only be looked at when others have run."""
        return tuple(each for each in self.order if self.graph.producers(each))

    def is_draft(self, project: str) -> bool:
        return self.graph.projects[project].state == "draft"


def find_chain(workspace: OpenWorkspace, request: ChainRequest) -> Chain:
    """CHAIN_001 where projects feed each other in a circle, CHAIN_002 where one that is needed is
    not active, CHAIN_003 where two make the same, CHAIN_004 where there is none."""
    sources = chain_sources(workspace, draft=request.draft)
    registered = frozenset(name for each in sources for name, _ in registrations(each.entry))
    graph = ProjectGraph.of(_projects(sources, registered))
    if request.project is None:
        return _all(request, graph)
    target = find_target(workspace, request.project, draft=request.draft)
    order = graph.order([target])
    if not request.draft and (found := tuple(_not_active(graph, order))):
        raise RowbookError(*found)
    return Chain(request, target, graph, order)


def _all(request: ChainRequest, graph: ProjectGraph) -> Chain:
    """Those that are in conflict too, which then fail of it: nobody shall take them for done."""
    wanted: tuple[ProjectState, ...] = ("draft",) if request.draft else ("active", "conflict")
    chosen = ProjectGraph.of(each for each in graph.projects.values() if each.state in wanted)
    if not chosen.projects:
        what = "no project is defined" if request.draft else "no project is active"
        raise RowbookError.of("CHAIN_004", what)
    return Chain(request, None, chosen, chosen.order(sorted(chosen.projects)))


def find_target(workspace: OpenWorkspace, reference: str, *, draft: bool) -> str:
    """The name of a project; PROJECT_008 where there is none."""
    store = None if draft else workspace.find_store()
    recorded = store.projects.get(reference) if store is not None else None
    return recorded.name if recorded else find_project(workspace.checked, reference).model.name


def _not_active(graph: ProjectGraph, order: tuple[str, ...]) -> Iterator[Diagnostic]:
    """Where what a project needs is not registered by one that runs."""
    for project in order:
        for supply in graph.supplies(project):
            producer, dataset = graph.projects[supply.producer], supply.read.dataset
            if producer.state == "active":
                continue
            message = (
                f"project '{producer.name}' registers dataset '{dataset}', which project"
                f" '{project}' reads, but {_NOT_ACTIVE[producer.state]}"
            )
            hint = (
                f"`rowbook activate {producer.name}`, or --draft, which runs the files of all of"
                " them into the sandbox"
            )
            yield Diagnostic("CHAIN_002", message, supply.read.position, hint)


@dataclass(frozen=True, slots=True)
class ChainSource:
    """A project of files or of the store, before it is known what others register."""

    entry: Entry[ProjectDefinition]
    state: ProjectState
    known: Definitions
    workspace: OpenWorkspace
    pins: dict[str, int]

    def planned(self) -> Planned:
        known = self.workspace.applied_definitions(self.pins) if self.pins else self.known
        return plan_recorded(self.entry, known)

    def plan(self) -> ProjectPlan | None:
        return self.planned().plan


def chain_sources(workspace: OpenWorkspace, *, draft: bool) -> tuple[ChainSource, ...]:
    """The projects as they were activated, and files of those that never were; of drafts, all
    files."""
    if draft:
        return tuple(_drafts(workspace))
    return (*_recorded(workspace), *_never_activated(workspace))


def _projects(
    sources: tuple[ChainSource, ...], registered: frozenset[str]
) -> Iterator[ChainProject]:
    for each in sources:
        yield chain_project(
            ProjectSource(each.entry, each.state, each.known, registered, each.plan, each.pins)
        )


def _drafts(workspace: OpenWorkspace) -> Iterator[ChainSource]:
    for entry in workspace.files.projects:
        yield ChainSource(entry, "draft", workspace.definitions, workspace, {})


def _recorded(workspace: OpenWorkspace) -> Iterator[ChainSource]:
    store = workspace.find_store()
    applied = workspace.applied_definitions()
    for project in store.projects.all() if store is not None else ():
        version = store.projects.version(project.id, project.version) if store else None
        if version is not None:
            entry = entry_of(version.content, f"project {version.name} version {version.version}")
            yield ChainSource(entry, project.status, applied, workspace, dict(version.pins))


def _never_activated(workspace: OpenWorkspace) -> Iterator[ChainSource]:
    store = workspace.find_store()
    known = {each.id for each in store.projects.all()} if store is not None else set()
    yield from (each for each in _drafts(workspace) if each.entry.model.identity not in known)
