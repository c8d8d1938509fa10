"""The working dataset as it starts: the input's rows with system columns."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID, Columns
from rowbook.reference.id_hashes import new_row_ids
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.run_environment import RunEnvironment
from rowbook.reference.working_rows import WorkingRows

SALT = "input"
"""What hashes of the input's rows begin with."""

KEPT = frozenset(
    {ROW_ID, "_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"}
    | {"_deleted", "_labels"}
)
"""System columns that an input row keeps where its source holds them."""


def start(loaded: LoadedRows, columns: Columns, environment: RunEnvironment) -> WorkingRows:
    types = [each.type for each in loaded.identity]
    now = environment.context.now
    ids = new_row_ids(loaded.identities, types, SALT, now, unique=loaded.unique)
    rows = zip(start_rows(loaded, columns, environment), ids, strict=True)
    return WorkingRows(columns, [{ROW_ID: row_id, **row} for row, row_id in rows])


def start_rows(
    loaded: LoadedRows, columns: Columns, environment: RunEnvironment
) -> Iterator[dict[str, Value]]:
    """The rows as they start; with `_row_id` only where the source holds one."""
    defaults = environment.system_values(environment.input, None)
    nothing = dict.fromkeys(name for name in columns.fields if name != ROW_ID)
    for row in loaded.rows:
        kept = {n: v for n in KEPT if (v := row.get(n)) is not None}
        own = {name: value for name, value in row.items() if name != ROW_ID}
        yield {**nothing, **own, **defaults, **kept}
