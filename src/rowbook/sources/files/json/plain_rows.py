"""Rows of json lines without Spark: every value as text, as json/read.py has them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import StringIO

from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.sources.files.bundles import Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.json.lines import JsonOptions, Keys, Line, first_keys, lines_in
from rowbook.sources.files.text.column_reading import text_fit
from rowbook.sources.files.text.content_guesses import encoding_hint
from rowbook.sources.files.text.encodings import LOST
from rowbook.sources.files.text.plain_text import LineBudget, read_plain_text
from rowbook.sources.source_errors import NotPlainError


def read_plain_json(places: Sequence[FileTable], budget: LineBudget) -> tuple[PlainTable, ...]:
    """With the columns that Spark's rows have: those of the first rows of each file, and of later
    ones those that are wanted."""
    options = JsonOptions.of(places[0].options, places[0].label)
    found = bundle(places, lambda _: None)
    files = [placed for each in found.each for placed in each.files]
    keys = first_keys([(each.file.path, each.name) for each in files], options.encoding)
    wanted = places[0].wanted
    lines = {
        placed.name: tuple(_lines(placed, options, wanted, budget)) if found.with_rows else ()
        for placed in files
    }
    later: Collection[str] = wanted or ()
    if found.with_rows:
        rows = (line.values for each in lines.values() for line in each)
        later = _later_keys(rows, keys, places, files)
    columns = keys.columns(wanted or (), later)
    return tuple(_table(each, columns, keys, lines, options, budget) for each in found.each)


def _later_keys(
    rows: Iterable[Mapping[str, str | None]],
    keys: Keys,
    places: Sequence[FileTable],
    files: Sequence[Placed],
) -> Collection[str]:
    """Of those that are wanted, and do not come from elsewhere."""
    if keys.complete:
        return ()
    settled = {name for placed in files for name in placed.file.partitions}
    settled |= {PERIOD.name} if all(place.period for place in places) else set()
    names = {name for row in rows for name in row}
    wanted = places[0].wanted
    return sorted(names if wanted is None else names & ({*wanted} - settled))


def _table(
    each: Bundle[None],
    columns: Sequence[str],
    keys: Keys,
    lines: Mapping[str, Sequence[Line]],
    options: JsonOptions,
    budget: LineBudget,
) -> PlainTable:
    names = tuple(dict.fromkeys((*columns, *each.partitions)))
    period = each.place_period
    has_period = bool(period.column or period.period)
    may_say_period = not keys.complete and has_period and PERIOD.name not in names
    rows: list[Mapping[str, Value]] = []
    numbers: list[str] = []
    broken: list[str] = []
    for placed in each.files:
        added = each.cells_of(placed)
        for line in lines[placed.name]:
            place = f"{placed.name}:{line.number}"
            if line.fault is not None:
                broken.append(f"{place} ({line.fault})")
                continue
            row = {**{name: line.values.get(name) for name in columns}, **added}
            if may_say_period:
                own = line.values.get(PERIOD.name)
                row[PERIOD.name] = placed.place.period if own is None else own
            rows.append(row)
            numbers.append(place)
    return PlainTable(
        (*names, PERIOD.name) if may_say_period else names,
        rows,
        each.origin,
        period=period.period,
        period_column=period.column,
        partitions=each.partitions,
        fit=text_fit(options.form),
        lines=numbers,
        broken=broken,
        lost=LOST if budget.lost else None,
        encoding_hint=lambda: encoding_hint((p.file.path for p in each.files), options.encoding),
    )


def _lines(
    placed: Placed, options: JsonOptions, wanted: Collection[str] | None, budget: LineBudget
) -> Iterator[Line]:
    text, _ = read_plain_text(placed.file.path, options.encoding, placed.name, budget)
    for line in lines_in(StringIO(text, newline="")):
        if any(wanted is None or name in wanted for name in line.nested):
            raise NotPlainError(f"{placed.name}:{line.number} holds a value inside of a value")
        yield line
