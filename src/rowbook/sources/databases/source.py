"""What is the same of every database as a data source."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.errors import RowbookError, reason
from rowbook.locations.boundary import Boundary
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Presence, Recall, changed_names
from rowbook.sources.databases.database import Database, ServerTable, ServerTarget, database_of
from rowbook.sources.databases.table_sample import TableSample
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.source import Publishing, Source, StagedOutput, Trace, WriteResult
from rowbook.sources.source_errors import ContentsChangedError

ServerTableT = TypeVar("ServerTableT", bound=ServerTable)
ServerTargetT = TypeVar("ServerTargetT", bound=ServerTarget)


class TableReading(Protocol):
    """A table in one moment of its database, by a connection of its own."""

    @property
    def columns(self) -> tuple[str, ...]: ...

    def content(self) -> Content: ...

    def digest(self) -> str | None:
        """What the rows that are read are; None where nobody knows that."""

    def rows_fingerprint(self) -> str:
        """The same for the same rows, whoever wrote them."""

    def write_rows(self, to: Path) -> None:
        """As parquet, with the types that Spark is given them in."""


class DatabaseSource(Source[ServerTableT, ServerTargetT]):
    table_type: Callable[..., ServerTableT]
    target_type: Callable[..., ServerTargetT]

    @abstractmethod
    def reading(self, table: ServerTableT) -> AbstractContextManager[TableReading]:
        """Of the moment that it is pinned to, else of now. DATASOURCE_006 where there is none."""

    @abstractmethod
    def held(self, table: ServerTableT, resources: ExitStack) -> ServerTableT:
        """With its content of a moment that is held until `resources` end."""

    @abstractmethod
    def last_output(self, target: ServerTargetT, periods: Collection[str] | None) -> str | None:
        """The last output, as run.seq, that may have changed rows of these periods."""

    @abstractmethod
    def publish_tables(self, staged: Sequence[StagedOutput], publishing: Publishing) -> None:
        """All tables of one database in one transaction; those of it that were published stay
        so."""

    @abstractmethod
    def sample(self, table: ServerTableT, most: int) -> TableSample:
        """Without Spark; of a table of more rows than `most`, none."""

    def sample_table(
        self, source: DatasourceDefinition, table: str, boundary: Boundary, most: int
    ) -> TableSample:
        database, label = _database(source, table, boundary)
        return self.sample(self.table_type(database, table, label), most)

    def table_at(self, address: TableAddress) -> ServerTableT:
        place = address.location.location
        database, label = _database(address.datasource, place, address.boundary)
        return self.table_type(database, place, label, address.period, address.only)

    def target_at(self, address: TargetAddress) -> ServerTargetT:
        database, label = _database(address.datasource, address.table, address.boundary)
        return self.target_type(database, address.table, label)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> ServerTargetT:
        database = Database(boundary=boundary, **recorded["database"])
        return self.target_type(database, recorded["table"], recorded["shown"])

    def table_of(self, target: ServerTargetT) -> ServerTableT:
        return self.table_type(target.database, target.table, target.label)

    def check_credential(self, of: ServerTableT | ServerTargetT) -> None:
        of.database.secret()

    def columns(self, table: ServerTableT) -> tuple[str, ...]:
        with self.reading(table) as found:
            return found.columns

    def contents(self, table: ServerTableT) -> tuple[Content, ...]:
        if table.content is not None:
            return (table.content,)
        with self.reading(table) as found:
            return (found.content(),)

    def pin(
        self, table: ServerTableT, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> ServerTableT:
        """To be kept as it is, its content is that of a moment which is held until all is read."""
        if keeping is None:
            pinned = replace(table, content=self.contents(table)[0])
        else:
            pinned = self.held(table, keeping.resources)
        if contents is not None and (changed := changed_names(contents, self.contents(pinned))):
            raise ContentsChangedError(changed)
        return pinned

    def fingerprint(self, table: ServerTableT) -> tuple[Content, ...]:
        with self.reading(table) as found:
            return (replace(table.content or found.content(), digest=found.digest()),)

    def keep_contents(
        self, table: ServerTableT, contents: Sequence[Content], folder: ContentFolder
    ) -> tuple[Content, ...]:
        """Rows as parquet, of a table whose size is known."""
        (content,) = contents
        if not content.size or not folder.takes(content.size):
            return tuple(contents)
        with self.reading(table) as found:
            rows = found.rows_fingerprint()
            kept = folder.add(found.write_rows)
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
            with self.reading(table) as found:
                same = then.rows == found.rows_fingerprint()
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

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        began = time.monotonic()
        self.publish_tables(staged, publishing)
        took = int((time.monotonic() - began) * 1000)
        return tuple(
            replace(each.written, duration_ms=each.written.duration_ms + took) for each in staged
        )

    def publication_key(self, target: ServerTargetT) -> str:
        """All tables that one user writes to in one database."""
        return f"{target.database.url} {target.database.user or ''}"

    def trace(
        self,
        target: ServerTargetT,
        run_id: str,
        seq: int,
        _: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        last = self.last_output(target, periods)
        if last is None:
            return None
        run, _, number = last.rpartition(".")
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        since = () if last == f"{run_id}.{seq}" else ((run, int(number)),)
        return Trace(replace(self.table_of(target), only=only), since)


def _database(
    source: DatasourceDefinition | None, table: str, boundary: Boundary
) -> tuple[Database, str]:
    if source is None:
        message = "data of type jdbc cannot be read or written"
        raise RowbookError.of("DATASOURCE_008", message, hint=f"name the data source of '{table}'")
    return database_of(source, boundary), f"{source.name}:{table}"
