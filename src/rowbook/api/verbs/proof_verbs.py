"""The verbs of a workspace that prove what a run did."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.client import LazyModule, find_run
from rowbook.api.verbs.check_verbs import CheckVerbs

if TYPE_CHECKING:
    from rowbook.api.client import OnSession, OnWait
    from rowbook.api.verbs import preview_verbs
    from rowbook.proof.explanation import Explanation
    from rowbook.proof.row_life import RowTrace
    from rowbook.reports import saving
    from rowbook.reports.proof import explanation_html, life_html
    from rowbook.runs.open_workspace import OpenWorkspace
    from rowbook.runs.preview.preview_rows import SparkUse
    from rowbook.runs.proof import explain_output, trace_rows
else:
    preview_verbs = LazyModule("rowbook.api.verbs.preview_verbs")
    saving = LazyModule("rowbook.reports.saving")
    explanation_html = LazyModule("rowbook.reports.proof.explanation_html")
    life_html = LazyModule("rowbook.reports.proof.life_html")
    explain_output = LazyModule("rowbook.runs.proof.explain_output")
    trace_rows = LazyModule("rowbook.runs.proof.trace_rows")

_LIFE, _EXPLANATION = "life of the row", "explanation"


class ProofVerbs(CheckVerbs):
    def trace(
        self,
        run_id: str,
        row: str,
        *,
        dataset: str | None = None,
        limit: int | None = None,
        accept_changed_input: bool = False,
        page: str | Path | None = None,
        on_session: OnSession = lambda: None,
        on_wait: OnWait = lambda _: None,
    ) -> RowTrace:
        """The life of each row that is meant: where it was read, what each operation did to it, in
        which groups it was counted, which outputs wrote it. `row` is a `_row_id`, or how one
        begins, or `column=value,…` of a row as it was read or published; `dataset` is the one it is
        from. At most `limit` rows are told, left out: all. Refused (RUN_008) where what the run
        read was changed since, unless that is accepted. `page` is where a page about it goes.
        Where a run read much, Spark finds the rows that are meant: `on_session` is called before it
        starts, `on_wait` where a cluster has no executor yet."""
        place = None if page is None else saving.check_place(Path(page), _LIFE)
        request = trace_rows.TraceRequest(row, dataset, limit, accept_changed_input)
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            use = self._use(on_session, on_wait)
            trace = trace_rows.trace_rows(workspace, found, request, use)
            seal = _seal(workspace, found)
        if place is not None:
            saving.save(life_html.trace_page(trace, seal), place, _LIFE)
        return trace

    def explain(
        self,
        run_id: str,
        column: str,
        *,
        output: str | None = None,
        where: str | None = None,
        group_by: Sequence[str] = (),
        not_in: str | None = None,
        limit: int = 10,
        accept_changed_input: bool = False,
        page: str | Path | None = None,
        on_session: OnSession = lambda: None,
        on_wait: OnWait = lambda _: None,
    ) -> Explanation:
        """What a figure is made of: a column of the rows that an output of a run wrote, by seq,
        name or table (left out: the only one), and that `where` is true for; of several their sum.
        Contributions are gathered by the rows' datasets and the operations that made them, or by
        the columns of `group_by`; they add up to the figure. Every other row that was read has a
        reason why it is not in it: those for which `not_in` is true, a condition on rows as they
        were read, else all. `limit` is how many rows are listed. For the rest see `trace`."""
        place = None if page is None else saving.check_place(Path(page), _EXPLANATION)
        request = explain_output.ExplainRequest(
            output, column, where, tuple(group_by), not_in, limit, accept_changed_input
        )
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            use = self._use(on_session, on_wait)
            explanation = explain_output.explain_output(workspace, found, request, use)
            seal = _seal(workspace, found)
        if place is not None:
            page_text = explanation_html.explanation_page(explanation, seal)
            saving.save(page_text, place, _EXPLANATION)
        return explanation

    def _use(self, on_session: OnSession, on_wait: OnWait) -> SparkUse:
        """For what is not replayed as a whole without Spark."""
        listeners = preview_verbs.PreviewListeners(_unheard, on_session, _unheard, on_wait)
        return preview_verbs.spark_use(self._client, listeners)


def _seal(workspace: OpenWorkspace, run_id: str) -> str | None:
    head = workspace.store.runs.record(run_id).seal
    return None if head is None else str(head)


def _unheard(_: object) -> None:
    """Which engine it is, and what it is at, are not told here."""
