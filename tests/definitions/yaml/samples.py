"""Short ways to read a text as YAML and to look at what came out."""

from __future__ import annotations

from typing import Any

from rowbook.definitions.yaml.nodes import Document, Mapping, Node, Scalar, Sequence, SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.errors import Diagnostic


def documents_of(text: str) -> tuple[Document, ...]:
    documents, findings = parse(SourceText("f.yaml", text))
    assert findings == ()
    return documents


def document_of(text: str) -> Document:
    [document] = documents_of(text)
    return document


def plain(node: Node) -> Any:
    """Nodes as dicts, lists and texts."""
    match node:
        case Scalar():
            return node.text
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {key.text: plain(value) for key, value in node.entries}


def findings_of(text: str) -> list[tuple[int, int, str, str]]:
    """Line, column, code and message of each finding."""
    found = parse(SourceText("f.yaml", text))[1]
    return [(*place_of(each), each.code, each.message) for each in found]


def place_of(finding: Diagnostic) -> tuple[int, int]:
    assert finding.position is not None
    assert finding.position.file == "f.yaml"
    return finding.position.line, finding.position.column
