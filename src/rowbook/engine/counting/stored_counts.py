"""How many rows there are, where the files that hold them say so."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

import pyarrow.parquet as pq
from pyspark.sql import DataFrame
from pyspark.sql.utils import is_remote

from rowbook.engine.loading.system_columns import not_deleted
from rowbook.spark.row_pass import runs_here

_NODE = re.compile(r"^[\s:+-]*(\w+)(?:.*?(\w+))?$")
_PASSING = frozenset(("Project", "Union", "Repartition"))
"""What leaves rows as many as they are."""
_MOST_FILES = 100


def stored_count(frame: DataFrame) -> int | None:
    """The visible rows of a frame, by a job that reads nothing of files but how many rows they
    have; None where it would have to look at values."""
    if is_remote():
        return None
    numbered = frame.filter(not_deleted()).select()
    lines = numbered._jdf.queryExecution().optimizedPlan().toString().splitlines()
    nodes = [_node(line) for line in lines]
    if not all(map(_is_cheap, nodes)):
        return None
    relations = [kind for node, kind in nodes if node == "Relation"]
    rows = _count_here(frame) if relations == ["parquet"] else None
    return numbered.count() if rows is None else rows


def _node(line: str) -> tuple[str, str | None]:
    found = _NODE.match(line)
    return (found[1], found[2]) if found else ("", None)


def _is_cheap(node: tuple[str, str | None]) -> bool:
    name, last = node
    return name in _PASSING or (name == "Relation" and last in ("parquet", "orc"))


def _count_here(frame: DataFrame) -> int | None:
    """The rows of a few parquet files, where they are on this machine: a job would take longer."""
    if not runs_here(frame.sparkSession):
        return None
    places = [urlsplit(each) for each in frame.inputFiles()]
    if len(places) > _MOST_FILES or any(each.scheme != "file" for each in places):
        return None
    footers = (pq.read_metadata(unquote(each.path)) for each in places)
    return sum(int(each.num_rows) for each in footers)
