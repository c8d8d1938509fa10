"""What commands have in common where they print: JSON, findings, times in words."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from rowbook.cli.exit_codes import Exit
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.errors import RowbookError


def print_json(value: Mapping[str, Any]) -> None:
    """A result for programs, alone on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def shown_from(root: Path) -> str:
    """The way from here to a workspace, which stands before the names of its files."""
    way = os.path.relpath(root)
    return "" if way == "." else way


def report_findings(
    error: RowbookError, root: Path, form: str, otherwise: Mapping[str, Any]
) -> Exit:
    """Faults of definitions end a command as findings; other errors are raised again. `otherwise`
    is what JSON says beside them."""
    if all(diagnostic.position is None for diagnostic in error.diagnostics):
        raise error
    if form == "json":
        print_json({**otherwise, "errors": [as_json(d) for d in error.diagnostics]})
    else:
        print_findings(error.diagnostics, shown_from(root), sys.stderr)
    return Exit.FINDINGS


def instant(at: datetime | None) -> str:
    """A time to the minute, UTC."""
    return at.strftime("%Y-%m-%d %H:%M") if at else ""


def as_text(at: datetime | None) -> str | None:
    """A time for programs."""
    return at.isoformat().replace("+00:00", "Z") if at else None
