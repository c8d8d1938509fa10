"""Rows for people, as json, or as csv that can be loaded again; and which engine gave them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from rowbook.cli.render.printing import print_json
from rowbook.errors import RowbookError, suggestion
from rowbook.text.cell_text import as_json
from rowbook.text.visible import number

if TYPE_CHECKING:
    from rowbook.api import EngineChoice, EngineName, TableRows

Row: TypeAlias = Mapping[str, Any]

MOST_SHOWN = 20
"""Rows of a table, where nobody says how many."""
_NEEDS_QUOTES = frozenset(',"\r\n')


def engine_words(engine: str | None) -> tuple[EngineName | None, str | None]:
    """What --engine means: the engine, and where Spark is if not where the workspace says."""
    named: EngineName | None = "reference" if engine == "reference" else "spark" if engine else None
    return named, None if engine in ("reference", "spark") else engine


def engine_label(done: str, choice: EngineChoice) -> str:
    engine = "the reference engine" if choice.engine == "reference" else "Spark"
    return f"{done} by {engine}: {choice.reason}"


def choose_columns(known: Sequence[str], columns: str | None, *, system: bool) -> list[str]:
    """The columns to show; `--columns` may name those of the system."""
    from rowbook.api import is_listed

    if columns is None:
        return [name for name in known if system or is_listed(name)]
    names = [name.strip() for name in columns.split(",")]
    for name in names:
        if name not in known:
            hint = suggestion(name, known, "columns")
            raise RowbookError.of("USAGE_001", f"there is no column '{name}'", hint=hint)
    return list(dict.fromkeys(names))


def print_table_rows(
    found: TableRows,
    names: Sequence[str],
    form: Literal["text", "json", "csv"],
    about: Mapping[str, Any],
) -> None:
    """`about` is what JSON says before the rows."""
    match form:
        case "json":
            told = {"engine": found.engine, "more": found.is_cut, **rows_json(names, found.rows)}
            print_json({**about, **told})
        case "csv":
            sys.stdout.writelines(csv_lines(names, found.rows))
        case "text":
            print_rows(names, found.rows, is_cut=found.is_cut)


def rows_json(names: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    cells = [{name: as_json(row[name]) for name in names} for row in rows]
    return {"columns": list(names), "rows": cells}


def csv_lines(names: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """As outputs write csv: NULL is nothing, empty text \"\", numbers plain, times ISO."""
    if len(names) == 1 and any(row[names[0]] is None for row in rows):
        message = "csv of one column cannot hold NULL: the line would be empty"
        raise RowbookError.of("USAGE_001", message, hint="use --format json, or more columns")
    header = ",".join(map(_csv_cell, names))
    return [f"{header}\n", *(",".join(_csv_cell(row[n]) for n in names) + "\n" for row in rows)]


def _csv_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(as_json(value))
    if text and _NEEDS_QUOTES.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


def print_rows(names: Sequence[str], rows: Sequence[Row], *, is_cut: bool = False) -> None:
    from rowbook.cli.render.text_tables import page, print_table
    from rowbook.text.table_layout import TextColumn

    columns = [
        TextColumn(
            name,
            numeric=any(isinstance(row[name], int | float | Decimal) for row in rows),
            spare=place,
            long="cut",
        )
        for place, name in enumerate(names)
    ]
    left_out = print_table(columns, [[row[name] for name in names] for row in rows])
    more = ", and there are more: --limit" if is_cut else ""
    sys.stdout.write(f"{number(len(rows), 'row')}{more}\n")
    if left_out:
        listed = ", ".join(column.heading for column in left_out)
        said = f"no room for {number(len(left_out), 'column')}: {listed}; --columns chooses"
        page(sys.stdout).print(said, markup=False)
