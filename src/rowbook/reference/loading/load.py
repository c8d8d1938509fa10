"""Loading a dataset: names mapped, values checked and converted, then the temporal filter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field

from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns, is_periodic, stored_columns
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading import faults as load_faults
from rowbook.reference.loading.fitting import fit_value
from rowbook.reference.loading.temporal_filter import is_visible_in_time, with_period
from rowbook.reference.rows import text_of
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class SourceTable:
    """Rows as a source has them, by physical names: values, or text for the declared type to read.
    `origin` names the place in messages. `identity` are columns, beside those, that tell each row
    from every other for ever (file and row number); without, rows are told apart by what they hold.
    `period` is that of the whole place, where it has one."""

    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, Value]]
    origin: str
    identity: tuple[Field, ...] = ()
    period: str | None = None


@dataclass(frozen=True, slots=True)
class SourceTables:
    """What there is of a dataset; `periods` are the identifiers that rows of a periodic one may
    have; None: the run's own."""

    tables: tuple[SourceTable, ...]
    periods: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A dataset's rows for a run: declared columns in order, then system columns that the source
    holds. `identities` are the values that tell rows apart, of the columns of `identity`; they are
    `unique` where the source knows."""

    fields: Mapping[str, Field]
    rows: Sequence[Mapping[str, Value]]
    identity: tuple[Field, ...]
    identities: Sequence[Sequence[Value]]
    unique: bool


@dataclass(slots=True)
class _Fault:
    """One way in which rows are at fault, how many are, and some of them."""

    code: str
    text: Callable[[int], str]
    rows: int = 0
    samples: list[str] = field(default_factory=list)


def load(
    dataset: Dataset, source: SourceTables, context: RunContext, *, keep_deleted: bool
) -> Loaded:
    """The rows of a dataset that a run sees. Raises DATASET_010 where a column is missing,
    DATASET_011 where a value does not fit, DATASET_012 for a NULL where there may be none; whether
    a run would see that row or not."""
    mappings = [_mapping(dataset, table) for table in source.tables]
    absent = [fault for _, faults in mappings for fault in faults]
    if absent:
        raise RowbookError(*dict.fromkeys(absent))
    faults: dict[tuple[str, str], _Fault] = {}
    fields: dict[str, Field] = {}
    rows: list[tuple[dict[str, Value], Mapping[str, Value]]] = []
    for table, (mapping, _) in zip(source.tables, mappings, strict=True):
        fields |= {each.name: each for each, _ in mapping}
        rows += _Checks(dataset, table, mapping, faults).rows()
    if faults:
        raise RowbookError(*(_diagnostic(dataset, fault) for fault in faults.values()))
    accepted = source.periods or (context.period.identifier,)
    is_visible = is_visible_in_time(dataset, context, accepted)
    dated = with_period(dataset, context, accepted)
    if dataset.period_from:
        fields[PERIOD.name] = PERIOD
    kept = [
        (row, raw)
        for row, raw in ((dated(row), raw) for row, raw in rows)
        if is_visible(row) and (keep_deleted or not row.get("_deleted"))
    ]
    complete = [{name: row.get(name) for name in fields} for row, _ in kept]
    identity = source.tables[0].identity if source.tables else ()
    if identity and len({len(table.identity) for table in source.tables}) == 1:
        places = [[raw[each.name] for each in identity] for _, raw in kept]
        return Loaded(fields, complete, identity, places, unique=True)
    content = tuple(fields[name] for name in sorted(fields))
    cells = [[row[each.name] for each in content] for row in complete]
    return Loaded(fields, complete, content, cells, unique=False)


def _mapping(
    dataset: Dataset, table: SourceTable
) -> tuple[list[tuple[Field, str | None]], tuple[Diagnostic, ...]]:
    """The columns that are loaded, each with its physical name; None for the place's period."""
    found: list[tuple[Field, str | None]] = []
    missing: list[str] = []
    declared = declared_columns(dataset, by_position=False, partitions=())
    for each, source in (*declared, *stored_columns(dataset, table.columns)):
        if source in table.columns:
            found.append((each, source))
        elif each.name == PERIOD.name and is_periodic(dataset) and table.period is not None:
            found.append((each, None))
        else:
            missing.append(source)
    absent = load_faults.missing_columns(dataset, table.origin, missing, table.columns)
    return found, tuple(absent)


@dataclass(frozen=True, slots=True)
class _Checks:
    dataset: Dataset
    table: SourceTable
    mapping: Sequence[tuple[Field, str | None]]
    faults: dict[tuple[str, str], _Fault]

    def rows(self) -> list[tuple[dict[str, Value], Mapping[str, Value]]]:
        """Each row converted, and as it was; by columns, so that faults are in their order."""
        converted: list[dict[str, Value]] = [{} for _ in self.table.rows]
        for each, source in self.mapping:
            for row, value in zip(converted, self._column(each, source), strict=True):
                row[each.name] = value
        return list(zip(converted, self.table.rows, strict=True))

    def _column(self, each: Field, source: str | None) -> Iterator[Value]:
        if source is None:
            yield from (self.table.period for _ in self.table.rows)
            return
        for row in self.table.rows:
            value = row.get(source)
            if value is None:
                if not each.nullable:
                    self._note("DATASET_012", each, source, row)
                yield None
                continue
            try:
                yield fit_value(value, each.type)
            except ValueError:
                self._note("DATASET_011", each, source, row)
                yield None

    def _note(self, code: str, each: Field, source: str, row: Mapping[str, Value]) -> None:
        name, kind = each.name, each.type
        if code == "DATASET_011":
            new = _Fault(code, lambda rows: load_faults.misfits(name, kind, rows))
        else:
            new = _Fault(code, lambda rows: load_faults.nulls(name, rows))
        fault = self.faults.setdefault((code, source), new)
        fault.rows += 1
        if len(fault.samples) < load_faults.SAMPLES:
            place = load_faults.row_place(self.table.origin, self._keys(source, row))
            value = row.get(source)
            fits = "" if value is None else f"'{load_faults.shortened(text_of(value))}' at "
            fault.samples.append(f"{fits}{place}")

    def _keys(self, at_fault: str, row: Mapping[str, Value]) -> dict[str, str | None]:
        sources = {each.name: source for each, source in self.mapping if source is not None}
        keys = load_faults.key_columns(self.dataset, sources)
        cells = {name: row.get(source) for name, source in keys.items() if source != at_fault}
        return {name: None if v is None else text_of(v) for name, v in cells.items()}


def _diagnostic(dataset: Dataset, fault: _Fault) -> Diagnostic:
    text = fault.text(fault.rows)
    message = load_faults.with_samples(dataset, text, fault.samples, fault.rows)
    return Diagnostic(fault.code, message)
