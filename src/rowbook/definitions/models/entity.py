"""What all definitions have in common: frozen, no unknown keys, identity by name or id."""

import uuid
from dataclasses import field
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, model_validator

from rowbook.definitions.models.field_types import EntityName, OptionalText, OptionalUuid
from rowbook.definitions.yaml.nodes import Mapping, Node, Scalar, Sequence
from rowbook.value_class import dataclass

NAMESPACE = uuid.UUID("6f1d2c3a-5b4e-5a77-9c0d-2f8f3f0c5a11")


def derived_id(kind: str, name: str) -> str:
    """The id of an entity that states none: the same for ever."""
    return str(uuid.uuid5(NAMESPACE, f"{kind}:{name}"))


def canonical_id(text: str) -> str:
    """A UUID as ids are kept, whatever way it is written; other texts as they are."""
    try:
        return str(uuid.UUID(text))
    except ValueError:
        return text


class MappingData(dict[str, Any]):
    """A YAML mapping on its way into a model; remembers its node for positions."""

    def __init__(self, node: Mapping) -> None:
        super().__init__((key.text, to_data(value)) for key, value in node.entries)
        self.node = node


def to_data(node: Node) -> Any:
    """Nodes as dicts and lists; scalars stay what they are, for each field to read its own way."""
    match node:
        case Mapping():
            return MappingData(node)
        case Sequence():
            return [to_data(item) for item in node.items]
        case Scalar():
            return node


@dataclass(slots=True)
class UnknownKeys:
    """Collects unknown keys while models are made: an unknown key does not hide other faults."""

    found: list[tuple[Scalar, tuple[str, ...]]] = field(default_factory=list)
    """The key, and the keys that are known in its place."""


class Model(BaseModel):
    """A part of a definition. A key without value counts as left out."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    nulls_are_text: ClassVar[frozenset[str]] = frozenset()
    """Fields in which a bare NULL is an expression, not a missing value."""
    also_known: ClassVar[dict[str, str]] = {}

    @model_validator(mode="before")
    @classmethod
    def _only_known_keys(cls, data: Any, info: ValidationInfo) -> Any:
        if not isinstance(data, MappingData) or not isinstance(info.context, UnknownKeys):
            return data
        known = cls.model_fields
        kept: dict[str, Any] = {}
        for key, _ in data.node.entries:
            name = cls.also_known.get(key.text, key.text)
            if name not in known or name in kept:
                info.context.found.append((key, tuple(k for k in known if k not in kept)))
                continue
            value = data[key.text]
            is_text = name in cls.nulls_are_text and isinstance(value, Scalar) and value.text != ""
            if is_text or not (isinstance(value, Scalar) and value.is_null):
                kept[name] = value
        return kept


class Entity(Model):
    """Something with a name of its own, that others refer to by name or id."""

    kind: ClassVar[str]

    name: EntityName = Field(
        description="Unique among its kind: letters, digits, `_`, `-` and `.`."
    )
    id: OptionalUuid = Field(
        None, description="A UUID; left out, it is derived from kind and name, stable for ever."
    )
    description: OptionalText = Field(None, description="What it is, for people.")

    @property
    def identity(self) -> str:
        return self.id or derived_id(self.kind, self.name)
