"""Real processes, quickly: forked from a server that has the product and PySpark imported.

The test's own process is not forked, as it may have threads.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(
    [
        "alembic.command",
        "pandas",
        "psycopg",
        "pyarrow.parquet",
        "pyspark.sql.connect.functions",
        "pyspark.sql.connect.session",
        "rowbook.api.names",
        "rowbook.cli.app",
        "rowbook.cli.commands.run",
        "rowbook.cli.commands.runs",
        "sqlalchemy.dialects.postgresql.psycopg",
        "sqlalchemy.dialects.sqlite",
    ]
)


def forked(
    main: Callable[[], object],
    arguments: Sequence[str],
    environment: Mapping[str, str],
    out: Path,
    err: Path,
) -> ForkServerProcess:
    """A process that is at work on `main` with these arguments and variables, and no others. What
    it prints goes into files, so that it never waits for a reader."""
    given = (main, tuple(arguments), dict(environment), str(out), str(err))
    process = _CONTEXT.Process(target=_work, args=given)
    process.start()
    return process


def _work(
    main: Callable[[], object],
    arguments: tuple[str, ...],
    environment: dict[str, str],
    out: str,
    err: str,
) -> None:
    for number, name in ((1, out), (2, err)):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [sys.argv[0], *arguments]
    importlib.reload(importlib.import_module("rowbook.write_points"))  # reads it at import
    main()
