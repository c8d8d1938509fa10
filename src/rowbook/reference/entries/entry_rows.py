"""Rows made from rows: what an append's joins find for each row that it has picked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.types import INTEGER, STRING
from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID
from rowbook.planning.datasets import Join
from rowbook.planning.steps import AppendStep
from rowbook.reference.id_hashes import new_row_ids, row_hashes
from rowbook.reference.loading.dataset_rows import LoadedRows
from rowbook.reference.matches import Matches
from rowbook.reference.run_environment import RunEnvironment, step_label
from rowbook.reference.working_rows import JoinedRow, seen
from rowbook.text.visible import number
from rowbook.value_class import dataclass

MOST_KEYS = 5
"""Keys that JOIN_007 names."""

JOINED = "joined"
"""What hashes of the rows begin with that joins with many matches find."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """What a new row is made from: the origin, by its place among the source's rows, with what
    joins found for it; `told_by` tells its matches apart from others of the same origin."""

    origin: int
    row: JoinedRow
    told_by: tuple[Value, ...] = ()


def entry_rows(
    picked: Sequence[tuple[int, JoinedRow]], step: AppendStep, environment: RunEnvironment
) -> list[EntryRow]:
    rows = [EntryRow(place, row) for place, row in picked]
    with environment.picking(step):
        for join in step.matches:
            made = _many if join.many else _one
            rows = made(rows, join, Matches(join, step, environment), step)
    return rows


def _one(
    rows: Sequence[EntryRow], join: Join, matches: Matches, step: AppendStep
) -> list[EntryRow]:
    found = [(each, matches.match(each.row)) for each in rows]
    unmatched = [each.row for each, row in found if row is matches.nothing]
    if join.unmatched == "error":
        _check_matches(unmatched, join, matches, step)
    return [
        EntryRow(each.origin, {**each.row, join.alias: row}, each.told_by)
        for each, row in found
        if row is not matches.nothing or join.unmatched == "keep"
    ]


def _many(
    rows: Sequence[EntryRow], join: Join, matches: Matches, step: AppendStep
) -> list[EntryRow]:
    found = [matches.places(each.row) for each in rows]
    if join.unmatched == "error":
        unmatched = [r.row for r, places in zip(rows, found, strict=True) if not places]
        _check_matches(unmatched, join, matches, step)
    told_by = _joined_ids(matches.loaded)
    made: list[EntryRow] = []
    for each, places in zip(rows, found, strict=True):
        for place in places:
            row = {**each.row, join.alias: matches.loaded.rows[place]}
            made.append(EntryRow(each.origin, row, (*each.told_by, *told_by[place])))
        if not places and join.unmatched == "keep":
            row = {**each.row, join.alias: matches.nothing}
            made.append(EntryRow(each.origin, row, (*each.told_by, None, None)))
    return made


def _joined_ids(loaded: LoadedRows) -> list[tuple[int, int]]:
    """The two numbers that tell each row of a joined dataset from the others."""
    types = [each.type for each in loaded.identity]
    hashes = row_hashes(loaded.identities, types, JOINED, unique=loaded.unique)
    return [(_signed(first), _signed(second)) for first, second in hashes]


def _signed(hashed: int) -> int:
    return hashed - (1 << 64) if hashed >> 63 else hashed


def _check_matches(
    unmatched: Sequence[JoinedRow], join: Join, matches: Matches, step: AppendStep
) -> None:
    """JOIN_007 where rows met nothing."""
    if unmatched:
        keys = Counter(map(matches.key_text, unmatched))
        message = unmatched_message(
            join, sorted(keys.items())[:MOST_KEYS], len(keys), len(unmatched)
        )
        raise RowbookError(Diagnostic("JOIN_007", message, operation=step_label(step)))


def unmatched_message(join: Join, keys: Sequence[tuple[str, int]], distinct: int, rows: int) -> str:
    """The first keys in their order with how many rows have each, of so many keys and rows; a
    condition without keys has none to name."""
    message = f"join '{join.alias}' to dataset '{join.dataset.name}': {number(rows, 'row')} without"
    message += " a match"
    if not keys or not keys[0][0]:
        return message
    named = ", ".join(f"key {key} ({number(count, 'row')})" for key, count in keys)
    more = distinct - len(keys)
    return f"{message}: {named}" + (f" and {number(more, 'more key')}" if more else "")


def entry_ids(
    entries: Sequence[EntryRow],
    picked: Sequence[tuple[int, JoinedRow]],
    loaded: LoadedRows | None,
    step: AppendStep,
    environment: RunEnvironment,
) -> Iterator[str]:
    """The id of each new row: that of its origin, hashed with what tells its matches apart. The
    origin's is the row's own; a dataset's row has the one that it would be appended with."""
    salt, now = f"operation {step.seq}", environment.context.now
    if loaded is None:
        origins = {place: seen(row[None][ROW_ID]) for place, row in picked}
    else:
        types = [each.type for each in loaded.identity]
        told_by = [loaded.identities[place] for place, _ in picked]
        ids = new_row_ids(told_by, types, salt, now, unique=loaded.unique)
        origins = {place: row_id for (place, _), row_id in zip(picked, ids, strict=True)}
        if not any(join.many for join in step.matches):
            return (str(origins[each.origin]) for each in entries)
    types = [STRING, *[INTEGER] * len(entries[0].told_by)] if entries else []
    rows = ((origins[each.origin], *each.told_by) for each in entries)
    return new_row_ids(rows, types, salt, now, unique=True)
