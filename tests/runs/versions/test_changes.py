"""Files compared with what was applied: which version each becomes, and those that files state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rowbook.definitions.workspace_files import WorkspaceFiles, read_workspace
from rowbook.planning.findings import Findings
from rowbook.runs.versions.changes import Change, Comparison, compare
from rowbook.store import DefinitionVersion, content_hash

AT = datetime(2026, 2, 3, tzinfo=UTC)
COLUMNS = ("code", "amount", "note")


def dataset(width: int, more: str = "", name: str = "gl") -> str:
    """A dataset of some columns; `more` are further keys."""
    columns = ", ".join(f"{{name: {column}, type: string}}" for column in COLUMNS[:width])
    return f"dataset: {{name: {name}, {more}main_table: {{name: gl, columns: [{columns}]}}}}\n"


def read(folder: Path, *documents: str) -> WorkspaceFiles:
    text = "---\n".join(("workspace: {name: acme}\n", *documents))
    (folder / "rowbook.yaml").write_text(text, encoding="utf-8")
    files = read_workspace(folder)
    assert files.diagnostics == ()
    return files


def applied(change: Change) -> DefinitionVersion:
    """A change as the store has it afterwards."""
    hashed = content_hash(change.content)
    return DefinitionVersion(
        change.kind,
        change.id,
        change.name,
        change.version,
        change.content,
        hashed,
        change.disabled,
        AT,
        "ann",
        None,
    )


def history(folder: Path, *widths: int) -> list[DefinitionVersion]:
    """Versions of the dataset that were applied one after the other."""
    versions: list[DefinitionVersion] = []
    for width in widths:
        (change,) = compared(folder, versions, dataset(width)).changes
        versions.append(applied(change))
    return versions


def compared(folder: Path, versions: Sequence[DefinitionVersion], *documents: str) -> Comparison:
    findings = Findings()
    found = compare(read(folder, *documents), versions, findings)
    assert findings.diagnostics == []
    return found


def test_a_definition_that_is_not_there_is_new(tmp_path: Path) -> None:
    (change,) = compared(tmp_path, [], dataset(1)).changes
    assert (change.before, change.version, change.breaking) == (0, 1, ())


def test_what_was_applied_is_unchanged(tmp_path: Path) -> None:
    found = compared(tmp_path, history(tmp_path, 1), dataset(1))
    assert (found.changes, found.unchanged, found.without_file) == ((), 1, ())


def test_layout_comments_and_order_of_keys_are_no_change(tmp_path: Path) -> None:
    versions = history(tmp_path, 1)
    text = (
        "dataset:  # the books\n  main_table:\n    columns: [{type: string, name: code}]\n"
        "    name: gl\n  name: gl\n"
    )
    assert compared(tmp_path, versions, text).changes == ()


def test_a_change_is_the_next_version(tmp_path: Path) -> None:
    (change,) = compared(tmp_path, history(tmp_path, 1, 2), dataset(1)).changes
    assert (change.before, change.version) == (2, 3)
    assert [d.text for d in change.breaking] == ["column 'amount' removed"]


def test_what_has_no_file_is_left_alone(tmp_path: Path) -> None:
    found = compared(tmp_path, history(tmp_path, 1, 2), dataset(1, name="other"))
    assert [change.name for change in found.changes] == ["other"]
    assert [(each.name, each.version) for each in found.without_file] == [("gl", 2)]


def test_disabling_is_a_change(tmp_path: Path) -> None:
    versions = history(tmp_path, 1)
    (change,) = compared(tmp_path, versions, dataset(1, "status: disabled, ")).changes
    assert change.disabled
    assert [d.text for d in change.breaking] == ["disabled"]


def test_a_stated_version_may_be_the_one_it_becomes_or_equals(tmp_path: Path) -> None:
    versions = history(tmp_path, 1, 2)
    assert compared(tmp_path, versions, dataset(2, "version: 2, ")).changes == ()
    assert compared(tmp_path, versions, dataset(1, "version: 1, ")).changes == ()
    (change,) = compared(tmp_path, versions, dataset(3, "version: 3, ")).changes
    assert change.version == 3


@pytest.mark.parametrize(
    ("width", "stated", "message", "hint"),
    [
        (3, 5, "but it becomes version 3", "state version 3, or leave `version` out"),
        (
            3,
            2,
            "which was applied with another content",
            "state version 3, which it becomes, or leave `version` out",
        ),
        (3, 1, "which was applied with another content", None),
        (2, 3, "but it equals version 2", "state version 2, or leave `version` out"),
    ],
)
def test_another_stated_version_is_refused_where_it_stands(
    width: int, stated: int, message: str, hint: str | None, tmp_path: Path
) -> None:
    versions, findings = history(tmp_path, 1, 2), Findings()
    text = dataset(width, f"version: {stated}, ")
    assert compare(read(tmp_path, text), versions, findings).changes == ()
    (found,) = findings.diagnostics
    assert found.code == "DATASET_013"
    assert message in found.message
    assert hint is None or found.hint == hint
    assert str(found.position) == "rowbook.yaml:3:30"


def test_files_may_hold_all_versions(tmp_path: Path) -> None:
    documents = (dataset(3, "version: 2, "), dataset(1, "version: 1, "))
    first, second = compared(tmp_path, [], *documents).changes
    assert [(c.before, c.version) for c in (first, second)] == [(0, 1), (1, 2)]
    assert [d.text for d in second.differences] == ["column 'amount' added", "column 'note' added"]
    after = compared(tmp_path, [applied(first), applied(second)], *documents)
    assert (after.changes, after.unchanged) == ((), 2)
