"""Staged rows into their table, in one transaction: readers see the table before it, or after.

Rows that are replaced are deleted: exchanging tables by their names would wait for every reader,
and commit before outputs are marked. Writers of Rowbook wait for each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

import pymysql

from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.reference.outputs import other_period_error
from rowbook.sources.databases.database import unwritable
from rowbook.sources.databases.database_publication import Publication
from rowbook.sources.databases.staging_names import ROW
from rowbook.sources.mysql.errors import is_gone, is_lost, quoted, quoted_label, writing
from rowbook.sources.mysql.mysql_connection import Connection, connected
from rowbook.sources.mysql.mysql_marks import (
    drop_unpublished,
    is_marked,
    is_unpublished,
    mark,
    marks_in,
    origin,
    settle_table,
)
from rowbook.sources.mysql.mysql_server_tables import ENGINE_HINT, TABLES, MysqlRelation, find_table
from rowbook.sources.mysql.mysql_stage import (
    drop_stage,
    find_stage,
    has_witness,
    remove_witness,
    stage_size,
)
from rowbook.sources.mysql.mysql_tables import MysqlTarget
from rowbook.sources.mysql.mysql_types import TYPES, definition, unfit_column
from rowbook.sources.mysql.row_digests import same_text
from rowbook.sources.source import Publishing, StagedOutput
from rowbook.sources.source_errors import UnreachableError
from rowbook.write_points import write_point

_TURN = 60
"""Seconds."""


def check_target(connection: Connection, publication: Publication) -> MysqlRelation | None:
    """None where there is no table yet; OUTPUT_006 where it cannot take what is to be written."""
    table = find_table(connection, publication.name)
    said = origin(publication.order)
    if table is None or is_unpublished(connection, table, publication.name, said):
        return None
    publication.check(table.by_name, TYPES, is_table=table.kind in TABLES)
    if fault := table.engine_fault:
        raise unwritable(publication.label, fault, hint=ENGINE_HINT)
    return table


def check_rows(connection: Connection, publication: Publication) -> MysqlRelation | None:
    """The table, as check_target gives it; OUTPUT_006 also where rows of other periods are staged
    than are replaced, or values that the table would change."""
    column, periods = publication.period, publication.order.periods
    stage = quoted(publication.stage)
    if column is not None and periods is not None and publication.replaces:
        c = quoted_label(column.staged)
        others = f"NOT ({same_text(column.staged, periods)}) OR {c} IS NULL"
        query = f"SELECT {c} FROM {stage} WHERE ({others}) AND {quoted_label(ROW)} >= 0 LIMIT 1"
        if found := connection.one(query):
            raise other_period_error(publication.label, found[0])
    table = check_target(connection, publication)
    there = table and unfit_column(connection, publication.stage, publication.columns, table)
    if there:
        said = f"a value does not fit column '{there.name}', which is {there.type}"
        raise unwritable(publication.label, said, hint="it would be cut, rounded or replaced")
    return table


def staged_size(connection: Connection, publication: Publication) -> tuple[int, int]:
    """Rows and bytes that are staged; OUTPUT_006 where they are not there any more."""
    try:
        if not has_witness(connection, publication.stage):
            raise publication.lost()
        return stage_size(connection, publication.stage)
    except pymysql.Error as error:
        if is_gone(error):
            raise publication.taken_away() from error
        raise


def publish_tables(staged: Sequence[StagedOutput], publishing: Publishing) -> None:
    """All tables of one database in one transaction; those of it that were published stay so."""
    targets = [cast("MysqlTarget", each.target) for each in staged]
    with writing(targets[0].label), connected(targets[0].database) as connection:
        for name in sorted({each.name for each in targets}, key=lambda n: (n.schema, n.name)):
            _wait_for_turn(connection, name)
        both = zip(staged, targets, strict=True)
        found = [_found_stage(connection, Publication.of(*each, TYPES)) for each in both]
        stages = [each for each in found if each is not None]
        new, role = list[Publication](), _role(connection)
        try:
            for each in stages:
                if _prepared(connection, each, role):
                    new.append(each)
            connection.begin()
            for each in stages:
                _change(connection, each, role, is_new=each in new)
            if stages:
                publishing.announce(staged[-1].written)
                write_point("before a table is published")
                _commit(connection, staged[-1])
        except BaseException:
            _give_up(connection, new)
            raise
        write_point("a table was published")
        for each in stages:
            with suppress(pymysql.Error):
                drop_stage(connection, each.stage)


def _give_up(connection: Connection, new: Sequence[Publication]) -> None:
    """Tables that were created for it go; where that cannot be now, when the run is settled."""
    with suppress(pymysql.Error):
        connection.rollback()
        for each in new:
            drop_unpublished(connection, each.name, origin(each.order))


def _found_stage(connection: Connection, publication: Publication) -> Publication | None:
    """None where it was published; its stage may have stayed."""
    order, schema = publication.order, publication.stage.schema
    found = find_stage(connection, schema, order.run_id, order.seq)
    if found is None:
        if not is_marked(connection, schema, order.run_id, order.seq):
            raise publication.taken_away()
        return None
    if is_marked(connection, schema, order.run_id, order.seq, found.name):
        drop_stage(connection, found)
        return None
    return replace(publication, stage=found)


def _wait_for_turn(connection: Connection, name: TableName) -> None:
    """One writer of Rowbook at a time, also for a table that is not there yet; until the connection
    ends."""
    digest = hashlib.sha256(f"{name.schema}.{name.name}".encode()).hexdigest()
    found = connection.one("SELECT GET_LOCK(%s, %s)", (f"rowbook {digest[:40]}", _TURN))
    if found is None or found[0] != 1:
        said = f"another run writes to {name.name}, and did not come to its end in time"
        raise pymysql.OperationalError(0, said)


def _prepared(connection: Connection, publication: Publication, role: str) -> bool:
    """Whether a table was created for it: before the transaction, which that would end."""
    name, order = publication.name, publication.order
    with writing(publication.label, _to_create(role, name)):
        table = check_rows(connection, publication)
        if table is None and find_table(connection, name) is None:
            fields = ", ".join(definition(column, column.name) for column in publication.columns)
            comment = origin(order).replace("'", "''")
            write_point("before a table is created")
            connection.execute(
                f"CREATE TABLE {quoted(name)} ({fields}) ENGINE = InnoDB COMMENT = '{comment}'"
            )
            write_point("a table was created")
    return table is None


def _change(connection: Connection, publication: Publication, role: str, *, is_new: bool) -> None:
    """In a transaction that who calls this has begun, and ends."""
    stage = publication.stage
    with writing(publication.label):
        try:
            is_ours = remove_witness(connection, stage)
        except pymysql.Error as error:
            if is_gone(error):
                raise publication.taken_away() from error
            raise
    order = publication.order
    if not is_ours:
        if is_marked(connection, stage.schema, order.run_id, order.seq, stage.name):
            return
        raise publication.lost()
    with writing(publication.label, _to_change(role, publication)):
        if publication.replaces and not is_new:
            _delete(connection, publication)
        publication.check_count(_insert(connection, publication))
    with writing(publication.label, _to_mark(role, stage.schema)):
        mark(connection, stage, publication.name, order)


def _delete(connection: Connection, publication: Publication) -> None:
    query = f"DELETE FROM {quoted(publication.name)}"
    periods = publication.order.periods
    if periods is not None:
        query += f" WHERE {same_text(PERIOD.name, periods)}"
    connection.execute(query)


def _insert(connection: Connection, publication: Publication) -> int:
    names = ", ".join(quoted_label(column.name) for column in publication.columns)
    staged = ", ".join(quoted_label(column.staged) for column in publication.columns)
    return connection.execute(
        f"INSERT INTO {quoted(publication.name)} ({names})"
        f" SELECT {staged} FROM {quoted(publication.stage)}"
    )


def _commit(connection: Connection, staged: StagedOutput) -> None:
    """A connection that is lost now leaves open what the server did: then it is asked."""
    try:
        connection.commit()
    except pymysql.Error as error:
        target = cast("MysqlTarget", staged.target)
        with suppress(UnreachableError):
            if is_lost(error) and settle_table(target, staged.run_id, staged.seq).published:
                return
        raise


def _to_create(role: str, name: TableName) -> str:
    return f"GRANT CREATE ON {quoted_label(name.schema)}.* TO {role}"


def _to_change(role: str, publication: Publication) -> str:
    rights = "SELECT, INSERT, DELETE" if publication.replaces else "INSERT"
    return f"GRANT {rights} ON {quoted(publication.name)} TO {role}"


def _to_mark(role: str, schema: str) -> str:
    rights = "SELECT, INSERT, DELETE"
    return f"GRANT {rights} ON {quoted(marks_in(schema))} TO {role}"


def _role(connection: Connection) -> str:
    (found,) = connection.one("SELECT CURRENT_USER()") or ("",)
    name, _, host = str(found).rpartition("@")
    return f"{quoted_label(name)}@{quoted_label(host)}"
