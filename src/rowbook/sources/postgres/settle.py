"""After a crash: whether an output was published, and that it never will be if it was not."""

from __future__ import annotations

import psycopg

from rowbook.errors import RowbookError
from rowbook.sources.postgres.connection import connected
from rowbook.sources.postgres.database import PostgresTarget
from rowbook.sources.postgres.errors import reason
from rowbook.sources.postgres.output_marks import is_marked
from rowbook.sources.postgres.server_tables import named_table
from rowbook.sources.postgres.stage_table import drop_stages, staging_schema
from rowbook.sources.source import Settlement, UnreachableError

_PATIENT = {"lock_timeout": "60s"}


def settle_table(target: PostgresTarget, run_id: str, seq: int) -> Settlement:
    """First what was staged is taken away, which waits for who publishes it at this moment; then
    the mark says whether anybody did."""
    try:
        name = named_table(target.table, target.database, "OUTPUT_006", target.label)
        schema = staging_schema(target.database, name)
        with connected(target.database, _PATIENT) as connection:
            drop_stages(connection, schema, run_id, seq)
            return Settlement(is_marked(connection, schema, run_id, seq))
    except psycopg.Error as error:
        raise UnreachableError(f"{target.label}: {reason(error)}") from error
    except RowbookError as error:
        raise UnreachableError(f"{target.label}: {error.diagnostics[0].message}") from error
