"""Which engine computes rows to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias, TypeVar

from rowbook.errors import RowbookError
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.used_datasets import used_datasets
from rowbook.runs.prepare.resolve import ResolvedRun
from rowbook.sources import registry
from rowbook.sources.source import SourceTable
from rowbook.sources.source_errors import NotAskedError, NotPlainError
from rowbook.text.visible import number
from rowbook.value_class import dataclass

EngineName: TypeAlias = Literal["reference", "spark"]
_Found = TypeVar("_Found")

MOST_ROWS = 10_000
"""Rows of all that is read: up to here an operation takes the reference engine less than Spark
takes to start."""
MOST_BYTES = 32 << 20


@dataclass(frozen=True, slots=True)
class EngineChoice:
    engine: EngineName
    reason: str


OnEngine: TypeAlias = Callable[[EngineChoice], None]


def choose_engine(
    resolved: ResolvedRun, plan: ProjectPlan, named: EngineName | None
) -> EngineChoice:
    """The one that is named; else the reference engine for an input that is small and that it can
    read, by what files say of themselves."""
    tables = [each for read in used_datasets(plan) for each in resolved.input(read).tables]
    size = sum(content.size for each in tables for content in each.contents)
    return choose_for_tables((each.source() for each in tables), size, named, MOST_ROWS)


def choose_for_tables(
    tables: Iterable[SourceTable], size: int, named: EngineName | None, most: int
) -> EngineChoice:
    """For tables of so many bytes; the reference engine up to `most` rows."""
    if named is not None:
        return EngineChoice(named, "as asked for")
    if size > MOST_BYTES:
        return EngineChoice("spark", f"the input has {size >> 20} MiB")
    rows = 0
    try:
        for each in tables:
            rows += registry.count_plain(each, most - rows)
            if rows > most:
                return EngineChoice("spark", f"the input has more than {number(most, 'row')}")
    except (NotPlainError, NotAskedError) as cause:
        return EngineChoice("spark", str(cause))
    return EngineChoice("reference", "a small input")


def compute_by(
    choice: EngineChoice,
    named: EngineName | None,
    on_engine: OnEngine,
    plain: Callable[[], _Found],
    by_spark: Callable[[], _Found],
) -> tuple[_Found, EngineChoice]:
    """What the chosen engine finds, and which it was: Spark also where the reference engine cannot
    read the input after all, unless it was named. `on_engine` hears of it once that is known."""
    if choice.engine == "reference":
        try:
            found = plain()
        except NotPlainError as cause:
            if named is not None:
                message = f"the reference engine cannot read the input: {cause}"
                hint = "use --engine spark, or name no engine"
                raise RowbookError.of("USAGE_001", message, hint=hint) from cause
            choice = EngineChoice("spark", str(cause))
        else:
            on_engine(choice)
            return found, choice
    on_engine(choice)
    return by_spark(), choice
