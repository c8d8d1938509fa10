"""`import rowbook` is light: no command waits for what it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rowbook

_HEAVY = "pyspark", "py4j", "sqlalchemy", "alembic", "pydantic", "yaml", "typer", "rich", "pyarrow"


def test_importing_rowbook_imports_nothing_else() -> None:
    script = (
        "import sys; before = set(sys.modules); import rowbook\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()).isdisjoint(_HEAVY)


def test_public_names_are_there_when_they_are_asked_for() -> None:
    assert rowbook.Workspace.__module__ == "rowbook.api.workspace"
    assert rowbook.RowbookError.__module__ == "rowbook.errors.diagnostic"
    assert all(hasattr(rowbook, name) for name in rowbook.__all__)


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'rowbook' has no attribute 'Workspce'"):
        rowbook.Workspce  # type: ignore[attr-defined] # noqa: B018
