"""Which scenarios of a workspace are run; one whose text is faulty is never left out silently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.models.scenario import ExpectedError, ScenarioDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.workspace_files import SCENARIO_FOLDER, WorkspaceFiles
from rowbook.definitions.yaml.nodes import Document, Scalar, SourceText
from rowbook.definitions.yaml.reader import parse, read_file
from rowbook.errors import Diagnostic, Position, RowbookError
from rowbook.scenarios.errors import errors, is_inline, is_within


@dataclass(frozen=True, slots=True)
class Unread:
    """A scenario, or a file of scenarios, whose text is faulty. `expected` is the error that it
    expects, where all faults are in its inline definitions and may be that error."""

    name: str
    place: Place
    diagnostics: tuple[Diagnostic, ...]
    expected: ExpectedError | None = None


Selected: TypeAlias = Entry[ScenarioDefinition] | Unread


def select(files: WorkspaceFiles, paths: Sequence[Path] = (), text: str = "") -> list[Selected]:
    """In these files or folders (none means all), whose name has a text, in any case; in order."""
    wanted = [path.resolve() for path in paths]

    def is_wanted(scenario: Selected) -> bool:
        file = (files.root / scenario.place.document.source.file).resolve()
        within = not wanted or any(file == path or path in file.parents for path in wanted)
        return within and text.casefold() in name_of(scenario).casefold()

    scenarios: list[Selected] = [*files.scenarios, *_unread(files)]
    return sorted(filter(is_wanted, scenarios), key=position_of)


def name_of(scenario: Selected) -> str:
    return scenario.name if isinstance(scenario, Unread) else scenario.model.name


def position_of(scenario: Selected) -> Position:
    return scenario.place.at("name").position


def _unread(files: WorkspaceFiles) -> list[Unread]:
    """Scenarios that could not be made, and files in their folder that are none."""
    found: list[Unread] = []
    by_file: dict[str, list[Diagnostic]] = {}
    for diagnostic in errors(files.diagnostics):
        if diagnostic.position is not None:
            by_file.setdefault(diagnostic.position.file, []).append(diagnostic)
    for file, diagnostics in by_file.items():
        for document in _documents(files.root / file, file):
            loaded, root = load_document(document), Place(document)
            if loaded.kind is None:
                continue
            if loaded.kind == "scenario" and loaded.entry is None:
                found.append(_scenario(root.at("scenario"), loaded.diagnostics))
            diagnostics = [d for d in diagnostics if not is_within(d, root)]
        if diagnostics and file.startswith(f"{SCENARIO_FOLDER}/"):
            nowhere = Place(Document(SourceText(file, ""), Scalar("", 0, 0)))
            found.append(Unread(file, nowhere, tuple(diagnostics)))
    return found


def _documents(path: Path, file: str) -> tuple[Document, ...]:
    try:
        return parse(read_file(path, file))[0]
    except RowbookError:
        return ()


def _scenario(place: Place, diagnostics: Sequence[Diagnostic]) -> Unread:
    code, contains = (_text(place.at("expect", "error", key)) for key in ("code", "contains"))
    expected = None
    if code is not None and all(is_inline(d, place) for d in errors(diagnostics)):
        expected = ExpectedError(code=code, contains=contains)
    return Unread(_text(place.at("name")) or "(no name)", place, tuple(diagnostics), expected)


def _text(place: Place) -> str | None:
    node = place.node if place.exists else None
    return node.text if isinstance(node, Scalar) and not node.is_null else None
