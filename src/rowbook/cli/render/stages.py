"""The stages of a run on the terminal: how it would be computed, and why so."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from rowbook.text.plan_words import headline
from rowbook.text.visible import visible

if TYPE_CHECKING:
    from rowbook.api import RunPlan, StageDescription

_WIDTH = 80


def stages_text(plan: RunPlan) -> str:
    """A paragraph for each stage; no line is longer than 80 columns."""
    numbers = len(str(len(plan.stages)))
    indent = " " * (numbers + 4)
    lines = [*_wrapped(headline(plan), ""), "", "Stages"]
    for number, stage in enumerate(plan.stages, start=1):
        seqs = ", ".join(map(str, stage.operations))
        first = f"  {number:>{numbers}} {stage.kind:<11} {seqs}".rstrip()
        lines += wrap(first, _WIDTH, subsequent_indent=f"{indent}{'':11} ")
        for said in (*stage.reasons, *_columns(stage, plan)):
            lines += _wrapped(said, f"{indent}  ")
    return "".join(f"{visible(line)}\n" for line in lines)


def _columns(stage: StageDescription, plan: RunPlan) -> Iterator[str]:
    """Where columns are left out: which of the input's are read later, or of all."""
    if stage.kind not in ("start", "checkpoint") or stage.needed is None:
        return
    from rowbook.api import is_system

    names = [name for name in stage.needed if not is_system(name)]
    if stage.kind == "start":
        names = [column.name for column in plan.columns if column.name in names]
    yield f"columns that are read later: {', '.join(names) or 'none'}"


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
