"""Outputs to an object store: files are put into a folder of their run, and become the table when
its pointer names them. The table is read as files are."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import asdict, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import one_file
from rowbook.locations.object_urls import STORE_OPTIONS
from rowbook.locations.removal import is_run_id, remove_inside, upload_folder
from rowbook.planning.columns import PERIOD
from rowbook.private_files import STATE, make_private_folder
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.contents import Content, Keeping
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.listing import Listing, data_files, file_kind, partitions_in
from rowbook.sources.files.object_listing import plain_files, pointed_files
from rowbook.sources.files.source import FileSource
from rowbook.sources.pointer.target import PointerTarget, recorded_target
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    Publishing,
    Settlement,
    Source,
    StagedOutput,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import (
    UnreachableError,
    given_up_error,
    no_period_error,
    output_error,
    table_exists_error,
)
from rowbook.sources.stores.conditions import check_conditions
from rowbook.sources.stores.object_store import reached
from rowbook.sources.stores.table_pointer import (
    POINTER,
    PointedFile,
    PublishedOutput,
    StoredPointer,
    TablePointer,
    parsed_pointer,
)
from rowbook.write_points import write_point

if TYPE_CHECKING:
    from contextlib import ExitStack

    from pyspark.sql import DataFrame, SparkSession

RUNS, STATES = "_rowbook/runs", "_rowbook/states"
"""Below the table; whoever reads it as files, before there is a pointer, passes over them."""
_AT_ONCE = 8
_ATTEMPTS = 50


class PointerSource(Source[FileTable, PointerTarget]):
    def table_at(self, address: TableAddress) -> FileTable:
        return FileSource().table_at(address)

    def target_at(self, address: TargetAddress) -> PointerTarget:
        path, _ = address.object_path()
        given = address.options
        options = {k: v for k, v in given.items() if k not in ("root", *STORE_OPTIONS)}
        kind = file_kind(address.kind)
        if one_file(address.path, kind, options) or kind == "excel":
            raise output_error(str(path), "cannot be one file: a pointer names a folder of files")
        return PointerTarget(kind, path, address.boundary.root, options)

    def target_from_json(self, recorded: Mapping[str, Any], boundary: Boundary) -> PointerTarget:
        return recorded_target(recorded, boundary)

    def table_of(self, target: PointerTarget) -> FileTable:
        return FileTable(target.format, target.path, target.options, label=target.label)

    def existing(self, target: PointerTarget) -> FileTable:
        """Before anything is computed: DATASOURCE_008 where the bucket honours no conditions."""
        check_conditions(target.path.store, target.path.key)
        return self.table_of(target)

    def columns(self, table: FileTable) -> tuple[str, ...]:
        return FileSource().columns(table)

    def contents(self, table: FileTable) -> tuple[Content, ...]:
        return FileSource().contents(table)

    def pin(
        self, table: FileTable, contents: Sequence[Content] | None, keeping: Keeping | None
    ) -> FileTable:
        return FileSource().pin(table, contents, keeping)

    def read(
        self, spark: SparkSession, tables: Sequence[FileTable], resources: ExitStack
    ) -> tuple[Raw, ...]:
        return FileSource().read(spark, tables, resources)

    def check_credential(self, of: FileTable | PointerTarget) -> None:
        if isinstance(of, PointerTarget):
            of.path.store.keys()

    def stage(self, frame: DataFrame, target: PointerTarget, order: WriteRequest) -> StagedOutput:
        check_conditions(target.path.store, target.path.key)
        there = _pointer(target).pointer
        _check_mode(there, target, order.mode, order.periods)
        closings = there.closings(order.run_id, order.seq)
        folder = upload_folder(target.root, order.run_id)
        make_private_folder(folder)
        try:
            local = target.local(order.run_id, order.seq)
            shutil.rmtree(local.path, ignore_errors=True)
            own = replace(order, announce=lambda _: None, turn=lambda: nullcontext(False))
            written = FileSource().write(frame, local, own)
            name = f"{_folder(order.run_id)}/{order.seq}-{closings}"
            files = data_files(local.path, target.format)
            write_point("before objects are put")
            with ThreadPoolExecutor(_AT_ONCE, "uploads") as threads:
                put = list(
                    threads.map(lambda f: _upload(target, f"{name}/{f.relative}", f.path), files)
                )
            write_point("objects were put")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        digests = {f"{name}/{file}": digest for file, digest in written.digests.items()}
        details = {"files": [asdict(each) for each in put], "closings": closings}
        return StagedOutput.of(target, order, replace(written, digests=digests), **details)

    def publish(
        self, staged: Sequence[StagedOutput], publishing: Publishing
    ) -> tuple[WriteResult, ...]:
        return tuple(self._publish(each, publishing) for each in staged)

    def _publish(self, staged: StagedOutput, publishing: Publishing) -> WriteResult:
        target = cast("PointerTarget", staged.target)
        run_id, seq = staged.run_id, staged.seq
        if why := self.damage(staged):
            found = _pointer(target).pointer
            if found.output(run_id, seq) is None:
                raise output_error(target.label, f"cannot be published: {why}", "resume the run")
        for attempt in range(_ATTEMPTS):
            stored = _pointer(target)
            if stored.pointer.output(run_id, seq) is not None:
                return staged.written
            if stored.pointer.closings(run_id, seq) != staged.details["closings"]:
                raise given_up_error(target.label)
            _check_mode(stored.pointer, target, staged.mode, staged.periods)
            if attempt == 0:
                publishing.announce(staged.written)
            state = f"{STATES}/{run_id}-{seq}-{secrets.token_hex(8)}.json"
            new = stored.pointer.with_output(
                _files_after(stored.pointer, staged), PublishedOutput(run_id, seq, state)
            )
            target.path.store.put_if_absent((target.path / state).key, new.as_bytes())
            write_point("before a pointer is replaced")
            if stored.replace_by(new):
                write_point("a pointer was replaced")
                return staged.written
        why = "was changed by others at the same time, again and again"
        raise output_error(target.label, why, "run again")

    def damage(self, staged: StagedOutput) -> str | None:
        target = cast("PointerTarget", staged.target)
        folder = target.path / _folder(staged.run_id)
        with reached():
            there = {each.key: each for each in target.path.store.list(folder.key)}
        for file in _put_files(staged):
            found = there.get((target.path / file.name).key)
            if found is None:
                return f"{file.name} is gone"
            if (found.size, found.etag) != (file.size, file.etag):
                return f"{file.name} is another object now"
        return None

    def discard(self, staged: StagedOutput) -> None:
        target = cast("PointerTarget", staged.target)
        _remove_output(target, staged.run_id, staged.seq)

    def settle(self, target: PointerTarget, run_id: str, seq: int) -> Settlement:
        """One that is not published is closed: whoever is about to publish it finds another pointer
        than the one that was read, and then that it was closed since it was staged."""
        with reached():
            return self._settle(target, run_id, seq)

    def _settle(self, target: PointerTarget, run_id: str, seq: int) -> Settlement:
        if is_run_id(run_id):
            remove_inside(upload_folder(target.root, run_id), target.root / STATE)
        for _ in range(_ATTEMPTS):
            stored = _pointer(target)
            if stored.pointer.output(run_id, seq) is not None:
                return Settlement(True)
            write_point("before a late output is shut out")
            if stored.replace_by(stored.pointer.with_closed(run_id, seq)):
                write_point("a late output is shut out")
                break
        else:
            raise UnreachableError(f"{target.label} is changed by others again and again")
        _remove_output(target, run_id, seq)
        return Settlement(False)

    def trace(
        self,
        target: PointerTarget,
        run_id: str,
        seq: int,
        columns: Collection[str],
        periods: Collection[str] | None,
    ) -> Trace | None:
        output = _pointer(target).pointer.output(run_id, seq)
        state = None if output is None else target.path.store.head((target.path / output.state).key)
        if state is None:
            return None
        text = target.path.store.read(state.key, 0, state.size, state.etag)
        pointer = parsed_pointer(text)
        if pointer is None:
            return None
        only = {} if periods is None else {PERIOD.name: tuple(periods)}
        listing = Listing(pointed_files(target.path, pointer), is_marked=True)
        table = replace(self.table_of(target), found=listing, only=only, wanted=tuple(columns))
        return Trace(table)

    def remove_states(self, target: PointerTarget, before: datetime) -> tuple[tuple[str, int], ...]:
        """Objects of outputs that the table does not name any more."""
        store, pointer = target.path.store, _pointer(target).pointer
        named = {(target.path / file.name).key for file in pointer.files}
        removed = []
        named |= {(target.path / output.state).key for output in pointer.outputs}
        every = (each for part in (RUNS, STATES) for each in store.list((target.path / part).key))
        for each in every:
            if each.key not in named and each.modified < before:
                store.delete(each.key)
                removed.append((store.url(each.key), each.size))
        return tuple(removed)


def _pointer(target: PointerTarget) -> StoredPointer:
    try:
        return StoredPointer.at(target.path)
    except ValueError as cause:
        raise output_error(target.label, f"cannot be written: {cause}") from cause


def _check_mode(
    there: TablePointer, target: PointerTarget, mode: str, periods: Sequence[str] | None
) -> None:
    """OUTPUT_006 where the table cannot take an output as it is now."""
    if not there.outputs:
        strangers = [] if there.closed else _strangers(target)
        if strangers:
            why = f"holds '{strangers[0]}', which no pointer of Rowbook names"
            raise output_error(target.label, why, "choose another destination")
    if mode == "error_if_exists" and there.outputs:
        raise table_exists_error(target.label)
    is_by_period = mode == "replace" and periods is not None
    if is_by_period and any(_period(file) is None for file in there.files):
        raise no_period_error(target.label)


def _strangers(target: PointerTarget) -> list[str]:
    """Objects that would count as the table's files, were there no pointer."""
    objects = target.path.store.list(target.path.key)
    found = (file.relative for file in plain_files(target.path, objects, target.format))
    return [name for name in found if name != POINTER]


def _files_after(there: TablePointer, staged: StagedOutput) -> list[PointedFile]:
    kept: list[PointedFile] = list(there.files)
    if staged.mode == "replace":
        replaced = staged.periods
        kept = [f for f in kept if replaced is not None and _period(f) not in replaced]
    return [*kept, *_put_files(staged)]


def _period(file: PointedFile) -> str | None:
    return partitions_in(file.name, is_marked=True)[1]


def _put_files(staged: StagedOutput) -> list[PointedFile]:
    return [PointedFile(**each) for each in staged.details["files"]]


def _upload(target: PointerTarget, name: str, file: Any) -> PointedFile:
    etag = target.path.store.upload((target.path / name).key, file)
    return PointedFile(name, file.stat().st_size, etag)


def _folder(run_id: str) -> str:
    return f"{RUNS}/{run_id}"


def _remove_output(target: PointerTarget, run_id: str, seq: int) -> None:
    store, folder = target.path.store, (target.path / _folder(run_id)).key
    own = f"{folder}/{seq}-"
    store.delete(*(each.key for each in store.list(folder) if each.key.startswith(own)))
