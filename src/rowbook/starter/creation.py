"""A workspace is put into a folder whole, or not at all.

All files are written into a hidden folder first. A folder that does not exist yet is made by
giving that one its name, in one step. Into a folder that is there, such as the current one, its
entries are moved one by one, `rowbook.yaml` last: before it, no command takes the folder for a
workspace. Who is killed between these moves says `rowbook init` again, which goes on from there.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import RowbookError
from rowbook.locations.boundary import STATE
from rowbook.starter.template_files import PROJECTS, TemplateName, template_files, workspace_name
from rowbook.write_points import write_point

STAGED = ".rowbook-init"
_ELSEWHERE = "nothing was written; name an empty folder, or one that does not exist yet"


@dataclass(frozen=True, slots=True)
class NewWorkspace:
    """`resumed`: the files are those of an earlier init, which was interrupted."""

    folder: Path
    template: TemplateName
    files: tuple[str, ...]
    resumed: bool

    @property
    def name(self) -> str:
        return workspace_name(self.folder.name)

    @property
    def project(self) -> str:
        return PROJECTS[self.template]


def init_workspace(folder: Path, template: TemplateName) -> NewWorkspace:
    """A workspace in a folder that is empty or does not exist (else USAGE_001)."""
    folder = Path(os.path.realpath(folder))
    try:
        if files := _files_in(folder / STAGED):
            _unpack(folder)
            return NewWorkspace(folder, _template_of(folder), files, resumed=True)
        texts = template_files(template, workspace_name(folder.name))
        _check_free(folder, texts)
        _put(texts, folder)
    except OSError as error:
        message = f"no workspace can be made in {folder}: {error.strerror or error}"
        raise RowbookError.of("USAGE_001", message, hint=_ELSEWHERE) from error
    return NewWorkspace(folder, template, tuple(texts), resumed=False)


def _check_free(folder: Path, texts: Mapping[str, str]) -> None:
    """Only hidden entries that are not our own may be there."""
    nearest = next(path for path in (folder, *folder.parents) if os.path.lexists(path))
    if not nearest.is_dir():
        raise RowbookError.of("USAGE_001", f"{nearest} is not a folder", hint=_ELSEWHERE)
    if nearest != folder:
        return
    ours = {path.partition("/")[0] for path in texts} | {STATE}
    there = sorted(entry.name for entry in folder.iterdir())
    if WORKSPACE_FILE in there:
        message = f"{folder} is a workspace already"
        raise RowbookError.of("USAGE_001", message, hint=_ELSEWHERE)
    taken = [name for name in there if name in ours or not name.startswith(".")]
    if taken:
        shown = ", ".join(taken[:5]) + (" …" if len(taken) > 5 else "")
        raise RowbookError.of("USAGE_001", f"{folder} is not empty: {shown}", hint=_ELSEWHERE)


def _put(texts: Mapping[str, str], folder: Path) -> None:
    exists = folder.is_dir()
    place = folder if exists else folder.parent
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f"{STAGED}-", dir=place) as scratch:
        ready = Path(scratch, "ready")
        for path, text in texts.items():
            file = ready / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        write_point("init: files written")
        ready.rename(folder / STAGED if exists else folder)
        write_point("init: files complete")
    if exists:
        _unpack(folder)


def _unpack(folder: Path) -> None:
    """Move every entry out of the hidden folder, rowbook.yaml last."""
    staged = folder / STAGED
    for entry in sorted(staged.iterdir(), key=lambda entry: entry.name == WORKSPACE_FILE):
        target = folder / entry.name
        if os.path.lexists(target):
            message = f"{target} came into being while a workspace was made there"
            hint = f"move it away, and say rowbook init again: {staged} has the rest"
            raise RowbookError.of("USAGE_001", message, hint=hint)
        entry.rename(target)
        write_point(f"init: {entry.name} in place")
    staged.rmdir()


def _files_in(folder: Path) -> tuple[str, ...]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return tuple(sorted(path.relative_to(folder).as_posix() for path in found))


def _template_of(folder: Path) -> TemplateName:
    found = {path.stem for path in (folder / "projects").iterdir()}
    return next(template for template, project in PROJECTS.items() if project in found)
