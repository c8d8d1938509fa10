"""Waivers: somebody lets a run publish although an expectation stops it, and says why."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from rowbook.errors import Diagnostic, RowbookError, suggestion
from rowbook.expectations.verdict import Waiver
from rowbook.planning.project_plan import ProjectPlan
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class WaiverRequest:
    """The names of expectations, and one reason for all of them."""

    names: tuple[str, ...] = ()
    reason: str = ""

    @classmethod
    def checked(cls, names: Iterable[str], reason: str | None) -> WaiverRequest:
        """Refused (USAGE_001) where one is there without the other."""
        wanted, why = tuple(dict.fromkeys(names)), (reason or "").strip()
        if wanted and not why:
            hint = 'say why: --waive "journals balance" --reason "…"; it is recorded'
            raise RowbookError.of("USAGE_001", "an expectation is waived for a reason", hint=hint)
        if why and not wanted:
            hint = 'say which expectation is waived: --waive "journals balance"'
            raise RowbookError.of(
                "USAGE_001", "a reason is given, and nothing is waived", hint=hint
            )
        return cls(wanted, why)

    def waivers(self, plan: ProjectPlan, by: str, at: datetime) -> tuple[Waiver, ...]:
        """EXPECT_011 for each name that is no expectation which could stop a run of the plan."""
        stopping = dict.fromkeys(e.name for e in plan.expectations if e.otherwise != "warn")
        unknown = [name for name in self.names if name not in stopping]
        if unknown:
            raise RowbookError(*(_unknown(name, plan, tuple(stopping)) for name in unknown))
        when = at.isoformat(timespec="seconds").replace("+00:00", "Z")
        return tuple(Waiver(name, self.reason, by, when) for name in self.names)


def _unknown(name: str, plan: ProjectPlan, stopping: tuple[str, ...]) -> Diagnostic:
    if any(each.name == name for each in plan.expectations):
        message = f"'{name}' cannot be waived: it only warns, and stops no run"
        return Diagnostic("EXPECT_011", message)
    if not stopping:
        message = f"'{name}' cannot be waived: no expectation of the project stops a run"
        return Diagnostic("EXPECT_011", message)
    hint = suggestion(name, stopping, "expectations that stop")
    return Diagnostic("EXPECT_011", f"there is no expectation '{name}'", hint=hint)
