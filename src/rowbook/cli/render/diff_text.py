"""How two runs differ, for people: 80 columns, plain when piped."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rowbook.api import is_listed
from rowbook.cli.render.printing import instant
from rowbook.cli.render.text_tables import page, table
from rowbook.text.cell_text import first_difference, format_both, format_cell
from rowbook.text.table_layout import table_lines
from rowbook.text.visible import clip, width

if TYPE_CHECKING:
    from rich.console import RenderableType

    from rowbook.api import (
        CellChange,
        ChangedRow,
        ComparedRun,
        Groups,
        Number,
        OutputDifference,
        Row,
        RunDifference,
        TableDifference,
        Total,
    )

_WIDE = 80
_MIXED = (
    "subtotals may be among these rows, and are added up with them: an output that writes"
    " _operation_seq, and of an aggregate with levels a column with LEVEL(), tells them apart"
)
_TOTALS = (("", False), ("before", True), ("after", True), ("difference", True))


def print_difference(found: RunDifference) -> None:
    out = page(sys.stdout)
    for part in _parts(found):
        if isinstance(part, str):
            out.print(part, markup=False, soft_wrap=True)
        else:
            out.print(part)


def _parts(found: RunDifference) -> Iterator[RenderableType]:
    yield from _run("before", found.before)
    yield from _run("after", found.after)
    for each in found.unmatched:
        other = "after" if each.side == "before" else "before"
        said = f"output {each.seq} '{each.name}' to {each.destination}"
        yield from _wrapped(f"only {each.side}: {said} (nothing to compare it with {other})")
    for output in found.outputs:
        yield ""
        yield from _output(output)


def _run(side: str, compared: ComparedRun) -> Iterator[str]:
    run = compared.run
    version = "draft" if run.draft else f"version {run.project_version}"
    yield f"{side:<6}  run {run.id} {run.status} {instant(run.finished_at)} UTC"
    yield from _wrapped(f"        {run.project_name} ({version}) for {run.period}", 8)
    if compared.recomputed_as:
        yield f"        recomputed as run {compared.recomputed_as}"
    for change in compared.changed_input:
        yield from _wrapped(f"        its input is not what it was: {change}", 10)


def _output(output: OutputDifference) -> Iterator[RenderableType]:
    found = output.table
    yield from _wrapped(f"output {output.seq} '{output.name}' to {output.destination}")
    yield from _wrapped(f"  {_matching(found)}", 2)
    yield from _columns(found)
    counts = (
        f"{found.equal:,} equal, {found.changed:,} changed, {found.only_before:,} only before,"
        f" {found.only_after:,} only after"
    )
    yield f"  {'the same' if found.same else 'different'}: {counts}"
    if found.mixed:
        yield from _wrapped(f"  {_MIXED}", 4)
    yield ""
    yield table(_TOTALS, list(_totals(found)))
    if found.groups is not None:
        yield from _groups(found.groups, has_kinds=found.has_kinds)
    yield from _changed(found)
    yield from _rows("only before", found.rows_only_before, found.only_before, found)
    yield from _rows("only after", found.rows_only_after, found.only_after, found)


def _matching(found: TableDifference) -> str:
    if not found.key:
        return "rows are compared whole: nothing tells them apart"
    said = f"rows are matched by {', '.join(found.key)}"
    repeated = [
        f"{each.rows:,} rows {side} share {each.keys:,} key{'s' * (each.keys != 1)}"
        for side, each in (("before", found.repeated_before), ("after", found.repeated_after))
        if each.keys
    ]
    whole = "; these are compared whole, among those of their key" if repeated else ""
    return "; ".join([said, *repeated]) + whole


def _columns(found: TableDifference) -> Iterator[str]:
    for side, names in (("before", found.columns_only_before), ("after", found.columns_only_after)):
        if names:
            yield from _wrapped(f"  columns only {side}: {', '.join(names)}", 4)
    for each in found.retyped:
        how = "" if each.compared else ", not compared"
        yield from _wrapped(f"  column {each.column}: {each.before} → {each.after}{how}", 4)


def _total_line(name: str, before: Number, after: Number, difference: Number) -> list[Any]:
    signed = f"{difference:+,f}" if difference else difference
    return [name, before, after, signed]


def _totals(found: TableDifference) -> Iterator[list[Any]]:
    """Of the lines, and apart from them of the summary rows of each aggregate."""
    yield _rows_line("rows", found.rows_before, found.rows_after)
    indent = "  " if found.has_kinds else ""
    if found.has_kinds and any(found.lines):
        yield _rows_line("lines", *found.lines)
    yield from _sums(found.totals, indent)
    for each in found.subtotals:
        if found.has_kinds:
            level = "" if each.level is None else f", level {each.level}"
            name = f"subtotals of operation {each.seq}{level}"
            yield _rows_line(name, each.rows_before, each.rows_after)
        yield from _sums(each.totals, indent)


def _rows_line(name: str, before: int, after: int) -> list[Any]:
    return _total_line(name, before, after, Decimal(after - before))


def _sums(totals: Sequence[Total], indent: str = "") -> Iterator[list[Any]]:
    for each in totals:
        if (each.before, each.after) != (None, None):
            yield _total_line(indent + each.column, each.before, each.after, each.difference)


def _groups(groups: Groups, *, has_kinds: bool) -> Iterator[RenderableType]:
    by = ", ".join(groups.columns)
    yield ""
    yield from _wrapped(f"  by {by}: {groups.different:,} of {groups.count:,} groups differ", 4)
    lines: list[list[Any]] = []
    for each in groups.shown:
        totals: Sequence[Total] = [t for t in each.totals if t.difference]
        name = ", ".join(_cell(value) for value in each.group.values())
        if has_kinds and each.seq is not None:
            level = "" if each.level is None else f", level {each.level}"
            name += f" (subtotals of {each.seq}{level})"
        moved = each.rows_after != each.rows_before
        found = [_rows_line("rows", each.rows_before, each.rows_after)] if moved else []
        found += [_total_line(t.column, t.before, t.after, t.difference) for t in totals]
        lines += [[name if i == 0 else "", *line] for i, line in enumerate(found)]
    if lines:
        yield table(((by, False), *_TOTALS), lines)
    yield from _more(groups.different, len(groups.shown), "groups")


def _changed(found: TableDifference) -> Iterator[str]:
    if not found.changed:
        return
    yield ""
    cells = ", ".join(f"{name} in {count:,}" for name, count in found.changed_cells.items())
    yield from _wrapped(f"  changed rows, by column: {cells}", 4)
    for row in found.changed_rows:
        yield from _changed_row(row)
    yield from _more(found.changed, len(found.changed_rows), "rows")


def _changed_row(row: ChangedRow) -> Iterator[str]:
    cells = row.known_by or row.key
    key = ", ".join(f"{name} {_cell(value)}" for name, value in cells.items())
    yield from _wrapped(f"    {key}", 6)
    for cell in row.cells:
        yield from _cells(cell)


def _cells(cell: CellChange) -> Iterator[str]:
    """`amount: 10.50 → 10.55`; on two lines where one is too short, cut such that the first
    difference is seen."""
    before, after = format_both(cell.before, cell.after)
    line = f"      {cell.column}: {before} → {after}"
    if width(line) <= _WIDE:
        yield line
        return
    around = first_difference(before, after)
    lead = f"      {clip(cell.column, _WIDE // 2)}: "
    yield lead + clip(before, _WIDE - width(lead), around)
    arrow = f"{' ' * (width(lead) - 2)}→ "
    yield arrow + clip(after, _WIDE - width(arrow), around)


def _rows(title: str, rows: Sequence[Row], count: int, found: TableDifference) -> Iterator[str]:
    if not count:
        return
    yield ""
    yield f"  {title}"
    if rows:
        names = _telling(tuple(rows[0]), found)
        cells = [(tuple(row[name] for name in names), "") for row in rows]
        yield from table_lines(names, cells, _WIDE)
    yield from _more(count, len(rows), "rows")


def _telling(names: tuple[str, ...], found: TableDifference) -> tuple[str, ...]:
    """The columns that a row is shown with: system columns only where rows that are compared whole
    may differ in nothing else."""
    if not found.key or found.repeated_before.keys or found.repeated_after.keys:
        return names
    own = tuple(filter(is_listed, names))
    return own or names


def _more(count: int, listed: int, what: str) -> Iterator[str]:
    if count > listed:
        yield f"    … and {count - listed:,} more {what}"


def _cell(value: Any) -> str:
    return clip(format_cell(value), _WIDE // 2)


def _wrapped(text: str, indent: int = 0) -> list[str]:
    own = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(),
        _WIDE,
        initial_indent=own,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
    )
