"""Comparing two tables on Spark: rows matched by their key, cells by value.

Both tables are brought to the same columns and types; only rows that are shown come here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing

from rowbook.engine.compare.aligned import KeyCandidate, Pair, Side, repeated
from rowbook.engine.compare.common_types import common, is_number
from rowbook.engine.compare.difference import Criteria, Repeated, RetypedColumn, TableDifference
from rowbook.engine.compare.row_differences import DifferingRows, Kept
from rowbook.engine.compare.totals import Summed, compare_groups, compare_totals
from rowbook.errors import RowbookError
from rowbook.planning.columns import ROW_ID, is_system

DIFFER_BY_RUN = frozenset(
    {ROW_ID, "_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"}
)
"""System columns that are compared only where they are asked for."""


def compare_tables(
    before: Side,
    after: Side,
    criteria: Criteria,
    candidates: Sequence[KeyCandidate] = (),
    natural_key: tuple[str, ...] = (),
) -> TableDifference:
    """All that differs. Where no key is asked for, the first candidate that is one for both tables
    is taken; where none is, rows are compared whole. Columns that are asked for are in both.
    `natural_key` names rows for people where the key does not."""
    pair = Pair(before, after)
    key = criteria.key or pair.first_key(candidates)
    if criteria.tolerance and not key:
        message = "a tolerance needs a key: rows without one are equal or not"
        raise RowbookError.of("USAGE_001", message, hint="name columns that tell rows apart")
    compared = tuple(
        name for name in pair.shared if name not in key and _is_compared(name, criteria)
    )
    twice = [repeated(each, key)[0] for each in pair.both(key)] if key else [Repeated(0, 0)] * 2
    is_repeated = any(each.keys for each in twice)
    rows = DifferingRows(pair, key, compared, criteria, is_repeated, natural_key)
    own = (n for n in compared if n not in natural_key and not is_system(n))
    summed = Summed(pair, tuple(n for n in own if is_number(pair.shared[n])))
    totals = compare_totals(summed)
    groups = compare_groups(summed, criteria.group_by, criteria.limit)
    with closing(Kept(rows)) as kept:
        counts = kept.counts()
        changed, gone, new = (counts.get(sort, 0) for sort in ("changed", "before", "after"))
        return TableDifference(
            key=key,
            columns=compared,
            rows_before=totals.rows_before,
            rows_after=totals.rows_after,
            equal=totals.rows_before - gone - changed,
            changed=changed,
            only_before=gone,
            only_after=new,
            repeated_before=twice[0],
            repeated_after=twice[1],
            changed_cells=kept.changed_cells() if changed else {},
            changed_rows=kept.changed_rows() if changed else (),
            rows_only_before=kept.rows("before") if gone else (),
            rows_only_after=kept.rows("after") if new else (),
            totals=totals.totals,
            subtotals=totals.subtotals,
            mixed=summed.mixed,
            groups=groups,
            columns_only_before=_lacking(before, after, criteria),
            columns_only_after=_lacking(after, before, criteria),
            retyped=tuple(_retyped(pair, criteria, key)),
        )


def _is_compared(name: str, criteria: Criteria) -> bool:
    if name in criteria.ignore:
        return False
    return name in criteria.columns if criteria.columns else name not in DIFFER_BY_RUN


def _lacking(one: Side, other: Side, criteria: Criteria) -> tuple[str, ...]:
    names = (field.name for field in one.fields if other.type_of(field.name) is None)
    return tuple(name for name in names if _is_compared(name, criteria))


def _retyped(pair: Pair, criteria: Criteria, key: Sequence[str]) -> Iterator[RetypedColumn]:
    for field in pair.before.fields:
        name, now = field.name, pair.after.type_of(field.name)
        if now is not None and now != field.type and (name in key or _is_compared(name, criteria)):
            is_comparable = common(field.type, now) is not None
            yield RetypedColumn(name, field.type, now, is_comparable)
