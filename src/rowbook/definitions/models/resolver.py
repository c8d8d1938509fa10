"""Resolvers: rules that say where a dataset's data is for a period."""

from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from rowbook.definitions.models.entity import Entity, Model
from rowbook.definitions.models.field_types import (
    Boolean,
    OptionalExpression,
    OptionalReference,
    OptionalText,
    Reference,
    Text,
    Word,
)
from rowbook.definitions.yaml.nodes import Scalar

FileFormat: TypeAlias = Literal["parquet", "csv", "json", "orc", "excel", "delta"]


class PathStrategy(Model):
    """Files at a path."""

    type: Annotated[Literal["path"], Word] = Field(description="Files at a path.")
    datasource_id: OptionalReference = Field(
        None, description="The data source whose root the path starts at; left out: the workspace."
    )
    path: Text = Field(
        description="A template, such as archive/{{table_name}}/{{YYYY}}/{{MM}}.parquet."
    )
    format: Annotated[FileFormat | None, Word] = Field(
        None, description="Left out: the data source's type, else the ending of the path."
    )


class TableStrategy(Model):
    """A table of a data source."""

    type: Annotated[Literal["table"], Word] = Field(description="A table of a data source.")
    datasource_id: Reference = Field(description="The data source, by name or id.")
    table: Text = Field(description="A template, such as {{table_name}}.")


class CatalogStrategy(Model):
    """A table of Spark's catalog."""

    type: Annotated[Literal["catalog"], Word] = Field(description="A table of Spark's catalog.")
    table: Text = Field(description="A template, such as finance.{{table_name}}.")


def tag_of(data: Any) -> str | None:
    """`type`, which says which model applies, as a tag. A tag stands in the path of an error, so it
    must not look like a key: a strategy of type path has a key `path`."""
    if isinstance(data, Model):
        return f"type {getattr(data, 'type', None)}"
    word = data.get("type") if isinstance(data, dict) else None
    return None if word is None else f"type {word.text if isinstance(word, Scalar) else word}"


Strategy: TypeAlias = Annotated[
    Annotated[PathStrategy, Tag("type path")]
    | Annotated[TableStrategy, Tag("type table")]
    | Annotated[CatalogStrategy, Tag("type catalog")],
    Discriminator(tag_of),
]


class RuleDefinition(Model):
    """One rule; the first whose condition holds is taken."""

    name: Text = Field(description="What the rule covers, for people and for error messages.")
    description: OptionalText = Field(None, description="More about it.")
    when: OptionalExpression = Field(
        None,
        description="A condition over period.identifier, level, year, quarter, month, day, start,"
        " end, table.name and dataset.name; left out: always.",
    )
    data_level: OptionalText = Field(
        None, description="The level at which data is stored: the run's period is expanded to it."
    )
    strategy: Strategy = Field(description="Where the data is.")


class ResolverDefinition(Entity):
    """An ordered list of rules."""

    kind: ClassVar[str] = "resolver"

    is_default: Boolean = Field(False, description="Used where neither project nor dataset says.")
    rules: tuple[RuleDefinition, ...] = Field(
        (), description="The first match wins.", json_schema_extra={"minItems": 1}
    )
