"""Writing for a draft: every output into the sandbox of its run."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from rowbook.planning.columns import PERIOD
from rowbook.planning.known import Missing
from rowbook.planning.steps import OutputStep
from rowbook.runs.request import Request
from rowbook.runs.result import OutputResult
from rowbook.sources.places import FileTarget
from rowbook.sources.writing import write

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FILE_KINDS = ("csv", "parquet")


class SandboxWriter:
    """Writes each destination to a folder of its own name below the sandbox: as csv where that is
    what the destination is, else as parquet."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self.results: list[OutputResult] = []

    def write(self, step: OutputStep, frame: DataFrame) -> None:
        """See Writer."""
        target = self._target(step)
        context = self._request.context
        has_period = PERIOD.name in step.written
        written = write(
            frame,
            target,
            mode=step.mode,
            periods=context.periods if has_period else None,
            run_id=context.run_id,
        )
        self.results.append(
            OutputResult(
                step.seq,
                target.shown,
                written.rows,
                step.written,
                written.files,
                written.bytes,
                written.duration_ms,
            )
        )

    def _target(self, step: OutputStep) -> FileTarget:
        destination, sandbox = step.destination, self._request.sandbox
        kind, options = "parquet", {}
        if destination.location is not None:
            kind, name = destination.location.format, destination.location.path
            options = {k: v.text for k, v in destination.location.options.items() if v is not None}
        else:
            name = destination.table or ""
            found = self._request.workspace.known.datasource(destination.datasource_id or "")
            if not isinstance(found, Missing):
                kind = found.model.type
                options = {
                    k: v.text
                    for k, v in found.model.options.items()
                    if v is not None and k != "root"
                }
        if kind not in _FILE_KINDS:
            kind, options = "parquet", {}
        safe = posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
        root = self._request.workspace.files.root
        path = sandbox / safe
        shown = path.relative_to(root).as_posix()
        return FileTarget("csv" if kind == "csv" else "parquet", path, options, shown)
