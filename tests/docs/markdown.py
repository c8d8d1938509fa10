"""Reading Markdown as its readers' tools do: links, anchors, fenced blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docgen.markdown import slug
from tests.support.paths import ROOT

_UNREAD = {"node_modules", "build", "dist", "site"}
_FENCE = re.compile(r"^( {0,3})(`{3,}|~{3,})([^\n`]*)\n(.*?)^\1\2[ \t]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; `before` is the line above it."""

    language: str
    text: str
    before: str
    line: int


def markdown_files() -> list[Path]:
    """All Markdown files of the repository."""
    return sorted(
        path
        for path in ROOT.rglob("*.md")
        if not any(p.startswith(".") or p in _UNREAD for p in path.relative_to(ROOT).parts)
    )


def links(text: str) -> Iterator[str]:
    """The targets of all links and pictures."""
    prose = _CODE.sub("code", _FENCE.sub("", text))
    yield from (found[1] for found in _LINK.finditer(prose))
    yield from (found[1] for found in _REFERENCE.finditer(prose))


def anchors(text: str) -> set[str]:
    """What a link may name after '#'; a heading that stands twice gets a number."""
    prose = _FENCE.sub("", text)
    seen: dict[str, int] = {}
    names = set(_ANCHOR.findall(prose))
    for found in _HEADING.finditer(prose):
        name = slug(found[1])
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names


def blocks(text: str, language: str) -> Iterator[Block]:
    """The fenced blocks of a language."""
    for found in _FENCE.finditer(text):
        if found[3].strip() == language:
            above = text[: found.start()].rstrip("\n").rpartition("\n")[2]
            yield Block(language, found[4], above, text.count("\n", 0, found.start()) + 1)
