"""A plan on the terminal: what is read, then each operation with what it changes and writes; or the
stages in which it would be computed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from rowbook.api import is_system
from rowbook.text.plan_words import (
    at_destination,
    at_source,
    brought,
    days,
    expected,
    expected_of,
    headline,
    manner,
    one_line,
    parameter_text,
    read_facts,
    rows_read,
    unpivot_text,
    windowed,
)
from rowbook.text.visible import number, visible

if TYPE_CHECKING:
    from rich.console import Console

    from rowbook.api import PlannedRead, PlannedStep, PlannedWrite, RunPlan, StageDescription

_MOST_LOCATIONS = 10
_NARROWEST = 24
_BAD, _DIM, _NEW, _STRONG = "red", "dim", "green", "bold"
_LABELS = 10
_WIDTH = 80
_STYLES = {"+": _NEW, "selector": _DIM, "nullable": _DIM}


@dataclass(frozen=True, slots=True)
class _Line:
    """A paragraph: what stands before it on its first line, and its text, which wraps to where it
    began. Each is parts with their styles."""

    before: Sequence[tuple[str, str]]
    parts: Sequence[tuple[str, str]]


def print_plan(plan: RunPlan, out: Console) -> None:
    from rich.text import Text

    for line in (*_head(plan), *_reads(plan), *_start(plan), *_steps(plan)):
        before = Text.assemble(*line.before)
        text = Text.assemble(*((visible(part), style) for part, style in line.parts))
        room = max(out.width - before.cell_len, _NARROWEST)
        for piece in text.wrap(out, room, overflow="fold") or [Text()]:
            piece.rstrip()
            out.print(before + piece, soft_wrap=True)
            before = Text(" " * before.cell_len)


def _head(plan: RunPlan) -> Iterator[_Line]:
    yield _line(0, headline(plan), _STRONG)
    if plan.description:
        yield _line(0, one_line(plan.description))
    yield _line(0, days(plan))
    if plan.parameters:
        yield from _heading("Parameters")
    for parameter in plan.parameters:
        yield _line(2, parameter_text(parameter))


def _reads(plan: RunPlan) -> Iterator[_Line]:
    yield from _heading("Reads")
    for index, read in enumerate(plan.reads):
        role = "the input, " if index == 0 else ""
        said = f" version {read.version}: {role}{rows_read(read, plan)}"
        yield _Line([("  ", "")], [(read.dataset, _STRONG), (said, "")])
        yield from _locations(read)
        if read.rule is not None:
            yield _line(4, f"by rule '{read.rule}' of resolver {read.resolver}", _DIM)
        for each in expected_of(plan, read=read):
            yield _Line([("    expects ", "")], [(expected(each), "")])


def _locations(read: PlannedRead) -> Iterator[_Line]:
    """The first of those that are as they should be, and of those that are not."""
    sound = [each for each in read.locations if each.is_sound]
    other = [each for each in read.locations if not each.is_sound]
    for each in read.locations:
        if each in sound[:_MOST_LOCATIONS] or each in other[:_MOST_LOCATIONS]:
            style = "" if each.is_sound else _BAD
            yield _Line(
                [("    ", "")], [(f"{each.location}: ", ""), (at_source(each.found), style)]
            )
    if len(sound) > _MOST_LOCATIONS:
        yield _line(4, f"and {len(sound) - _MOST_LOCATIONS:,} more such places")
    if len(other) > _MOST_LOCATIONS:
        yield _line(4, f"and {len(other) - _MOST_LOCATIONS:,} more that a run cannot read", _BAD)
    if read.unpivot is not None:
        yield _line(4, unpivot_text(read.unpivot))
    if read.lacking:
        names = ", ".join(read.lacking)
        yield _line(4, f"declared, but not there, so that a run would fail: {names}", _BAD)
    if read.undeclared:
        yield _line(4, f"not declared, so not loaded: {', '.join(read.undeclared)}")


def _start(plan: RunPlan) -> Iterator[_Line]:
    business = [column for column in plan.columns if not is_system(column.name)]
    system = len(plan.columns) - len(business)
    yield from _heading(
        f"Starts with {number(len(business), 'column')}, and {system} of the system"
    )
    words = (f"{c.name} {c.type}{'' if c.nullable else ' not null'}" for c in business)
    yield _line(2, ", ".join(words))


def _steps(plan: RunPlan) -> Iterator[_Line]:
    yield from _heading("Steps")
    seqs = max((len(str(step.seq)) for step in plan.steps), default=0)
    for step in plan.steps:
        before = [(f"  {step.seq:>{seqs}} ", _STRONG), (f"{step.type:<{_LABELS}}", "")]
        yield _Line(before, [(one_line(step.name), _STRONG)])
        for label, said in _said(step, plan):
            style = _STYLES.get(label, "")
            yield _Line([(f"{'':{seqs + 3}}{label:<{_LABELS}}", style)], [(said, style)])
    if plan.quarantine is not None:
        yield from _heading("Quarantine")
        for label, said in _written(plan.quarantine, plan):
            yield _Line([(f"  {label:<{_LABELS}}", "")], [(said, "")])


def _said(step: PlannedStep, plan: RunPlan) -> Iterator[tuple[str, str]]:
    yield from read_facts(step)
    if step.selector is not None:
        yield "where", one_line(step.selector)
    for name, text in step.named_selectors.items():
        yield "selector", f"{name}: {one_line(text)}"
    if step.group_by:
        yield "group by", ", ".join(step.group_by)
    for window in step.windows:
        yield "window", windowed(window)
    for level in step.levels:
        yield "level", f"{level.name}: {', '.join(level.group_by) or 'over all'}"
    for value in step.values:
        if value.expression is not None:
            said = f"{value.column} {value.type} = {one_line(value.expression)}"
            yield "+" if value.is_new else "set", said
    if names := brought(step):
        yield "columns", ", ".join(names)
    if step.loosened:
        yield "nullable", f"from here on: {', '.join(step.loosened)}"
    if step.writes is not None:
        yield from _written(step.writes, plan)
    for each in expected_of(plan, step=step):
        yield "expects", expected(each)


def _written(write: PlannedWrite, plan: RunPlan) -> Iterator[tuple[str, str]]:
    yield "writes", write.destination
    yield "", f"{manner(write, plan)}; {_counted(write.columns)}"
    if write.order_by:
        yield "order by", ", ".join(write.order_by)
    if (there := at_destination(write)) is not None:
        yield "there now", there
    if write.registered_as is not None:
        yield "registers", f"dataset {write.registered_as}"


def _counted(names: Sequence[str]) -> str:
    """The columns in the order they are written; many of the system at the end are only counted."""
    last = max((i for i, name in enumerate(names) if not is_system(name)), default=-1) + 1
    listed, rest = list(names[:last]), list(names[last:])
    if len(rest) > 2:
        rest = [f"and {len(rest)} of the system"]
    return f"{number(len(names), 'column')}: {', '.join([*listed, *rest])}"


def _heading(text: str) -> Iterator[_Line]:
    yield _line(0, "")
    yield _line(0, text, _STRONG)


def _line(indent: int, text: str, style: str = "") -> _Line:
    return _Line([(" " * indent, "")], [(text, style)])


def stages_text(plan: RunPlan) -> str:
    """A paragraph for each stage; no line is longer than 80 columns."""
    numbers = len(str(len(plan.stages)))
    indent = " " * (numbers + 4)
    lines = [*_wrapped(headline(plan), ""), "", "Stages"]
    for place, stage in enumerate(plan.stages, start=1):
        seqs = ", ".join(map(str, stage.operations))
        first = f"  {place:>{numbers}} {stage.kind:<11} {seqs}".rstrip()
        lines += wrap(first, _WIDTH, subsequent_indent=f"{indent}{'':11} ")
        for said in (*stage.reasons, *_read_later(stage, plan)):
            lines += _wrapped(said, f"{indent}  ")
    return "".join(f"{visible(line)}\n" for line in lines)


def _read_later(stage: StageDescription, plan: RunPlan) -> Iterator[str]:
    """Where columns are left out: which of the input's are read later, or of all."""
    if stage.kind not in ("start", "checkpoint") or stage.needed is None:
        return
    names = [name for name in stage.needed if not is_system(name)]
    if stage.kind == "start":
        names = [column.name for column in plan.columns if column.name in names]
    yield f"columns that are read later: {', '.join(names) or 'none'}"


def _wrapped(text: str, indent: str) -> list[str]:
    return wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
