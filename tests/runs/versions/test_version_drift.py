"""Where the files of an active project are not what runs."""

from __future__ import annotations

import json
from pathlib import Path

from rowbook import Workspace
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.versions.version_drift import VersionDrift, drift_of, drifts
from tests.support.shell import Shell

RUNS = "`rowbook run close` runs version 1"
ACTIVATE = "`rowbook activate close` makes the files version 2"
APPLY = "`rowbook apply` records the definitions"
DRAFT = "`--draft` runs the files"


def edit(shell: Shell, file: str, before: str, after: str) -> None:
    path = shell.folder / file
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def drift(folder: Path) -> VersionDrift | None:
    """As `validate` sees it and as `run` does, which is the same."""
    with OpenWorkspace(folder) as workspace:
        found = drifts(workspace)
        project = workspace.files.projects[0].model.identity
    with OpenWorkspace(folder) as workspace:
        assert workspace.store is workspace.find_store()
        (one,) = found or (None,)
        assert drift_of(workspace, project) == one
    return one


def said(shell: Shell) -> tuple[str, str]:
    found = drift(shell.folder)
    assert found is not None
    return found.message, found.hint


def test_files_that_are_what_runs_say_nothing(active: Shell) -> None:
    edit(active, "projects/close.yaml", "project:\n", "# as it was\nproject:\n")
    assert drift(active.folder) is None


def test_operations_are_named_by_what_became_of_them(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    edit(active, "projects/close.yaml", "seq: 30", "seq: 35")
    edit(active, "projects/close.yaml", "name: close\n", "name: close\n  owner: finance\n")
    assert said(active) == (
        "projects/close.yaml differs from the active version 1: operation 10 changed;"
        " operation 35 added; operation 30 removed; owner changed",
        f"{RUNS}; {ACTIVATE}; {DRAFT}",
    )


def test_a_dataset_that_was_not_applied_needs_that_first(active: Shell) -> None:
    edit(active, "datasets/all.yaml", "decimal(18,2)", "decimal(20,2)")
    assert said(active) == (
        "what project 'close' uses differs from the active version 1:"
        " dataset 'gl' is not version 1, which runs",
        f"{RUNS}; {APPLY}, then {ACTIVATE}; {DRAFT}",
    )


def test_a_dataset_that_was_applied_waits_for_the_project(active: Shell) -> None:
    edit(active, "datasets/all.yaml", "decimal(18,2)", "decimal(20,2)")
    assert active.run("apply", "--yes").code == 0
    assert said(active)[1] == f"{RUNS}; {ACTIVATE}; {DRAFT}"
    assert active.run("activate", "close").code == 0
    assert drift(active.folder) is None


def test_a_view_and_what_it_reads_are_used(active: Shell) -> None:
    path = active.folder / "datasets" / "views.yaml"
    path.write_text("dataset: {name: before, of: gl, periods: previous}\n", encoding="utf-8")
    edit(active, "projects/close.yaml", "input_dataset_id: gl\n", "input_dataset_id: before\n")
    assert active.run("apply", "--yes").code == 0
    assert active.run("activate", "close").code == 0
    assert drift(active.folder) is None
    edit(active, "datasets/views.yaml", "previous", "year_to_date")
    edit(active, "datasets/all.yaml", "decimal(18,2)", "decimal(20,2)")
    assert said(active)[0] == (
        "what project 'close' uses differs from the active version 2:"
        " dataset 'gl' is not version 1, which runs; dataset 'before' is not version 1, which runs"
    )


def test_a_dataset_whose_file_is_what_is_pinned_is_none_whatever_was_applied(active: Shell) -> None:
    edit(active, "datasets/all.yaml", "decimal(18,2)", "decimal(20,2)")
    assert active.run("apply", "--yes").code == 0
    edit(active, "datasets/all.yaml", "decimal(20,2)", "decimal(18,2)")
    assert drift(active.folder) is None


def test_resolvers_and_sources_run_as_soon_as_they_are_applied(active: Shell) -> None:
    edit(active, "resolvers/inbox.yaml", "one file a month", "a file a month")
    edit(active, "datasources/inbox.yaml", "root: data", "root: ./data")
    assert said(active) == (
        "what project 'close' uses differs from the active version 1: resolver 'inbox' is not"
        " version 1, which runs; datasource 'inbox' is not version 1, which runs",
        f"{RUNS}; {APPLY}, and then they run; {DRAFT}",
    )
    assert active.run("apply", "--yes").code == 0
    assert drift(active.folder) is None


def test_definitions_that_the_project_does_not_use_are_left_out(active: Shell) -> None:
    active.write({"datasources/b.yaml": "datasource: {name: b, type: csv, options: {root: b}}\n"})
    assert drift(active.folder) is None


def test_of_a_file_with_errors_the_project_alone_is_compared(active: Shell) -> None:
    edit(active, "datasets/all.yaml", "decimal(18,2)", "decimal(20,2)")
    edit(active, "projects/close.yaml", "amount * fx.rate", "amuont")
    edit(active, "projects/close.yaml", "    - seq: 30", "    - what\n    - seq: 30")
    assert said(active)[0] == (
        "projects/close.yaml differs from the active version 1: operation 10 changed"
    )


def test_a_project_that_does_not_run_says_nothing(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    assert active.run("deactivate", "close").code == 0
    assert drift(active.folder) is None


def test_a_store_elsewhere_is_not_asked_by_validate(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    store = "default_resolver_id: inbox, store: {url: 'postgresql://ann@127.0.0.1:1/acme'}}"
    edit(active, "rowbook.yaml", "default_resolver_id: inbox}", store)
    with OpenWorkspace(active.folder) as workspace:
        assert drifts(workspace) == ()


def test_validate_notes_it_and_ends_with_0(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    message = "projects/close.yaml differs from the active version 1: operation 10 changed"
    hint = f"{RUNS}; {ACTIVATE}; {DRAFT}"
    ended = active.run("validate")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith(f"note: {message}\n    {hint}\n0 errors, 0 warnings")
    note = {"project": "close", "version": 1, "file": "projects/close.yaml"}
    found = json.loads(active.run("validate", "--format", "json").out)
    assert found["ok"] is True
    assert found["notes"] == [{**note, "message": message, "hint": hint}]
    assert "note:" not in active.run("validate", "datasets").out


def test_plan_notes_it_before_what_the_version_would_do(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    ended = active.run("plan", "close", "--period", "2026-01")
    assert ended.err.startswith("note: projects/close.yaml differs from the active version 1: ope")
    assert "amount * fx.rate" in ended.out
    found = json.loads(active.run("plan", "close", "--period", "2026-01", "--format", "json").out)
    assert [each["version"] for each in found["notes"]] == [1]
    assert "drift" not in found
    assert active.run("plan", "close", "--period", "2026-01", "--draft").err == ""


def test_run_notes_it_before_it_begins(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    ended = active.run("run", "close", "--periods", "2026-03..2026-04")
    said = [line for line in ended.err.splitlines() if line.startswith("note: ")]
    assert said == [
        "note: projects/close.yaml differs from the active version 1: operation 10 changed"
    ]
    assert ended.err.index("note: ") < ended.err.index("(version 1) for 2026-03")
    quiet = active.run("run", "close", "--period", "2026-03", "--format", "json")
    assert "note" not in quiet.err
    assert [each["version"] for each in json.loads(quiet.out)["notes"]] == [1]


def test_python_is_told_in_the_warnings_of_the_run(active: Shell) -> None:
    edit(active, "projects/close.yaml", "amount * fx.rate", "amount / fx.rate")
    with Workspace.open(active.folder) as workspace:
        (warning,) = workspace.run("close", "2026-03").warnings
    assert warning.startswith("projects/close.yaml differs from the active version 1: operation 10")
