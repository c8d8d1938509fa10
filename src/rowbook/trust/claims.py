"""What a workspace claims beyond its own folder: by settings in rowbook.yaml, or by links."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from rowbook.definitions.models.workspace import (
    EngineDefinition,
    StoreDefinition,
    WorkspaceDefinition,
)
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.private_files import STATE
from rowbook.text.visible import visible
from rowbook.trust.harmless import is_harmless_conf, is_harmless_master
from rowbook.value_class import dataclass

_SECRET = re.compile(r"passw|secret|token|credential|key", re.IGNORECASE)

_CODE = "a setting of Spark that may load code, or name files and machines"
_ENGINE = "Spark runs there, and gets the data and the passwords of databases"
_CHECKPOINTS = "executors keep rows there while a run is at work"
_DRAFTS = "drafts write there, for whoever may read that folder"
_STORE = "versions, runs and periods are kept there"
_STORE_SECRET = "this secret goes to the store's server"
_SEAL_KEY = "what the store records is signed with this key"
_FOLDER = "data is read and written there"
_GRANT = "this secret may go to this server"
_LINK = "a link by which Rowbook's own files are kept outside the workspace"


@dataclass(frozen=True, slots=True)
class Claim:
    """A setting and its value, and what it means, in plain words."""

    setting: str
    value: str
    meaning: str

    @property
    def label(self) -> str:
        """What may be shown: on one line, and without what looks like a secret."""
        hidden = self.setting.startswith("engine.conf") and _SECRET.search(self.setting)
        return visible(f"{self.setting}: {'***' if hidden else self.value}")

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.setting}\0{self.value}".encode()).hexdigest()


def claims_of(root: Path, settings: WorkspaceDefinition | None) -> tuple[Claim, ...]:
    return (*(_of_settings(settings) if settings is not None else ()), *state_links(root))


def _of_settings(settings: WorkspaceDefinition) -> Iterator[Claim]:
    yield from _of_engine(settings.engine)
    store = settings.store
    if store.url != StoreDefinition().url:
        yield Claim("store.url", store.url, _STORE)
    if store.credential_ref is not None:
        yield Claim("store.credential_ref", store.credential_ref, _STORE_SECRET)
    if settings.seals.key is not None:
        yield Claim("seals.key", settings.seals.key, _SEAL_KEY)
    for location in settings.allowed_locations:
        yield Claim("allowed_locations", location, _FOLDER)
    for each in settings.credentials:
        auth = "" if each.auth == ("scram-sha-256",) else f" ({', '.join(each.auth)})"
        yield Claim("credentials", f"{each.ref} to {each.host}{auth}", _GRANT)


def _of_engine(engine: EngineDefinition) -> Iterator[Claim]:
    if engine.master is not None and not is_harmless_master(engine.master):
        yield Claim("engine.master", engine.master, _ENGINE)
    if engine.remote is not None:
        yield Claim("engine.remote", engine.remote, _ENGINE)
    for key, cell in engine.conf.items():
        value = cell.text if isinstance(cell, Scalar) else str(cell)
        if not is_harmless_conf(key, value):
            yield Claim(f"engine.conf {key}", value, _CODE)
    if engine.checkpoint_dir is not None:
        yield Claim("engine.checkpoint_dir", engine.checkpoint_dir, _CHECKPOINTS)
    if engine.sandbox is not None:
        yield Claim("engine.sandbox", engine.sandbox, _DRAFTS)


def state_links(root: Path) -> Iterator[Claim]:
    """The state's folder, and what is directly in it: a clone can bring these as links."""
    inside = os.path.realpath(root) + os.sep
    state = root / STATE
    try:
        parts = sorted(state.iterdir()) if state.is_dir() else []
    except OSError:
        parts = []
    for path in (state, *parts):
        target = os.path.realpath(path)
        if path.is_symlink() and not target.startswith(inside):
            yield Claim(path.relative_to(root).as_posix(), target, _LINK)
