"""Lineage on the terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from rowbook.text.lineage_words import source_lines
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import ColumnSource, ColumnUse, LineageResult, OutputLineage

_WIDTH = 100
_ROWS = "which rows"


def lineage_lines(found: LineageResult) -> Iterator[str]:
    yield f"{found.project} reads {', '.join(found.reads)}"
    for output in found.outputs:
        yield ""
        yield from _output(output)
    if found.direction == "downstream":
        yield from _uses(found.uses)
    if found.unknown:
        yield ""
        yield f"Not known, as they cannot be planned: {', '.join(found.unknown)}"


def _output(output: OutputLineage) -> Iterator[str]:
    registered = f", dataset {output.dataset}" if output.dataset else ""
    yield f"{output.seq} {output.name} → {output.table}{registered}"
    if output.births:
        yield f"  writes {', '.join(each.birth.label for each in output.births)}"
    widest = max((len(each.column) for each in output.columns), default=0)
    widest = max(widest, len(_ROWS))
    for each in output.columns:
        yield from _sources(each.column, each.sources, each.operations, widest)
    yield from _sources(_ROWS, output.rows, (), widest)


def _sources(
    name: str, sources: tuple[ColumnSource, ...], operations: tuple[int, ...], widest: int
) -> Iterator[str]:
    lines = source_lines(sources)
    if not lines:
        by = f"  by {', '.join(map(str, operations))}" if operations else ""
        yield f"  {name:<{widest}}  no column{by}"
    for line in lines:
        room = _WIDTH - widest - 20
        first, *more = wrap(line.text, room, break_long_words=False, break_on_hyphens=False)
        yield f"  {name:<{widest}}  {line.kind:<14}  {first}"
        yield from (f"  {'':<{widest}}  {'':<14}  {rest}" for rest in more)
        name = ""


def _uses(uses: tuple[ColumnUse, ...]) -> Iterator[str]:
    by_source: dict[str, list[ColumnUse]] = {}
    for use in uses:
        by_source.setdefault(str(use.source), []).append(use)
    if not uses:
        yield ""
        yield "goes into no output"
    for source, found in by_source.items():
        yield ""
        yield f"{source} goes into {number(len(found), 'place')}"
        for use in found:
            by = f"  by {', '.join(map(str, use.operations))}" if use.operations else ""
            through = f"  through {', '.join(use.through)}" if use.through else ""
            where = f"{use.output}.{use.column}" if use.column else f"{use.output}, {_ROWS}"
            yield f"  {use.project} {use.seq}  {where}  {use.kind}{by}{through}"


def lineage_json(found: LineageResult) -> dict[str, Any]:
    return {
        "project": found.project,
        "direction": found.direction,
        "column": found.column,
        "reads": list(found.reads),
        "outputs": [_output_json(each) for each in found.outputs],
        "uses": [_use_json(each) for each in found.uses],
        "unknown": list(found.unknown),
    }


def _output_json(output: OutputLineage) -> dict[str, Any]:
    return {
        "seq": output.seq,
        "name": output.name,
        "table": output.table,
        "dataset": output.dataset,
        "columns": [
            {
                "column": each.column,
                "operations": list(each.operations),
                "sources": [_source_json(source) for source in each.sources],
            }
            for each in output.columns
        ],
        "rows": [_source_json(each) for each in output.rows],
        "births": [
            {
                "kind": birth.birth.kind,
                "seq": birth.birth.seq,
                "level": birth.birth.level,
                "columns": {
                    each.column: [_source_json(source) for source in each.sources]
                    for each in birth.columns
                },
                "rows": [_source_json(each) for each in birth.rows],
            }
            for birth in output.births
        ],
    }


def _source_json(source: ColumnSource) -> dict[str, Any]:
    return {
        "dataset": source.dataset,
        "column": source.column,
        "type": "direct" if source.is_direct else "indirect",
        "kind": source.kind,
        "operations": list(source.operations),
        "through": list(source.through),
    }


def _use_json(use: ColumnUse) -> dict[str, Any]:
    return {
        "dataset": use.source.dataset,
        "source": use.source.column,
        "project": use.project,
        "seq": use.seq,
        "output": use.output,
        "column": use.column,
        "kind": use.kind,
        "operations": list(use.operations),
        "through": list(use.through),
    }
