"""What an append makes rows from: its source, the datasets it joins, an amount that it spreads."""

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag, WithJsonSchema
from pydantic.functional_validators import BeforeValidator

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import (
    Boolean,
    Expression,
    Integer,
    Reference,
    Text,
    Version,
    Word,
    fault,
)
from rowbook.definitions.yaml.nodes import Scalar

WORKING = "working"
"""What a source is called that is the working dataset itself."""

Unmatched: TypeAlias = Literal["error", "drop", "keep"]


class JoinDefinition(Model):
    """A dataset joined for one operation."""

    alias: Text = Field(description="The name of its columns in expressions: rates.rate.")
    dataset_id: Reference = Field(description="The dataset, by name or id.")
    dataset_version: Version = Field(None, description="Pins a version; left out: the latest.")
    on: Expression = Field(description="The join condition. A row may match at most one row.")


class AppendJoinDefinition(JoinDefinition):
    """A dataset joined for one append."""

    on: Expression = Field(
        description="The join condition. A row may match at most one row, unless `many` is true."
    )
    many: Boolean = Field(False, description="Each match makes a row.")
    unmatched: Annotated[Unmatched, Word] | None = Field(
        None,
        description="A row without a match: `error` fails the run (the default with many), `drop`"
        " leaves it out, `keep` takes it with NULLs (the default without).",
    )


class SpreadDefinition(Model):
    """Splits an amount of each row over its matches; the parts add up to it exactly."""

    column: Text = Field(description="The amount: a decimal or integer column of the source.")
    weight: Expression = Field(description="What a match counts, in relation to the others.")
    scale: Annotated[Integer, WithJsonSchema({"type": "integer", "minimum": 0, "maximum": 12})] = (
        Field(description="The decimals to which parts are rounded.")
    )


class DatasetReference(Model):
    """A dataset, at a version or the latest."""

    dataset_id: Reference = Field(description="The dataset, by name or id.")
    dataset_version: Version = Field(None, description="Pins a version; left out: the latest.")


def _source_form(data: Any) -> str:
    return "a word" if isinstance(data, Scalar | str) else "a dataset"


def _working(value: Any) -> Any:
    text = value.text if isinstance(value, Scalar) else value
    if text != WORKING:
        hint = f"write source: {{dataset_id: {text}}} for a dataset of that name"
        raise fault("YAML_004", f"must be a dataset, or {WORKING}, not '{text}'", hint)
    return text


SourceReference: TypeAlias = Annotated[
    Annotated[
        Literal["working"],
        BeforeValidator(_working),
        WithJsonSchema({"const": WORKING}),
        Tag("a word"),
    ]
    | Annotated[DatasetReference, Tag("a dataset")],
    Discriminator(_source_form),
]
