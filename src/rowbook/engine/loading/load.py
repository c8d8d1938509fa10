"""Loading a dataset: names mapped, values checked and converted, then the temporal filter.

The check costs no pass of its own: it is part of the one filter that rows go through, and fails the
job where a value does not fit. `checks` then finds out which.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.functions import balanced
from rowbook.engine.compile.local_frames import relation_of_columns
from rowbook.engine.loading.column_mapping import Mapped, map_columns
from rowbook.engine.loading.temporal_filter import period_column, temporal_condition
from rowbook.engine.loading.text_arrays import text_arrays
from rowbook.engine.loading.typed_text import typed_text
from rowbook.engine.loading.wide_tables import WIDE_COLUMN, unpivoted
from rowbook.errors import RowbookError
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import loaded_fields
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.dataset_rows import ConvertedTable, convert
from rowbook.reference.loading.period_presence import absent_in
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.raw import Raw
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column, named
from rowbook.spark.markers import failing

_DELETED = "_deleted"
_SOURCE, _TASK = "__source_", "__task"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A dataset's rows for a run: declared columns in order, then system columns that the source
    holds (a row may hold NULL there where only some of the files have the column), then what tells
    rows apart: `__id_1` …, where the source knows."""

    frame: DataFrame
    identity: tuple[str, ...] = ()
    fields: Mapping[str, Field] = field(default_factory=dict)


def load(
    dataset: Dataset,
    raws: Sequence[Raw],
    context: RunContext,
    *,
    keep_deleted: bool,
    periods: Sequence[str] | None = None,
    checked: bool = True,
    in_time: bool = True,
) -> Loaded:
    """The rows of a dataset that a run sees, from one or more sources. `periods` are the
    identifiers that rows of a periodic table may have; left out: the run's own. Values that were
    checked before need not be `checked` again: then filters reach the source. Rows of all times
    come where they need not be `in_time`.

    Raises DATASET_010 and DATASET_011 for whole columns, before any job runs; of rows that Spark
    does not read, all that is wrong with their values.
    """
    mappings = [map_columns(dataset, raw) for raw in raws]
    faults = [fault for _, found in mappings for fault in found]
    if faults:
        raise RowbookError(*dict.fromkeys(faults))
    raws = [typed_text(dataset, raw) for raw in raws]
    mappings = [map_columns(dataset, raw) for raw in raws]
    accepted = (context.period.identifier,) if periods is None else tuple(periods)
    seen = temporal_condition(dataset, context, accepted) if in_time else None
    period = period_column(dataset, context, accepted)
    told = len({len(raw.identity) for raw in raws}) == 1 and bool(raws[0].identity)
    identity = tuple(f"__id_{i + 1}" for i in range(len(raws[0].identity))) if told else ()
    plain = iter(convert(dataset, [raw.plain for raw in raws if raw.plain is not None]))
    frames = []
    everything: dict[str, Field] = {}
    for raw, (mapped, _) in zip(raws, mappings, strict=True):
        fields = loaded_fields(dataset, {m.field.name: m.field for m in mapped})
        wanted = seen
        if not keep_deleted and _DELETED in fields:
            present = ~F.coalesce(column(_DELETED), F.lit(False))
            wanted = present if seen is None else seen & present
        everything |= fields
        if raw.plain is not None:
            rows = _handed_over(raw, next(plain), identity)
        elif not checked:
            ids = dict(zip(identity, map(column, raw.identity), strict=False))
            values = {each.field.name: each.value for each in mapped}
            rows = raw.frame.select(*named({**values, **ids}))
            if wanted is not None and dataset.unpivot is None:
                rows = rows.filter(wanted)
        else:
            ids = dict(zip(identity, map(column, raw.identity), strict=False))
            rows = _converted(raw, mapped, ids)
            within = wanted if dataset.unpivot is None else None
            rows = _checked(rows, raw, mapped, within, dataset)
        told_by = {name: column(name) for name in identity}
        if dataset.unpivot is not None:
            rows = unpivoted(rows, dataset.unpivot, (*fields, *identity))
            told_by |= {f"__id_{len(identity) + 1}": column(WIDE_COLUMN)} if told else {}
        if wanted is not None and (raw.plain is not None or dataset.unpivot is not None):
            rows = rows.filter(wanted)
        names = [column(name) for name in fields]
        if period is not None:
            names.append(period.alias(PERIOD.name))
        frames.append(rows.select(*names, *named(told_by)))
    if period is not None:
        everything[PERIOD.name] = PERIOD
    return Loaded(_union(frames), tuple(told_by), everything)


def find_absent(
    dataset: Dataset,
    raws: Sequence[Raw],
    context: RunContext,
    periods: Sequence[str],
    expected: Mapping[str, Collection[str]],
) -> tuple[str, ...]:
    """The expected periods that there are no rows of, by a job of its own. Where that fails of what
    it reads, so will the run's, which explains it."""
    if not expected:
        return ()
    rows = load(dataset, raws, context, keep_deleted=True, periods=periods).frame
    try:
        found = rows.select(column(PERIOD.name)).distinct().collect()
    except Exception as error:
        if not is_spark_failure(error):
            raise
        return ()
    return absent_in((row[0] for row in found), expected)


def _handed_over(raw: Raw, converted: ConvertedTable, identity: Sequence[str]) -> DataFrame:
    """Rows that were checked and converted without Spark."""
    table = converted.table
    places = {
        replace(each, name=name): table.values(each.name)
        for name, each in zip(identity, table.identity, strict=False)
    }
    columns = {**converted.columns, **places}
    return relation_of_columns(raw.frame.sparkSession, columns).frame


def _converted(raw: Raw, mapped: Sequence[Mapped], ids: Mapping[str, Column]) -> DataFrame:
    """Columns in their declared types, and beside them what the check needs of the source. Where
    there is a check, Spark must take the conversion for non-deterministic: else it would convert
    every value twice, for the check and for the result."""
    arrays, alone = text_arrays(mapped)
    columns = {**{m.field.name: m.value for m in alone}, **ids}
    for i, m in enumerate(alone):
        if m.checked and m.field.nullable and m.source is not None:
            columns[f"{_SOURCE}{i}"] = column(m.source)
    if raw.broken is not None:
        columns[raw.broken] = column(raw.broken)
    if arrays or _faults(raw, mapped):
        columns[_TASK] = F.spark_partition_id()
    if not arrays:
        return raw.frame.select(*named(columns))
    first = {name: array for each in arrays for name, array in each.arrays.items()}
    values = {name: value for each in arrays for name, value in each.values.items()}
    faults = {each.fault_name: each.fault for each in arrays}
    rows = raw.frame.select(*named({**columns, **first}))
    return rows.select(*map(column, columns), *named({**values, **faults}))


def _faults(raw: Raw, mapped: Sequence[Mapped]) -> list[Column]:
    """Conditions over converted rows, each TRUE on rows with that fault."""
    arrays, alone = text_arrays(mapped)
    found = [] if raw.broken is None else [column(raw.broken).isNotNull()]
    found += [column(each.fault_name) for each in arrays]
    for i, m in enumerate(alone):
        value = column(m.field.name)
        is_known = m.source in raw.never_null and not m.checked
        if m.source is not None and not m.field.nullable and not is_known:
            found.append(value.isNull())
        elif m.checked and m.field.nullable:
            found.append(value.isNull() & column(f"{_SOURCE}{i}").isNotNull())
        if m.is_text:
            found.append(F.coalesce(value.contains(LOST), F.lit(False)))
    return found


def _checked(
    rows: DataFrame, raw: Raw, mapped: Sequence[Mapped], wanted: Column | None, dataset: Dataset
) -> DataFrame:
    """One condition, so that Spark can neither reorder its parts nor skip the check; and one that
    Spark must take for non-deterministic, so that no later filter (a join on a column implies one:
    the column is not NULL) comes before it and hides rows from it."""
    faults = _faults(raw, mapped)
    if not faults:
        return rows if wanted is None else rows.filter(wanted)
    fail = failing("DATASET_011", f"dataset '{dataset.name}' holds values that do not fit")
    rest = F.lit(True) if wanted is None else wanted
    never = (column(_TASK) < 0) | (F.spark_partition_id() < 0)
    bad = balanced([*faults, never], Column.__or__)
    return rows.filter(F.when(bad, fail.cast("boolean")).otherwise(rest))


def _union(frames: Sequence[DataFrame]) -> DataFrame:
    """By halves: a plan as deep as there are files would overflow Spark's analyser."""
    if len(frames) == 1:
        return frames[0]
    middle = len(frames) // 2
    first, second = _union(frames[:middle]), _union(frames[middle:])
    return first.unionByName(second, allowMissingColumns=True)
