"""`rowbook validate`: every error of every definition, without Spark."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from rowbook.cli.exit_codes import Exit
from rowbook.cli.option_types import Debug, Folder, Format
from rowbook.cli.render.diagnostics import as_json, print_findings
from rowbook.cli.render.printing import print_json, shown_from
from rowbook.cli.workspace_choice import chosen
from rowbook.errors import Diagnostic
from rowbook.planning.workspace_check import CheckedWorkspace
from rowbook.runs.workspace_check_with_store import check_with_store
from rowbook.text.visible import number

_COUNTED = ("dataset", "datasource", "resolver", "calendar", "project", "scenario")


def validate(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="Files or folders whose findings to show; a workspace folder checks that one.",
        ),
    ] = None,
    folder: Folder = None,
    format: Format = "text",  # noqa: A002
    debug: Debug = False,
) -> int:
    """Check every definition of a workspace; no Spark, no data.

    Examples:

      rowbook validate

      rowbook validate projects/close.yaml

      rowbook validate -C finance --format json
    """
    root, wanted = chosen(paths or [], folder)
    checked = check_with_store(root)
    errors = _within(checked.errors, root, wanted)
    warnings = _within(checked.warnings, root, wanted)
    if format == "json":
        found = {"errors": errors, "warnings": warnings}
        result = {"ok": not errors, **{k: [as_json(d) for d in v] for k, v in found.items()}}
        print_json(result)
    else:
        both = _within(checked.diagnostics, root, wanted)
        print_findings(both, shown_from(root), sys.stdout)
        sys.stdout.write(_summary(checked, len(errors), len(warnings)) + "\n")
    return Exit.FINDINGS if errors else Exit.DONE


def _within(
    diagnostics: Sequence[Diagnostic], root: Path, wanted: Sequence[Path]
) -> list[Diagnostic]:
    if not wanted:
        return list(diagnostics)

    def is_wanted(diagnostic: Diagnostic) -> bool:
        if diagnostic.position is None:
            return True
        file = (root / diagnostic.position.file).resolve()
        return any(file == path or path in file.parents for path in wanted)

    return [d for d in diagnostics if is_wanted(d)]


def _summary(checked: CheckedWorkspace, errors: int, warnings: int) -> str:
    files = checked.files
    numbers = zip(
        _COUNTED,
        (
            files.datasets,
            files.datasources,
            files.resolvers,
            files.calendars,
            files.projects,
            files.scenarios,
        ),
        strict=True,
    )
    read = ", ".join(number(len(entries), kind) for kind, entries in numbers if entries)
    verdict = f"{number(errors, 'error')}, {number(warnings, 'warning')}"
    return f"{verdict}  ({read or 'nothing defined'})"
