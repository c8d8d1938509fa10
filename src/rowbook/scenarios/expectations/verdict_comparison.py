"""Comparing what became of expectations with what a scenario says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rowbook.definitions.models.scenario import (
    AllExpected,
    ExpectedResult,
    ExpectedVerdict,
    Matching,
)
from rowbook.definitions.place import Place
from rowbook.planning.scenario_expectations.scenario_plan import is_meant
from rowbook.scenarios.mismatch import CellDifference, Mismatch
from rowbook.scenarios.outcome import Outcome, SampledVerdict
from rowbook.scenarios.rows import WrittenRows, compare_rows

_COUNTS = ("status", "checked", "violated", "quarantined")


def compare_verdicts(
    expect: ExpectedResult, outcome: Outcome, place: Place, matching: Matching
) -> Iterator[Mismatch]:
    """`place` is that of `expect`."""
    here = place.at("expectations")
    if isinstance(expect.expectations, AllExpected):
        for found in outcome.verdicts:
            verdict = found.verdict
            if verdict.status != "passed":
                message = f"expected passed, got {verdict.status}: {verdict.detail}"
                yield Mismatch(_label(verdict.name), message, here.at("all").position)
        return
    loose = matching.model_copy(update={"order": False})
    for i, wanted in enumerate(expect.expectations):
        meant = [
            each
            for each in outcome.verdicts
            if is_meant(wanted, each.verdict.owner, each.verdict.name)
        ]
        if not meant:
            yield Mismatch(_label(wanted.name), "it was not reached", here.at(i).position)
        for each in meant:
            yield from _one(wanted, each, here.at(i), loose)


def _one(
    wanted: ExpectedVerdict, found: SampledVerdict, here: Place, matching: Matching
) -> Iterator[Mismatch]:
    verdict, what = found.verdict, _label(wanted.name)
    cells = [
        CellDifference(name, value, getattr(verdict, name))
        for name in _COUNTS
        if (value := getattr(wanted, name)) is not None and value != getattr(verdict, name)
    ]
    if cells:
        yield Mismatch(what, verdict.detail, here.position, cells=tuple(cells))
    if wanted.measures:
        names, at = tuple(wanted.measures), here.at("measures")
        written = WrittenRows(at, names, (wanted.measures,), lambda _: _line(at))
        yield from compare_rows(f"{what}, measures", written, found.measures, matching, ())
    for key, rows in (("rows", wanted.rows), ("groups", wanted.groups)):
        if rows is not None:
            written = _written(rows, here.at(key))
            yield from compare_rows(f"{what}, {key}", written, found.samples, matching, ())


def _written(rows: Sequence[Mapping[str, object]], place: Place) -> WrittenRows:
    columns = dict.fromkeys(name for row in rows for name in row)
    return WrittenRows(place, tuple(columns), rows, lambda i: _line(place.at(i)))


def _label(name: str) -> str:
    return f"expectation '{name}'"


def _line(place: Place) -> str:
    return f"line {place.position.line}"
