"""The projects of a chain run in order. What fails stops what depends on it, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rowbook.errors import Diagnostic, RowbookError
from rowbook.runs.chains.chain import Chain
from rowbook.runs.chains.last_run import compare_with_last_run
from rowbook.runs.chains.link_requests import LinkRequests
from rowbook.runs.execute.result import RunResult
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import Request

LinkStatus: TypeAlias = Literal[
    "completed", "passed over", "failed", "cancelled", "waiting", "not run"
]
DONE: tuple[LinkStatus, ...] = ("completed", "passed over")
_SAID = {
    "failed": "failed",
    "cancelled": "was cancelled",
    "waiting": "waits for approval",
    "not run": "was not run",
}


@dataclass(frozen=True, slots=True)
class ChainLink:
    """What became of a project for a period. `version` is None for a draft, and where it did not
    come to a run. `because` says why one was run again, passed over, or not run; `errors` why it
    failed, also where it could not begin, and there is no `run`."""

    project: str
    period: str
    status: LinkStatus
    version: int | None = None
    because: str | None = None
    run: RunResult | None = None
    errors: tuple[Diagnostic, ...] = ()

    @property
    def is_done(self) -> bool:
        return self.status in DONE


@dataclass(frozen=True, slots=True)
class ChainResult:
    """Every project of a chain, in the order in which they had their turns."""

    links: tuple[ChainLink, ...]

    @property
    def ok(self) -> bool:
        return all(each.is_done for each in self.links)


@dataclass(slots=True)
class ChainRun:
    """`start` runs what is asked for. A project that did not get done for a period is not run for a
    later one either."""

    workspace: OpenWorkspace
    chain: Chain
    start: Callable[[Request], RunResult]
    on_link: Callable[[ChainLink], None] = lambda _: None
    debug: bool = False
    _stopped: dict[str, str] = field(default_factory=dict)
    """Why projects are not run, by name."""
    _ran: set[str] = field(default_factory=set)
    """Those that were run for the period."""

    def run(self, periods: Sequence[str]) -> ChainResult:
        """Each period's whole chain before the next."""
        links = []
        for period in periods:
            self._ran.clear()
            requests = LinkRequests(self.workspace, self.chain, period)
            for project in self.chain.order:
                link = self._link(project, requests)
                if not link.is_done:
                    self._stopped.setdefault(
                        project, f"{project} {_SAID[link.status]} for {period}"
                    )
                if link.run is not None:
                    self._ran.add(project)
                links.append(link)
                self.on_link(link)
        return ChainResult(tuple(links))

    def _link(self, project: str, requests: LinkRequests) -> ChainLink:
        period = requests.period
        needed = (project, *self.chain.graph.producers(project))
        why = next((self._stopped[each] for each in needed if each in self._stopped), None)
        if why is not None:
            self._stopped.setdefault(project, why)
            return ChainLink(project, period, "not run", because=why)
        try:
            request = requests.request(project)
            is_needed, because = self._decision(project, request)
            if not is_needed:
                return ChainLink(project, period, "passed over", request.version, because)
            result = self.start(request)
        except RowbookError as error:
            if self.debug and error.__cause__ is not None:
                raise
            return ChainLink(project, period, "failed", errors=error.diagnostics)
        return ChainLink(
            project, period, result.status, request.version, because, result, result.errors
        )

    def _decision(self, project: str, request: Request) -> tuple[bool, str | None]:
        """Whether it is run, and why. What was asked for is, and so are drafts."""
        if self.chain.target in (None, project) or request.is_draft:
            return True, None
        with_clock = self.chain.request.now is not None
        last = compare_with_last_run(self.workspace, request, with_clock=with_clock)
        if last.why is None:
            return False, f"unchanged since run {last.run_id}"
        ran = [each for each in self.chain.graph.producers(project) if each in self._ran]
        return True, f"{', '.join(ran)} ran before it" if ran else last.why
