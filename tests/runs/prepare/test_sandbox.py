"""A draft's outputs go below its sandbox, whatever their destinations are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import resolve_targets
from rowbook.sources.files.file_table import FileTarget

WORKSPACE = """\
workspace: {name: acme, default_resolver_id: files, allowed_locations: [/srv/shared]}
---
resolver: {name: files, rules: [{name: all, strategy: {type: path, path: "{{table_name}}.csv"}}]}
---
datasource: {name: sheets, type: csv, options: {root: out, delimiter: ";"}}
---
datasource: {name: lake, type: delta, options: {root: lake}}
---
dataset: {name: gl, main_table: {name: gl, columns: [{name: account, type: string}]}}
---
project:
  name: close
  input_dataset_id: gl
  operations:
"""
OUTPUT = """\
    - seq: {seq}
      name: output {seq}
      type: output
      arguments: {{destination: {destination}}}
"""


def targets(folder: Path, *destinations: str) -> list[tuple[str, str, dict[str, str]]]:
    """Folder below the sandbox, kind of files, and options of each output."""
    text = WORKSPACE + "".join(
        OUTPUT.format(seq=seq, destination=each) for seq, each in enumerate(destinations, 1)
    )
    (folder / "rowbook.yaml").write_text(text, encoding="utf-8")
    with OpenWorkspace(folder) as workspace:
        request = request_draft(workspace, "close", "2026-01")
    found: list[tuple[str, str, dict[str, str]]] = []
    for _, target in resolve_targets(request):
        assert isinstance(target, FileTarget)
        below = target.path.relative_to(request.sandbox).as_posix()
        found.append((below, target.kind, dict(target.options)))
    return found


@pytest.mark.parametrize(
    ("destination", "expected"),
    [
        ("{datasource_id: sheets, table: totals}", ("totals", "csv", {"delimiter": ";"})),
        ("{datasource_id: lake, table: totals}", ("totals", "parquet", {})),
        ("{location: {path: out/totals, format: orc}}", ("out/totals", "orc", {})),
        ("{location: {path: /srv/shared/t, format: json}}", ("srv/shared/t", "json", {})),
        ("{location: {path: out/../x/t, format: csv}}", ("x/t", "csv", {})),
    ],
)
def test_a_destination_has_a_folder_in_its_format(
    tmp_path: Path, destination: str, expected: tuple[str, str, dict[str, str]]
) -> None:
    assert targets(tmp_path, destination) == [expected]


def test_tables_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    sheets, lake = "{datasource_id: sheets, table: t}", "{datasource_id: lake, table: t}"
    assert [name for name, *_ in targets(tmp_path, sheets, lake, sheets)] == ["t", "t.lake", "t"]
