"""The wheel: what is in it, and that it works where nothing else of this repository is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import rowbook

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment with the wheel, and a folder to work in."""

    environment: Path
    folder: Path

    def run(self, program: str, *arguments: str, code: int = 0) -> str:
        """What a program of the environment prints."""
        done = subprocess.run(
            [str(self.environment / "bin" / program), *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
            env=_without_this_repository(os.environ),
        )
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout


def _without_this_repository(environ: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environ.items() if name not in ("PYTHONPATH", "COLUMNS")}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built as it is released."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in an environment of its own; what it depends on is borrowed from this one."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    install = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check"]
    pip = [sys.executable, "-m", "pip", "--python", str(python), *install, str(wheel)]
    subprocess.run(pip, check=True, capture_output=True, timeout=120)
    (packages,) = environment.glob("lib/python*/site-packages")
    borrowed = packages / "borrowed.pth"
    borrowed.write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Installed(environment, tmp_path_factory.mktemp("work"))


def test_the_wheel_has_the_package_with_its_data_and_nothing_else(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    source = ROOT / "src"
    files = {path.relative_to(source) for path in source.rglob("*") if path.is_file()}
    expected = {
        path.as_posix()
        for path in files
        if not any(part.startswith(".") or part == "__pycache__" for part in path.parts)
    }
    described = f"rowbook-{rowbook.__version__}.dist-info/"
    about = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")
    assert packed == expected | {described + name for name in about}


@pytest.mark.parametrize(
    "name",
    [
        "py.typed",
        "engine/session/compiler_directives.json",
        "engine/session/log4j2.properties",
        "store/migrations/env.py",
        "store/migrations/versions/v0001_first_tables.py",
        "starter/templates/close/projects/monthly_close.yaml",
        "starter/templates/close/gitignore",
        "starter/templates/minimal/data/sales.csv",
    ],
)
def test_data_that_commands_need_is_in_the_wheel(wheel: Path, name: str) -> None:
    assert f"rowbook/{name}" in zipfile.ZipFile(wheel).namelist()


def test_the_command_is_that_of_the_wheel(installed: Installed) -> None:
    assert installed.run("rowbook", "--version") == f"rowbook {rowbook.__version__}\n"
    where = installed.run("python", "-c", "import rowbook; print(rowbook.__file__)")
    assert Path(where.strip()).is_relative_to(installed.environment)


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_a_new_workspace_is_checked_and_closed(installed: Installed) -> None:
    assert "made workspace acme in acme" in installed.run("rowbook", "init", "acme")
    inside = Installed(installed.environment, installed.folder / "acme")
    assert inside.run("rowbook", "validate").startswith("0 errors, 0 warnings")
    planned = inside.run("rowbook", "plan", "monthly_close", "--period", "2026-01")
    assert "110 output    Publish the ledger in US dollars" in planned
    inside.run("rowbook", "apply", "--yes")
    inside.run("rowbook", "activate", "monthly_close")
    month = ("--period", "2026-01", "--format", "json")
    closed: dict[str, Any] = json.loads(inside.run("rowbook", "run", "monthly_close", *month))
    assert closed["status"] == "completed"
    assert [output["rows"] for output in closed["outputs"]] == [31, 829]
    assert list((inside.folder / "reports" / "profit_and_loss").rglob("*.csv"))


@pytest.mark.spark
def test_the_scenario_of_a_small_workspace_passes(installed: Installed) -> None:
    installed.run("rowbook", "init", "small", "--template", "minimal")
    inside = Installed(installed.environment, installed.folder / "small")
    assert inside.run("rowbook", "test").endswith("\n\n1 passed\n")
