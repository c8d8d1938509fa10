"""Strategies for expectations that are written as small texts; nothing is run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rowbook.engine.strategy.stages import CheckStage, Situation, Stage
from rowbook.engine.strategy.strategy import decide
from tests.engine.strategy.deciding import WORKSPACE, output
from tests.support.small_plans import delete, numbered, plan_of, update

OPERATIONS = (update("c", "'x'"), output("s"), delete("s = 'y'"), output("s, m"), output("k"))
WITH_TABLE = "quarantine: {location: {path: q}}"


@dataclass(frozen=True)
class Claims:
    """Strategies for expectations that are written as small texts."""

    folder: Path

    def stages(
        self, *claims: str, operations: tuple[str, ...] = OPERATIONS, **known: object
    ) -> tuple[Stage, ...]:
        lines = "".join(f"    - {{name: e{i}, {claim}}}\n" for i, claim in enumerate(claims))
        head = f"  {WITH_TABLE}\n  expectations:\n{lines}  operations:\n"
        text = WORKSPACE.replace("  operations:\n", head) + numbered(*operations)
        plan = plan_of(self.folder, text)
        return decide(plan, Situation(**known)).stages  # type: ignore[arg-type]

    def kinds(self, *claims: str, **known: object) -> list[str]:
        return [each.kind for each in self.stages(*claims, **known)]  # type: ignore[arg-type]

    def checks(self, *claims: str, **known: object) -> list[CheckStage]:
        found = self.stages(*claims, **known)  # type: ignore[arg-type]
        return [each for each in found if isinstance(each, CheckStage)]
