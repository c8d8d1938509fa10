"""Loading a dataset: names mapped, values checked and converted, then the temporal filter."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.expressions.types import Kind
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import (
    declared_columns,
    is_periodic,
    loaded_fields,
    stored_columns,
)
from rowbook.planning.run_context import RunContext
from rowbook.planning.unpivot import Unpivot
from rowbook.reference.loading import load_faults
from rowbook.reference.loading.column_fit import ColumnFit, usual_fit
from rowbook.reference.loading.column_rows import ColumnRows
from rowbook.reference.loading.fitting import NO_FORMAT, can_become
from rowbook.reference.loading.period_presence import absent_in, check_absent
from rowbook.reference.loading.visibility import is_visible_in_time, with_period
from rowbook.reference.working_rows import text_of
from rowbook.value_class import dataclass

_COLUMN = Field("__column", t.STRING)
"""What tells rows apart that one row became: the physical column."""
RowPosition: TypeAlias = tuple[int, int]
"""Where a row stands: the place of its table among those of the source, and its own in it."""
_PlacedRow: TypeAlias = tuple[dict[str, Value], tuple[Value, ...], RowPosition]


@dataclass(frozen=True, slots=True)
class PlainTable:
    """Rows as a source has them, by physical names: values, or text for the declared type to read.
    `origin` names the place in messages. `identity` are columns, beside those, that tell each row
    from every other for ever (file and row number); without, rows are told apart by what they hold.
    `period` is that of the whole place, where it has one; where rows come from places of several
    periods, `period_column` of theirs holds it.

    `by_position`: columns have no names but c1, c2 …, and declared ones are taken in order, those
    of `partitions` (in folders' names) aside. `types` are the physical types of columns that have
    one, as Spark's SQL names them. `fit` is how the values of a column become those of its type, by
    its name and its format. `lines` says of each row where it stands, as file and line; `place_of`
    of a column and row, as file and cell; `name_of` of a row that stands on no line, for who looks
    for it. `broken` are the lines that are no rows, and why. `lost` stands for bytes that are no
    text, where there are some, and `encoding_hint` says what they look like."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Value]]
    origin: str
    identity: tuple[Field, ...] = ()
    period: str | None = None
    period_column: str | None = None
    by_position: bool = False
    partitions: tuple[str, ...] = ()
    types: Mapping[str, str] = field(default_factory=dict)
    fit: Callable[[str, Mapping[str, str]], ColumnFit] = usual_fit
    lines: Sequence[str] | None = None
    broken: Sequence[str] = ()
    place_of: Callable[[str, int], str] | None = None
    name_of: Callable[[int], str] | None = None
    lost: str | None = None
    encoding_hint: Callable[[], str | None] = lambda: None

    def values(self, column: str) -> Sequence[Value]:
        if isinstance(self.rows, ColumnRows):
            return self.rows.columns[column]
        return [row.get(column) for row in self.rows]

    def only(self, places: Sequence[int]) -> PlainTable:
        """The rows at some places."""
        rows, lines, name_of, place_of = self.rows, self.lines, self.name_of, self.place_of
        return replace(
            self,
            rows=[rows[place] for place in places],
            lines=None if lines is None else [lines[place] for place in places],
            name_of=None if name_of is None else lambda index: name_of(places[index]),
            place_of=None
            if place_of is None
            else lambda column, index: place_of(column, places[index]),
        )

    def periods(self) -> Sequence[Value]:
        column = self.period_column
        return [self.period] * len(self.rows) if column is None else self.values(column)

    @property
    def has_period(self) -> bool:
        return self.period is not None or self.period_column is not None


@dataclass(frozen=True, slots=True)
class SourceTables:
    """What there is of a dataset; `periods` are the identifiers that rows of a periodic one may
    have; None: the run's own. `expected` are periods that there must be rows of, each with the
    identifiers that such rows have."""

    tables: tuple[PlainTable, ...]
    periods: tuple[str, ...] | None = None
    expected: Mapping[str, Collection[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """A dataset's rows for a run: declared columns in order, then system columns that the source
    holds. `identities` are the values that tell rows apart, of the columns of `identity`; they are
    `unique` where the source knows. `absent` are the periods that there should be rows of,
    `positions` where each row stands in the source."""

    fields: Mapping[str, Field]
    rows: Sequence[Mapping[str, Value]]
    identity: tuple[Field, ...]
    identities: Sequence[Sequence[Value]]
    unique: bool
    absent: tuple[str, ...] = ()
    positions: Sequence[RowPosition] = ()

    def only(self, places: Sequence[int]) -> LoadedRows:
        """The rows at some places."""
        rows, identities, positions = self.rows, self.identities, self.positions
        return replace(
            self,
            rows=[rows[i] for i in places],
            identities=[identities[i] for i in places],
            positions=[positions[i] for i in places] if positions else (),
        )


@dataclass(frozen=True, slots=True)
class ConvertedRows:
    """All rows of a source in their declared types, each with the values that tell it from others
    (`told`: the source knows them) and where it stands; and whether a run sees one."""

    fields: Mapping[str, Field]
    identity: tuple[Field, ...]
    told: bool
    rows: Sequence[_PlacedRow]
    is_visible: Callable[[Mapping[str, Value]], bool]


@dataclass(frozen=True, slots=True)
class ConvertedTable:
    """A table's columns in their declared types, those that become rows as they are in it."""

    table: PlainTable
    columns: Mapping[Field, Sequence[Value]]


@dataclass(slots=True)
class _Fault:
    """One way in which rows are at fault, how many are, and some of them."""

    code: str
    text: Callable[[int], str]
    guess: Callable[[Sequence[str]], str | None] = lambda _: None
    rows: int = 0
    samples: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def load(
    dataset: Dataset, source: SourceTables, context: RunContext, *, keep_deleted: bool
) -> LoadedRows:
    """The rows of a dataset that a run sees. Raises DATASET_010 where a column is missing,
    DATASET_011 where a value does not fit, DATASET_012 for a NULL where there may be none; whether
    a run would see that row or not."""
    found = converted_rows(dataset, source, context)
    fields = found.fields
    seen = [each for each in found.rows if found.is_visible(each[0])]
    absent = absent_in((row[PERIOD.name] for row, _, _ in seen), source.expected)
    check_absent(dataset, absent)
    kept = [each for each in seen if keep_deleted or not each[0].get("_deleted")]
    complete = [{name: row.get(name) for name in fields} for row, _, _ in kept]
    positions = [position for _, _, position in kept]
    if found.told:
        told_by = [values for _, values, _ in kept]
        return LoadedRows(fields, complete, found.identity, told_by, True, absent, positions)
    content = tuple(fields[name] for name in sorted(fields))
    cells = [[row[each.name] for each in content] for row in complete]
    return LoadedRows(fields, complete, content, cells, False, absent, positions)


def converted_rows(dataset: Dataset, source: SourceTables, context: RunContext) -> ConvertedRows:
    """Raises as `load` does."""
    tables = convert(dataset, source.tables)
    identity = source.tables[0].identity if source.tables else ()
    told = bool(identity) and len({len(table.identity) for table in source.tables}) == 1
    rows = [
        each
        for place, table in enumerate(tables)
        for each in _rows(table, place, identity if told else ())
    ]
    if dataset.unpivot is not None:
        rows = list(_unpivoted(rows, dataset.unpivot))
        identity = (*identity, _COLUMN)
    fields = loaded_fields(dataset, {each.name: each for table in tables for each in table.columns})
    accepted = (context.period.identifier,) if source.periods is None else source.periods
    is_visible = is_visible_in_time(dataset, context, accepted)
    dated = with_period(dataset, context, accepted)
    if dataset.period_from:
        fields[PERIOD.name] = PERIOD
        rows = [(dated(row), told_by, position) for row, told_by, position in rows]
    return ConvertedRows(fields, identity, told, rows, is_visible)


def no_rows(dataset: Dataset) -> PlainTable:
    """What is read where there is nothing."""
    declared = declared_columns(dataset, by_position=False, partitions=())
    columns = [source for _, source in (*declared, *stored_columns(dataset, ()))]
    return PlainTable(tuple(dict.fromkeys(columns)), (), f"dataset '{dataset.name}'")


def convert(dataset: Dataset, tables: Sequence[PlainTable]) -> list[ConvertedTable]:
    """Raises as `load` does."""
    check_columns(dataset, SourceTables(tuple(tables)))
    converted, faults = _checked_tables(dataset, tables)
    if faults:
        raise RowbookError(*(_diagnostic(dataset, fault) for fault in faults))
    return converted


def value_faults(
    dataset: Dataset, tables: Sequence[PlainTable], *, within: str = ""
) -> tuple[Diagnostic, ...]:
    """What `load` would say of the rows of these tables, whose columns are as declared; `within`
    are the words for which part of them these are."""
    _, faults = _checked_tables(dataset, tables)
    return tuple(_diagnostic(dataset, fault, within) for fault in faults)


def _rows(converted: ConvertedTable, table: int, identity: Sequence[Field]) -> Iterator[_PlacedRow]:
    """Each row, the values that tell it from others, and where it stands."""
    names = [each.name for each in converted.columns]
    cells = zip(*converted.columns.values(), strict=True)
    places = [converted.table.values(each.name) for each in identity]
    for index, row in enumerate(cells):
        told_by = tuple(place[index] for place in places)
        yield dict(zip(names, row, strict=True)), told_by, (table, index)


def _unpivoted(rows: Sequence[_PlacedRow], unpivot: Unpivot) -> Iterator[_PlacedRow]:
    """One for each column that is listed, in that order."""
    for wide, told_by, position in rows:
        rest = {name: value for name, value in wide.items() if name not in unpivot.columns}
        for column, name in unpivot.columns.items():
            if wide[column] is not None or not unpivot.drops_nulls:
                made = {unpivot.name.name: name, unpivot.value.name: wide[column]}
                yield {**rest, **made}, (*told_by, column), position


def check_columns(dataset: Dataset, source: SourceTables) -> None:
    """DATASET_010 for columns that are missing, DATASET_011 for those whose type cannot become the
    declared one."""
    faults = [fault for table in source.tables for fault in _mapping(dataset, table)[1]]
    if faults:
        raise RowbookError(*dict.fromkeys(faults))


def _checked_tables(
    dataset: Dataset, tables: Sequence[PlainTable]
) -> tuple[list[ConvertedTable], Collection[_Fault]]:
    faults: dict[tuple[str, str], _Fault] = {}
    mappings = [_mapping(dataset, table)[0] for table in tables]
    converted = [
        ConvertedTable(table, _Checks(dataset, table, mapping, faults).columns())
        for table, mapping in zip(tables, mappings, strict=True)
    ]
    return converted, faults.values()


def _mapping(
    dataset: Dataset, table: PlainTable
) -> tuple[list[tuple[Field, str | None]], list[Diagnostic]]:
    """The columns that are loaded, each with its physical name; None for the place's period."""
    found: list[tuple[Field, str | None]] = []
    missing: list[str] = []
    faults: list[Diagnostic] = []
    physical, partitions = frozenset(table.columns), table.partitions
    declared = declared_columns(dataset, by_position=table.by_position, partitions=partitions)
    for each, source in (*declared, *stored_columns(dataset, physical)):
        if source not in physical:
            if each.name == PERIOD.name and is_periodic(dataset) and table.has_period:
                found.append((each, None))
            else:
                missing.append(source)
        elif (kind := table.types.get(source)) and not can_become(
            kind, each.type, dataset.formats.get(each.name, NO_FORMAT)
        ):
            faults.append(load_faults.unlike(dataset, table.origin, each, source, kind))
        else:
            found.append((each, source))
    faults[:0] = load_faults.missing_columns(dataset, table.origin, missing, table.columns)
    return found, faults


@dataclass(frozen=True, slots=True)
class _Checks:
    dataset: Dataset
    table: PlainTable
    mapping: Sequence[tuple[Field, str | None]]
    faults: dict[tuple[str, str], _Fault]

    def columns(self) -> dict[Field, Sequence[Value]]:
        """By columns, so that faults are in their order."""
        self._note_broken()
        return {each: self._column(each, source) for each, source in self.mapping}

    def _column(self, each: Field, source: str | None) -> Sequence[Value]:
        """Faults of a column: values that do not fit, then NULLs, then those that are no text."""
        table = self.table
        if source is None:
            return table.periods()
        fit, kind = self._fit(each).fit, each.type
        values: list[Value] = []
        nulls: list[int] = []
        for index, value in enumerate(table.values(source)):
            if value is None:
                nulls.append(index)
            else:
                try:
                    value = fit(value, kind)
                except ValueError:
                    self._note("DATASET_011", each, source, index)
                    value = None
            values.append(value)
        if not each.nullable:
            for index in nulls:
                self._note("DATASET_012", each, source, index)
        if table.lost is not None and kind.kind is Kind.STRING:
            for index, text in enumerate(values):
                if text is not None and table.lost in str(text):
                    self._note("DATASOURCE_007", each, source, index)
        return values

    def _note(self, code: str, each: Field, source: str, index: int) -> None:
        fault = self.faults.get((code, source))
        if fault is None:
            fault = self.faults[code, source] = self._fault(code, each)
        fault.rows += 1
        if len(fault.samples) < load_faults.SAMPLES:
            value = self.table.values(source)[index]
            fits = "" if value is None else f"'{load_faults.shortened(text_of(value))}' at "
            fault.samples.append(f"{fits}{self._place(source, index)}")
            fault.texts += [value] if isinstance(value, str) else []

    def _fault(self, code: str, each: Field) -> _Fault:
        name, kind = each.name, each.type
        if code == "DATASET_012":
            return _Fault(code, lambda rows: load_faults.nulls(name, rows))
        if code == "DATASOURCE_007":
            hint = self.table.encoding_hint
            return _Fault(code, lambda rows: load_faults.lost(name, rows), lambda _: hint())
        guess = self._fit(each).guess
        return _Fault(
            code,
            lambda rows: load_faults.misfits(name, kind, rows),
            lambda texts: guess(texts, kind),
        )

    def _fit(self, each: Field) -> ColumnFit:
        return self.table.fit(each.name, self.dataset.formats.get(each.name, {}))

    def _note_broken(self) -> None:
        if self.table.broken:
            new = _Fault("DATASOURCE_007", load_faults.broken_lines)
            fault = self.faults.setdefault(("DATASOURCE_007", ""), new)
            fault.rows += len(self.table.broken)
            room = load_faults.SAMPLES - len(fault.samples)
            fault.samples += self.table.broken[:room]

    def _place(self, source: str, index: int) -> str:
        """By its line, where the value stands on one; else by the row's keys."""
        table = self.table
        if table.place_of is not None and source not in table.partitions:
            return table.place_of(source, index)
        if table.lines is not None and source not in table.partitions:
            return table.lines[index]
        return load_faults.row_place(table.origin, self._keys(source, table.rows[index]))

    def _keys(self, at_fault: str, row: Mapping[str, Value]) -> dict[str, str | None]:
        sources = {each.name: source for each, source in self.mapping if source is not None}
        keys = load_faults.key_columns(self.dataset, sources)
        cells = {name: row.get(source) for name, source in keys.items() if source != at_fault}
        return {name: None if v is None else text_of(v) for name, v in cells.items()}


def _diagnostic(dataset: Dataset, fault: _Fault, within: str = "") -> Diagnostic:
    text = f"{fault.text(fault.rows)}{within}"
    message = load_faults.with_samples(dataset, text, fault.samples, fault.rows)
    return Diagnostic(fault.code, message, hint=fault.guess(fault.texts))
