"""Staging rows in a table of their own, in the database that they are for."""

from __future__ import annotations

import time
from functools import partial

from pyspark.sql import DataFrame

from rowbook.sources.databases.database_publication import Publication
from rowbook.sources.databases.load_stage import StageLoading, load_stage
from rowbook.sources.databases.staging_names import new_stage
from rowbook.sources.mysql.errors import quoted, quoted_label, writing
from rowbook.sources.mysql.mysql_connection import Connection, connected, spark_options
from rowbook.sources.mysql.mysql_marks import make_marks
from rowbook.sources.mysql.mysql_publish import check_rows, check_target, staged_size
from rowbook.sources.mysql.mysql_stage import clean_stage, drop_stages, make_stage
from rowbook.sources.mysql.mysql_tables import MysqlTarget
from rowbook.sources.mysql.mysql_types import TYPES
from rowbook.sources.mysql.mysql_values import held_value, packet_reason
from rowbook.sources.source import StagedOutput, WriteRequest, WriteResult
from rowbook.write_points import write_point

_FAST_WRITES = {"useBulkStmts": "true"}
"""Of MariaDB; a server of MySQL gets the rows of a batch one after the other."""


def stage_table(frame: DataFrame, target: MysqlTarget, order: WriteRequest) -> StagedOutput:
    began = time.monotonic()
    stage = new_stage(target.staging_schema, order.run_id, order.seq)
    columns = TYPES.output_columns(frame, target.label)
    publication = Publication(stage, target.name, columns, order, target.label)
    with writing(target.label), connected(target.database) as connection:
        check_target(connection, publication)
        _prepare(connection, publication)
        options = {**spark_options(target.database), **_FAST_WRITES}
        (packet,) = connection.one("SELECT @@max_allowed_packet") or (0,)
    try:
        too_long = partial(packet_reason, columns, packet)
        place = quoted(stage)
        loading = StageLoading(options, place, columns, target.label, held_value, too_long)
        load_stage(frame, loading, target.database.options.get("batch_size"))
        write_point("a table was staged")
        with writing(target.label), connected(target.database) as connection:
            rows, size = staged_size(connection, publication)
            check_rows(connection, publication)
    except BaseException:
        clean_stage(target.database, stage)
        raise
    written = WriteResult(rows, 0, size, int((time.monotonic() - began) * 1000))
    listed = [[each.name, each.staged, each.type] for each in columns]
    return StagedOutput.of(target, order, written, stage=stage.name, columns=listed)


def _prepare(connection: Connection, publication: Publication) -> None:
    stage, order = publication.stage, publication.order
    grant = f"GRANT ALL ON {quoted_label(stage.schema)}.* TO the user"
    hint = f"{grant}, or name a database where it may create tables as the option staging_schema"
    with writing(publication.label, hint):
        drop_stages(connection, stage.schema, order.run_id, order.seq)
        make_marks(connection, stage.schema)
        make_stage(connection, stage, publication.columns)
