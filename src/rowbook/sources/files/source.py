"""Tables that are files: one kind of source for all their formats."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from rowbook.errors import RowbookError, listing
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import ENDINGS, file_name_fault, one_file
from rowbook.locations.removal import is_single_file, remove_inside, remove_replaced
from rowbook.planning.columns import PERIOD
from rowbook.sources.addresses import (
    TableAddress,
    TargetAddress,
    outside_error,
    recorded_path,
)
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Recall, changed_names
from rowbook.sources.files.bundles import Placed
from rowbook.sources.files.csv.dialect import dialect_of
from rowbook.sources.files.csv.header import column_names, read_head
from rowbook.sources.files.csv.header_guess import header_hint
from rowbook.sources.files.file_table import FileTable, FileTarget, arrow_codec
from rowbook.sources.files.json.lines import JsonOptions, first_keys
from rowbook.sources.files.listing import DataFile, FileKind, Listing, file_kind
from rowbook.sources.files.object_listing import list_objects
from rowbook.sources.publishing.exchange import remove_output, settle_publication
from rowbook.sources.publishing.marks import published_since
from rowbook.sources.publishing.replaced_tables import replaced_tables
from rowbook.sources.publishing.table_publication import (
    check_folder,
    damage_of,
    file_sizes,
    publish_files,
)
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    BegunOutput,
    Extra,
    PlainSample,
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    TableLayout,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import ContentsChangedError
from rowbook.sources.stores.object_path import DataPath, ObjectPath

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.reference.loading.dataset_rows import PlainTable
    from rowbook.sources.plain_output import PlainOutput


class FileSource(Source[FileTable, FileTarget]):
    def table_at(self, address: TableAddress) -> FileTable:
        location, tried = address.location, self._places(address)
        for path, label in tried:
            if isinstance(path, Path):
                if os.path.exists(path):  # noqa: PTH110 - Path.exists fails on too long names
                    return self._table(address, path, label)
            elif found := _objects(path, file_kind(address.kind)):
                return replace(self._table(address, path, label), found=found)
        labels = " nor ".join(label for _, label in tried)
        raise RowbookError.of(
            "DATASOURCE_006",
            f"no data at {labels}, where rule '{location.rule}' of resolver '{location.resolver}'"
            f" says that it is for {', '.join(location.periods)}",
        )

    def _places(self, address: TableAddress) -> list[tuple[DataPath, str]]:
        """Where a table may be, with its label there."""
        location = address.location
        candidates = [location.location]
        if location.strategy == "table":
            endings = ENDINGS[file_kind(address.kind)]
            candidates += [location.location + ending for ending in endings]
        return [address.data_path(candidate) for candidate in candidates]

    def _table(self, address: TableAddress, path: DataPath, label: str) -> FileTable:
        kind, source = file_kind(address.kind), address.datasource
        return FileTable(
            kind,
            path,
            address.options if source and source.type == kind else {},
            address.period,
            label,
            address.only,
            address.boundary,
            address.wanted,
        )

    def target_at(self, address: TargetAddress) -> FileTarget:
        """A folder; of a data source's table, also the one file that may be there instead."""
        kind, options = file_kind(address.kind), address.options
        folder, name = one_file(address.path, kind, options) or (address.path, None)
        path, label = address.local_path(folder)
        _check_text(kind, options, label)
        target = FileTarget.at(kind, path, options, label, name)
        if address.datasource is None or folder != address.path:
            return target
        files = [path.with_name(path.name + ending) for ending in ENDINGS[kind]]
        single = next((file for file in files if file.is_file()), files[0])
        return replace(target, single_file=single)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> FileTarget:
        path = recorded_path(recorded["path"], boundary)
        single = Path(recorded["single_file"]) if recorded["single_file"] else None
        if single is not None and not is_single_file(single, path):
            raise outside_error(str(single))
        kind, options = file_kind(recorded["kind"]), recorded.get("options", {})
        name, sheet = recorded.get("file_name"), recorded.get("sheet")
        if name is not None and file_name_fault(kind, name, {**options, "single_file": "true"}):
            raise outside_error(str(path / name))
        return FileTarget(kind, path, options, recorded["shown"], single, name, sheet)

    def table_of(self, target: FileTarget) -> FileTable:
        return FileTable(
            target.kind, target.file or target.path, target.options, label=target.label
        )

    def existing(self, target: FileTarget) -> FileTable:
        table = self.table_of(target)
        return table if target.file else replace(table, path=target.current or target.path)

    def columns(self, table: FileTable) -> tuple[str, ...]:
        return tuple(dict.fromkeys(_columns(table)))

    def contents(self, table: FileTable) -> tuple[Content, ...]:
        wanted, _ = table.files()
        return tuple(_content(table, file) for file in wanted)

    def fingerprint(self, table: FileTable) -> tuple[Content, ...]:
        pinned = table if table.pins else table.pin()
        assert pinned.pins is not None
        digests = pinned.pins.digests(table.wants)
        return tuple(replace(_content(table, file), digest=found) for file, found in digests)

    def keep_contents(
        self, table: FileTable, contents: Sequence[Content], folder: ContentFolder
    ) -> tuple[Content, ...]:
        files = {table.name_of(file): file for file in table.files()[0]}
        for each in contents:
            if each.digest is not None and folder.takes(each.size):
                folder.keep(files[each.name].path, each.digest)
        return tuple(contents)

    def recall(
        self, address: TableAddress, contents: Sequence[Content], evidence: Evidence
    ) -> Recall:
        from rowbook.sources.files.recalled_files import recall_files

        names = [content.name for content in contents]
        places = self._places(address)
        path, label = next(
            ((path, label) for path, label in places if _is_below(names, label)), places[0]
        )
        return recall_files(self._table(address, path, label), contents, evidence)

    def check(self, table: FileTable) -> None:
        table.check_pinned()

    def layout(self, table: FileTable) -> TableLayout:
        wanted, others = table.files()
        by_position = table.kind == "csv" and not dialect_of(table.options, table.label).header
        partitions = (column for file in wanted or others for column in file.partitions)
        note = _sheet_note(table, wanted) if table.kind == "excel" else None
        periods = _folder_periods(table, wanted)
        return TableLayout(by_position, frozenset(partitions), len(wanted), note, periods)

    def pin(
        self, table: FileTable, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> FileTable:
        pinned = table.pin(keeping)
        if contents is not None:
            wanted = [c for c in contents if pinned.wants_name(c.name)]
            if changed := changed_names(wanted, self.contents(pinned)):
                raise ContentsChangedError(changed)
        return pinned

    def without_ids(self, table: FileTable) -> FileTable:
        return replace(table, with_ids=False)

    def read(
        self, spark: SparkSession, tables: Sequence[FileTable], held: ExitStack
    ) -> tuple[Raw, ...]:
        from rowbook.sources.files.read_tables import read_places
        from rowbook.sources.files.typed_copy import with_copies

        for table in tables:
            table.check_before_reading()
        near = [_near(table, spark, held) for table in tables]
        return tuple(with_copies(raw, spark, held) for raw in read_places(spark, near))

    def count_plain(self, table: FileTable, most: int) -> int:
        from rowbook.sources.files.plain_tables import count_rows

        return count_rows(table, most)

    def read_plain(self, tables: Sequence[FileTable]) -> tuple[PlainTable, ...]:
        from rowbook.sources.files.plain_tables import read_places

        for table in tables:
            table.check_before_reading()
        return read_places(tables)

    def sample_plain(self, table: FileTable, most: int) -> PlainSample:
        from rowbook.sources.files.plain_tables import sample_place

        return sample_place(table, most)

    def column_hint(self, table: FileTable, missing: Collection[str]) -> str | None:
        if table.kind != "csv":
            return None
        dialect = dialect_of(table.options, table.label)
        wanted, others = table.files()
        files = wanted or others[-1:]
        in_folders = {name for file in files for name in file.partitions}
        if set(table.wanted or ()) - in_folders - set(missing):
            return None
        return header_hint(files, dialect, missing)

    def extras(self, of: FileTable | FileTarget) -> frozenset[Extra]:
        """None of objects that were copied to this machine."""
        if not isinstance(of, FileTable) or not isinstance(of.path, ObjectPath):
            return frozenset()
        needs = of.path.store.address.is_s3 and of.is_in_store
        return frozenset({"s3"}) if needs else frozenset()

    def can_begin(self, target: FileTarget) -> bool:
        return target.file_name is None and arrow_codec(target.kind, target.options) is not None

    def begin(self, target: FileTarget, order: WriteRequest, columns: Sequence[str]) -> BegunOutput:
        from rowbook.sources.publishing.write_table import begin_files

        return begin_files(target, order, columns)

    def stage(self, frame: DataFrame, target: FileTarget, order: WriteRequest) -> StagedOutput:
        from rowbook.sources.publishing.write_table import stage_files

        return stage_files(frame, target, order)

    def stage_plain(
        self, output: PlainOutput, target: FileTarget, order: WriteRequest
    ) -> StagedOutput | None:
        from rowbook.sources.publishing.write_table import stage_files, writes_plain

        return stage_files(output, target, order) if writes_plain(output, target) else None

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        return publish_files(staged, publishing)

    def publication_key(self, target: FileTarget) -> str | None:
        """Of the sheets of one workbook."""
        return str(target.file) if target.sheet is not None else None

    def damage(self, staged: StagedOutput) -> str | None:
        return damage_of(cast("FileTarget", staged.target).path, staged)

    def discard(self, staged: StagedOutput) -> None:
        target = cast("FileTarget", staged.target)
        remove_output(target.path, staged.run_id, staged.seq)

    def settle(self, target: FileTarget, run_id: str, seq: int) -> Settlement:
        check_folder(target.path)
        published = settle_publication(target.path, run_id, seq)
        if published and target.single_file is not None:
            remove_replaced(target.single_file, target.path)
        return Settlement(published)

    def trace(
        self,
        target: FileTarget,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        return self._trace_in(target.path, target, run_id, seq, columns, periods)

    def earlier_states(
        self,
        target: FileTarget,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> tuple[Trace, ...]:
        traces = (
            self._trace_in(folder, target, run_id, seq, columns, periods)
            for folder in replaced_tables(target.path)
        )
        return tuple(trace for trace in traces if trace is not None)

    def remove_states(self, target: FileTarget, before: datetime) -> tuple[tuple[str, int], ...]:
        moment = before.timestamp()
        old = [p for p in replaced_tables(target.path) if p.stat().st_mtime < moment]
        removed = []
        for folder in old:
            size = sum(size for _, size in file_sizes(folder))
            remove_inside(folder, folder.parent)
            removed.append((f"{posixpath.dirname(target.label)}/{folder.name}", size))
        return tuple(removed)

    def _trace_in(
        self,
        folder: Path,
        target: FileTarget,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        """Of the table, or of what it was, in a folder."""
        since = published_since(folder, run_id, seq)
        if since is None:
            return None
        if target.sheet is not None:  # the other sheets of a workbook were published with it
            since = tuple(each for each in since if each[0] != run_id)
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        table = self.table_of(replace(target, path=folder))
        return Trace(replace(table, only=only, wanted=tuple(columns)), since)

    def overlaps(self, target: FileTarget, table: FileTable) -> bool:
        return isinstance(table.path, Path) and (
            table.path.is_relative_to(target.path)
            or target.path.is_relative_to(table.path)
            or table.path == target.single_file
        )


def _near(table: FileTable, spark: SparkSession, held: ExitStack) -> FileTable:
    """Copied to this machine, where Spark has no library for its store."""
    from rowbook.spark.row_pass import runs_here

    if not (table.is_in_azure and table.is_in_store and runs_here(spark)):
        return table
    folder = Path(held.enter_context(TemporaryDirectory(prefix="rowbook-objects-")))
    return table.pin(Keeping(held, folder))


def _is_below(names: Sequence[str], label: str) -> bool:
    return any(name == label or name.startswith(f"{label}/") for name in names)


def _folder_periods(table: FileTable, files: Sequence[DataFile]) -> frozenset[str] | None:
    """Of the files that are wanted by their period; None where one does not say its own."""
    named = tuple(table.only)
    found = {file.period or file.partitions.get(named[0]) for file in files} if named else {None}
    return frozenset(each for each in found if each) if None not in found else None


def _sheet_note(table: FileTable, files: Sequence[DataFile]) -> str | None:
    """Which sheet is read, where none is named and there are several."""
    from rowbook.sources.files.excel.plain_rows import header_of

    for file in files:
        header = header_of(Placed(table, file))
        if header.others:
            return f"sheet '{header.sheet}', as none is named; beside it {listing(header.others)}"
    return None


def _check_text(kind: FileKind, options: Mapping[str, str], label: str) -> None:
    """DATASOURCE_002 for options that cannot be, before anything is computed."""
    match kind:
        case "csv":
            dialect_of(options, label)
        case "json":
            JsonOptions.of(options, label)
        case _:
            pass


def _objects(path: ObjectPath, kind: FileKind) -> Listing | None:
    try:
        return list_objects(path, kind)
    except FileNotFoundError:
        return None


def _content(table: FileTable, file: DataFile) -> Content:
    state = file.state
    if state.etag is not None:
        return Content(table.name_of(file), state.size, etag=state.etag)
    return Content(
        table.name_of(file),
        state.size,
        state.modified_ns,
        inode=state.inode,
        changed_ns=state.changed_ns,
    )


def _columns(place: FileTable) -> Iterator[str]:
    wanted, others = place.files()
    files = wanted or others[-1:]
    for file in files:
        yield from _COLUMNS[place.kind](place, file)
    for file in files:
        yield from file.partitions


def _parquet_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    from rowbook.sources.files.parquet.metadata import read_footer

    return read_footer(file.path, place.name_of(file)).columns


def _csv_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    dialect = dialect_of(place.options, place.label)
    head = read_head(file.path, dialect, place.name_of(file))
    return [name for name in column_names(head, dialect) if name]


def _json_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    """What later rows may have is not said to be lacking."""
    encoding = JsonOptions.of(place.options, place.label).encoding
    keys = first_keys([(file.path, place.name_of(file))], encoding)
    wanted = tuple(place.wanted or ())
    return keys.names if keys.complete and not keys.is_empty else (*keys.names, *wanted)


def _orc_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    from rowbook.sources.files.orc.footer import read_orc_footer

    return read_orc_footer(file.path, place.name_of(file)).columns


def _excel_columns(place: FileTable, file: DataFile) -> Sequence[str]:
    from rowbook.sources.files.excel.plain_rows import header_of

    return tuple(header_of(Placed(place, file)).columns)


_COLUMNS: dict[FileKind, Callable[[FileTable, DataFile], Sequence[str]]] = {
    "csv": _csv_columns,
    "excel": _excel_columns,
    "json": _json_columns,
    "orc": _orc_columns,
    "parquet": _parquet_columns,
}
