"""Chains run in one session."""

from __future__ import annotations

from dataclasses import replace

from rowbook.api.client import Client
from rowbook.api.verbs.chain_verbs import ChainListeners
from rowbook.api.verbs.run_verbs import Watch, run_heard
from rowbook.engine.session.shared_session import SharedSession
from rowbook.lineage.events.run_facts import ParentRun
from rowbook.runs.chains.chain import ChainRequest, find_chain
from rowbook.runs.chains.link_requests import chain_periods, check_chain
from rowbook.runs.chains.run_links import ChainResult, ChainRun
from rowbook.runs.execute.result import RunResult
from rowbook.runs.prepare.clock import new_run_id
from rowbook.runs.prepare.lease_clock import at_present
from rowbook.runs.prepare.request import Request
from rowbook.runs.versions.version_drift import drift_of


def run_chain(
    client: Client,
    asked: ChainRequest,
    first: str,
    last: str | None,
    reopen_closed: str | None,
    listeners: ChainListeners,
) -> ChainResult:
    options = client.options(
        listeners.on_step, listeners.on_session, reopen_closed, listeners.on_wait
    )
    watch = Watch(asked.draft, listeners.on_start)
    with client.open_runs() as workspace, SharedSession(debug=options.debug) as shared:
        chain = find_chain(workspace, asked)
        requests = check_chain(workspace, chain, first)
        periods = [first] if last is None else chain_periods(requests, first, last)
        listeners.on_order(chain.order, chain.late)
        parent = ParentRun(new_run_id(at_present()), f"chain of {chain.target or 'all projects'}")
        session = options.session or shared.lend
        lending = replace(options, session=session, parent=parent)

        def start(request: Request) -> RunResult:
            drift = None if request.is_draft else drift_of(workspace, request.context.project_id)
            return run_heard(workspace, request, lending, watch, drift)

        return ChainRun(workspace, chain, start, listeners.on_link, options.debug).run(periods)
