"""A page of Markdown as a session at a terminal: commands with their output, and edits of files.

Commands stand behind `$ ` in blocks of the language `console`. Files are edited where a comment of
the page says so: `<!-- FILE: OLD becomes NEW -->`, or above a block of YAML or csv `<!-- FILE:
before TEXT -->` and `<!-- FILE: at the end -->`. An output whose last line is `…` is only begun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tests.docs.markdown import blocks

_REPLACED = re.compile(r"^<!-- (?P<file>\S+): (?P<old>.+) becomes (?P<new>.+) -->$", re.MULTILINE)
_INSERTED = re.compile(r"<!-- (?P<file>\S+): (?:before (?P<before>.+)|at the end) -->")
_VARYING = (
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"\brun [0-9a-f]{8}\b"), "run <id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b"), "<time>"),
    (re.compile(r"\b\d[\d,]* bytes\b"), "<number> bytes"),
    (re.compile(r" \d+\.\d s$", re.MULTILINE), ""),
    (re.compile(r"^( *\d+ .+ (?:\d+ ){4}\d+) +[\d,]+$", re.MULTILINE), r"\1 <milliseconds>"),
    (re.compile(r"─+"), "─"),
    (re.compile(r"\b\d+:[0-9a-f]{16}\b"), "<seal>"),
    (re.compile(r"\b(?:[0-9a-f]{16}|[0-9a-f]{64})\b"), "<digits>"),
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the output that is shown for it."""

    line: int
    text: str
    shown: str

    def is_shown(self, printed: str) -> bool:
        """Whether the page shows what was printed, or its beginning."""
        shown, got = comparable(self.shown), comparable(printed)
        beginning = shown.removesuffix("\n…")
        return got.startswith(beginning + "\n") if beginning != shown else got == shown


@dataclass(frozen=True, slots=True)
class Edit:
    """A text of a file that another takes the place of; at the end of the file, which may be a new
    one, if there is none."""

    line: int
    file: str
    old: str | None
    new: str

    def make(self, folder: Path) -> None:
        path = folder / self.file
        if self.old is None:
            path.parent.mkdir(exist_ok=True)
            with path.open("a", encoding="utf-8") as file:
                file.write(self.new)
            return
        text = path.read_text(encoding="utf-8")
        assert text.count(self.old) == 1, f"line {self.line}: {self.old}"
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


Step: TypeAlias = Command | Edit


def steps(page: str) -> list[Step]:
    """What happens at the terminal, in the order of the page."""
    return sorted([*_commands(page), *_edits(page)], key=lambda step: step.line)


def _commands(page: str) -> Iterator[Command]:
    for block in blocks(page, "console"):
        for command in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            text, _, shown = command.partition("\n")
            yield Command(block.line, text, shown)


def _edits(page: str) -> Iterator[Edit]:
    for found in _REPLACED.finditer(page):
        line = page.count("\n", 0, found.start()) + 1
        yield Edit(line, found["file"], found["old"], found["new"])
    for block in (*blocks(page, "yaml"), *blocks(page, "csv")):
        if inserted := _INSERTED.fullmatch(block.before):
            before = inserted["before"]
            yield Edit(block.line, inserted["file"], before, block.text + (before or ""))


def comparable(output: str) -> str:
    """Without what differs from run to run, and with one blank for many."""
    lines = "\n".join(" ".join(line.split()) for line in output.strip().splitlines())
    for pattern, word in _VARYING:
        lines = pattern.sub(word, lines)
    return lines
