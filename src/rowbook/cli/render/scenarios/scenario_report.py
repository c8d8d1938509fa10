"""Results for people, as text, and for programs, as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from rowbook.cli.render.scenarios.scenario_diff import Describe, lines, mismatch_json
from rowbook.errors import Diagnostic
from rowbook.text.cell_text import encodable, one_line

if TYPE_CHECKING:
    from rowbook.api import ScenarioResult, TestEngine

SLOW = 1.0
"""Seconds from which on a scenario's time is shown."""

_RED, _GREEN, _DIM, _PLAIN = "\033[31m", "\033[32m", "\033[2m", "\033[0m"


def result_line(result: ScenarioResult, *, paint: bool = False) -> str:
    """`✓ name`, with its time when slow."""
    passed = result.status == "passed"
    colour = _GREEN if passed else _RED
    mark = "✓" if passed else "✗"
    mark = f"{colour}{mark}{_PLAIN}" if paint else mark
    time = f"  {result.duration:.1f} s" if result.duration >= SLOW else ""
    time = f"{_DIM}{time}{_PLAIN}" if paint and time else time
    return f"{mark} {encodable(one_line(result.name))}{time}"


def details(
    result: ScenarioResult,
    describe: Describe,
    *,
    folder: str = "",
    paint: bool = False,
    trace: bool = False,
) -> Iterator[str]:
    """Why a scenario did not pass; `folder` leads from the user to the workspace."""
    yield result_line(result, paint=paint)
    yield f"  {PurePath(folder, result.file)}:{result.line}"
    for mismatch in result.mismatches:
        yield from (f"  {line}" for line in lines(mismatch, describe, paint=paint))
    if result.status == "error":
        for diagnostic in result.diagnostics:
            yield from (f"  {line}" for line in describe(diagnostic))
    if trace:
        yield from (f"  {line}" for line in result.trace.splitlines())


_WHERE = {"reference": "", "spark": " on Spark", "both": " by both engines"}


def summary(results: Sequence[ScenarioResult], engine: TestEngine = "reference") -> str:
    """`12 passed, 1 failed on Spark`; a scenario that could not be run has failed."""
    passed, failed = counts(results)
    counted = f"{passed} passed, {failed} failed" if failed else f"{passed} passed"
    return counted + _WHERE[engine]


def counts(results: Sequence[ScenarioResult]) -> tuple[int, int]:
    passed = sum(result.status == "passed" for result in results)
    return passed, len(results) - passed


def as_json(
    results: Sequence[ScenarioResult],
    engine: TestEngine,
    diagnostic_json: Callable[[Diagnostic], dict[str, Any]],
) -> dict[str, Any]:
    """SPEC: Command line. `diff` is null for a scenario that passed."""
    passed, failed = counts(results)
    return {
        "engine": engine,
        "passed": passed,
        "failed": failed,
        "scenarios": [
            {
                "name": encodable(result.name),
                "file": result.file,
                "status": result.status,
                "diff": None
                if result.status == "passed"
                else {
                    "mismatches": [mismatch_json(m) for m in result.mismatches],
                    "diagnostics": [diagnostic_json(d) for d in result.diagnostics],
                },
            }
            for result in results
        ],
    }
