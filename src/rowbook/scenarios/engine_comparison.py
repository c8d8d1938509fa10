"""One scenario by two engines: whether all that came out is the same, row ids included."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from rowbook.errors import Diagnostic, Position
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.assignment import left_over
from rowbook.scenarios.cell_comparison import Compared
from rowbook.scenarios.mismatch import CellDifference, ExpectedRow, Mismatch
from rowbook.scenarios.nearest import rows_difference
from rowbook.scenarios.outcome import Outcome

_COUNTS = ("rows_in", "matched", "added", "deleted", "quarantined", "rows_out")
_OF_VERDICT = ("status", "checked", "violated", "quarantined", "detail")
_WHOSE = "expected is the reference engine's, got is Spark's"


def with_differences(reference: Outcome, spark: Outcome, position: Position) -> Outcome:
    """What the reference engine gave, and where Spark gave something else. `position` is that of
    the scenario."""
    return replace(reference, differences=tuple(_differences(reference, spark, position)))


def _differences(reference: Outcome, spark: Outcome, position: Position) -> Iterator[Mismatch]:
    """Where one of them failed, that they failed alike is all there is to compare."""
    if reference.errors or spark.errors:
        if not _fail_alike(reference, spark):
            yield _errors(reference.errors, spark.errors, position)
        return
    tables = {"working": (reference.working, spark.working)}
    for name in dict.fromkeys((*reference.outputs, *spark.outputs)):
        tables[f"output {name}"] = (reference.outputs.get(name), spark.outputs.get(name))
    if reference.quarantined is not None or spark.quarantined is not None:
        tables["quarantined"] = (reference.quarantined, spark.quarantined)
    for what, (ours, theirs) in tables.items():
        if ours is not None and theirs is not None and ours.fields == theirs.fields:
            yield from _rows(what, ours, theirs, position)
        else:
            names = [_columns(table) for table in (ours, theirs)]
            yield Mismatch(what, f"columns {names[0]} on the one, {names[1]} on Spark", position)
    for ours_of, theirs_of in zip(reference.ledger, spark.ledger, strict=True):
        cells = tuple(
            CellDifference(name, getattr(ours_of, name), getattr(theirs_of, name))
            for name in _COUNTS
            if getattr(ours_of, name) != getattr(theirs_of, name)
        )
        if cells:
            what = f"operation {ours_of.seq}"
            yield Mismatch(what, f"other counts; {_WHOSE}", position, cells=cells)
    yield from _verdicts(reference, spark, position)


def _verdicts(reference: Outcome, spark: Outcome, position: Position) -> Iterator[Mismatch]:
    """All of them, each with the same samples in the same order."""
    both = zip_longest(reference.verdicts, spark.verdicts)
    for ours, theirs in both:
        if ours is None or theirs is None:
            message = "one engine has more expectations than the other"
            yield Mismatch("expectations", message, position)
            return
        one, other = ours.verdict, theirs.verdict
        what = f"expectation '{one.name}'"
        cells = tuple(
            CellDifference(name, getattr(one, name), getattr(other, name))
            for name in _OF_VERDICT
            if getattr(one, name) != getattr(other, name)
        )
        if cells or one != other:
            yield Mismatch(what, f"not the same; {_WHOSE}", position, cells=cells)
        if ours.samples != theirs.samples:
            yield from _rows(what, ours.samples, theirs.samples, position)


def _fail_alike(reference: Outcome, spark: Outcome) -> bool:
    """To the letter; but Spark may fail on a value that does not fit and that nothing reads, and of
    rows that match a join twice it may name any."""
    ours, theirs = (tuple(map(_without_key, outcome.errors)) for outcome in (reference, spark))
    return theirs == ours or theirs == (reference.unread_overflow,)


def _without_key(error: Diagnostic) -> Diagnostic:
    if error.code != "JOIN_005":
        return error
    return replace(error, message=error.message.partition(": key ")[0])


def _errors(
    ours: tuple[Diagnostic, ...], theirs: tuple[Diagnostic, ...], position: Position
) -> Mismatch:
    texts = [
        "; ".join(f"{each.code} {each.text}" for each in errors) or "no error"
        for errors in (ours, theirs)
    ]
    cells = (CellDifference("error", *texts),)
    return Mismatch("error", f"not the same; {_WHOSE}", position, cells=cells)


def _rows(
    what: str, ours: WrittenTable, theirs: WrittenTable, position: Position
) -> Iterator[Mismatch]:
    compared = Compared(ours.fields, (None,) * len(ours.fields))
    expected, got = (list(map(compared.actual, table.rows)) for table in (ours, theirs))
    lost, spare = left_over(expected, got, compared)
    if not lost and not spare:
        return
    missing = [ExpectedRow(expected[i], "of the reference engine") for i in lost]
    rows = rows_difference(missing, [got[j] for j in spare], compared)
    count = max(len(lost), len(spare))
    message = f"{count} row{'s are' if count > 1 else ' is'} not the same; {_WHOSE}"
    yield Mismatch(what, message, position, rows)


def _columns(table: WrittenTable | None) -> str:
    return "none" if table is None else ", ".join(f"{f.name} {f.type}" for f in table.fields)
