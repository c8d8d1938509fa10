"""Scenarios: tests of projects, as data."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import (
    Boolean,
    Cell,
    Integer,
    OptionalText,
    PeriodText,
    Reference,
    Text,
    Word,
)
from rowbook.definitions.models.project import InlineProject

Row: TypeAlias = dict[str, Cell]
ExpectedStatus: TypeAlias = Literal[
    "passed", "nothing to check", "tolerated", "violated", "skipped", "not evaluated"
]


class InputRows(Model):
    """The rows of a dataset, written out or in a file."""

    rows: tuple[Row, ...] | None = Field(None, description="Rows as column: value.")
    file: OptionalText = Field(None, description="A .csv or .json file beside the scenario.")


class ExpectedRows(Model):
    """The rows that must come out."""

    rows: tuple[Row, ...] | None = Field(None, description="Rows as column: value.")
    file: OptionalText = Field(None, description="A .csv or .json file beside the scenario.")
    columns: tuple[Text, ...] | None = Field(
        None, description="Checks the names of the columns and their order."
    )


class ExpectedError(Model):
    """The error that must come."""

    code: Text = Field(description="One of the codes, such as APPEND_003.")
    contains: OptionalText = Field(None, description="Text that the message must contain.")


class ExpectedLedger(Model):
    """What the ledger must say of an operation; what is left out is not checked."""

    seq: Integer = Field(description="The operation.")
    name: OptionalText = Field(None, description="Its name.")
    type: Annotated[Literal["update", "aggregate", "append", "delete", "output"], Word] | None = (
        Field(None, description="Its type.")
    )
    rows_in: Integer | None = Field(None, description="Visible rows before it.")
    matched: Integer | None = Field(None, description="Rows it acted on.")
    added: Integer | None = Field(None, description="Rows it added.")
    deleted: Integer | None = Field(None, description="Rows it deleted.")
    quarantined: Integer | None = Field(
        None, description="Rows that expectations took out after it."
    )
    rows_out: Integer | None = Field(None, description="Visible rows after it.")


class ExpectedVerdict(Model):
    """What must become of an expectation; what is left out is not compared."""

    name: Text = Field(description="The expectation; of an operation that must match, its name.")
    dataset: OptionalText = Field(
        None, description="Whose expectation it is, where a dataset and the project share the name."
    )
    status: Annotated[ExpectedStatus, Word] = Field(description="What becomes of it.")
    checked: Integer | None = Field(None, description="Rows or groups that are looked at.")
    violated: Integer | None = Field(None, description="Those of them that violate it.")
    quarantined: Integer | None = Field(None, description="Rows that it takes out.")
    measures: Row = Field(default_factory=dict, description="Measures by name.")
    rows: tuple[Row, ...] | None = Field(None, description="The rows that violate it.")
    groups: tuple[Row, ...] | None = Field(
        None,
        description="The groups that violate it, by keys and measures; of `unique`, the keys and"
        " how many `rows` each has.",
    )


class AllExpected(Model):
    """That every expectation holds."""

    all: Annotated[Literal["passed"], Word] = Field(description="passed: of each of them.")


def _verdicts_form(data: object) -> str:
    return "all" if isinstance(data, dict | AllExpected) else "list"


class ExpectedResult(Model):
    """What must come out: rows, or an error."""

    working: ExpectedRows | None = Field(
        None, description="The final working dataset, deleted rows included."
    )
    outputs: dict[str, ExpectedRows] = Field(
        default_factory=dict, description="By table name, or by location.path as written."
    )
    error: ExpectedError | None = Field(None, description="Instead of rows.")
    ledger: tuple[ExpectedLedger, ...] = Field((), description="Entries by operation.")
    expectations: Annotated[
        Annotated[tuple[ExpectedVerdict, ...], Tag("list")] | Annotated[AllExpected, Tag("all")],
        Discriminator(_verdicts_form),
    ] = Field(
        (),
        description="What becomes of expectations: a list, or {all: passed}. Others are not looked"
        " at; those that quarantine rows do so always.",
    )
    quarantined: ExpectedRows | None = Field(
        None, description="The rows that expectations take out, as the quarantine table has them."
    )

    @property
    def named_verdicts(self) -> tuple[ExpectedVerdict, ...]:
        return () if isinstance(self.expectations, AllExpected) else self.expectations

    @property
    def looks_at_all(self) -> bool:
        """Whether every expectation of the project is looked at, named or not."""
        stopped = self.error is not None and self.error.code == "EXPECT_101"
        return stopped or isinstance(self.expectations, AllExpected)


class Matching(Model):
    """How rows are compared."""

    mode: Annotated[Literal["exact", "subset"], Word] = Field(
        "exact", description="exact: these rows and no others; subset: these among others."
    )
    order: Boolean = Field(False, description="Whether the order of an output's rows counts.")
    tolerance: dict[str, Cell] = Field(
        default_factory=dict, description="column: how far a number may be off."
    )
    ignore: tuple[Text, ...] = Field((), description="Columns that are not compared.")


def _project_form(data: object) -> str:
    return "inline" if isinstance(data, dict | InlineProject) else "name"


class ScenarioDefinition(Model):
    """Given these rows, this project gives those."""

    kind: ClassVar[str] = "scenario"

    name: Text = Field(description="The claim, in words.")
    description: OptionalText = Field(None, description="More about it.")
    period: PeriodText = Field(description="The run's period.")
    as_of: OptionalText = Field(None, description="The as-of date; left out: the period's end.")
    now: OptionalText = Field(None, description="The clock: the instant the run starts.")
    datasets: tuple[DatasetDefinition, ...] = Field(
        (), description="Datasets for this scenario; others come from the workspace."
    )
    project: Annotated[
        Annotated[Reference, Tag("name")] | Annotated[InlineProject, Tag("inline")],
        Discriminator(_project_form),
    ] = Field(description="A project of the workspace, or one written here.")
    parameters: dict[str, Cell] = Field(
        default_factory=dict, description="What the run is given for the project's parameters."
    )
    input: dict[str, InputRows] = Field(
        default_factory=dict, description="The rows of each dataset that the project uses."
    )
    history: dict[str, Row] = Field(
        default_factory=dict,
        description="What expectations measured in the previous period: name: {measure: value}.",
    )
    expect: ExpectedResult = Field(description="What must come out.")
    match: Matching = Field(default_factory=Matching, description="How rows are compared.")
