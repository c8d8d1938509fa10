"""What happens while a workspace is watched, one value after the other; a round ends with
RoundEnd."""

from __future__ import annotations

from typing import TypeAlias

from rowbook.errors import Diagnostic
from rowbook.scenarios.runner import ScenarioResult
from rowbook.value_class import dataclass
from rowbook.watch.file_states import FileChange
from rowbook.watch.row_effect import ChangedOperation, RowEffect


@dataclass(frozen=True, slots=True)
class RoundStart:
    """`changes` are the files that were saved; none in the first round, which looks at all."""

    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """All that was found in the definitions. With errors the round ends: scenarios and rows wait
    for definitions that are sound again."""

    findings: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(each for each in self.findings if each.severity == "error")


@dataclass(frozen=True, slots=True)
class ScenariosRun:
    """Those that the change touches, out of all; `reasons` are the parts that it changed."""

    results: tuple[ScenarioResult, ...]
    total: int
    reasons: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return all(result.status == "passed" for result in self.results)


@dataclass(frozen=True, slots=True)
class RowsCounted:
    """The first look at the project: rows after its last operation."""

    project: str
    period: str
    rows: int


@dataclass(frozen=True, slots=True)
class RowsCompared:
    project: str
    period: str
    effect: RowEffect


@dataclass(frozen=True, slots=True)
class RowsLeftOut:
    """Why rows are not shown; `operation` is the one that changed, where one did."""

    project: str
    period: str
    reason: str
    operation: ChangedOperation | None = None


@dataclass(frozen=True, slots=True)
class RowsFailed:
    """The input, or the project on it, fails as a run would."""

    project: str
    period: str
    errors: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class RoundEnd:
    ok: bool
    seconds: float


WatchEvent: TypeAlias = (
    RoundStart
    | Checked
    | ScenariosRun
    | RowsCounted
    | RowsCompared
    | RowsLeftOut
    | RowsFailed
    | RoundEnd
)
