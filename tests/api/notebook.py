"""A page of Markdown as a notebook: its Python blocks are cells, the text below one its output."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from tests.docs.markdown import blocks

_VARYING = (
    (re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?"), "<time>"),
    (re.compile(r"\bby [^,\n]+, "), "by <user>, "),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A block, the line it stands at, and the output that is shown for it."""

    code: str
    line: int
    shown: str


def cells(page: str) -> Iterator[Cell]:
    """The cells of a page, in order."""
    codes, texts = list(blocks(page, "python")), list(blocks(page, "text"))
    ends = [*(code.line for code in codes[1:]), len(page)]
    for code, end in zip(codes, ends, strict=True):
        shown = "".join(text.text for text in texts if code.line < text.line < end)
        yield Cell(code.text, code.line, shown)


def output_of(cell: Cell, names: dict[str, Any]) -> str:
    """Runs a cell among names, as a notebook does: what it prints, then its last expression."""
    tree = ast.parse(cell.code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, f"line {cell.line}", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), f"line {cell.line}", "eval"), names)
            if value is not None:
                print(repr(value))
    return printed.getvalue()


def comparable(output: str) -> str:
    """Without what differs from run to run: ids, times, who ran it; and blanks at ends of lines."""
    for pattern, word in _VARYING:
        output = pattern.sub(word, output)
    return "\n".join(line.rstrip() for line in output.strip().splitlines())
