"""From the parser's events to nodes: without recursion, within limits, going on after faults.

A fault that leaves the structure readable is noted and mended: a second value of a key is left
out, a tag ignored, text that should have been quoted taken as that text.
"""

from __future__ import annotations

import re
from dataclasses import field
from typing import cast

import yaml

from rowbook.definitions.yaml.nodes import (
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    SourceText,
    Style,
)
from rowbook.errors import Diagnostic, RowbookError
from rowbook.value_class import dataclass

MAX_DEPTH = 100
MAX_NODES = 500_000
"""Keys and values of a file; what an alias stands for counts at each use."""
MAX_DOCUMENTS = 1_000
MAX_FINDINGS = 100
"""Findings of one file that are kept: beyond, a reader mends the first ones anyway."""

_STYLES: dict[str | None, Style] = {
    "'": "single", '"': "double", "|": "literal", ">": "folded",
}  # fmt: skip
_PROPERTY = re.compile(
    r"(?:&[0-9A-Za-z_-]+|!<[^> \t\r\n]*>|![^ \t\r\n,\[\]{}]*)"
    r"(?:[ \t\r\n]|(?<=[ \t\r\n])#[^\r\n]*)*"
)
"""An anchor or a tag, with the blanks and comments after it."""
_TAG_OF_YAML = "tag:yaml.org,2002:"


@dataclass(slots=True)
class _Open:
    start: int
    end: int
    flow: bool
    anchor: str | None
    nodes_before: int
    height: int = 1
    """Levels of nesting from here down, aliases followed."""


@dataclass(slots=True)
class _OpenSequence(_Open):
    items: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class _OpenMapping(_Open):
    entries: dict[str, tuple[Scalar, Node]] = field(default_factory=dict)
    key: Node | None = None
    key_start: int = 0
    template: bool = False
    """It is `{{name}}`, text that should have been quoted."""


@dataclass(frozen=True, slots=True)
class _Anchored:
    """A complete node that aliases may refer to, and what each use of it adds."""

    node: Node
    size: int
    height: int


class Builder:
    """Takes the events of one file in order; `documents` and `findings` are what they made.

    `restore` is a table for `str.translate`, applied to the text of every scalar."""

    def __init__(self, source: SourceText, restore: dict[int, int]) -> None:
        self.documents: list[Document] = []
        self.findings: list[Diagnostic] = []
        self.read_to = 0
        self._source = source
        self._restore = restore
        self._nodes = 0
        self._started = 0
        self._root: Node | None = None
        self._open: list[_OpenSequence | _OpenMapping] = []
        self._anchors: dict[str, _Open | _Anchored] = {}

    def take(self, event: yaml.Event) -> None:
        """The next event. Raises RowbookError (YAML_007) as soon as a limit is passed."""
        start, end = _span(event)
        self.read_to = end
        match event:
            case yaml.ScalarEvent():
                self._take_scalar(event, start, end)
            case yaml.AliasEvent():
                self._take_alias(cast(str, event.anchor), start, end)
            case yaml.CollectionStartEvent():
                self._take_start(event, start)
            case yaml.CollectionEndEvent():
                self._take_end(end)
            case yaml.DocumentStartEvent():
                self._anchors.clear()
                self._started += 1
                if self._started > MAX_DOCUMENTS:
                    raise self._limit(f"more than {MAX_DOCUMENTS:,} documents in one file", start)
            case yaml.DocumentEndEvent() if self._root is not None:
                self.documents.append(Document(self._source, self._root))
                self._root = None

    def _take_scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> None:
        style = _STYLES.get(event.style, "plain")
        bare = event.anchor is None and event.tag is None
        if not bare:
            start = self._without_properties(event, start, end)
        text = event.value.translate(self._restore) if self._restore else event.value
        node = Scalar(text, start, end, style)
        self._count(1, start)
        if event.anchor:
            self._anchors[event.anchor] = _Anchored(node, 1, 0)
        if not self._open and bare and style == "plain" and not text:
            return
        self._add(node, 0, start, end)

    def _take_alias(self, name: str, start: int, end: int) -> None:
        target = self._anchors.get(name)
        if isinstance(target, _Anchored):
            self._count(target.size, start)
            self._check_depth(target.height, start)
            self._add(target.node, target.height, start, end)
            return
        if target:
            message = f"'*{name}' stands inside the value that it refers to"
        else:
            message = f"'*{name}' refers to an anchor '&{name}' that does not stand before it"
        self._count(1, start)
        self._note("YAML_005", message, start, "put a value that starts with '*' in quotes")
        self._add(Scalar(self._source.text[start:end], start, end), 0, start, end)

    def _take_start(self, event: yaml.CollectionStartEvent, start: int) -> None:
        if event.anchor is not None or event.tag is not None:
            start = self._without_properties(event, start, len(self._source.text))
        self._check_depth(1, start)
        self._count(1, start)
        kind = _OpenMapping if isinstance(event, yaml.MappingStartEvent) else _OpenSequence
        opened = kind(start, start, bool(event.flow_style), event.anchor, self._nodes - 1)
        self._open.append(opened)
        if event.anchor:
            self._anchors[event.anchor] = opened

    def _take_end(self, end: int) -> None:
        closed = self._open.pop()
        end = end if closed.flow else closed.end
        node = self._closed(closed, end)
        if closed.anchor and self._anchors.get(closed.anchor) is closed:
            size = self._nodes - closed.nodes_before
            self._anchors[closed.anchor] = _Anchored(node, size, closed.height)
        self._add(node, closed.height, closed.start, end)

    def _closed(self, closed: _OpenSequence | _OpenMapping, end: int) -> Node:
        if isinstance(closed, _OpenSequence):
            return Sequence(tuple(closed.items), closed.start, end)
        if closed.template:
            return self._unquoted_template(closed.start, end)
        return Mapping(tuple(closed.entries.values()), closed.start, end)

    def _unquoted_template(self, start: int, end: int) -> Scalar:
        """`{{name}}` without quotes: YAML sees a mapping whose key is a mapping."""
        text = self._source.text[start:end]
        shown = text if len(text) <= 40 and text.isprintable() else "{{…}}"
        message = f"{shown} needs quotes: without them YAML reads the braces as a mapping"
        self._note("YAML_005", message, start, f'put the whole value in quotes, as in "{shown}"')
        return Scalar(text, start, end)

    def _add(self, node: Node, height: int, start: int, end: int) -> None:
        """Put a complete node, which stands or is referred to at [start, end), into its parent."""
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        parent.end = end
        if height >= parent.height:
            parent.height = height + 1
        if isinstance(parent, _OpenSequence):
            parent.items.append(node)
        elif parent.key is None:
            parent.key, parent.key_start = node, start
        else:
            self._add_entry(parent, parent.key, node)
            parent.key = None

    def _add_entry(self, parent: _OpenMapping, key: Node, value: Node) -> None:
        if not isinstance(key, Scalar):
            parent.template = parent.flow and self._source.text.startswith("{{", parent.start)
            if not parent.template:
                message = "a key must be text, not a list or a mapping"
                hint = "put a key that starts with [ or { in quotes"
                self._note("YAML_005", message, parent.key_start, hint)
        elif key.text in parent.entries:
            first = self._source.position(parent.entries[key.text][0].start).line
            message = f"'{_short(key.text)}' stands twice; the first is on line {first}"
            self._note("YAML_006", message, parent.key_start)
        else:
            parent.entries[key.text] = (key, value)

    def _without_properties(
        self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, start: int, end: int
    ) -> int:
        """Where a node starts after its anchor and tag. Tags are refused here."""
        if event.tag is not None:
            shown = event.tag
            if shown.startswith(_TAG_OF_YAML):
                shown = f"!!{shown.removeprefix(_TAG_OF_YAML)}"
            self._note("YAML_008", f"the tag {_short(shown)} is not allowed", start)
        for given in (event.anchor, event.tag):
            if given is not None and (found := _PROPERTY.match(self._source.text, start, end)):
                start = found.end()
        return start

    def _count(self, more: int, start: int) -> None:
        self._nodes += more
        if self._nodes > MAX_NODES:
            raise self._limit(f"more than {MAX_NODES:,} keys and values in one file", start)

    def _check_depth(self, height: int, start: int) -> None:
        if len(self._open) + height > MAX_DEPTH:
            raise self._limit(f"lists and mappings are nested deeper than {MAX_DEPTH}", start)

    def _limit(self, message: str, start: int) -> RowbookError:
        return RowbookError(Diagnostic("YAML_007", message, self._source.position(start)))

    def _note(self, code: str, message: str, start: int, hint: str | None = None) -> None:
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Diagnostic(code, message, self._source.position(start), hint))


def _span(event: yaml.Event) -> tuple[int, int]:
    if event.start_mark is None or event.end_mark is None:
        raise ValueError("the YAML parser gave an event without its place")
    return event.start_mark.index, event.end_mark.index


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
