"""The verbs of a workspace for projects that feed each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from rowbook.api.client import LazyModule, OnSession, OnStart, OnStep, OnWait
from rowbook.api.verbs.row_verbs import Day, Parameters, RowVerbs, day_text, given
from rowbook.value_class import dataclass

if TYPE_CHECKING:
    from rowbook.api.verbs import chain_runs
    from rowbook.runs.chains import chain, plan_chain
    from rowbook.runs.chains.plan_chain import ChainPlan
    from rowbook.runs.chains.run_links import ChainLink, ChainResult
else:
    chain = LazyModule("rowbook.runs.chains.chain")
    chain_runs = LazyModule("rowbook.api.verbs.chain_runs")
    plan_chain = LazyModule("rowbook.runs.chains.plan_chain")

OnOrder: TypeAlias = "Callable[[tuple[str, ...], tuple[str, ...]], None]"
OnLink: TypeAlias = "Callable[[ChainLink], None]"


@dataclass(frozen=True, slots=True)
class ChainListeners:
    """Who hears of a chain: of its order before it begins, and which of its projects could not be
    checked before; of runs as those of `Workspace.run` do; of what became of each project."""

    on_order: OnOrder = lambda *_: None
    on_link: OnLink = lambda _: None
    on_start: OnStart | None = None
    on_step: OnStep | None = None
    on_session: OnSession | None = None
    on_wait: OnWait | None = None


class ChainVerbs(RowVerbs):
    def run_upstream(
        self,
        project: str,
        first: str,
        last: str | None = None,
        *,
        draft: bool = False,
        as_of: Day = None,
        now: Day = None,
        parameters: Parameters = None,
        reopen_closed: str | None = None,
        listeners: ChainListeners | None = None,
    ) -> ChainResult:
        """Runs a project for a period after the projects that register what it reads, and those
        that these depend on; for several periods up to the `last`, each period's whole chain before
        the next. A producer that would do what its last completed run of the period did is passed
        over: its rules, its versions and the contents of what it reads are the same, and what it
        wrote is there. The project itself always runs; `parameters` are its own.

        As drafts, all files of the chain run, and each reads what those before it wrote into their
        sandboxes. What fails stops what depends on it, and nothing else. Raised is what keeps the
        chain from beginning: projects in a circle (CHAIN_001), one that is not active (CHAIN_002),
        faults of definitions."""
        days = day_text(as_of), day_text(now)
        asked = chain.ChainRequest(project, draft, *days, given(parameters))
        told = listeners or ChainListeners()
        return chain_runs.run_chain(self._client, asked, first, last, reopen_closed, told)

    def run_all(
        self,
        first: str,
        last: str | None = None,
        *,
        draft: bool = False,
        as_of: Day = None,
        now: Day = None,
        reopen_closed: str | None = None,
        listeners: ChainListeners | None = None,
    ) -> ChainResult:
        """As `run_upstream`, for all active projects, or all files as drafts: producers first, each
        of them is run."""
        asked = chain.ChainRequest(None, draft, day_text(as_of), day_text(now))
        told = listeners or ChainListeners()
        return chain_runs.run_chain(self._client, asked, first, last, reopen_closed, told)

    def plan_upstream(
        self,
        project: str,
        period: str,
        *,
        draft: bool = False,
        as_of: Day = None,
        parameters: Parameters = None,
        connect: bool = False,
    ) -> ChainPlan:
        """What `run_upstream` would do: which projects in which order, which of them would be
        passed over; no Spark, no rows, no trace. Databases are asked only with `connect`."""
        verb = plan_chain.plan_chain
        wanted = project, period, day_text(as_of), given(parameters)
        return self._client.call(verb, *wanted, draft=draft, connect=connect)
