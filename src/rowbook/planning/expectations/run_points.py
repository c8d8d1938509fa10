"""The points of a project at which rows may be looked at (EXPECT_004)."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.loading import Entry
from rowbook.definitions.models.expectation import OutputPoint, PointChoice
from rowbook.definitions.models.operations import OutputOperation
from rowbook.definitions.models.project import InlineProject, ProjectDefinition
from rowbook.definitions.place import Place
from rowbook.errors import listing
from rowbook.planning.columns import Columns
from rowbook.planning.expectations.expectation_plan import CheckPoint
from rowbook.planning.expectations.viewpoint import Viewpoint
from rowbook.planning.operations.context import Context
from rowbook.planning.steps import AnyStep
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class RunPoints:
    """`columns` are those of the input."""

    entry: Entry[ProjectDefinition] | Entry[InlineProject]
    columns: Columns
    steps: Sequence[AnyStep]
    context: Context

    def viewpoint(self, choice: PointChoice | None, place: Place) -> Viewpoint | None:
        """What is seen at a point; None where there is no such operation."""
        point = self._point(choice, place)
        if point is None:
            return None
        dataset = self.context.input
        return Viewpoint(
            point,
            self.context.scope(self.columns_at(point)),
            self.context.lookups.joins,
            dataset.definition.natural_key_columns if dataset else (),
        )

    def order(self, point: CheckPoint) -> tuple[int, int]:
        """Points in the order in which they are reached: by operation, and of an output first what
        it writes."""
        if point.kind in ("input", "end"):
            return (-1, 0) if point.kind == "input" else (len(self.steps), 0)
        before = sum(step.seq < (point.seq or 0) for step in self.steps)
        return before, int(point.kind == "after")

    def _point(self, choice: PointChoice | None, place: Place) -> CheckPoint | None:
        if choice is None or choice == "end":
            return CheckPoint("end")
        if choice == "input":
            return CheckPoint("input")
        if isinstance(choice, OutputPoint):
            found = self._has(choice.output, place.at("output"), outputs_alone=True)
            return CheckPoint("output", choice.output) if found else None
        return CheckPoint("after", choice) if self._has(choice, place) else None

    def _has(self, seq: int, place: Place, *, outputs_alone: bool = False) -> bool:
        operations = {each.seq: each for each in self.entry.model.operations}
        found = operations.get(seq)
        if found is None and (seq in self.entry.broken_seqs or None in self.entry.broken_seqs):
            return True
        outputs = sorted(s for s, each in operations.items() if isinstance(each, OutputOperation))
        seqs = outputs if outputs_alone else sorted(operations)
        if found is None:
            message = f"the project has no operation {seq}"
        elif outputs_alone and seq not in outputs:
            message = f"operation {seq} '{found.name}' is no output"
        else:
            return True
        noun = "outputs" if outputs_alone else "operations"
        hint = (
            f"{noun}: {listing([str(each) for each in seqs])}" if seqs else f"there are no {noun}"
        )
        if outputs_alone and found is not None:
            hint += f"; at: {seq} looks after it"
        self.context.findings.add(place, "EXPECT_004", message, hint)
        return False

    def columns_at(self, point: CheckPoint) -> Columns:
        """Those after the last operation up to the point. Where one of these could not be planned,
        more may be there."""
        if point.kind == "input":
            return self.columns
        reached = [s for s in self.steps if point.seq is None or s.seq <= point.seq]
        columns = reached[-1].columns if reached else self.columns
        planned = {step.seq for step in self.steps}
        seqs = [each.seq for each in self.entry.model.operations]
        is_whole = all(s in planned for s in seqs if point.seq is None or s <= point.seq)
        return columns if is_whole and not self.entry.broken_seqs else columns.uncertain()
