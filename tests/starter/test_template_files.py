"""Every template is a workspace without faults, for Rowbook and for editors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rowbook.definitions.json_schema import schema_of_all
from rowbook.definitions.models.field_types import NAME_PATTERN
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.planning.workspace_check import check_workspace
from rowbook.starter.creation import init_workspace
from rowbook.starter.template_files import PROJECTS, TemplateName, template_files, workspace_name
from tests.definitions.test_json_schema import errors_of
from tests.support.paths import ROOT

TEMPLATES = sorted(PROJECTS)


def _yaml(template: TemplateName) -> dict[str, str]:
    files = template_files(template, "acme")
    return {path: text for path, text in files.items() if path.endswith(".yaml")}


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_new_workspace_is_valid_without_a_warning(template: TemplateName, tmp_path: Path) -> None:
    init_workspace(tmp_path / "acme", template)
    checked = check_workspace(tmp_path / "acme")
    assert [str(d) for d in checked.diagnostics] == []
    assert list(checked.projects) == [PROJECTS[template]]
    assert checked.files.workspace is not None
    assert checked.files.workspace.model.name == "acme"


@pytest.mark.parametrize("template", TEMPLATES)
def test_the_schema_that_each_file_names_is_there_and_accepts_it(template: TemplateName) -> None:
    files = template_files(template, "acme")
    for path, text in _yaml(template).items():
        up = "../" * path.count("/")
        first = f"# yaml-language-server: $schema={up}.rowbook-schema/rowbook.json\n"
        assert text.startswith(first), path
        documents, findings = parse(SourceText(path, text))
        assert findings == ()
        assert [message for document in documents for message in errors_of(document)] == []
    assert json.loads(files[".rowbook-schema/rowbook.json"]) == schema_of_all()


def test_the_close_uses_all_five_operations() -> None:
    project = _yaml("close")["projects/monthly_close.yaml"]
    used = set(re.findall(r"^      type: (\w+)$", project, re.MULTILINE))
    assert used == {"update", "aggregate", "append", "delete", "output"}


@pytest.mark.parametrize("template", TEMPLATES)
def test_git_is_told_to_leave_out_what_runs_make(template: TemplateName) -> None:
    files = template_files(template, "acme")
    assert ".rowbook/" in files[".gitignore"].splitlines()
    assert "gitignore" not in files


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("acme_close", "acme_close"),
        ("Acme close (2026)", "Acme_close_2026"),
        ("Büro", "Buro"),
        (".hidden", "hidden"),
        ("", "workspace"),
        ("日本", "workspace"),
    ],
)
def test_the_name_of_a_workspace_is_made_from_its_folder(folder: str, name: str) -> None:
    assert workspace_name(folder) == name
    assert re.match(NAME_PATTERN, name)


@pytest.mark.slow
def test_an_installed_package_has_every_template_file(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    templates = source / "rowbook" / "starter" / "templates"
    expected = {p.relative_to(source).as_posix() for p in templates.rglob("*") if p.is_file()}
    assert len(expected) > 20
    assert expected <= packed
