"""The verbs of a workspace that give rows: of a step, of a dataset, of what a run wrote."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from rowbook.api.client import Client, LazyModule, OnSession, OnStep, OnWait, find_run

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from rowbook.api.verbs import preview_verbs
    from rowbook.planning.resolution import parameter_values
    from rowbook.planning.resolution.parameter_values import GivenParameters, ParameterInput
    from rowbook.runs.preview.engine_choice import EngineName, OnEngine
    from rowbook.runs.preview.preview_rows import Preview
    from rowbook.runs.tables import dataset_table, run_output, table_view
    from rowbook.runs.tables.run_output import RunOutputRows
    from rowbook.runs.tables.table_view import TableRows
else:
    preview_verbs = LazyModule("rowbook.api.verbs.preview_verbs")
    parameter_values = LazyModule("rowbook.planning.resolution.parameter_values")
    dataset_table = LazyModule("rowbook.runs.tables.dataset_table")
    run_output = LazyModule("rowbook.runs.tables.run_output")
    table_view = LazyModule("rowbook.runs.tables.table_view")

Day: TypeAlias = str | date | None
"""A date, or a datetime, which is one too, or its ISO text. Without a zone a time is UTC."""
Parameters: TypeAlias = "Mapping[str, ParameterInput] | None"
"""Values for the project's parameters, by name: of Python's types, or their texts."""


class RowVerbs:
    def __init__(self, client: Client) -> None:
        self._client = client

    def preview(
        self,
        project: str,
        period: str,
        after: int | None = None,
        *,
        as_of: Day = None,
        now: Day = None,
        parameters: Parameters = None,
        system: bool = False,
    ) -> DataFrame:
        """The rows of the working dataset after an operation, else after the last, by the files as
        they are; nothing is written. `parameters` are values for the project's parameters, `system`
        adds the system columns.

        The frame is computed when it is used, and as long as the workspace is open. A value that
        fails it then fails it with Spark's own error; `run` would say which operation it is.
        """
        wanted = project, period, after, day_text(as_of), day_text(now), given(parameters)
        with self._client.open() as workspace:
            request = preview_verbs.request_preview(workspace, *wanted)
            return preview_verbs.preview_frame(self._client, request, after, system=system)

    def preview_rows(
        self,
        project: str,
        period: str,
        after: int | None = None,
        *,
        limit: int = 20,
        as_of: Day = None,
        now: Day = None,
        parameters: Parameters = None,
        engine: EngineName | None = None,
        on_engine: OnEngine = lambda _: None,
        on_session: OnSession = lambda: None,
        on_step: OnStep = lambda _: None,
        on_wait: OnWait = lambda _: None,
    ) -> Preview:
        """As `preview`, computed: the first rows, with all columns. `engine` computes them; left
        out: Spark if the workspace was opened with an engine or a session, or has more than ten
        thousand rows of input, or other than csv, json and parquet files; else the reference
        engine. `on_engine` hears which it is and why, `on_session` is called before Spark starts,
        `on_wait` where a cluster has no executor yet. Failures are explained as `run` would."""
        wanted = project, period, after, day_text(as_of), day_text(now), given(parameters)
        watching = preview_verbs.PreviewListeners(on_engine, on_session, on_step, on_wait)
        with self._client.open() as workspace:
            request = preview_verbs.request_preview(workspace, *wanted)
            return preview_verbs.preview_rows(self._client, request, after, limit, engine, watching)

    def read(
        self,
        dataset: str,
        period: str,
        *,
        version: int | None = None,
        calendar: str = "gregorian",
        as_of: Day = None,
    ) -> DataFrame:
        """The rows of a dataset as a run for that period would load them: resolved, mapped,
        checked, filtered, without deleted ones. They are computed as those of `preview` are."""
        wanted = dataset, version, calendar, period, day_text(as_of)
        with self._client.open() as workspace:
            request = preview_verbs.request_dataset(workspace, *wanted)
            return preview_verbs.preview_frame(self._client, request, None, system=False)

    def read_rows(
        self,
        dataset: str,
        period: str,
        *,
        where: str | None = None,
        limit: int | None = None,
        version: int | None = None,
        calendar: str = "gregorian",
        as_of: Day = None,
        engine: EngineName | None = None,
        on_engine: OnEngine = lambda _: None,
        on_session: OnSession = lambda: None,
        on_wait: OnWait = lambda _: None,
    ) -> TableRows:
        """As `read`, computed: all rows, or so many of those that `where` is true for, a condition
        of the language. `engine` and listeners are those of `preview_rows`."""
        wanted = dataset, version, calendar, period, day_text(as_of)
        watching = preview_verbs.PreviewListeners(on_engine, on_session, lambda _: None, on_wait)
        selection = table_view.RowSelection(where, limit)
        with self._client.open() as workspace:
            request = preview_verbs.request_dataset(workspace, *wanted)
            use = preview_verbs.spark_use(self._client, watching)
            named = preview_verbs.engine_named(self._client, engine)
            return dataset_table.dataset_rows(request, selection, named, use, on_engine)

    def output_rows(
        self,
        run_id: str,
        *,
        output: str | None = None,
        where: str | None = None,
        limit: int | None = None,
        engine: EngineName | None = None,
        on_engine: OnEngine = lambda _: None,
        on_session: OnSession = lambda: None,
        on_wait: OnWait = lambda _: None,
    ) -> RunOutputRows:
        """The rows that an output of a run wrote, by seq, name or table; left out: the only one.
        Refused (RUN_010) where its table was replaced or changed since. For the rest see
        `read_rows`."""
        watching = preview_verbs.PreviewListeners(on_engine, on_session, lambda _: None, on_wait)
        selection = table_view.RowSelection(where, limit)
        with self._client.open_runs() as workspace:
            found = find_run(workspace.store, run_id)
            use = preview_verbs.spark_use(self._client, watching)
            named = preview_verbs.engine_named(self._client, engine)
            verb = run_output.output_rows
            return verb(workspace, found, output, selection, named, use, on_engine)


def given(parameters: Parameters) -> GivenParameters:
    return parameter_values.GivenParameters(parameters or {})


def day_text(day: Day) -> str | None:
    return day.isoformat() if isinstance(day, date) else day
