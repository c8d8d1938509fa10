"""The expectations of a plan: where rows are looked at and what must hold of them. Values, no
behaviour."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal, TypeAlias

from rowbook.definitions.models.expectation import Otherwise
from rowbook.expressions.bound import Bound
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.steps import Result
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class CheckPoint:
    """Which rows are looked at.

    `input`: the working dataset before the first operation. `after`: when operation `seq` is
    through. `end`: when all are. `output`: what output `seq` writes, after its selector; with all
    columns of the working dataset. `dataset`: the rows of another dataset as they are loaded, to be
    appended, joined or looked up."""

    kind: Literal["input", "after", "end", "output", "dataset"]
    seq: int | None = None
    dataset: Dataset | None = None

    @property
    def label(self) -> str:
        if self.dataset is not None:
            return self.dataset.name
        return {"after": f"{self.seq}", "output": f"output {self.seq}"}.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True)
class Tolerance:
    """Both must hold, where both are said."""

    share: Decimal | None = None
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Against:
    """The other side of a comparison. `point` is None where it is what the expectation measured in
    the previous period: then nothing is read, and `measures` say the names and types. `measures`
    are aggregates over the rows of the other side, grouped by the same keys; in `that` they are
    columns of `alias`."""

    alias: str
    point: CheckPoint | None
    selector: Bound | None
    joins: tuple[Join, ...]
    measures: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class RowCondition:
    """Each row: `that` is TRUE. It reads the row and its joins."""

    that: Bound


@dataclass(frozen=True, slots=True)
class UniqueKeys:
    """The values of these columns, NULL being one, stand once. Rows of others violate it."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupCondition:
    """Each group of rows with the same `keys`, or all rows where there are none.

    `measures` are aggregates over own rows, called as they are written (`SUM(amount)`) or as the
    definition calls them; `that` reads nothing but keys and measures as columns of its own (None),
    and those of `against` as columns of its alias. A group that only one side has violates it."""

    keys: tuple[str, ...]
    measures: tuple[Result, ...]
    that: Bound
    against: Against | None = None


@dataclass(frozen=True, slots=True)
class MatchCondition:
    """The operation `seq` picks at least one row: the ledger's count says so."""

    seq: int


Condition: TypeAlias = RowCondition | UniqueKeys | GroupCondition | MatchCondition

ExpectationKey: TypeAlias = tuple[str | None, str]
"""Its owner and its name. Unique in a plan: of a dataset that is loaded several times it is looked
at once."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """`owner` is the dataset whose definition says it; None: the project's. `joins` are the lookups
    that its selector and condition mention. `fault_size` says how wrong a row (or a group, by its
    keys and measures) is, where that is a number: samples have the largest first."""

    name: str
    owner: str | None
    point: CheckPoint
    selector: Bound | None
    joins: tuple[Join, ...]
    condition: Condition
    otherwise: Otherwise
    text: str
    """What must hold, as it is written."""
    whole: tuple[str, ...] = ()
    tolerance: Tolerance | None = None
    show: tuple[str, ...] = ()
    """Columns of samples of rows; where none are said, those that the condition reads, with the
    dataset's natural key before them."""
    include_deleted: bool = False
    fault_size: Bound | None = None

    @property
    def key(self) -> ExpectationKey:
        return self.owner, self.name

    @property
    def reads(self) -> tuple[Dataset, ...]:
        """The datasets that are loaded for it: its lookups, and what it is compared with."""
        joins, other = self.joins, None
        if isinstance(self.condition, GroupCondition) and self.condition.against is not None:
            joins += self.condition.against.joins
            other = self.condition.against.point
        lookups = (join.dataset for join in joins)
        return (*lookups, *((other.dataset,) if other and other.dataset else ()))
