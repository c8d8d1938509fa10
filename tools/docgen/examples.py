"""Examples of errors: YAML files with a header, put into a workspace and really checked.

A file starts with a comment block that is not part of what the reader sees:

    # what: One sentence that says what is wrong.
    # base: ledger, close

`base` names files of error-examples/base whose documents form the workspace around the example.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rowbook.cli.app import run
from rowbook.definitions.workspace_files import FOLDERS, SCENARIO_FOLDER
from rowbook.definitions.workspace_root import WORKSPACE_FILE

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "error-examples"
BASES = EXAMPLES / "base"

_HEADER = re.compile(r"# (what|base): (.+)\n")
_FIRST_KEY = re.compile(r"^([A-Za-z]\w*):", re.MULTILINE)
_BARE_WORKSPACE = """\
workspace: {name: acme, credentials: [{ref: env://ERP_PASSWORD, host: "erp:5432"}]}
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A mistake and the workspace it is made in."""

    code: str
    what: str
    file: str | None
    """The file that holds the mistake, within the workspace."""
    shown: str
    """The text of that file as the reader sees it."""
    files: Mapping[str, bytes]
    """All files of the workspace."""
    bases: tuple[str, ...] = ()
    command: tuple[str, ...] = ("validate",)


@dataclass(frozen=True, slots=True)
class Finding:
    """What `validate` reports."""

    code: str
    severity: Literal["error", "warning"]
    file: str | None
    line: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the command prints, and what it found."""

    text: str
    findings: tuple[Finding, ...] = field(default=())


def file_examples() -> dict[str, Example]:
    """The examples of the folder error-examples, by code."""
    return {path.stem: read_example(path) for path in sorted(EXAMPLES.glob("*.yaml"))}


def read_example(path: Path) -> Example:
    """An example from its file."""
    text = path.read_text(encoding="utf-8")
    header: dict[str, str] = {}
    while found := _HEADER.match(text):
        header[found[1]] = found[2]
        text = text[found.end() :]
    if "what" not in header:
        raise ValueError(f"{path.name} does not start with '# what: …'")
    bases = tuple(name.strip() for name in header.get("base", "").split(",") if name.strip())
    file = file_for(text)
    return Example(path.stem, header["what"], file, text, workspace_with(file, text, bases), bases)


def workspace_with(file: str, text: str, bases: tuple[str, ...]) -> dict[str, bytes]:
    """The files of a workspace that holds a text among the documents of its bases."""
    around = "---\n".join(base_text(name) for name in bases) or _BARE_WORKSPACE
    return {WORKSPACE_FILE: around.encode(), file: text.encode()}


def base_text(name: str) -> str:
    """The documents of a base."""
    return (BASES / f"{name}.yaml").read_text(encoding="utf-8")


def file_for(text: str) -> str:
    """Where a text belongs by the kind of its first document."""
    found = _FIRST_KEY.search(text)
    kind = found[1] if found else ""
    if kind == "workspace":
        return WORKSPACE_FILE
    folder = next((f for f in (*FOLDERS, SCENARIO_FOLDER) if f in (kind, f"{kind}s")), "projects")
    return f"{folder}/example.yaml"


def outcome(example: Example) -> Outcome:
    """Run the example's command in a folder with its files."""
    with _folder(example.files):
        text = _printed(*example.command)
        if example.file is None:
            return Outcome(text)
        report = json.loads(_printed(*example.command, "--format", "json"))
    kinds: tuple[tuple[str, Literal["error", "warning"]], ...] = (
        ("errors", "error"),
        ("warnings", "warning"),
    )
    findings = tuple(
        Finding(found["code"], severity, found["file"], found["line"])
        for key, severity in kinds
        for found in report[key]
    )
    return Outcome(text, findings)


@contextlib.contextmanager
def _folder(files: Mapping[str, bytes]) -> Iterator[None]:
    with tempfile.TemporaryDirectory() as name:
        for file, data in files.items():
            path = Path(name, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with contextlib.chdir(name):
            yield


def _printed(*arguments: str) -> str:
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        run(list(arguments))
    return said.getvalue()
