"""What a chain would do: which projects, in which order, and why; no Spark, no rows, no trace."""

from __future__ import annotations

from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN, GivenParameters
from rowbook.runs.chains.chain import Chain, ChainRequest, find_chain
from rowbook.runs.chains.link_requests import check_chain
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request
from rowbook.runs.prepare.resolve import resolve_run
from rowbook.runs.prepare.run_checks import run_problems
from rowbook.runs.versions.version_drift import VersionDrift, drift_of
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class PlannedSupply:
    """A dataset that a project reads; `version` is None for the latest, `producer` the project of
    the chain that registers it."""

    dataset: str
    version: int | None
    producer: str | None


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """A project of a chain; `version` is None for a draft. `because` says why it would run, or be
    passed over. Its data is not `checked` where it is still to be made."""

    project: str
    version: int | None
    reads: tuple[PlannedSupply, ...]
    registers: tuple[str, ...]
    runs: bool
    because: str
    checked: bool
    problems: tuple[Diagnostic, ...] = ()
    drift: VersionDrift | None = None


@dataclass(frozen=True, slots=True)
class ChainPlan:
    """`links` are in the order in which they would run; the project that was asked for is the
    last."""

    project: str
    period: str
    links: tuple[PlannedLink, ...]

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        return tuple(dict.fromkeys(each for link in self.links for each in link.problems))


def plan_chain(
    workspace: OpenWorkspace,
    project: str,
    period: str,
    as_of: str | None = None,
    given: GivenParameters = NOTHING_GIVEN,
    *,
    draft: bool = False,
    connect: bool = False,
) -> ChainPlan:
    """No store is made, and without `connect` no database is asked."""
    chain = find_chain(workspace, ChainRequest(project, draft, as_of, given=given))
    requests = check_chain(workspace, chain, period)
    links: dict[str, PlannedLink] = {}
    for name in chain.order:
        request = requests.get(name)
        before = [each for each in chain.graph.producers(name) if links[each].runs]
        runs, because = _decision(workspace, chain, name, request, before, connect=connect)
        is_checked = request is not None and not before
        problems = _problems(workspace, request, connect) if request and is_checked and runs else ()
        is_active = request is not None and not request.is_draft
        links[name] = PlannedLink(
            name,
            request.version if request else None,
            _reads(chain, name),
            tuple(dataset for dataset, _ in chain.graph.projects[name].registers),
            runs,
            because,
            is_checked,
            problems,
            drift_of(workspace, request.context.project_id) if request and is_active else None,
        )
    return ChainPlan(chain.order[-1], period, tuple(links.values()))


def _decision(
    workspace: OpenWorkspace,
    chain: Chain,
    project: str,
    request: Request | None,
    before: list[str],
    *,
    connect: bool,
) -> tuple[bool, str]:
    if project == chain.target:
        return True, "it is asked for"
    if request is None or request.is_draft:
        return True, "as a draft"
    if before:
        return True, f"after {', '.join(before)}, if that changes what it reads"
    from rowbook.runs.chains.last_run import compare_with_last_run

    last = compare_with_last_run(workspace, request, connect=connect)
    return last.why is not None, last.why or f"unchanged since run {last.run_id}"


def _reads(chain: Chain, project: str) -> tuple[PlannedSupply, ...]:
    producers = {each.read: each.producer for each in chain.graph.supplies(project)}
    return tuple(
        PlannedSupply(read.dataset, read.version, producers.get(read))
        for read in chain.graph.projects[project].reads
    )


def _problems(workspace: OpenWorkspace, request: Request, connect: bool) -> tuple[Diagnostic, ...]:
    store = workspace.find_store()
    try:
        found = run_problems(resolve_run(request, store, connect=connect), connect=connect)
    except RowbookError as error:
        found = error.diagnostics
    if store is None:
        return found
    from rowbook.runs.prepare.new_run import run_refusals

    return (*run_refusals(request, store), *found)
