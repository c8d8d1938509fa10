"""Staging rows in a table of their own, in the database that they are for."""

from __future__ import annotations

import time
from functools import partial

from pyspark.sql import DataFrame

from rowbook.sources.databases.database_publication import Publication
from rowbook.sources.databases.load_stage import StageLoading, load_stage
from rowbook.sources.databases.staging_names import new_stage
from rowbook.sources.postgres.column_types import TYPES
from rowbook.sources.postgres.connection import Connection, connected, spark_options
from rowbook.sources.postgres.driver_values import held_value, nul_reason
from rowbook.sources.postgres.errors import quoted_label, writing
from rowbook.sources.postgres.output_marks import make_marks
from rowbook.sources.postgres.postgres_tables import PostgresTarget
from rowbook.sources.postgres.publish import SETTINGS, check_periods, check_target, staged_size
from rowbook.sources.postgres.stage_table import clean_stage, drop_stages, make_stage
from rowbook.sources.source import StagedOutput, WriteRequest, WriteResult
from rowbook.write_points import write_point

_FAST_WRITES = {"reWriteBatchedInserts": "true"}


def stage_table(frame: DataFrame, target: PostgresTarget, order: WriteRequest) -> StagedOutput:
    began = time.monotonic()
    stage = new_stage(target.staging_schema, order.run_id, order.seq)
    columns = TYPES.output_columns(frame, target.label)
    publication = Publication(stage, target.name, columns, order, target.label)
    with writing(target.label), connected(target.database, SETTINGS) as connection:
        check_target(connection, publication)
        _prepare(connection, publication)
        options = spark_options(target.database, connection, **_FAST_WRITES)
    batch_size = target.database.options.get("batch_size")
    try:
        table = quoted_label(stage.schema, stage.name)
        explained = partial(nul_reason, columns)
        loading = StageLoading(options, table, columns, target.label, held_value, explained)
        load_stage(frame, loading, batch_size)
        write_point("a table was staged")
        with writing(target.label), connected(target.database, SETTINGS) as connection:
            rows, size = staged_size(connection, publication)
            check_periods(connection, publication)
    except BaseException:
        clean_stage(target.database, stage)
        raise
    written = WriteResult(rows, 0, size, int((time.monotonic() - began) * 1000))
    listed = [[each.name, each.staged, each.type] for each in columns]
    return StagedOutput.of(target, order, written, stage=stage.name, columns=listed)


def _prepare(connection: Connection, publication: Publication) -> None:
    stage, order = publication.stage, publication.order
    schema, role = quoted_label(stage.schema), quoted_label(connection.info.user)
    grant = f"GRANT USAGE, CREATE ON SCHEMA {schema} TO {role}"
    hint = f"{grant}, or name a schema where it may create tables as the option staging_schema"
    with writing(publication.label, hint):
        drop_stages(connection, stage.schema, order.run_id, order.seq)
        make_marks(connection, stage.schema)
        make_stage(connection, stage, publication.columns)
