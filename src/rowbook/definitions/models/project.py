"""Projects: an input dataset and the operations on it."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from rowbook.definitions.models.dataset import TypeName
from rowbook.definitions.models.entity import Entity, Model
from rowbook.definitions.models.expectation import ExpectationDefinition
from rowbook.definitions.models.field_types import (
    Cell,
    EntityName,
    Expression,
    OptionalReference,
    OptionalText,
    Reference,
    Version,
    Word,
)
from rowbook.definitions.models.operations import AnyOperation, DestinationDefinition

PublishMode: TypeAlias = Literal["together", "as_written"]


class ParameterDefinition(Model):
    """A value of a project that a run may be given."""

    type: TypeName = Field(description="As a column's: string, integer, decimal(18,2), date …")
    default: Cell = Field(None, description="Its value where none is given; left out: it must be.")
    description: OptionalText = Field(None, description="What it is, for people.")


class ProjectBody(Model):
    """What a project does, whether it stands in a file or in a scenario."""

    input_dataset_id: Reference = Field(description="The dataset it starts from, by name or id.")
    input_dataset_version: Version = Field(
        None, description="Pins a version of the input; left out: the latest."
    )
    calendar_id: OptionalReference = Field(
        None, description="The calendar of its periods; left out: gregorian."
    )
    selectors: dict[str, Expression] = Field(
        default_factory=dict, description="Named conditions, used as {{name}}."
    )
    parameters: dict[str, ParameterDefinition] = Field(
        default_factory=dict,
        description="Values that a run may be given, used as `param.name` in expressions.",
    )
    resolver_overrides: dict[str, Reference] = Field(
        default_factory=dict, description="dataset: resolver, for this project only."
    )
    operations: tuple[AnyOperation, ...] = Field((), description="In the order of their seq.")
    expectations: tuple[ExpectationDefinition, ...] = Field(
        (), description="What must hold of its rows, and what happens otherwise."
    )
    quarantine: DestinationDefinition | None = Field(
        None, description="Where rows go that expectations with `otherwise: quarantine` take out."
    )


class ProjectDefinition(Entity, ProjectBody):
    """An ordered list of operations over a dataset."""

    kind: ClassVar[str] = "project"

    owner: OptionalText = Field(None, description="Who answers for it.")
    publish: Annotated[PublishMode, Word] = Field(
        "together",
        description="together: all outputs when all are computed, or none; as_written: each when it"
        " is written, whatever comes later.",
    )
    approval: Annotated[Literal["before_publish"] | None, Word] = Field(
        None, description="before_publish: what is computed waits for `rowbook runs approve`."
    )


class InlineProject(ProjectBody):
    """A project written into a scenario."""

    name: EntityName = Field("inline", description="A name for messages.")
    owner: OptionalText = Field(None, description="Who answers for it.")
    description: OptionalText = Field(None, description="What it is, for people.")


AnyProject: TypeAlias = ProjectDefinition | InlineProject
