"""The workspace: rowbook.yaml."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from rowbook.definitions.models.entity import Model
from rowbook.definitions.models.field_types import (
    Boolean,
    Cell,
    EntityName,
    OptionalReference,
    OptionalText,
    Text,
    Word,
)

AuthMethod: TypeAlias = Literal["scram-sha-256", "md5", "password", "none"]

KeptEvidence: TypeAlias = Literal["all", "small", "none"]


class EngineDefinition(Model):
    """Where Spark runs."""

    master: OptionalText = Field(None, description='A Spark master; left out: "local[*]".')
    remote: OptionalText = Field(None, description="A Spark Connect endpoint: sc://host:15002.")
    conf: dict[str, Cell] = Field(default_factory=dict, description="Further Spark settings.")
    checkpoint_dir: OptionalText = Field(
        None,
        description="On a cluster: a path or URL that all executors see, where rows that are"
        " computed once are kept; left out: two executors keep them.",
    )
    sandbox: OptionalText = Field(
        None, description="A folder for what drafts write; left out: .rowbook/sandbox."
    )


class StoreDefinition(Model):
    """Where versions, runs and periods are recorded."""

    url: Text = Field(
        "sqlite:///.rowbook/store.db", description="sqlite:///… or postgresql://…, without secrets."
    )
    credential_ref: OptionalText = Field(
        None, description="Where the password is: env://NAME or file://path."
    )


class SealsDefinition(Model):
    """How records are sealed."""

    key: OptionalText = Field(
        None,
        description="Where the private key is that signs seals: env://NAME or file://path; left"
        " out, they are chained and not signed.",
    )


class CredentialDefinition(Model):
    """A secret, and the one server that it may go to."""

    ref: Text = Field(description="The secret, as credential_ref names it.")
    host: Text = Field(
        description="The server: host:port; left out, the port is 5432, of an object store 443."
    )
    auth: tuple[Annotated[AuthMethod, Word], ...] = Field(
        ("scram-sha-256",),
        description="How the server may ask for it; `password` shows it to the server as it is.",
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
    seals: SealsDefinition = Field(
        default_factory=SealsDefinition, description="How records of the store are sealed."
    )
    default_resolver_id: OptionalReference = Field(
        None, description="The resolver of datasets that name none."
    )
    allowed_locations: tuple[Text, ...] = Field(
        (), description="Folders and URI prefixes outside the workspace that data may be in."
    )
    evidence: Annotated[KeptEvidence, Word] = Field(
        "small",
        description="Which contents of what runs read are kept, to recompute a run when its data"
        " was changed since: all, none, or of small files (up to 16 MB) alone.",
    )
    self_approval: Boolean = Field(
        False, description="Whether who started a run may approve it (`approval` of a project)."
    )
    credentials: tuple[CredentialDefinition, ...] = Field(
        (), description="Which secret may go to which server; any other use of one is refused."
    )
