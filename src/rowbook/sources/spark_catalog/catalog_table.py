"""A table that a Spark session knows by name: nothing else of it is known until one is asked."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rowbook.sources.contents import AskingSession, Content


@dataclass(frozen=True, slots=True)
class CatalogState:
    """What a session said of a table."""

    columns: tuple[str, ...]
    content: Content


@dataclass(frozen=True, slots=True)
class CatalogTable:
    """`only` are the values wanted of columns that divide the table. A pinned one has its `state`,
    and the `session` that said it, which is asked again before anything is published."""

    name: str
    period: str | None = None
    only: Mapping[str, Collection[str]] = field(default_factory=dict)
    state: CatalogState | None = None
    session: AskingSession | None = field(default=None, compare=False)
    version: ClassVar[int | None] = None
    kind: ClassVar[str] = "catalog"

    @property
    def label(self) -> str:
        return self.name

    @property
    def quoted(self) -> str:
        """As Spark takes it, whatever its parts are."""
        return ".".join(f"`{part}`" for part in self.name.split("."))
