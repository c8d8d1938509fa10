"""The working dataset as it starts: the input's rows with system columns."""

from __future__ import annotations

from rowbook.planning.columns import ROW_ID, Columns
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import Row, WorkingRows

_KEPT = frozenset(
    {ROW_ID, "_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"}
    | {"_deleted", "_labels"}
)
"""System columns that an input row keeps where its source holds them."""


def start(loaded: LoadedRows, columns: Columns, environment: RunEnvironment) -> WorkingRows:
    defaults = environment.system_values(environment.input, None)
    types = [each.type for each in loaded.identity]
    now = environment.context.now
    ids = new_row_ids(loaded.identities, types, "input", now, unique=loaded.unique)
    rows: list[Row] = []
    for row, row_id in zip(loaded.rows, ids, strict=True):
        kept = {n: v for n in _KEPT if (v := row.get(n)) is not None}
        rows.append({**dict.fromkeys(columns.fields), **row, **defaults, ROW_ID: row_id, **kept})
    return WorkingRows(columns, rows)
