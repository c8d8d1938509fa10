"""A small workspace previewed by both engines, and what both must agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rowbook import Workspace
from rowbook.api import EngineName, Preview, RowbookError
from rowbook.runs.prepare import run_checks
from tests.support.write_files import write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOW = "2026-02-03T04:05:06.789Z"
COLUMNS = """\
      - {name: s, type: string}
      - {name: i, type: integer}
      - {name: m, type: "decimal(18,2)"}
      - {name: f, type: float}
      - {name: b, type: boolean}
      - {name: d, type: date}
      - {name: z, type: timestamp}
"""
WORKSPACE = """\
workspace: {{name: small, default_resolver_id: files}}
---
dataset:
  name: entries
  main_table:
    name: entries
    temporal_mode: {mode}
    columns:
{columns}
---
datasource: {{name: lake, type: {kind}, options: {{root: data{options}}}}}
---
resolver:
  name: files
  rules: [{{name: all, strategy: {{type: table, datasource_id: lake, table: "{table}"}}}}]
---
project:
  name: p
  input_dataset_id: entries
  operations:
{operations}
"""
DOUBLED = """\
    - seq: 10
      name: double
      type: update
      arguments: {assignments: [{column: doubled, expression: "COALESCE(m, 0) * 2"}]}
"""


def write_workspace(
    folder: Path,
    kind: str,
    files: Mapping[str, str | bytes],
    *,
    columns: str = COLUMNS,
    mode: str = "null",
    options: str = "",
    table: str = "entries",
    operations: str = DOUBLED,
) -> None:
    text = WORKSPACE.format(
        kind=kind, columns=columns, mode=mode, options=options, table=table, operations=operations
    )
    write_files(folder, {"rowbook.yaml": text})
    for name, content in files.items():
        path = folder / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


_USUAL = {"project": "p", "period": "2026-01", "limit": 1000, "now": NOW}


def by_reference(folder: Path, engine: EngineName | None = "reference", **options: Any) -> Preview:
    with Workspace.open(folder) as workspace:
        return workspace.preview_rows(**{**_USUAL, "engine": engine, **options})


def on_spark(folder: Path, spark: SparkSession, **options: Any) -> Preview:
    with Workspace.open(folder, spark=spark) as workspace:
        found = workspace.preview_rows(**{**_USUAL, **options})
    assert found.engine == "spark"
    return found


def bag(found: Preview) -> Counter[str]:
    """Rows in any order, told exactly; runs have ids of their own."""
    return Counter(
        repr([(n, v) for n, v in row.items() if n != "_created_by_run_id"]) for row in found.rows
    )


def agreed(folder: Path, spark: SparkSession, **options: Any) -> list[dict[str, Any]]:
    """The rows, which are the same by both engines, row ids and order of columns included."""
    plain, computed = by_reference(folder, **options), on_spark(folder, spark, **options)
    assert plain.columns == computed.columns
    assert bag(plain) == bag(computed)
    return [dict(row) for row in plain.rows]


def agreed_errors(folder: Path, spark: SparkSession, **options: Any) -> list[str]:
    """What both say of an input at fault, hints included, and so do the checks before them."""
    sampled = _told(lambda: by_reference(folder, **options))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_checks, "sampled_faults", lambda *_: ())
        plain = _told(lambda: by_reference(folder, **options))
        computed = _told(lambda: on_spark(folder, spark, **options))
    assert sampled == plain == computed
    return [text for text, _ in plain]


def _told(preview: Callable[[], Preview]) -> list[tuple[str, str | None]]:
    try:
        preview()
    except RowbookError as error:
        return [(str(each), each.hint) for each in error.diagnostics]
    return []
