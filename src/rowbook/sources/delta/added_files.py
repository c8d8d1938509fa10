"""What a commit added, read back: a disk may give back other bytes than it was given."""

from __future__ import annotations

from urllib.parse import unquote

import pyarrow as pa
import pyarrow.parquet as pq

from rowbook.sources.delta.commits import commit_of, output_rows
from rowbook.sources.delta.log import read_commit
from rowbook.sources.stores.object_path import DataPath, openable


def damage_of(table: DataPath, name: str, number: int, since: int = 0) -> str | None:
    """What is wrong with the files of an output's commit; None where they hold as many rows as
    Delta counted when it wrote them, or it did not count."""
    file = commit_of(table, name, number, since)
    wanted = None if file is None else output_rows(file)
    if file is None or wanted is None:
        return None
    rows = 0
    for _, fields in read_commit(file, ("add",)):
        if fields.get("deletionVector"):
            continue  # it was there before, and has fewer rows now
        path = table / unquote(fields["path"])
        try:
            rows += pq.read_metadata(openable(path)).num_rows
        except (OSError, pa.ArrowException) as cause:
            reason = str(cause).strip().split("\n", 1)[0]
            return f"'{path.name}' is damaged: {reason}"
    return None if rows == wanted else f"of {wanted:,} rows, its files hold {rows:,}"
