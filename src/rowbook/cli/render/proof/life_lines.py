"""The lives of rows as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rowbook.expressions.bound_text import literal
from rowbook.expressions.values import Value
from rowbook.text.proof_words import NOW, fate_words, project_label
from rowbook.text.visible import clip, number, pad

if TYPE_CHECKING:
    from rowbook.api import CellStep, LifeGroup, LifeStep, RowLife, RowTrace

_NAMES = 34
_SEQ = 5
_INDENT = " " * (_SEQ + _NAMES + 1)
_MOST_VALUES = 8


def trace_lines(trace: RowTrace) -> Iterator[str]:
    return dated_lines(_lines(trace), trace.inputs)


def dated_lines(lines: Iterator[str], inputs: str) -> Iterator[str]:
    """Each line says so where it is not told of what the run read."""
    return (f"{line}   {NOW}" if line and inputs == "changed" else line for line in lines)


def _lines(trace: RowTrace) -> Iterator[str]:
    project = project_label(trace.project, trace.version)
    said = f"run {trace.run_id[:8]}  {project}  {trace.period}"
    for warning in trace.warnings:
        yield f"warning: {warning}"
    for place, life in enumerate(trace.rows):
        if place:
            yield ""
        yield from _life(life, said)
    if trace.more:
        yield ""
        yield f"and {number(trace.more, 'more row')}: --all tells of all"


def _life(life: RowLife, run: str) -> Iterator[str]:
    name = f"row {life.row_id}" if life.row_id else "row"
    yield "  ".join(part for part in (name, life.dataset, life.place, f"  {run}") if part)
    if life.fate == "not read":
        yield _line("·", "not read", life.reason)
        return
    yield _line("·", life.birth or "read", cells(life.values))
    unmet: list[int] = []
    for step in life.steps:
        if step.met is False and step.type != "delete":
            unmet.append(step.seq)
        elif not step.met or step.type != "aggregate" or step.changes:
            yield from _step(step)
    if unmet:
        yield _line("", f"not met: {', '.join(map(str, unmet))}", "")
    groups = " · ".join(_groups(life.groups))
    if groups:
        yield f"{pad('in', _SEQ)}{groups}"
    if life.outputs:
        tables = " · ".join(f"{each.seq} {each.table}" for each in life.outputs)
        yield f"{pad('out', _SEQ)}{tables}"
    if life.fate != "published":
        yield f"{pad('end', _SEQ)}{fate_words(life)}"
    for earlier in life.earlier:
        yield from ("     " + line for line in ("", *trace_lines(earlier)))


def _step(step: LifeStep) -> Iterator[str]:
    seq = str(step.seq)
    words = {True: "", False: "not met   ", None: "NULL, not met   "}[step.met]
    if not step.met:
        yield _line(seq, step.name, f"{words}{step.condition}  →  {step.outcome}")
    elif step.type == "delete":
        yield _line(seq, step.name, f"deleted   {step.condition}  →  {step.outcome}".rstrip("→ "))
    elif step.changes:
        first, *others = step.changes
        yield _line(seq, step.name, _change(first))
        if step.outcome and step.type == "append":
            yield _line("", "", step.outcome)
        for change in others:
            yield _line("", "", _change(change))
    else:
        yield _line(seq, step.name, step.outcome)
    for joined in step.joined:
        place = joined.place or "no match"
        yield f"{_INDENT}{joined.alias}: {place}   {cells(joined.values)}".rstrip()


def _change(change: CellStep) -> str:
    before = "" if change.before is None and not change.formula else f" {literal(change.before)}"
    said = f"{change.column} {before} → {literal(change.after)}".replace("  ", " ")
    if change.formula not in ("", literal(change.after)):
        said += f"   {change.formula}"
    if change.overwritten_by is not None:
        said += f"    overwritten by {change.overwritten_by}"
    return f"{said}    ◀ as published" if change.is_published else said


def _groups(groups: tuple[LifeGroup, ...]) -> Iterator[str]:
    for group in groups:
        level = f" {group.level}" if group.level else ""
        keys = ", ".join(_plain(value) for value in group.keys.values())
        alias = f" window {group.alias}" if group.alias else ""
        count = f" (1 of {group.rows:,})" if group.rows else ""
        yield f"{group.seq}{alias}{level} {keys}{count}".replace("  ", " ")


def cells(values: Mapping[str, Value]) -> str:
    present = [(name, value) for name, value in values.items() if value is not None]
    texts = [f"{name} {_plain(value)}" for name, value in present[:_MOST_VALUES]]
    return "   ".join([*texts, "…"] if len(present) > _MOST_VALUES else texts)


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else literal(value).strip("'")


def _line(seq: str, name: str, text: str) -> str:
    return f"{pad(seq.rjust(3), _SEQ)}{pad(clip(name, _NAMES), _NAMES)} {text}".rstrip()
