"""The five operations and their arguments.

Faults that have a code of their own (empty lists, unknown columns, wrong seq …) are left to
planning, which knows the operation; here only the form is checked.
"""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag, WithJsonSchema

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.entries import (
    AppendJoinDefinition,
    JoinDefinition,
    SourceReference,
    SpreadDefinition,
)
from rowbook.definitions.models.expectation import MustMatch
from rowbook.definitions.models.field_types import (
    Boolean,
    Cell,
    Expression,
    Integer,
    OptionalExpression,
    OptionalReference,
    OptionalText,
    Text,
    Word,
)
from rowbook.definitions.models.resolver import FileFormat, tag_of
from rowbook.definitions.models.window import WindowDefinition

_NAME_SCHEMA = WithJsonSchema({"type": "string", "minLength": 1})
_SEQ_SCHEMA = WithJsonSchema({"type": "integer", "minimum": 1})


class AssignmentDefinition(Model):
    """A column and its new value."""

    nulls_are_text: ClassVar[frozenset[str]] = frozenset({"expression"})

    column: Text = Field(description="An existing column, or a new one.")
    expression: Expression = Field(description="The value, from the row as it was before.")


class AggregationDefinition(Model):
    """A result column of an aggregation."""

    column: Text = Field(description="Where the result goes on the summary row.")
    expression: Expression = Field(
        description="With SUM, COUNT, COUNT_DISTINCT, AVG, MIN_AGG, MAX_AGG, MIN_BY or MAX_BY."
    )


class KeyDefinition(Model):
    """A group key that is computed."""

    nulls_are_text: ClassVar[frozenset[str]] = frozenset({"expression"})

    column: Text = Field(description="Where the key stands on the summary row.")
    expression: Expression = Field(description="Its value, from each of the rows.")


def _key_form(data: object) -> str:
    return "computed key" if isinstance(data, dict | KeyDefinition) else "column key"


GroupKey: TypeAlias = Annotated[
    Annotated[Text, Tag("column key")] | Annotated[KeyDefinition, Tag("computed key")],
    Discriminator(_key_form),
]


class TotalLevelDefinition(Model):
    """One of the ways in which an aggregate groups the same rows."""

    name: Text = Field(description="The name of the level; LEVEL() gives it.")
    group_by: tuple[GroupKey, ...] = Field(
        description="One summary row for each group; []: one over all rows."
    )


class AppendAggregationDefinition(Model):
    """Summarises the source before it is appended."""

    group_by: tuple[GroupKey, ...] = Field(
        (),
        description="Columns of the source, or expressions of them.",
        json_schema_extra={"minItems": 1},
    )
    aggregations: tuple[AggregationDefinition, ...] = Field(
        (),
        description="Results, in columns of the working dataset.",
        json_schema_extra={"minItems": 1},
    )


class LocationDefinition(Model):
    """A place for files, named directly."""

    path: Text = Field(
        description="Relative to the workspace, or within an allowed location. A template, such as"
        " exports/{{YYYY}}/{{MM}}."
    )
    format: Annotated[FileFormat, Word] = Field("parquet", description="The format of the files.")
    options: dict[str, Cell] = Field(
        default_factory=dict, description="Options of the format, such as delimiter."
    )


class DestinationDefinition(Model):
    """Either a table of a data source, or a location."""

    datasource_id: OptionalReference = Field(None, description="A data source, with `table`.")
    table: OptionalText = Field(
        None, description="The table in the data source. A template, such as guv_{{identifier}}."
    )
    options: dict[str, Cell] = Field(
        default_factory=dict,
        description="Options of this output, before those of the data source; a location has its"
        " own.",
    )
    location: LocationDefinition | None = Field(None, description="Files at a path, instead.")


class UpdateArguments(Model):
    """What an update does."""

    joins: tuple[JoinDefinition, ...] = Field(
        (), description="Datasets whose columns this update may use."
    )
    windows: tuple[WindowDefinition, ...] = Field(
        (),
        description="What each row knows of the rows of its group, for this update's selector and"
        " assignments: over the rows that are visible before it.",
    )
    assignments: tuple[AssignmentDefinition, ...] = Field(
        (),
        description="Columns and their values; they do not see each other.",
        json_schema_extra={"minItems": 1},
    )


class AggregateArguments(Model):
    """What an aggregate adds."""

    group_by: tuple[GroupKey, ...] = Field(
        (), description="One summary row for each group.", json_schema_extra={"minItems": 1}
    )
    levels: tuple[TotalLevelDefinition, ...] = Field(
        (),
        description="Instead of group_by: several ways to group the same rows.",
        json_schema_extra={"minItems": 1},
    )
    aggregations: tuple[AggregationDefinition, ...] = Field(
        (), description="The results on the summary row.", json_schema_extra={"minItems": 1}
    )
    assignments: tuple[AssignmentDefinition, ...] = Field(
        (),
        description="Further columns of the summary row, from its keys, results and LEVEL(); they"
        " do not see each other.",
    )


class AppendArguments(Model):
    """What an append brings in."""

    source: SourceReference = Field(
        description="Whose rows are appended: a dataset, or `working`, the rows there are before."
    )
    source_selector: OptionalExpression = Field(
        None, description="Which rows of the source; left out: all. It does not see the joins."
    )
    joins: tuple[AppendJoinDefinition, ...] = Field(
        (), description="Datasets whose columns the new rows may use."
    )
    spread: SpreadDefinition | None = Field(
        None, description="Split an amount over the matches of the join that has many."
    )
    assignments: tuple[AssignmentDefinition, ...] = Field(
        (),
        description="Columns of the new rows and their values, `_period` too; columns of the"
        " source that the working dataset does not have are then left out.",
    )
    aggregation: AppendAggregationDefinition | None = Field(
        None, description="Summarise the source first; left out: rows as they are."
    )


class OutputArguments(Model):
    """What an output writes."""

    destination: DestinationDefinition = Field(
        default_factory=DestinationDefinition, description="Where to."
    )
    columns: tuple[Text, ...] | None = Field(
        None,
        description="Exactly these, in this order; left out: all columns.",
        json_schema_extra={"minItems": 1},
    )
    order_by: tuple[Text, ...] | None = Field(
        None,
        description="The order of the rows: columns, also such that are not written; with a leading"
        " - descending. NULL comes last.",
        json_schema_extra={"minItems": 1},
    )
    include_deleted: Boolean = Field(False, description="Write deleted rows too.")
    register_as_dataset: OptionalText = Field(
        None, description="Make the result a dataset of this name, or its next version."
    )
    mode: Annotated[Literal["replace", "append", "error_if_exists"], Word] = Field(
        "replace",
        description="replace: the rows of the run's period, or the whole table where there is no"
        " _period.",
    )


class Operation(Model):
    """What every operation has."""

    also_known: ClassVar[dict[str, str]] = {"parameters": "arguments"}

    id: OptionalText = Field(None, description="Any text that names the operation.")
    seq: Annotated[Integer, _SEQ_SCHEMA] = Field(
        description="Operations run in the order of seq; gaps are allowed."
    )
    name: Annotated[Text, _NAME_SCHEMA] = Field(
        "", description="What the operation does, in words."
    )
    description: OptionalText = Field(None, description="Why it does it.")
    selector: OptionalExpression = Field(
        None, description="Which rows: a condition; {{name}} stands for a named selector."
    )
    must_match: MustMatch = Field(
        False,
        description="true: it stops the run where it picks no row; {otherwise: warn}: it says so.",
    )


class UpdateOperation(Operation):
    """Set columns on the selected rows."""

    type: Annotated[Literal["update"], Word] = Field(description="Set columns on matching rows.")
    arguments: UpdateArguments = Field(
        default_factory=UpdateArguments, description="Joins, windows and assignments."
    )


class AggregateOperation(Operation):
    """Append one summary row for each group."""

    type: Annotated[Literal["aggregate"], Word] = Field(description="Append summary rows.")
    arguments: AggregateArguments = Field(
        default_factory=AggregateArguments, description="Keys and results."
    )


class AppendOperation(Operation):
    """Append rows of another dataset, or made from rows there are."""

    type: Annotated[Literal["append"], Word] = Field(description="Append rows.")
    arguments: AppendArguments = Field(description="The source, and what of it.")


class DeleteOperation(Operation):
    """Mark the selected rows as deleted."""

    type: Annotated[Literal["delete"], Word] = Field(description="Mark matching rows as deleted.")
    arguments: Annotated[dict[str, Any], WithJsonSchema({"type": "object", "maxProperties": 0})] = (
        Field(default_factory=dict, description="None: the selector says which rows.")
    )


class OutputOperation(Operation):
    """Write the selected rows to a destination."""

    type: Annotated[Literal["output"], Word] = Field(description="Write matching rows.")
    arguments: OutputArguments = Field(
        default_factory=OutputArguments, description="Where to, and what."
    )


OPERATION_TYPES: dict[str, type[Operation]] = {
    "update": UpdateOperation,
    "aggregate": AggregateOperation,
    "append": AppendOperation,
    "delete": DeleteOperation,
    "output": OutputOperation,
}

AnyOperation: TypeAlias = Annotated[
    Annotated[UpdateOperation, Tag("type update")]
    | Annotated[AggregateOperation, Tag("type aggregate")]
    | Annotated[AppendOperation, Tag("type append")]
    | Annotated[DeleteOperation, Tag("type delete")]
    | Annotated[OutputOperation, Tag("type output")],
    Discriminator(tag_of),
]
