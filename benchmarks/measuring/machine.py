"""What figures depend on: the machine, how busy it was, the versions of all that took part."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import subprocess
from pathlib import Path

from benchmarks.rowbook_side import java_home

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("rowbook", "pyspark", "polars", "duckdb", "pyarrow")


def machine() -> dict[str, str]:
    """Cores that may be used, memory, processor and system."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": str(_cores()),
        "memory": f"{memory / (1 << 30):.0f} GiB",
        "processor": _processor(),
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions() -> dict[str, str]:
    """Of Python, Java and the packages; Rowbook's git revision where there is one."""
    found = {"python": platform.python_version(), "java": _java()}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    if revision := _revision():
        found["revision"] = revision
    return found


def load() -> float:
    """How many processes wanted to run in the last minute, on average."""
    return round(os.getloadavg()[0], 2)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _processor() -> str:
    try:
        told = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        told = None
    return told[1] if told else platform.processor()


def _java() -> str:
    try:
        release = (java_home() / "release").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "unknown"
    found = re.search(r'^JAVA_VERSION="?([^"\n]+)', release, re.MULTILINE)
    return found[1] if found else "unknown"


def _revision() -> str:
    """The commit that is checked out; with a plus where the product's files differ from it."""
    try:
        changed = _git("status", "--porcelain", "--", "src")
        return _git("rev-parse", "--short", "HEAD") + ("+" if changed else "")
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(*arguments: str) -> str:
    command = ("git", "-C", str(_ROOT), "--no-optional-locks", *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
