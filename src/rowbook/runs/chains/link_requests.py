"""The runs of a chain for one period, asked for one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rowbook.errors import Diagnostic, RowbookError
from rowbook.planning.definitions.from_records import RecordedDefinition
from rowbook.planning.resolution.parameter_values import NOTHING_GIVEN
from rowbook.planning.workspace_check import CheckedWorkspace
from rowbook.runs.chains.chain import Chain
from rowbook.runs.chains.draft_outputs import draft_outputs
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.project_version import choose_version, periods_between
from rowbook.runs.prepare.request import Request, request_draft


@dataclass(slots=True)
class LinkRequests:
    """In a chain of drafts each reads what those before it are asked to write."""

    workspace: OpenWorkspace
    chain: Chain
    period: str
    _drafts: list[RecordedDefinition] = field(default_factory=list)

    def request(self, project: str) -> Request:
        asked, workspace = self.chain.request, self.workspace
        given = asked.given if project == self.chain.target else NOTHING_GIVEN
        if not self.chain.is_draft(project):
            return choose_version(workspace, project, self.period, asked.as_of, asked.now, given)
        checked = workspace.checked_among(self._drafts)
        try:
            request = request_draft(
                workspace, project, self.period, asked.as_of, asked.now, given, checked
            )
        except RowbookError as error:
            found = _without_others(project, error.diagnostics, checked)
            raise RowbookError(*found) from error.__cause__
        if asked.draft:
            self._drafts += draft_outputs(request, workspace.find_store())
        return request


def check_chain(workspace: OpenWorkspace, chain: Chain, period: str) -> dict[str, Request]:
    """All that is wrong with definitions, before anything runs; raised where the project that was
    asked for could not run, or none of all. Gives the runs that may start, by project: not those
    that are refused, nor those whose definitions cannot be looked at before others have run."""
    making = LinkRequests(workspace, chain, period)
    requests: dict[str, Request] = {}
    refusals: dict[str, tuple[Diagnostic, ...]] = {}
    for project in chain.order:
        producers = chain.graph.producers(project)
        is_late = chain.is_draft(project) and not chain.request.draft and bool(producers)
        if is_late or not requests.keys() >= set(producers):
            continue
        try:
            requests[project] = making.request(project)
        except RowbookError as error:
            refusals[project] = error.diagnostics
    if refusals and (chain.target is not None or not requests):
        raise RowbookError(*_once(refusals.values()))
    return requests


def chain_periods(requests: Mapping[str, Request], first: str, last: str) -> list[str]:
    """In the calendar of the last project: the one that was asked for, or a producer of it."""
    *_, request = requests.values()
    return [e.identifier for e in periods_between(request.context.calendar, first, last)]


def _without_others(
    project: str, found: Sequence[Diagnostic], checked: CheckedWorkspace
) -> Sequence[Diagnostic]:
    """Not those of other projects, which may be waiting for what this one makes."""
    others = [each.place for each in checked.files.projects if each.model.name != project]
    own = [e for e in found if not (e.position and any(p.holds(e.position) for p in others))]
    return own or found


def _once(found: Iterable[tuple[Diagnostic, ...]]) -> dict[Diagnostic, None]:
    return dict.fromkeys(each for diagnostics in found for each in diagnostics)
