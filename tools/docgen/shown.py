"""What pages show of other files: kept equal to them, between two comments in the page.

`<!-- shown: WHAT -->` is followed by what is shown, and by `<!-- /shown -->`. WHAT is one of:

- `scenario FILE: NAME`: its operations, its rows before, and what must come out
- `ledger FILE: NAME`: the counts that a scenario expects
- `operations FILE: 10, 20`: operations of a project, as they are written
- `definition FILE: NAME`: one definition of a file
- `file FILE`: a file as it is
- `rows FILE`: a csv file as a table
- `settings`: the Spark settings that decide results
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from docgen.markdown import block, code, page, table
from rowbook.definitions.loading import Entry, load_document
from rowbook.definitions.models.kinds import KINDS
from rowbook.definitions.models.project import InlineProject, ProjectDefinition
from rowbook.definitions.models.scenario import ExpectedLedger, ScenarioDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Document, Node, Scalar, SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.engine.session.settings import SEMANTIC_CONF
from rowbook.planning.datasources import option_text

ROOT = Path(__file__).resolve().parents[2]
_SHOWN = re.compile(
    r"^<!-- shown: (?P<what>.+?) -->$.*?^<!-- /shown -->$", re.MULTILINE | re.DOTALL
)
_MARKS = re.compile(r"[*<>\[\]{}]|(?<!\w)_|_(?!\w)")
_WHAT = re.compile(r"(?P<kind>\w+)(?: (?P<file>[^\s:]+)(?:: (?P<part>.+))?)?")


class NotShownError(ValueError):
    """A page asks for something that is not there."""


def pages_that_show(docs: Path) -> list[str]:
    """The pages below a folder that show something, by their path in it."""
    found = (path for path in docs.rglob("*.md") if _SHOWN.search(path.read_text("utf-8")))
    return sorted(path.relative_to(docs).as_posix() for path in found)


def refreshed(text: str) -> str:
    """A page with everything shown as it is now; NotShownError where it cannot be."""
    return _SHOWN.sub(lambda found: _with_content(found["what"]), text)


def _with_content(what: str) -> str:
    found = _WHAT.fullmatch(what)
    if found is None or found["kind"] not in _SHOWERS:
        raise NotShownError(f"'{what}' is nothing that can be shown")
    shown = _SHOWERS[found["kind"]](found["file"] or "", found["part"] or "")
    return f"<!-- shown: {what} -->\n\n{shown.strip()}\n\n<!-- /shown -->"


def _scenario(file: str, name: str) -> str:
    model, place = _scenario_named(file, name)
    parts = []
    if isinstance(model.project, InlineProject):
        source, project = place.document.source, place.at("project")
        keys = ("selectors", "operations") if project.at("selectors").exists else ("operations",)
        parts.append(block("yaml", "\n".join(_entry(source, project.at(key)) for key in keys)))
    for dataset, given in model.input.items():
        parts += [f"Before, {code(dataset)}:", _rows(given.rows or ())]
    expected = model.expect
    if expected.working is not None:
        parts += ["After:", _rows(expected.working.rows or ())]
    for written, rows in expected.outputs.items():
        parts += [f"Written to {code(written)}:", _rows(rows.rows or ())]
    if expected.quarantined is not None:
        parts += ["Quarantined:", _rows(expected.quarantined.rows or ())]
    for verdict in expected.named_verdicts:
        if samples := verdict.groups or verdict.rows:
            parts += [f"What violates *{verdict.name}*:", _rows(samples)]
    if (error := expected.error) is not None:
        told = f", with {code(error.contains)} in the message" if error.contains else ""
        parts.append(f"The run ends with {code(error.code)}{told}.")
    return page(*parts)


def _ledger(file: str, name: str) -> str:
    model, _ = _scenario_named(file, name)
    rows = [each.model_dump(exclude_none=True) for each in model.expect.ledger]
    columns = [name for name in ExpectedLedger.model_fields if any(name in row for row in rows)]
    head = [name.replace("_", " ") for name in columns]
    return table(head, ([str(row.get(name, "")) for name in columns] for row in rows))


def _operations(file: str, part: str) -> str:
    entry = next((e for e in _entries(file) if isinstance(e.model, ProjectDefinition)), None)
    if entry is None:
        raise NotShownError(f"{file} is no project")
    wanted = [int(seq) for seq in part.split(",")]
    found = {each.seq: entry.operation(i) for i, each in enumerate(entry.model.operations)}
    if missing := [seq for seq in wanted if seq not in found]:
        raise NotShownError(f"{file} has no operation {missing[0]}")
    source = entry.place.document.source
    written = (_item(source, found[seq].node) for seq in wanted)
    return block("yaml", "\n".join(written))


def _definition(file: str, name: str) -> str:
    entry = _named(file, name)
    return block("yaml", _entry(entry.place.document.source, entry.place))


def _file(file: str, _: str) -> str:
    return block(_LANGUAGES.get(Path(file).suffix, "text"), _read(file))


def _table_of(file: str, _: str) -> str:
    head, *lines = csv.reader(_read(file).splitlines())
    return table(head, ([_cell(cell or None) for cell in line] for line in lines))


def _settings(_: str, __: str) -> str:
    rows = ((code(key), code(each.value), each.reason) for key, each in SEMANTIC_CONF.items())
    return table(("setting", "value", "because"), rows)


_LANGUAGES = {".yaml": "yaml", ".py": "python"}
_SHOWERS: Mapping[str, Callable[[str, str], str]] = {
    "scenario": _scenario,
    "ledger": _ledger,
    "operations": _operations,
    "definition": _definition,
    "file": _file,
    "rows": _table_of,
    "settings": _settings,
}


def _read(file: str) -> str:
    path = ROOT / file
    if not path.is_file():
        raise NotShownError(f"there is no file {file}")
    return path.read_text(encoding="utf-8")


def _entries(file: str) -> Iterator[Entry[ProjectDefinition] | Entry[ScenarioDefinition]]:
    for document in _documents(file):
        entry = load_document(document).entry
        if entry is not None:
            yield entry


def _documents(file: str) -> Sequence[Document]:
    documents, findings = parse(SourceText(file, _read(file)))
    if findings:
        raise NotShownError(str(findings[0]))
    return documents


def _named(file: str, name: str) -> Entry[ProjectDefinition] | Entry[ScenarioDefinition]:
    for entry in _entries(file):
        if entry.model.name == name:
            return entry
    raise NotShownError(f"{file} has no {' or '.join(KINDS)} '{name}'")


def _scenario_named(file: str, name: str) -> tuple[ScenarioDefinition, Place]:
    entry = _named(file, name)
    if not isinstance(entry.model, ScenarioDefinition):
        raise NotShownError(f"{file}: '{name}' is no scenario")
    return entry.model, entry.place


def _entry(source: SourceText, place: Place) -> str:
    """A key with its value."""
    key = place.document.find_key(place.path)
    return _text(source, key.start, place.node.end)


def _item(source: SourceText, node: Node) -> str:
    """An item of a list, with its bullet."""
    return _text(source, source.text.rfind("-", 0, node.start), node.end)


def _text(source: SourceText, start: int, end: int) -> str:
    """A part of a file with its first line at the margin, without comments after it."""
    line = source.text.rfind("\n", 0, start) + 1
    lines = source.text[line:end].splitlines()
    while not lines[-1].strip() or lines[-1].lstrip().startswith("#"):
        lines.pop()
    return "\n".join(each[start - line :] for each in lines)


def _rows(rows: Sequence[Mapping[str, object]]) -> str:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    if not columns:
        return "no rows"
    head = [_cell(name) for name in columns]
    return table(head, ([_value(row.get(name)) for name in columns] for row in rows))


def _value(value: object) -> str:
    is_null = value is None or (isinstance(value, Scalar) and value.is_null)
    return _cell(None if is_null else option_text(value))


def _cell(text: str | None) -> str:
    if text is None:
        return "*NULL*"
    return _MARKS.sub(r"\\\g<0>", text) if text else '""'
