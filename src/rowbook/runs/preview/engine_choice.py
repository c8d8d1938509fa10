"""Which engine computes a preview."""

from __future__ import annotations

from typing import Literal, TypeAlias

from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.sources import registry
from rowbook.sources.source import NotPlainError
from rowbook.text.visible import number
from rowbook.value_class import dataclass

EngineName: TypeAlias = Literal["reference", "spark"]

MOST_ROWS = 10_000
"""Rows of all that is read: up to here an operation takes the reference engine less than Spark
takes to start."""
MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class EngineChoice:
    engine: EngineName
    reason: str


def choose_engine(
    resolved: ResolvedRun, plan: ProjectPlan, named: EngineName | None
) -> EngineChoice:
    """The one that is named; else the reference engine for an input that is small and that it can
    read, by what files say of themselves."""
    if named is not None:
        return EngineChoice(named, "as asked for")
    tables = [each for read in used_datasets(plan) for each in resolved.input(read).tables]
    size = sum(content.size for each in tables for content in each.contents)
    if size > MOST_BYTES:
        return EngineChoice("spark", f"the input has {size >> 20} MiB")
    rows = 0
    for each in tables:
        try:
            rows += registry.count_plain(each.source(), MOST_ROWS - rows)
        except NotPlainError as cause:
            return EngineChoice("spark", str(cause))
        if rows > MOST_ROWS:
            return EngineChoice("spark", f"the input has more than {number(MOST_ROWS, 'row')}")
    return EngineChoice("reference", "a small input")
