"""Writing tables of a database, all or nothing: staged in a table of their own, then published."""

from __future__ import annotations

import time
from contextlib import suppress

import psycopg
from pyspark.sql import DataFrame

from rowbook.errors import RowbookError
from rowbook.locations.identifiers import TableName
from rowbook.sources.postgres.column_types import output_columns
from rowbook.sources.postgres.connection import Connection, connected, spark_options
from rowbook.sources.postgres.database import Database, PostgresTarget
from rowbook.sources.postgres.errors import quoted_label, writing
from rowbook.sources.postgres.load_stage import load_stage
from rowbook.sources.postgres.output_marks import make_marks, settle_table
from rowbook.sources.postgres.publish import (
    SETTINGS,
    Publication,
    change,
    check_target,
)
from rowbook.sources.postgres.server_tables import named_table
from rowbook.sources.postgres.stage_table import (
    drop_stage,
    drop_stages,
    make_stage,
    new_stage,
    staging_schema,
)
from rowbook.sources.source import UnreachableError, WriteRequest, WriteResult
from rowbook.write_points import write_point

_FAST_WRITES = {"reWriteBatchedInserts": "true"}
_IMPATIENT = {"lock_timeout": "5s"}


def write_table(frame: DataFrame, target: PostgresTarget, order: WriteRequest) -> WriteResult:
    began = time.monotonic()
    name = named_table(target.table, target.database, "OUTPUT_006", target.label)
    stage = new_stage(staging_schema(target.database, name), order.run_id, order.seq)
    columns = output_columns(frame, target.label)
    publication = Publication(stage, name, columns, order, target.label)
    with writing(target.label), connected(target.database, SETTINGS) as connection:
        check_target(connection, publication)
        _prepare(connection, publication)
        options = spark_options(target.database, connection, **_FAST_WRITES)
    batch_size = target.database.options.get("batch_size")
    try:
        load_stage(frame, stage, columns, options, target.label, batch_size)
        write_point("a table was staged")
        with (
            order.turn(),
            writing(target.label),
            connected(target.database, SETTINGS) as connection,
        ):
            written = change(connection, publication, began)
            order.announce(written)
            write_point("before a table is published")
            _commit(connection, target, order)
    except BaseException:
        _clean(target.database, stage)
        raise
    write_point("a table was published")
    return written


def _prepare(connection: Connection, publication: Publication) -> None:
    stage, order = publication.stage, publication.order
    schema, role = quoted_label(stage.schema), quoted_label(connection.info.user)
    grant = f"GRANT USAGE, CREATE ON SCHEMA {schema} TO {role}"
    hint = f"{grant}, or name a schema where it may create tables as the option staging_schema"
    with writing(publication.label, hint):
        drop_stages(connection, stage.schema, order.run_id, order.seq)
        make_marks(connection, stage.schema)
        make_stage(connection, stage, publication.columns)


def _commit(connection: Connection, target: PostgresTarget, order: WriteRequest) -> None:
    """A connection that is lost now leaves open what the server did: then it is asked."""
    try:
        connection.commit()
    except psycopg.OperationalError:
        with suppress(UnreachableError):
            if settle_table(target, order.run_id, order.seq).published:
                return
        raise


def _clean(database: Database, stage: TableName) -> None:
    """What cannot be removed now is removed when the run is settled."""
    with suppress(psycopg.Error, RowbookError), connected(database, _IMPATIENT) as connection:
        drop_stage(connection, stage)
