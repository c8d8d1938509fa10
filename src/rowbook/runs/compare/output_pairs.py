"""Which outputs of two runs are compared with each other, and by which columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rowbook.engine.compare.aligned import KeyCandidate
from rowbook.engine.compare.common_types import common, is_number
from rowbook.engine.compare.difference import Criteria
from rowbook.errors import RowbookError, listing, suggestion
from rowbook.planning.columns import ROW_ID
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, OutputStep
from rowbook.runs.compare.past_runs import (
    PastRun,
    destination_of,
    output_labels,
)


@dataclass(frozen=True, slots=True)
class Outputs:
    """The last output into each table that a run wrote, or will write."""

    steps: tuple[OutputStep, ...]
    plan: ProjectPlan

    @classmethod
    def of_run(cls, past: PastRun) -> Outputs:
        return cls(tuple(table.step for table in past.tables), past.request.plan)

    @classmethod
    def of_plan(cls, plan: ProjectPlan) -> Outputs:
        last = {destination_of(s): s for s in plan.steps if isinstance(s, OutputStep)}
        return cls(tuple(last.values()), plan)


@dataclass(frozen=True, slots=True)
class UnmatchedOutput:
    side: Literal["before", "after"]
    seq: int
    name: str
    destination: str


@dataclass(frozen=True, slots=True)
class OutputPair:
    before: OutputStep
    after: OutputStep
    plans: tuple[ProjectPlan, ProjectPlan]

    @property
    def label(self) -> str:
        return f"output {self.after.seq} '{self.after.name}'"

    @property
    def shared(self) -> tuple[str, ...]:
        after = {field.name: field.type for field in self.after.fields}
        return tuple(
            field.name
            for field in self.before.fields
            if field.name in after and common(field.type, after[field.name]) is not None
        )


@dataclass(frozen=True, slots=True)
class OutputPairs:
    both: tuple[OutputPair, ...]
    unmatched: tuple[UnmatchedOutput, ...]

    @property
    def destinations(self) -> frozenset[str]:
        steps = (step for pair in self.both for step in (pair.before, pair.after))
        return frozenset(map(destination_of, steps))


def pair_outputs(before: Outputs, after: Outputs, output: str | None) -> OutputPairs:
    """Outputs into the same table belong together, then those of the same name. `output` asks for
    one, by seq, name or table. USAGE_001 where there is nothing to compare."""
    was, now = ({destination_of(s): s for s in each.steps} for each in (before, after))
    plans = before.plan, after.plan
    both = [OutputPair(was.pop(name), now.pop(name), plans) for name in [*was] if name in now]
    for name, step in [*was.items()]:
        again = next((d for d, other in now.items() if other.name == step.name), None)
        if again is not None:
            both.append(OutputPair(was.pop(name), now.pop(again), plans))
    unmatched = (
        *(UnmatchedOutput("before", s.seq, s.name, d) for d, s in was.items()),
        *(UnmatchedOutput("after", s.seq, s.name, d) for d, s in now.items()),
    )
    both.sort(key=lambda pair: pair.after.seq)
    if output is not None:
        both, unmatched = [pair for pair in both if _is_meant(pair, output)], ()
    if not both:
        raise _nothing(before, after, output)
    return OutputPairs(tuple(both), unmatched)


def check_criteria(pairs: OutputPairs, criteria: Criteria) -> None:
    """USAGE_001 where columns are named that cannot be compared: those of a key or a group must be
    in every output, others in one of them."""
    for pair in pairs.both:
        needed = (("key", criteria.key), ("column", criteria.columns), ("group", criteria.group_by))
        for what, names in needed:
            for name in names:
                if name not in pair.shared:
                    raise _unknown(f"{what} '{name}'", name, (pair,))
    for what, names in (
        ("column to ignore", criteria.ignore),
        ("tolerance", tuple(criteria.tolerance)),
    ):
        for name in names:
            if not any(name in (*p.before.written, *p.after.written) for p in pairs.both):
                raise _unknown(f"{what} '{name}'", name, pairs.both)
    for name in criteria.tolerance:
        for pair in pairs.both:
            kinds = [f.type for f in pair.after.fields if f.name == name]
            if any(not is_number(kind) for kind in kinds):
                message = f"column '{name}' of {pair.label} is {kinds[0]}, and takes no tolerance"
                raise RowbookError.of("USAGE_001", message)


def key_candidates(pair: OutputPair) -> tuple[KeyCandidate, ...]:
    """What may tell rows apart, best first. An output may be the summary rows of an aggregate."""
    natural = list(filter(None, (plan.input.definition.natural_key_columns for plan in pair.plans)))
    steps = (step for plan in pair.plans for step in reversed(plan.steps))
    exact = [*natural]
    for step in steps:
        if isinstance(step, AggregateStep):
            exact += [(name, *step.keys) for name in step.level_columns]
            exact.append(step.keys)
    return (
        *(KeyCandidate(keys) for keys in dict.fromkeys(exact) if keys),
        KeyCandidate((ROW_ID,)),
        *(KeyCandidate(keys, loose=True) for keys in dict.fromkeys(natural)),
    )


def _is_meant(pair: OutputPair, output: str) -> bool:
    return any(output in output_labels(step) for step in (pair.before, pair.after))


def _nothing(before: Outputs, after: Outputs, output: str | None) -> RowbookError:
    was, now = ([f"{s.seq} '{s.name}'" for s in each.steps] for each in (before, after))
    hint = f"outputs before: {listing(was) or 'none'}; after: {listing(now) or 'none'}"
    message = (
        "the runs have no output in common"
        if output is None
        else f"there is no output '{output}' that both runs have"
    )
    return RowbookError.of("USAGE_001", message, hint=hint)


def _unknown(what: str, name: str, pairs: Sequence[OutputPair]) -> RowbookError:
    names = tuple(dict.fromkeys(column for pair in pairs for column in pair.shared))
    of = pairs[0].label if len(pairs) == 1 else "any output"
    hint = suggestion(name, names, "columns")
    message = f"{what} is not a column that both sides of {of} have"
    return RowbookError.of("USAGE_001", message, hint=hint)
