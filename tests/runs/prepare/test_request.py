"""What is refused before a run begins: any error of the project and of what it uses."""

from __future__ import annotations

import pytest

from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from tests.runs.books import FILES
from tests.support.refusal import refusal
from tests.support.trial import Trial
from tests.support.write_files import write_files

UNKNOWN = "  colour: blue\n"


@pytest.mark.parametrize(
    ("file", "after"),
    [
        ("projects/close.yaml", "  name: close\n"),
        ("datasets/gl.yaml", "  name: gl\n"),
        ("resolvers/inbox.yaml", "  name: inbox\n"),
    ],
)
def test_a_project_is_refused_for_what_validate_refuses(
    trial: Trial, file: str, after: str
) -> None:
    faulty = {file: FILES[file].replace(after, f"{after}{UNKNOWN}", 1)}
    write_files(trial.folder, {**FILES, **faulty})
    with OpenWorkspace(trial.folder) as workspace:
        found = refusal(lambda: request_draft(workspace, "close", "2026-01"), "YAML_002")
    assert found.message == "unknown key 'colour'"
    assert found.position is not None
    assert found.position.file == file


def test_settings_with_an_error_are_not_used(trial: Trial) -> None:
    settings = "workspace: {name: acme, default_resolver_id: inbox, colour: blue}\n"
    write_files(trial.folder, {**FILES, "rowbook.yaml": settings})
    with OpenWorkspace(trial.folder) as workspace:
        refusal(lambda: request_draft(workspace, "close", "2026-01"), "YAML_002")


def test_settings_that_cannot_be_read_are_not_taken_for_none(trial: Trial) -> None:
    write_files(trial.folder, {**FILES, "rowbook.yaml": f"{FILES['rowbook.yaml']}colour: blue\n"})
    with OpenWorkspace(trial.folder) as workspace:
        refusal(lambda: request_draft(workspace, "close", "2026-01"), "YAML_009")


def test_errors_of_what_it_does_not_use_are_no_obstacle(trial: Trial) -> None:
    other = FILES["datasets/gl.yaml"].replace("name: gl", "name: other\n  colour: blue", 1)
    write_files(trial.folder, {**FILES, "datasets/other.yaml": other})
    with OpenWorkspace(trial.folder) as workspace:
        assert workspace.checked.errors != ()
        assert request_draft(workspace, "close", "2026-01").project_name == "close"
