"""Rows of one table on Spark."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.stored_rows import stored_rows
from rowbook.engine.execution.failures.explain_failure import explain
from rowbook.engine.loading.load import find_absent, load
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.engine.session.executors import executors_awaited
from rowbook.engine.session.shared_session import SharedSession
from rowbook.engine.session.sizing import SMALL, Volume, in_one_task, run_conf
from rowbook.expressions.bound import Bound
from rowbook.reference.loading.period_presence import check_absent
from rowbook.runs.prepare.engine_settings import engine_settings, nearby_settings
from rowbook.runs.preview.preview_rows import Rows, SparkUse
from rowbook.runs.tables.table_view import MissingRowsError, TableView
from rowbook.sources import registry
from rowbook.sources.raw import Raw
from rowbook.spark.causes import is_spark_failure

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def view_frame(
    view: TableView, spark: SparkSession, resources: ExitStack
) -> tuple[DataFrame, list[Raw]]:
    """The rows with exactly the columns to look at; and what was read, for bad values."""
    raws = list(registry.read(spark, view.tables, resources))
    periods = view.periods or ()
    absent = find_absent(view.dataset, raws, view.context, periods, view.expected)
    check_absent(view.dataset, absent)
    keep = view.keep_deleted
    found = load(view.dataset, raws, view.context, keep_deleted=keep, periods=view.periods).frame
    rows = in_one_task(found) if view.size <= SMALL else found
    return rows.select(*(f"`{field.name}`" for field in view.fields)), raws


def collect_rows(
    view: TableView,
    condition: Bound | None,
    most: int | None,
    use: SparkUse,
    resources: ExitStack,
) -> Rows:
    volume = Volume.of([view.size])
    settings = engine_settings(view.settings, use.engine, profile="small", extras=view.extras)
    if use.engine is None and volume.is_small and not any(map(registry.is_server, view.tables)):
        settings = nearby_settings(settings)
    own = resources.enter_context(SharedSession(debug=use.debug))
    lent = resources.enter_context((use.session or own.lend)(settings, use.on_session))
    used = lent.set_up(run_conf(volume, settings))
    resources.enter_context(executors_awaited(used.spark, use.on_wait))
    frame, raws = view_frame(view, used.spark, resources)
    try:
        if view.rows is not None and (found := frame.count()) != view.rows:
            raise MissingRowsError(found)
        rows = collect(stored_rows(frame, condition, view.context), view.fields, most)
    except Exception as error:
        if not is_spark_failure(error):
            raise
        inputs = ReadInput([(view.dataset, raws)])
        raise explain(error, lambda: (), inputs, {}, f"reading {view.label}") from error
    return Rows(tuple(field.name for field in view.fields), tuple(rows))
