"""Comparing the rows of one table: as a multiset, among others, or in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from rowbook.definitions.models.scenario import Matching
from rowbook.definitions.place import Place
from rowbook.errors import Position, suggestion
from rowbook.expressions.scope import Field
from rowbook.planning.columns import is_system
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.assignment import left_over
from rowbook.scenarios.cell_comparison import Compared
from rowbook.scenarios.mismatch import Cells, ExpectedRow, Mismatch, RowsDifference
from rowbook.scenarios.nearest import row_pair, rows_difference


@dataclass(frozen=True, slots=True)
class WrittenRows:
    """Columns are those that any row mentions; `origin` says where the row at an index stands."""

    place: Place
    columns: tuple[str, ...]
    rows: Sequence[Mapping[str, object]]
    origin: Callable[[int], str]


def compare_rows(
    what: str, written: WrittenRows, actual: WrittenTable, matching: Matching, keys: Sequence[str]
) -> Iterator[Mismatch]:
    fields = {field.name: field for field in actual.fields}
    mentioned = written.columns if written.columns or written.rows else _telling(fields)
    names = [name for name in mentioned if name not in matching.ignore]
    unknown = [name for name in names if name not in fields]
    tolerance = {name: Decimal(cell.text) for name, cell in matching.tolerance.items()}
    texts = [n for n in names if n in tolerance and n in fields and not fields[n].type.is_numeric]
    position = written.place.key_position
    for name in unknown:
        known = suggestion(name, tuple(fields), "columns") or "there are no columns"
        yield Mismatch(what, f"there is no column '{name}'; {known}", position)
    for name in texts:
        message = f"a tolerance is for numbers, but '{name}' is {fields[name].type}"
        yield Mismatch(what, message, position)
    if unknown or texts:
        return
    compared = Compared(
        tuple(fields[name] for name in names), tuple(tolerance.get(name) for name in names)
    )
    expected = [compared.expected(row) for row in written.rows]
    got = [compared.actual(row) for row in actual.rows]
    comparison = _Comparison(what, position, compared, expected, got, written.origin)
    found = comparison.unordered(matching.mode == "subset", keys)
    if found is None and matching.order:
        found = comparison.ordered(matching.mode == "subset")
    if found is not None:
        yield found


def _telling(fields: Mapping[str, Field]) -> tuple[str, ...]:
    """The columns that show rows where none are expected, and so no column is mentioned."""
    return tuple(name for name in fields if not is_system(name)) or tuple(fields)


@dataclass(frozen=True, slots=True)
class _Comparison:
    what: str
    position: Position
    compared: Compared
    expected: Sequence[Cells]
    got: Sequence[Cells]
    origin: Callable[[int], str]

    def unordered(self, subset: bool, keys: Sequence[str]) -> Mismatch | None:
        lost, spare = left_over(self.expected, self.got, self.compared)
        if not lost and (subset or not spare):
            return None
        missing = [self._row(i) for i in lost]
        unexpected = [self.got[j] for j in spare]
        rows = rows_difference(missing, unexpected, self.compared, keys)
        if subset:
            rows = replace(rows, unexpected=())
        return self._mismatch(self._summary(rows, subset), rows)

    def ordered(self, subset: bool) -> Mismatch | None:
        """All rows are there. Of rows among others, each must come after the one before it."""
        if subset:
            return self._subsequence()
        pairs = tuple(
            row_pair(self._row(i), theirs, self.compared, number=i + 1)
            for i, (ours, theirs) in enumerate(zip(self.expected, self.got, strict=True))
            if not self.compared.same_row(ours, theirs)
        )
        rows = RowsDifference(self.compared.names, pairs=pairs)
        return self._mismatch("the rows are right, but in another order", rows) if pairs else None

    def _subsequence(self) -> Mismatch | None:
        rest = iter(self.got)
        for i, ours in enumerate(self.expected):
            if not any(self.compared.same_row(ours, theirs) for theirs in rest):
                rows = RowsDifference(self.compared.names, missing=(self._row(i),))
                message = "the rows are there, but one does not come after the row before it"
                return self._mismatch(message, rows)
        return None

    def _row(self, index: int) -> ExpectedRow:
        return ExpectedRow(self.expected[index], self.origin(index))

    def _mismatch(self, message: str, rows: RowsDifference) -> Mismatch:
        return Mismatch(self.what, message, self.position, rows)

    def _summary(self, rows: RowsDifference, subset: bool) -> str:
        counts = (
            (len(rows.pairs), "different"),
            (len(rows.missing), "missing"),
            (len(rows.unexpected), "unexpected"),
        )
        told = ", ".join(f"{count} {word}" for count, word in counts if count)
        count, got = len(self.expected), len(self.got)
        expected = f"{count} row{'' if count == 1 else 's'}"
        return f"expected {expected}{' among' if subset else ', got'} {got}: {told}"
