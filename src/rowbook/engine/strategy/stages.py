"""The stages of a run: what a strategy is made of. Values, no behaviour.

`reasons` are sentences, one for each decision. `needed` are the columns that stages after it read;
None where the rows are read as a whole when the run ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.rules.rule_tables import RuleTable
from rowbook.engine.strategy.step_analysis import RowWise, aggregates_of
from rowbook.expressions import bound
from rowbook.expressions.scope import Field
from rowbook.planning.expectations.expectation_plan import Expectation, ExpectationKey
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    OutputStep,
    SortKey,
    Window,
)

_MOST_SEQS = 8

Ending: TypeAlias = Literal["outputs", "rows", "collect", "preview", "checks"]
"""What a run is for: its outputs; the rows too, as a whole; the same for few rows, which are
counted where they are collected; the rows alone, uncounted; expectations alone."""


@dataclass(frozen=True, slots=True)
class Executors:
    """Where rows are computed. `apart` from the driver, one of them may be lost; `shared_folder`:
    all of them see a folder for checkpoints."""

    apart: bool = False
    shared_folder: bool = False


@dataclass(frozen=True, slots=True)
class Storage:
    """Where rows that are computed once are kept; up to `collected` bytes of them at the driver."""

    copies: Literal["one", "two", "shared_folder", "driver"] = "one"
    collected: int = 0


@dataclass(frozen=True, slots=True)
class Situation:
    options: Options = field(default_factory=Options)
    done: frozenset[int] = frozenset()
    """Outputs that an earlier attempt of the run finished."""
    rewrites: frozenset[int] = frozenset()
    """Outputs that replace data which the run reads."""
    ending: Ending = "outputs"
    after: int | None = None
    """The operation after which a preview ends; None: after the last."""
    executors: Executors = field(default_factory=Executors)
    passing: frozenset[int] = frozenset()
    """Outputs whose rows can be written by Python as they pass."""
    workers: bool = False
    """Rows can pass through Python, whether outputs can be written there or not."""

    @property
    def has_local_rows(self) -> bool:
        """Few rows, and nobody but the driver to compute them."""
        return self.options.local_rows and not self.executors.apart

    @property
    def reads_at_end(self) -> bool:
        """The rows are read as a whole when the run ends."""
        return self.ending not in ("outputs", "checks")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stage:
    kind: ClassVar[str]
    reasons: tuple[str, ...] = ()
    needed: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class StartStage(_Stage):
    kind = "start"
    with_ids: bool = True
    local: bool = False
    """Datasets are loaded here, and are local relations."""
    dropped: frozenset[str] = frozenset()
    """Columns that no stage reads, and that no stage computes."""
    never_null: frozenset[str] = frozenset()
    """Columns that no row of the input is asked for to find that they are not NULL."""
    uncertain: frozenset[str] | None = None
    """Keys of joined datasets are looked at before rows are matched by anything but these columns,
    which may have no value; None: they are not."""


@dataclass(frozen=True, slots=True)
class WindowPass:
    """Windows with the same keys and order, for which rows are sorted once; or, `joined`, for which
    groups are summed up in a pass of their own and joined to their rows."""

    keys: tuple[str, ...]
    order: tuple[SortKey, ...]
    windows: tuple[Window, ...]
    joined: bool = False

    @property
    def reads_joins(self) -> bool:
        """Its windows ask for what joins and lookups found."""
        trees = (tree for window in self.windows for tree in window.trees)
        return any(source is not None for tree in trees for source, _ in bound.columns(tree))


@dataclass(frozen=True, slots=True)
class SharedValue:
    """What an operation gives a column of all rows, computed before the operations of its layer.
    Those of a `level` read others of lower ones."""

    seq: int
    gives: str
    expression: bound.Bound
    level: int = 1

    @property
    def name(self) -> str:
        return f"__given_{self.seq}_{self.gives}"

    @property
    def column(self) -> bound.Column:
        return bound.Column(None, self.name, self.expression.type, nullable=True)


@dataclass(frozen=True, slots=True)
class LayerStage(_Stage):
    """Row-wise steps in one projection; `composed` read the rows there are before all of them."""

    kind = "layer"
    steps: tuple[RowWise, ...]
    composed: tuple[RowWise, ...]
    tables: tuple[RuleTable, ...] = ()
    unmarked: frozenset[int] = frozenset()
    """Steps that leave no mark on rows: groups tell how many they picked."""
    of_input: frozenset[int] = frozenset()
    """Steps that pick all rows of the input, and are counted with it."""
    passes: tuple[WindowPass, ...] = ()
    shared: tuple[SharedValue, ...] = ()
    """What several of `composed` read."""
    local_values: int = 0
    """Computed here, where rows are here and no more values than that are to be computed."""

    @property
    def singles(self) -> tuple[RowWise, ...]:
        in_tables = {rule.seq for table in self.tables for rule in table.rules}
        return tuple(step for step in self.composed if step.seq not in in_tables)

    @property
    def aliases(self) -> frozenset[str]:
        return frozenset(join.alias for step in self.steps for join in step.joins)


@dataclass(frozen=True, slots=True)
class GroupRequest:
    """Groups that are made of rows as they pass, for an operation (its seq) or an expectation: of
    which rows, by what keys, and what is computed of each."""

    of: int | ExpectationKey
    selector: bound.Bound | None
    keys: tuple[Field, ...]
    asked: tuple[bound.Aggregate, ...]


@dataclass(frozen=True, slots=True)
class AggregateStage(_Stage):
    kind = "aggregate"
    step: AggregateStep
    levels: tuple[AggregateStep, ...] = ()
    """Aggregates that are made from the groups of the first of them; it makes parts for them."""
    parts: tuple[bound.Aggregate, ...] = ()
    """What its groups keep for expectations that look at them later."""
    groups_first: bool = False
    """Its own levels are made from the groups by all keys, not from rows."""
    keep: bool = False
    """The summary is computed at once."""
    storage: Storage = field(default_factory=Storage)
    count: Literal["groups", "observed"] | None = None
    writes: tuple[OutputStep, ...] = ()
    """The rows that it groups are written for these outputs as they pass."""
    beside: tuple[GroupRequest, ...] = ()
    """What later ones, and expectations, ask of these rows, told in the same pass."""
    of_pass: int | None = None
    """Its rows that were there before this operation are grouped already, in the pass of that."""
    lets_go: bool = False
    """Nobody reads the rows there were before it, once they have passed."""
    local_values: int = 0
    """As of layers."""

    @property
    def reads_rows(self) -> bool:
        """It is not made from the groups of another."""
        return not self.levels or self.step is self.levels[0]

    @property
    def passes(self) -> bool:
        """Rows are grouped as they pass."""
        return bool(self.writes or self.beside)

    @property
    def asked(self) -> tuple[bound.Aggregate, ...]:
        """What is computed of each group: its own results, and parts for levels and
        expectations."""
        return tuple(dict.fromkeys((*aggregates_of(self.levels or [self.step]), *self.parts)))

    def request(self, selector: bound.Bound | None) -> GroupRequest:
        """Its groups of rows that pass, of which it picks those."""
        keys = tuple(self.step.columns.fields[key] for key in self.step.keys)
        return GroupRequest(self.step.seq, selector, keys, self.asked)


@dataclass(frozen=True, slots=True)
class AppendStage(_Stage):
    kind = "append"
    step: AppendStep
    copies: bool = False
    """Rows that it picks come twice as they pass, and are not read once more."""
    local_values: int = 0
    """As of layers."""

    @property
    def reads_rows(self) -> bool:
        """It makes rows from those there are, and reads them for it."""
        return self.step.source is None and not self.copies


@dataclass(frozen=True, slots=True)
class OutputStage(_Stage):
    kind = "output"
    step: OutputStep
    done: bool = False
    rewrites: bool = False
    observed: bool = False
    by_pieces: bool = False
    """Rows that came to others are counted apart from these."""
    since: int | None = None
    """Rows that were there before this operation are written already."""
    local: bool = False
    """Rows are written from here, where the format allows."""
    local_values: int = 0
    """As of layers: no more than that are written without Spark ever having them."""

    @property
    def reads_rows(self) -> bool:
        """It is not through with those there were, in an earlier attempt or in a pass."""
        return not self.done and self.since is None


@dataclass(frozen=True, slots=True)
class CheckStage(_Stage):
    """Expectations that are looked at on the rows there are; those that quarantine take theirs out.
    Nothing but these changes rows."""

    kind = "check"
    step: AnyStep | None
    """The operation after which they are looked at; None: before the first."""
    expectations: tuple[Expectation, ...] = ()
    others: tuple[Expectation, ...] = ()
    """Those that compare what they look at elsewhere with the rows here."""
    marked: frozenset[int] = frozenset()
    """The places among `expectations` of those that leave a mark on rows, to be counted with them;
    others are looked at here and now."""
    passes: int = 0
    """How often rows are read here and now."""
    reads: frozenset[str] = frozenset()
    """The columns that are read of the rows."""
    storage: Storage = field(default_factory=Storage)
    """Where groups are kept that are compared with later ones, and rows that are taken out."""
    until: int | None = None
    """Rows are marked for a later stage, before this operation: its groups tell what they have."""
    by_group: frozenset[int] = frozenset()
    """The places of those that are asked of each of its groups, and leave no mark on rows."""
    since: int | None = None
    """That later stage: rows that were there before this operation have been looked at."""
    groups_of: int | None = None
    """An aggregate whose groups, with those of rows added since, are what some look at."""
    chosen: Mapping[ExpectationKey, bound.Bound | None] = field(default_factory=dict)
    """Those expectations, and which of its groups they take."""
    of_pass: int | None = None
    """Rows that were there before this operation are grouped already, in its pass."""
    passed: Mapping[ExpectationKey, ExpectationKey] = field(default_factory=dict)
    """For those expectations, by the one that each shares its groups with."""

    @property
    def takes(self) -> bool:
        return any(each.otherwise == "quarantine" for each in self.expectations)


@dataclass(frozen=True, slots=True)
class CheckpointStage(_Stage):
    """All rows computed and counted so far, without columns that nobody reads again."""

    kind = "checkpoint"
    before: AnyStep
    """The step that is at work then."""
    dropped: frozenset[str] = frozenset()
    storage: Storage = field(default_factory=Storage)


@dataclass(frozen=True, slots=True)
class EndStage(_Stage):
    kind = "end"
    compute: bool = False
    """Rows are computed and written nowhere: nothing else would compute them."""
    count: bool = False
    """Rows are counted that no stage counted; in a pass of their own, unless they are collected."""


Stage: TypeAlias = (
    StartStage
    | LayerStage
    | AggregateStage
    | AppendStage
    | OutputStage
    | CheckStage
    | CheckpointStage
    | EndStage
)
Stages: TypeAlias = tuple[Stage, ...]


def steps_of(stage: Stage) -> tuple[AnyStep, ...]:
    match stage:
        case LayerStage():
            return stage.steps
        case AggregateStage() | AppendStage() | OutputStage():
            return (stage.step,)
        case StartStage() | CheckStage() | CheckpointStage() | EndStage():
            return ()


def readers(stages: Stages) -> int:
    """How often stages read the rows as a whole."""
    return sum(
        each.passes
        if isinstance(each, CheckStage)
        else (isinstance(each, AggregateStage) and each.of_pass is None)
        or (isinstance(each, OutputStage) and each.reads_rows)
        or (isinstance(each, AppendStage) and each.reads_rows)
        for each in stages
    )


def operations_label(seqs: Iterable[int]) -> str:
    """`operation 10`, `operations 10, 20`; of many, the first."""
    listed = sorted(seqs)
    some = ", ".join(map(str, listed[:_MOST_SEQS]))
    more = f" and {len(listed) - _MOST_SEQS:,} more" if len(listed) > _MOST_SEQS else ""
    return f"operation{'' if len(listed) == 1 else 's'} {some}{more}"
