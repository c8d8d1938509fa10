"""Tables of a PostgreSQL database."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.errors import RowbookError, reason
from rowbook.locations.boundary import Boundary
from rowbook.locations.identifiers import TableName
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Presence, Recall, changed_names
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.postgres.connection import Connection, connected
from rowbook.sources.postgres.database import Database, PostgresTable, PostgresTarget, database_of
from rowbook.sources.postgres.errors import asking
from rowbook.sources.postgres.output_marks import damage_of, last_mark, settle_table
from rowbook.sources.postgres.read_snapshot import SETTINGS, snapshot_of
from rowbook.sources.postgres.server_tables import DatabaseTable, present_table
from rowbook.sources.postgres.stage_table import clean_stage, staging_schema
from rowbook.sources.postgres.table_identity import (
    content_of,
    digest_of,
    name_of,
    rows_fingerprint,
    write_rows,
)
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    ContentsChangedError,
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Trace,
    WriteRequest,
    WriteResult,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class PostgresSource(Source[PostgresTable, PostgresTarget]):
    def table_at(self, address: TableAddress) -> PostgresTable:
        database, label = _database(address.datasource, address.location.location, address.boundary)
        return PostgresTable(
            database, address.location.location, label, address.period, address.only
        )

    def target_at(self, address: TargetAddress) -> PostgresTarget:
        database, label = _database(address.datasource, address.table, address.boundary)
        return PostgresTarget(database, address.table, label)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> PostgresTarget:
        database = Database(boundary=boundary, **recorded["database"])
        return PostgresTarget(database, recorded["table"], recorded["shown"])

    def table_of(self, target: PostgresTarget) -> PostgresTable:
        return PostgresTable(target.database, target.table, target.label)

    def check_credential(self, of: PostgresTable | PostgresTarget) -> None:
        of.database.secret()

    def columns(self, table: PostgresTable) -> tuple[str, ...]:
        with asking(table.database, table.label), connected(table.database) as connection:
            found = present_table(connection, name_of(table), table.label)
            return tuple(column.name for column in found.columns)

    def contents(self, table: PostgresTable) -> tuple[Content, ...]:
        """The version is the last output of Rowbook into the wanted periods, and the server's own
        count of changed rows. What others change may show a second later; and the count may differ
        though the rows do not (after an output into other periods, or a crash of the server)."""
        if table.content is not None:
            return (table.content,)
        name = name_of(table)
        with asking(table.database, table.label), connected(table.database) as connection:
            found = present_table(connection, name, table.label)
            return (content_of(connection, table, name, found),)

    def pin(
        self, table: PostgresTable, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> PostgresTable:
        """To be kept as it is, its content is that of a moment which is held until all is read."""
        if keeping is None:
            pinned = replace(table, content=self.contents(table)[0])
        else:
            name = name_of(table)
            with asking(table.database, table.label):
                snapshot = snapshot_of(table.database, keeping.resources)
                found = snapshot.table(name, table.label)
                content = content_of(snapshot.connection, table, name, found)
            pinned = replace(table, content=content, snapshot=snapshot)
        if contents is not None and (changed := changed_names(contents, self.contents(pinned))):
            raise ContentsChangedError(changed)
        return pinned

    def fingerprint(self, table: PostgresTable) -> tuple[Content, ...]:
        with self._reading(table) as (connection, name, found):
            content = table.content or content_of(connection, table, name, found)
            return (replace(content, digest=digest_of(connection, table, name, found)),)

    def keep_contents(
        self, table: PostgresTable, contents: Sequence[Content], folder: ContentFolder
    ) -> tuple[Content, ...]:
        """Rows as parquet, of a table whose size is known."""
        (content,) = contents
        if not content.size or not folder.takes(content.size):
            return tuple(contents)
        with self._reading(table) as read:
            rows = rows_fingerprint(read[0], table, *read[1:])
            kept = folder.add(lambda file: write_rows(read[0], table, *read[1:], file))
        return (replace(content, rows=rows, kept=kept),)

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        """Rows that others wrote again are the same rows. What was kept has no identity but its
        content, as the rows of the table have none."""
        (then,) = contents
        change = "changed"
        try:
            table = self.pin(self.table_at(address), None, evidence.keeping)
            if self.fingerprint(table)[0].is_same(then):
                return Recall("same", table)
            with self._reading(table) as read:
                same = then.rows == rows_fingerprint(read[0], table, *read[1:])
            if same:
                return Recall("other bytes, same rows", table, (f"{then.name} was written again",))
        except (RowbookError, OSError) as error:
            change = f"cannot be read: {reason(error)}"
        presence: Presence = "changed" if change == "changed" else "missing"
        file = evidence.contents.find(then.kept)
        kept = None
        if file is not None:
            period = address.period
            kept = FileTable("parquet", file, {}, period, then.name, with_ids=False).pin()
        return Recall(presence, kept, (f"{then.name} {change}",), kept is not None)

    @contextmanager
    def _reading(
        self, table: PostgresTable
    ) -> Iterator[tuple[Connection, TableName, DatabaseTable]]:
        """By a connection of its own, which sees what those of the run see."""
        name = name_of(table)
        with (
            asking(table.database, table.label),
            connected(table.database, SETTINGS) as connection,
            connection.transaction(),
        ):
            if table.snapshot is not None:
                connection.execute(table.snapshot.joining)
            yield connection, name, present_table(connection, name, table.label)

    def read(
        self, spark: SparkSession, tables: Sequence[PostgresTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        """All that is read of a database under the same `resources` is of one moment."""
        from rowbook.sources.postgres.read import read_table

        return tuple(read_table(spark, table, resources) for table in tables)

    def stage(self, frame: DataFrame, target: PostgresTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.postgres.write import stage_table

        return stage_table(frame, target, order)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        from rowbook.sources.postgres.publish import publish_tables

        began = time.monotonic()
        publish_tables(staged, publishing)
        took = int((time.monotonic() - began) * 1000)
        return tuple(
            replace(each.written, duration_ms=each.written.duration_ms + took) for each in staged
        )

    def publication_key(self, target: PostgresTarget) -> str:
        """All tables that one user writes to in one database."""
        return f"{target.database.url} {target.database.user or ''}"

    def damage(self, staged: StagedOutput) -> str | None:
        return damage_of(staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("PostgresTarget", staged.target)
        schema = staging_schema(target.database, name_of(self.table_of(target)))
        clean_stage(target.database, TableName(schema, staged.details["stage"]))

    def settle(self, target: PostgresTarget, run_id: str, seq: int) -> Settlement:
        return settle_table(target, run_id, seq)

    def trace(
        self,
        target: PostgresTarget,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        database, table = target.database, self.table_of(target)
        name = name_of(table)
        schema = staging_schema(database, name)
        with asking(database, target.label), connected(database) as connection:
            last = last_mark(connection, schema, name, periods)
        if last is None:
            return None
        run, _, number = last.rpartition(".")
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        since = () if last == f"{run_id}.{seq}" else ((run, int(number)),)
        return Trace(replace(table, only=only), since)


def _database(
    source: DatasourceDefinition | None, table: str, boundary: Boundary
) -> tuple[Database, str]:
    if source is None:
        message = "data of type jdbc cannot be read or written"
        raise RowbookError.of("DATASOURCE_008", message, hint=f"name the data source of '{table}'")
    return database_of(source, boundary), f"{source.name}:{table}"
