"""What commands have in common where they print: JSON, errors, times in words."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from rowbook.cli.exit_codes import REFUSALS, Exit
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.errors import Diagnostic, RowbookError
from rowbook.text.visible import visible

if TYPE_CHECKING:
    from rowbook.api import VersionDrift


def print_json(value: Mapping[str, Any], stream: TextIO | None = None) -> None:
    (stream or sys.stdout).write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{visible(line)}\n" for line in lines)


def path_from_here(root: Path) -> str:
    """The way from here to a workspace, which stands before the names of its files."""
    way = os.path.relpath(root)
    return "" if way == "." else way


def errors_json(diagnostics: Iterable[Diagnostic]) -> dict[str, Any]:
    return {"ok": False, "errors": [as_json(each) for each in diagnostics]}


def report_findings(
    error: RowbookError, root: Path, form: str, otherwise: Mapping[str, Any]
) -> Exit:
    """Faults of definitions end a command as findings; other errors are raised again."""
    if all(diagnostic.position is None for diagnostic in error.diagnostics):
        raise error
    if form == "json":
        print_json({**otherwise, **errors_json(error.diagnostics)})
    else:
        print_findings(error.diagnostics, path_from_here(root), sys.stderr)
    return Exit.FINDINGS


def report_failure(
    error: RowbookError, form: str, otherwise: Mapping[str, Any] | None = None
) -> Exit:
    """`otherwise` is what JSON says beside it."""
    if form == "json":
        print_json({**(otherwise or {}), **errors_json(error.diagnostics)})
    print_findings(error.diagnostics, "", sys.stderr)
    refused = any(diagnostic.code in REFUSALS for diagnostic in error.diagnostics)
    return Exit.REFUSED if refused else Exit.USAGE


def note_lines(drift: VersionDrift) -> tuple[str, str]:
    """What is no finding, but good to know; and what to do."""
    return visible(f"note: {drift.message}"), visible(f"    {drift.hint}")


def note_json(drift: VersionDrift) -> dict[str, Any]:
    names = ("project", "version", "file", "message", "hint")
    return {name: getattr(drift, name) for name in names}


def instant(at: datetime | None) -> str:
    return at.strftime("%Y-%m-%d %H:%M") if at else ""


def as_text(at: datetime | None) -> str | None:
    return at.isoformat().replace("+00:00", "Z") if at else None
