"""A dataset of few rows, loaded here by the rules of `reference/loading` and handed to Spark as one
local relation: plans then begin with rows, not with how these are read, mapped and checked."""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions.scope import Field
from rowbook.reference.loading.dataset_rows import LoadedRows


def local_frame(spark: SparkSession, loaded: LoadedRows, *, with_ids: bool) -> DataFrame:
    """What `load` would give for the same source."""
    fields = list(loaded.fields.values())
    if not (with_ids and loaded.unique):
        return frame_of(spark, loaded.rows, fields)
    ids = [Field(f"__id_{i}", each.type) for i, each in enumerate(loaded.identity, start=1)]
    names = [each.name for each in ids]
    places = (dict(zip(names, cells, strict=True)) for cells in loaded.identities)
    rows = [{**row, **place} for row, place in zip(loaded.rows, places, strict=True)]
    return frame_of(spark, rows, [*fields, *ids])
