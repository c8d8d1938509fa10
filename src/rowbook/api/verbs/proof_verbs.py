"""The verbs of a workspace that prove what a run did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rowbook.api.client import LazyModule, find_run
from rowbook.api.verbs.check_verbs import CheckVerbs

if TYPE_CHECKING:
    from rowbook.proof.row_life import RowTrace
    from rowbook.runs.proof import trace_rows
else:
    trace_rows = LazyModule("rowbook.runs.proof.trace_rows")


class ProofVerbs(CheckVerbs):
    def trace(
        self,
        run_id: str,
        row: str,
        *,
        dataset: str | None = None,
        limit: int | None = None,
        accept_changed_input: bool = False,
    ) -> RowTrace:
        """The life of each row that is meant: where it was read, what each operation did to it, in
        which groups it was counted, which outputs wrote it. `row` is a `_row_id`, or how one
        begins, or `column=value,…` of a row as it was read or published; `dataset` is the one it is
        from. At most `limit` rows are told, left out: all. Refused (RUN_008) where what the run
        read was changed since, unless that is accepted."""
        request = trace_rows.TraceRequest(row, dataset, limit, accept_changed_input)
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            return trace_rows.trace_rows(workspace, found, request)
