"""Comparing what came out with what a scenario expects (SPEC: Scenarios)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rowbook.definitions.models.scenario import (
    ExpectedError,
    ExpectedLedger,
    ExpectedResult,
    ExpectedRows,
    Matching,
)
from rowbook.definitions.place import Place
from rowbook.errors import Diagnostic, listing, suggestion
from rowbook.planning.columns import is_system
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.expectations.verdict_comparison import compare_verdicts
from rowbook.scenarios.mismatch import CellDifference, Mismatch
from rowbook.scenarios.outcome import Outcome
from rowbook.scenarios.row_files import FileRows
from rowbook.scenarios.rows import WrittenRows, compare_rows

_COUNTS = ("rows_in", "matched", "added", "deleted", "quarantined", "rows_out")
_LABELS = ("name", "type")


def compare(
    expectation: ExpectedResult,
    matching: Matching,
    outcome: Outcome,
    place: Place,
    files: Mapping[str, FileRows] | None = None,
    keys: Sequence[str] = (),
) -> list[Mismatch]:
    """Everything that is not as expected. `place` is the scenario's; `files` holds the content of
    the files that the expectation names; `keys` are natural keys, to tell rows by in diffs."""
    here = place.at("expect")
    wrong = _error(expectation.error, outcome, here)
    if wrong is not None:
        return [wrong]
    table = _Table(here, matching, files or {}, keys)
    return [
        *table.all(expectation, outcome),
        *_ledger(expectation.ledger, outcome, here),
        *compare_verdicts(expectation, outcome, here, matching),
    ]


def is_met(expected: ExpectedError, errors: Sequence[Diagnostic]) -> bool:
    text = expected.contains or ""
    return any(error.code == expected.code and text in error.text for error in errors)


def _error(expected: ExpectedError | None, outcome: Outcome, place: Place) -> Mismatch | None:
    errors = outcome.errors
    codes = listing(list(dict.fromkeys(error.code for error in errors)))
    if expected is None:
        if not errors:
            return None
        message = f"an error that is not expected: {codes}"
        return Mismatch("error", message, place.position, errors=errors)
    if is_met(expected, errors):
        return None
    wanted = f"expected error {expected.code}"
    if expected.contains:
        wanted += f" with '{expected.contains}' in its message"
    if not errors:
        got = "but there was no error"
    elif any(error.code == expected.code for error in errors):
        got = f"got {expected.code} without that text"
    else:
        got = f"got {codes}"
    return Mismatch("error", f"{wanted}, {got}", place.at("error").position, errors=errors)


def _ledger(
    expected: Sequence[ExpectedLedger], outcome: Outcome, place: Place
) -> Iterator[Mismatch]:
    entries = {entry.seq: entry for entry in outcome.ledger}
    for i, wanted in enumerate(expected):
        entry, what = entries.get(wanted.seq), f"operation {wanted.seq}"
        position = place.at("ledger", i).position
        if entry is None:
            known = listing([str(seq) for seq in entries]) or "none"
            yield Mismatch(what, f"not in the ledger; operations there: {known}", position)
            continue
        different = tuple(
            CellDifference(name, value, getattr(entry, name))
            for name in (*_LABELS, *_COUNTS)
            if (value := getattr(wanted, name)) is not None and value != getattr(entry, name)
        )
        if different:
            labels = any(cell.column in _LABELS for cell in different)
            other = "another entry" if labels else "other counts"
            yield Mismatch(what, f"the ledger has {other}", position, cells=different)


@dataclass(frozen=True, slots=True)
class _Table:
    place: Place
    matching: Matching
    files: Mapping[str, FileRows] = field(default_factory=dict)
    keys: Sequence[str] = ()

    def all(self, expectation: ExpectedResult, outcome: Outcome) -> Iterator[Mismatch]:
        """The working dataset, the outputs, then the rows that were taken out. Only an output's
        have an order."""
        unordered = replace(self, matching=self.matching.model_copy(update={"order": False}))
        if expectation.working is not None:
            here = self.place.at("working")
            if outcome.working is None:
                yield Mismatch("working", "there is no working dataset", here.position)
            else:
                yield from unordered._one("working", expectation.working, outcome.working, here)
        for name, expected in expectation.outputs.items():
            here, what = self.place.at("outputs", name), f"output {name}"
            actual = outcome.outputs.get(name)
            if actual is None:
                known = suggestion(name, tuple(outcome.outputs), "outputs")
                message = "it was not written" + (f"; {known}" if known else "")
                yield Mismatch(what, message, here.position)
            else:
                yield from self._one(what, expected, actual, here)
        if expectation.quarantined is not None:
            here = self.place.at("quarantined")
            if outcome.quarantined is None:
                yield Mismatch("quarantined", "there is no quarantine", here.position)
            else:
                taken = outcome.quarantined
                yield from unordered._one("quarantined", expectation.quarantined, taken, here)

    def _one(
        self, what: str, expected: ExpectedRows, actual: WrittenTable, here: Place
    ) -> Iterator[Mismatch]:
        if expected.columns is not None:
            yield from self._columns(what, expected.columns, actual, here)
        written = self._written(expected, here)
        if written is not None:
            yield from compare_rows(what, written, actual, self.matching, self.keys)

    def _written(self, expected: ExpectedRows, here: Place) -> WrittenRows | None:
        if expected.file is not None:
            found = self.files[expected.file]
            origins = [f"{expected.file}:{line}" for line in found.lines]
            return WrittenRows(here.at("file"), found.columns, found.rows, origins.__getitem__)
        if expected.rows is None:
            return None
        rows = here.at("rows")
        names = dict.fromkeys(name for row in expected.rows for name in row)
        return WrittenRows(
            rows, tuple(names), expected.rows, lambda i: f"line {rows.at(i).position.line}"
        )

    def _columns(
        self, what: str, expected: Sequence[str], actual: WrittenTable, here: Place
    ) -> Iterator[Mismatch]:
        """Columns to ignore, and system columns of the working dataset, count only if named."""
        hidden = set(self.matching.ignore) - set(expected)
        names = [f.name for f in actual.fields if f.name not in hidden]
        if what == "working":
            names = [name for name in names if not is_system(name) or name in expected]
        if names == list(expected):
            return
        message = f"expected columns {', '.join(expected)}; got {', '.join(names)}"
        lacking = [name for name in expected if name not in names]
        extra = [name for name in names if name not in expected]
        told = (("missing", lacking), ("not expected", extra))
        details = [f"{word}: {', '.join(found)}" for word, found in told if found]
        message += f"  ({'; '.join(details) or 'in another order'})"
        yield Mismatch(what, message, here.at("columns").position)
