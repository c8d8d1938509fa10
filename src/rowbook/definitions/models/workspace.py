"""The workspace: rowbook.yaml."""

from typing import ClassVar

from pydantic import Field

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import (
    Cell,
    EntityName,
    OptionalReference,
    OptionalText,
    Text,
)


class EngineDefinition(Model):
    """Where Spark runs."""

    master: OptionalText = Field(None, description='A Spark master; left out: "local[*]".')
    remote: OptionalText = Field(None, description="A Spark Connect endpoint: sc://host:15002.")
    conf: dict[str, Cell] = Field(default_factory=dict, description="Further Spark settings.")


class StoreDefinition(Model):
    """Where versions, runs and periods are recorded."""

    url: Text = Field(
        "sqlite:///.rowbook/store.db", description="sqlite:///… or postgresql://…, without secrets."
    )
    credential_ref: OptionalText = Field(
        None, description="Where the password is: env://NAME or file://path."
    )


class WorkspaceDefinition(Model):
    """A folder of definitions and its settings."""

    kind: ClassVar[str] = "workspace"

    name: EntityName = Field(description="The name of the workspace.")
    description: OptionalText = Field(None, description="What it is, for people.")
    engine: EngineDefinition = Field(
        default_factory=EngineDefinition, description="Where Spark runs; left out: on this machine."
    )
    store: StoreDefinition = Field(
        default_factory=StoreDefinition, description="The metadata store."
    )
    default_resolver_id: OptionalReference = Field(
        None, description="The resolver of datasets that name none."
    )
    allowed_locations: tuple[Text, ...] = Field(
        (), description="Folders and URI prefixes outside the workspace that data may be in."
    )
