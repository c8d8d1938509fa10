"""Finding again what an output wrote: where it is, and what was written over it since."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from rowbook.planning.columns import PERIOD
from rowbook.sources.places import (
    DeltaTable,
    DeltaTarget,
    FileTable,
    FileTarget,
    PostgresTable,
    PostgresTarget,
    SourceTable,
    Target,
)
from rowbook.sources.publishing.exchange import published_since


@dataclass(frozen=True, slots=True)
class Trace:
    """The table that an output was written to, as a place to read; and the outputs, as run and seq,
    that it became since. Where the table keeps its versions, the place is the one of the output,
    and nothing came since."""

    place: SourceTable
    since: tuple[tuple[str, int], ...] = ()


def trace(
    target: Target,
    run_id: str,
    seq: int,
    columns: Collection[str],
    periods: Collection[str] | None = None,
) -> Trace | None:
    """An output of these columns; of `periods` alone, where they are given. None where the table
    does not know the output, or is not there."""
    match target:
        case FileTarget():
            found = _of_files(target, run_id, seq, columns)
        case DeltaTarget():
            found = _of_delta(target, run_id, seq)
        case PostgresTarget():
            found = _of_database(target, run_id, seq, periods)
    if found is None or periods is None:
        return found
    return replace(found, place=replace(found.place, only={PERIOD.name: tuple(periods)}))


def _of_files(target: FileTarget, run_id: str, seq: int, columns: Collection[str]) -> Trace | None:
    since = published_since(target.path, run_id, seq)
    if since is None:
        return None
    options, label = target.options, target.label
    place = FileTable(target.kind, target.path, options, label=label, wanted=tuple(columns))
    return Trace(place, since)


def _of_delta(target: DeltaTarget, run_id: str, seq: int) -> Trace | None:
    """A write has an odd number in the log; an even one says that the output was given up."""
    from rowbook.sources.delta.commits import application
    from rowbook.sources.delta.log import Log, read_commit

    name = application(run_id, seq)
    for version, file in sorted(Log.of(target.path).commits.items(), reverse=True):
        written = (fields for _, fields in read_commit(file, ("txn",)) if fields["version"] % 2)
        if any(fields["appId"] == name for fields in written):
            return Trace(DeltaTable(target.path, target.label, version=version))
    return None


def _of_database(
    target: PostgresTarget, run_id: str, seq: int, periods: Collection[str] | None
) -> Trace | None:
    from rowbook.sources.postgres.connection import connected
    from rowbook.sources.postgres.errors import asking
    from rowbook.sources.postgres.output_marks import last_mark
    from rowbook.sources.postgres.staging import staging_schema
    from rowbook.sources.postgres.tables import named_table

    database = target.database
    name = named_table(target.table, database, "DATASOURCE_006", target.label)
    schema = staging_schema(database, name)
    with asking(database, target.label), connected(database) as connection:
        last = last_mark(connection, schema, name, periods)
    if last is None:
        return None
    run, _, number = last.rpartition(".")
    place = PostgresTable(database, target.table, target.label)
    return Trace(place, () if last == f"{run_id}.{seq}" else ((run, int(number)),))
