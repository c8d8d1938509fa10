"""What a table will be, put together in a hidden folder beside it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rowbook.locations.file_options import ENDINGS
from rowbook.sources.delta.delta_table import DeltaTarget
from rowbook.sources.files.file_table import FileTarget
from rowbook.sources.files.listing import MARK, LocalFile, data_files, is_hidden, partition_of
from rowbook.sources.publishing.exchange import (
    beside,
    output_key,
    remove,
    remove_staged,
    remove_written,
)
from rowbook.sources.source_errors import output_error
from rowbook.write_points import write_point

_LEFT_BEHIND = ("_SUCCESS", "_metadata", "_common_metadata", MARK)


@contextmanager
def staging(target: FileTarget | DeltaTarget, run_id: str, seq: int) -> Iterator[Path]:
    """A folder beside the target for an output, removed if what is done in it fails."""
    folder = beside(target.path, "staging", output_key(run_id, seq))
    target.path.parent.mkdir(parents=True, exist_ok=True)
    remove_staged(target.path, run_id, seq)
    write_point("before a table is staged")
    folder.mkdir()
    write_point("a folder to stage a table in was made")
    try:
        yield folder
    except BaseException:
        with suppress(OSError):
            remove(folder)
        raise
    finally:
        remove_written(target.path, run_id)


def existing_files(target: FileTarget) -> list[LocalFile]:
    """OUTPUT_006 where the place holds anything else than the table: it would be lost."""
    table = target.current
    if table is None:
        return []
    if table.is_dir():
        _refuse_others(table, target)
    elif not table.name.endswith(ENDINGS[target.kind]):
        why = f"is a file that is there already, and no {target.kind} table"
        raise output_error(target.label, why)
    return data_files(table, target.kind)


def keep(files: Collection[LocalFile], folder: Path) -> None:
    """Old files as part of the new table: as links, which cost nothing, or as copies."""
    for file in files:
        place = folder / (file.relative or file.path.name)
        place.parent.mkdir(parents=True, exist_ok=True)
        link_or_copy(file.path, place)


def keep_hidden(table: Path, folder: Path) -> None:
    """People's own hidden files (.gitkeep …) stay with the table."""
    if not table.is_dir():
        return
    for entry in table.iterdir():
        left = entry.name in _LEFT_BEHIND or entry.name.endswith(".crc")
        if is_hidden(entry.name) and entry.is_file() and not left:
            link_or_copy(entry, folder / entry.name)


def link_or_copy(path: Path, to: Path) -> None:
    real = os.path.realpath(path)
    try:
        os.link(real, to)
    except FileExistsError:
        raise
    except OSError:
        shutil.copy2(real, to)


def settle(written: Path, folder: Path) -> None:
    """Moves what Spark wrote to where it belongs, without Spark's own traces."""
    for place, _, names in os.walk(written):
        for name in sorted(names):
            if is_hidden(name):
                continue
            to = folder / Path(place).relative_to(written) / name
            to.parent.mkdir(parents=True, exist_ok=True)
            Path(place, name).rename(to)
    remove(written)


def _refuse_others(table: Path, target: FileTarget) -> None:
    known = {file.path for file in data_files(table, target.kind)}
    strangers = [path for path in _entries(table) if path not in known]
    if strangers:
        name = strangers[0].relative_to(table)
        hint = "choose another destination; a table has its folder to itself"
        why = f"holds '{name}', which is no {target.kind} file of a table"
        raise output_error(target.label, why, hint)


def _entries(folder: Path) -> Iterator[Path]:
    """Everything that is not part of how tables are stored: hidden files, column=value folders."""
    for entry in folder.iterdir():
        if entry.is_dir():
            if not is_hidden(entry.name) and partition_of(entry.name) is not None:
                yield from _entries(entry)
            elif entry.name != MARK:
                yield entry
        elif not is_hidden(entry.name):
            yield entry
