"""Staged files become the table, in one step: what stays of the old one comes along as links.

With periods the table is stored by `period=…` folders, and replacing touches those of the run's
periods alone. Nothing here needs Spark, unless files of an older layout are stored anew.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rowbook.locations.removal import remove_replaced
from rowbook.planning.columns import PERIOD
from rowbook.sources.content_folder import file_digest
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import MARK, PERIOD_FOLDERS, LocalFile, partition_folder
from rowbook.sources.publishing.exchange import (
    claim,
    finish_swaps,
    is_untouched,
    publish,
    remove_output,
    sheet_beside,
    staged_folder,
)
from rowbook.sources.publishing.file_layout import FileLayout
from rowbook.sources.publishing.marks import is_marked, mark
from rowbook.sources.publishing.staging import existing_files, keep, keep_hidden
from rowbook.sources.publishing.table_lock import held
from rowbook.sources.source import Mode, Publishing, StagedOutput, WriteResult
from rowbook.sources.source_errors import GoneError, output_error, table_exists_error
from rowbook.write_points import write_point

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE = 4
_OF_SPARK = re.compile(r"part-[0-9]{5}-")


@dataclass(frozen=True, slots=True)
class FileWrite:
    """An output to files. `by` is what its folders are named by, none where there are no such."""

    target: FileTarget
    mode: Mode
    periods: tuple[str, ...] | None
    run_id: str
    seq: int
    by: tuple[str, ...] = ()
    ordered: bool = False

    @classmethod
    def of(cls, staged: StagedOutput) -> FileWrite:
        """ValueError where a record names folders that are none of ours."""
        if not set(staged.details["by"]) <= set(PERIOD_FOLDERS):
            raise ValueError("no folders of periods are named so")
        return cls(
            cast("FileTarget", staged.target),
            staged.mode,
            staged.periods,
            staged.run_id,
            staged.seq,
            tuple(staged.details["by"]),
            bool(staged.details["ordered"]),
        )

    @property
    def layout(self) -> FileLayout:
        if self.target.file_name is not None:
            return FileLayout(files=1)
        return FileLayout.of(self.target.options, ordered=self.ordered)

    @property
    def replaced(self) -> tuple[str, ...]:
        return self.periods or () if self.mode == "replace" else ()


def publish_files(
    staged: Sequence[StagedOutput], publishing: Publishing
) -> tuple[WriteResult, ...]:
    """The last of them holds the files of all: several are sheets of one workbook."""
    last = staged[-1]
    job, sheets = FileWrite.of(last), [int(seq) for seq in last.details["sheets"]]
    table, run_id, seq = job.target.path, job.run_id, job.seq
    check_folder(table)
    with held(table, job.target.label, publishing):
        finish_swaps(table)
        if is_untouched(table, run_id, seq) or not is_marked(table, run_id, seq):
            _publish(job, last, sheets, publishing)
        elif job.target.single_file is not None:
            remove_replaced(job.target.single_file, table)
    for number in (seq, *sheets):
        remove_output(table, run_id, number)
    written = last.written
    return tuple(replace(e.written, files=written.files, bytes=written.bytes) for e in staged)


def check_folder(table: Path) -> None:
    """A folder that is not there may be on a disk that will be back."""
    if not table.parent.is_dir():
        raise GoneError(f"{table.parent} is not there")


def damage_of(path: Path, staged: StagedOutput) -> str | None:
    """What is wrong with an output that is staged beside a table, by the names and sizes of its
    files."""
    if staged.details.get("is_sheet"):
        folder: Path | None = sheet_beside(path, staged.run_id, staged.seq)
    else:
        folder = staged_folder(path, staged.run_id, staged.seq)
    if folder is None or folder.is_symlink() or not folder.is_dir():
        return "its staged files are gone"
    there = dict(file_sizes(folder))
    for name, size in staged.details["files"]:
        if there.get(name) != size:
            return f"its staged file '{name}' is {'gone' if name not in there else 'damaged'}"
    return None


def file_sizes(folder: Path) -> list[tuple[str, int]]:
    """All files below a folder but for its mark; nothing that is a link."""
    found = []
    for place, folders, names in os.walk(folder):
        if Path(place) == folder and MARK in folders:
            folders.remove(MARK)
        for name in names:
            path = Path(place, name)
            if not path.is_symlink():
                found.append((path.relative_to(folder).as_posix(), path.stat().st_size))
    return sorted(found)


def file_digests(folder: Path) -> dict[str, str]:
    """Of all files below a folder that is staged, by their names."""
    names = [name for name, _ in file_sizes(folder)]
    with ThreadPoolExecutor(_AT_ONCE, "output digests") as threads:
        found = threads.map(file_digest, (folder / name for name in names))
        return dict(zip(names, found, strict=True))


def old_files(job: FileWrite) -> list[LocalFile]:
    """The files of the table as it is; OUTPUT_006 where it cannot take what is to be written."""
    files = existing_files(job.target)
    label = job.target.label
    if job.target.file_name is not None:
        _check_one_file(job, files)
    elif files and job.mode == "error_if_exists":
        raise table_exists_error(label)
    by_period = any(file.partitions or file.period for file in files)
    if job.mode == "append" and not job.by and by_period:
        why = f"is stored by period, but the rows to append have no {PERIOD.name}"
        raise output_error(label, why)
    return files


def _check_one_file(job: FileWrite, files: Sequence[LocalFile]) -> None:
    """Files of a table of many would be read beside the one; those of other names stay."""
    target = job.target
    for file in files:
        if "/" in file.relative or _OF_SPARK.match(file.relative):
            why = f"cannot be one file: beside it is '{file.relative}', of a table of many"
            raise output_error(target.label, why, "choose another destination, or move that table")
    if job.mode == "error_if_exists" and any(_is_replaced(job, file) for file in files):
        raise table_exists_error(target.label)


def _is_replaced(job: FileWrite, file: LocalFile) -> bool:
    return file.relative in ("", job.target.file_name)


def _publish(
    job: FileWrite, staged: StagedOutput, sheets: Sequence[int], publishing: Publishing
) -> None:
    """What an earlier attempt added to the staged folder goes first. Nobody else can publish the
    folder once it has its new name."""
    target, old = job.target, old_files(job)
    if why := damage_of(target.path, staged):
        raise output_error(target.label, f"cannot be published: {why}", "resume the run")
    folder, key = claim(target.path, job.run_id, job.seq)
    _remove_others(folder, {name for name, _ in staged.details["files"]})
    _keep_old(job, old, folder, lambda: publishing.session(target.label))
    mark(folder, job.run_id, job.seq, target.path, sheets)
    publishing.announce(staged.written)
    publish(folder, target.path, key, keep=publishing.keeps_replaced)
    single = target.single_file
    if single is not None and single.is_file():
        remove_replaced(single, target.path)
        write_point("the file that was a table is gone")


def _remove_others(folder: Path, staged: set[str]) -> None:
    if (folder / MARK).is_dir():
        shutil.rmtree(folder / MARK)
    for name, _ in file_sizes(folder):
        if name not in staged:
            (folder / name).unlink()


def _keep_old(
    job: FileWrite, old: list[LocalFile], folder: Path, spark: Callable[[], SparkSession]
) -> None:
    keep_hidden(job.target.path, folder)
    if job.target.file_name is not None:
        keep([file for file in old if not _is_replaced(job, file)], folder)
        return
    if job.mode == "replace" and job.periods is None:
        return
    if job.by:
        others = [file for file in old if file.period is None]
        stay = [f for f in others if f.partitions.get(PERIOD.name) not in job.replaced]
        if stay:
            from rowbook.sources.publishing.adoption import adopt

            adopt(job, folder, stay, spark)
        old = [_named(file, job.by[0]) for file in old if file.period is not None]
    keep([file for file in old if file.period not in job.replaced or not job.by], folder)


def _named(file: LocalFile, by: str) -> LocalFile:
    """In a folder that is named by `by`, whatever that was until now."""
    folder = partition_folder(by, file.period or "")
    return replace(file, relative="/".join((folder, *file.relative.split("/")[1:])))
