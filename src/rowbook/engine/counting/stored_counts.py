"""How many rows there are, where the files that hold them say so."""

from __future__ import annotations

import re

from pyspark.sql import DataFrame
from pyspark.sql.utils import is_remote

from rowbook.engine.loading.system_columns import not_deleted

_NODE = re.compile(r"^[\s:+-]*(\w+)(?:.*?(\w+))?$")
_PASSING = frozenset(("Project", "Union", "Repartition"))
"""What leaves rows as many as they are."""


def stored_count(frame: DataFrame) -> int | None:
    """The visible rows of a frame, by a job that reads nothing of files but how many rows they
    have; None where it would have to look at values."""
    if is_remote():
        return None
    numbered = frame.filter(not_deleted()).select()
    plan = numbered._jdf.queryExecution().optimizedPlan().toString()
    return numbered.count() if all(map(_is_cheap, plan.splitlines())) else None


def _is_cheap(line: str) -> bool:
    found = _NODE.match(line)
    if found is None:
        return False
    node, last = found.groups()
    return node in _PASSING or (node == "Relation" and last in ("parquet", "orc"))
