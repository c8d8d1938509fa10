"""What planning asks for: definitions by name or id. Workspace files and the metadata store both
answer; planning does not know which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, Literal, Protocol, TypeVar

from rowbook.definitions.models.dataset import DatasetDefinition
from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.models.entity import Entity, canonical_id
from rowbook.definitions.models.resolver import ResolverDefinition
from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.locations.boundary import Boundary
from rowbook.periods import Calendar
from rowbook.value_class import dataclass

E = TypeVar("E", bound=Entity)


@dataclass(frozen=True, slots=True)
class ViewOrigin:
    """The dataset that a view reads, and the version that the view's own definition has."""

    id: str
    name: str
    view_version: int


@dataclass(frozen=True, slots=True)
class Version(Generic[E]):
    """A definition at a version; `place` where it stands, if it stands in a file. A view has the
    versions of its `origin`, and all else that this says."""

    model: E
    version: int
    place: Place | None = None
    origin: ViewOrigin | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no usable definition. `uncertain`: a file that may hold it could not be read,
    so that its absence is no error of its own."""

    reason: Literal["unknown", "version", "disabled"]
    message: str
    hint: str | None = None
    uncertain: bool = False


class DefinitionLookup(Protocol):
    @property
    def boundary(self) -> Boundary: ...

    def dataset(self, reference: str, version: int | None) -> Version[DatasetDefinition] | Missing:
        """A dataset at a version, or its latest active version."""
        ...

    def datasource(self, reference: str) -> Version[DatasourceDefinition] | Missing: ...

    def resolver(self, reference: str) -> Version[ResolverDefinition] | Missing: ...

    def default_resolver(self) -> Version[ResolverDefinition] | Missing | None:
        """The resolver of datasets for which nothing else is said; None where none is named."""
        ...

    def calendar(self, reference: str) -> Calendar | Missing: ...


class Shelf(Generic[E]):
    """The definitions of one kind, found by name or id, each with its versions."""

    def __init__(
        self,
        kind: str,
        versions: Iterable[Version[E]],
        *,
        uncertain: bool,
        pins: Mapping[str, int] | None = None,
    ) -> None:
        """`pins` are versions by id, for references that name none."""
        self._kind = kind
        self._uncertain = uncertain
        self._pins = pins or {}
        self._by_key: dict[str, dict[int, Version[E]]] = {}
        self.names: list[str] = []
        for each in versions:
            if each.model.name not in self._by_key:
                self.names.append(each.model.name)
            for key in (each.model.name, each.model.identity):
                self._by_key.setdefault(key, {}).setdefault(each.version, each)

    def find(self, reference: str, version: int | None = None) -> Version[E] | Missing:
        versions = self._by_key.get(reference) or self._by_key.get(canonical_id(reference))
        if versions is None:
            return Missing(
                "unknown",
                f"{self._kind} '{reference}' is not defined",
                suggestion(reference, self.names, f"{self._kind}s"),
                self._uncertain,
            )
        if version is None and self._pins:
            version = self._pins.get(next(iter(versions.values())).model.identity)
        if version is not None and version not in versions:
            known = ", ".join(str(v) for v in sorted(versions))
            return Missing(
                "version",
                f"{self._kind} '{reference}' has no version {version}",
                f"versions: {known}",
            )
        candidates = [versions[version]] if version is not None else list(versions.values())
        active = [v for v in candidates if getattr(v.model, "status", "active") == "active"]
        if not active:
            return Missing("disabled", f"{self._kind} '{reference}' is disabled")
        return max(active, key=lambda v: v.version)
