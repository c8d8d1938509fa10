"""What the REQUIREs of an update ask for, and what is said of rows that do not have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rowbook.errors import Diagnostic, OperationRef
from rowbook.expressions import bound
from rowbook.expressions.bound import Bound
from rowbook.expressions.requirements import unmet
from rowbook.planning.steps import UpdateStep
from rowbook.text.visible import number
from rowbook.value_class import dataclass

SAMPLES = 5
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Requirement:
    """Rows of the update on which `unmet` is TRUE fail the run; `shown` are the columns that tell
    which rows they are and what they lack."""

    column: str
    unmet: Bound
    shown: tuple[bound.Column, ...]


def requirements_of(step: UpdateStep) -> Iterator[Requirement]:
    for each in step.assignments:
        condition = unmet(each.expression)
        if condition is not None:
            calls = [part for part in bound.walk(each.expression) if _is_require(part)]
            keys = [part for call in calls for part in bound.parts(call)[1:]]
            read = [part for call in calls for part in bound.walk(bound.parts(call)[0])]
            columns = (part for part in (*keys, *read) if isinstance(part, bound.Column))
            yield Requirement(each.column, condition, tuple(dict.fromkeys(columns)))


def unmet_requirement(
    step: UpdateStep,
    requirement: Requirement,
    rows: int,
    samples: Sequence[Sequence[str | None]],
) -> Diagnostic:
    """RUN_013; `samples` are the first rows, by the texts of the columns that are shown."""
    names = [f"{c.source}.{c.name}" if c.source else c.name for c in requirement.shown]
    said = [
        ", ".join(f"{name} = {_quoted(text)}" for name, text in zip(names, texts, strict=True))
        for texts in samples
    ]
    more = " …" if rows > len(said) else ""
    shown = f": {'; '.join(said)}{more}" if names else ""
    message = f"REQUIRE finds no value for column '{requirement.column}' on {number(rows, 'row')}"
    return Diagnostic("RUN_013", f"{message}{shown}", operation=OperationRef(step.seq, step.name))


def _is_require(node: Bound) -> bool:
    return isinstance(node, bound.Call) and node.function == "REQUIRE"


def _quoted(text: str | None) -> str:
    if text is None:
        return "NULL"
    line = text.replace("\r", "\\r").replace("\n", "\\n")
    return f"'{line[:_LONGEST]}…'" if len(line) > _LONGEST else f"'{line}'"
