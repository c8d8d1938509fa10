"""Expectations: what must hold of rows, where it is looked at, and what happens otherwise."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import (
    Boolean,
    Cell,
    Expression,
    Integer,
    OptionalExpression,
    OptionalInteger,
    OptionalReference,
    OptionalText,
    Text,
    Version,
    Word,
)
from rowbook.definitions.yaml.nodes import Scalar

Otherwise: TypeAlias = Literal["warn", "stop", "quarantine"]
PointWord: TypeAlias = Literal["input", "end"]


class OutputPoint(Model):
    """The rows that an output writes."""

    output: Integer = Field(description="The seq of the output.")


def _point_form(data: object) -> str:
    if isinstance(data, dict | OutputPoint):
        return "output"
    is_number = isinstance(data, Scalar) and data.plain and data.as_int() is not None
    return "seq" if is_number or isinstance(data, int) else "word"


PointChoice: TypeAlias = Annotated[
    Annotated[PointWord, Word, Tag("word")]
    | Annotated[Integer, Tag("seq")]
    | Annotated[OutputPoint, Tag("output")],
    Discriminator(_point_form),
]
"""Where rows are looked at: input, after an operation, at an output, or when all is done."""


class ToleranceDefinition(Model):
    """How much may be wrong without the consequence; all that is said must hold."""

    share: Cell = Field(None, description="The share of the rows looked at: 0.01 is one in 100.")
    rows: OptionalInteger = Field(
        None, description="The number of rows.", json_schema_extra={"minimum": 0}
    )


class AgainstDefinition(Model):
    """What an expectation compares with: another point of the run (`at`), another dataset, or what
    it measured itself in the period before."""

    alias: Text = Field(description="The name of the other side in expressions: start.amount.")
    at: PointChoice | None = Field(None, description="The working rows at another point.")
    dataset_id: OptionalReference = Field(None, description="Another dataset, by name or id.")
    dataset_version: Version = Field(None, description="Pins a version; left out: the latest.")
    period: Annotated[Literal["previous"], Word] | None = Field(
        None, description="previous: the measures of the last run that was published for it."
    )
    selector: OptionalExpression = Field(
        None, description="Which rows of the other side; left out: all."
    )


class ExpectationDefinition(Model):
    """A condition that rows, groups of rows or all of them must meet; FALSE and NULL violate it."""

    nulls_are_text: ClassVar[frozenset[str]] = frozenset({"that"})

    name: Text = Field(description="The claim, in words; unique in its definition.")
    description: OptionalText = Field(None, description="Why it must hold.")
    at: PointChoice | None = Field(
        None,
        description="input: rows as they are loaded; a seq: after that operation; {output: seq}:"
        " rows that it writes; end (if left out): after all. A dataset's hold where it is loaded.",
    )
    selector: OptionalExpression = Field(None, description="Which rows; left out: all visible.")
    that: OptionalExpression = Field(
        None,
        description="The condition: of each row, or with an aggregate of each group of `by`, or of"
        " all rows.",
    )
    unique: tuple[Text, ...] = Field(
        (), description="Instead of `that`: columns whose values together stand only once."
    )
    by: tuple[Text, ...] = Field(
        (), description="With an aggregate: rows with the same values of these are a group."
    )
    measures: dict[str, Expression] = Field(
        default_factory=dict,
        description="Named aggregates for `that`, kept with the run.",
    )
    against: AgainstDefinition | None = Field(None, description="What it is compared with.")
    otherwise: Annotated[Otherwise, Word] = Field(
        "warn",
        description="warn: the run says so; stop: nothing is published; quarantine: the rows leave"
        " the dataset and go to the project's quarantine table.",
    )
    whole: tuple[Text, ...] = Field(
        (), description="With quarantine: all rows that share these columns go too."
    )
    tolerate: ToleranceDefinition | None = Field(
        None, description="How much may be wrong; with quarantine, above it the run stops."
    )
    show: tuple[Text, ...] = Field((), description="Columns of the samples of rows that violate.")
    include_deleted: Boolean = Field(False, description="Look at deleted rows too.")

    def __hash__(self) -> int:
        """Measures have none: they are a dict."""
        return hash((self.name, self.that, self.unique))


class MustMatchDefinition(Model):
    """That an operation picks at least one row."""

    otherwise: Annotated[Literal["warn", "stop"], Word] = Field(
        "stop", description="What happens where it picks none."
    )


def _must_match_form(data: object) -> str:
    return "form" if isinstance(data, dict | MustMatchDefinition) else "flag"


MustMatch: TypeAlias = Annotated[
    Annotated[Boolean, Tag("flag")] | Annotated[MustMatchDefinition, Tag("form")],
    Discriminator(_must_match_form),
]
