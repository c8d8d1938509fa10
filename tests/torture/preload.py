"""The library of faults, compiled once: see faults.c for what it is told by."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
ERRORS = {"no space": errno.ENOSPC, "input/output error": errno.EIO, "read-only": errno.EROFS}


def compiled(folder: Path) -> Path | None:
    """Where the library is; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library = folder / "faults.so"
    if not library.exists():
        command = [compiler, "-shared", "-fPIC", "-O1", "-w", "-o", str(library), str(SOURCE)]
        subprocess.run([*command, "-ldl"], check=True)
    return library


def failing_calls(
    library: Path, below: Path, number: int, error: int, times: int
) -> dict[str, str]:
    """Variables for a process whose changes below a folder fail, `times` from a number on."""
    return {
        "LD_PRELOAD": str(library),
        "FAULT_BELOW": os.path.realpath(below),
        "FAULT_AT": str(number),
        "FAULT_FOR": str(times),
        "FAULT_ERRNO": str(error),
    }


def shifted_clock(library: Path, file: Path) -> dict[str, str]:
    """Variables for a process whose wall clock is off by the seconds that a file says."""
    return {"LD_PRELOAD": str(library), "FAULT_CLOCK": str(file)}
