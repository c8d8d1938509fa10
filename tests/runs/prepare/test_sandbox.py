"""A draft's outputs go below its sandbox, whatever their destinations are called."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from rowbook.runs.prepare.resolve import resolve_targets
from rowbook.runs.prepare.sandbox import make_sandbox
from rowbook.sources.files.file_table import FileTarget
from tests.support.refusal import refusal

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
SHEETS = "{datasource_id: sheets, table: t}"
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


@pytest.mark.parametrize("linked", [".rowbook", ".rowbook/sandbox"])
def test_a_sandbox_does_not_lead_out_of_the_workspace(tmp_path: Path, linked: str) -> None:
    """As in a workspace that somebody sent."""
    root, victim = tmp_path / "acme", tmp_path / "home"
    (root / linked).parent.mkdir(parents=True)
    victim.mkdir()
    (root / linked).symlink_to(victim)
    found = refusal(lambda: targets(root, SHEETS), "DATASOURCE_004")
    assert found.message.startswith("'.rowbook/sandbox/")
    assert found.message.endswith("/t' is outside the workspace and its allowed locations")


def test_a_sandbox_is_for_its_owner_alone(tmp_path: Path) -> None:
    """Also where the store is a server, and an older Rowbook had made the folder above."""
    (tmp_path / "rowbook.yaml").write_text(
        WORKSPACE + OUTPUT.format(seq=1, destination=SHEETS), encoding="utf-8"
    )
    (tmp_path / ".rowbook").mkdir(0o755)
    with OpenWorkspace(tmp_path) as workspace:
        request = request_draft(workspace, "close", "2026-01")
    before = os.umask(0)
    try:
        make_sandbox(request)
    finally:
        os.umask(before)
    folders = request.sandbox, request.sandbox.parent, tmp_path / ".rowbook"
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700] * 3


def test_tables_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    lake = "{datasource_id: lake, table: t}"
    assert [name for name, *_ in targets(tmp_path, SHEETS, lake, SHEETS)] == ["t", "t.lake", "t"]


def test_a_sandbox_may_be_a_folder_that_others_see(tmp_path: Path) -> None:
    root, shared = tmp_path / "acme", tmp_path / "lake"
    root.mkdir()
    engine = f"allowed_locations: ['{shared}'], engine: {{sandbox: '{shared}/drafts'}}}}"
    text = WORKSPACE.replace("allowed_locations: [/srv/shared]}", engine)
    (root / "rowbook.yaml").write_text(
        text + OUTPUT.format(seq=1, destination=SHEETS), encoding="utf-8"
    )
    with OpenWorkspace(root) as workspace:
        request = request_draft(workspace, "close", "2026-01")
    make_sandbox(request)
    ((_, target),) = resolve_targets(request)
    assert isinstance(target, FileTarget)
    assert target.path == shared / "drafts" / request.context.run_id / "t"
    assert target.label == str(target.path)
    assert target.path.parent.is_dir()


def test_a_folder_is_that_of_the_period(tmp_path: Path) -> None:
    """Two templates that become one name are told apart as two tables of one name are."""
    named = '{datasource_id: sheets, table: "t_{{identifier}}"}'
    same = '{location: {path: "t_{{YYYY}}-{{MM}}"}}'
    found = [name for name, *_ in targets(tmp_path, named, same)]
    assert found == ["t_2026-01", "t_2026-01.location"]
