"""A bucket of the test server as Rowbook reaches it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rowbook.definitions.models.workspace import CredentialDefinition
from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import store_address
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectStore
from tests.support.object_store_server import StoreServer

REFERENCE = "env://ROWBOOK_TEST_STORE"
VARIABLE = "ROWBOOK_TEST_STORE"


@dataclass(frozen=True, slots=True)
class Bucket:
    name: str
    server: StoreServer
    root: Path

    def put(self, objects: Mapping[str, bytes | str]) -> None:
        self.server.put(self.name, objects)

    def put_url(self, url: str, data: bytes) -> None:
        self.put({url.removeprefix(f"{self.url}/"): data})

    @property
    def url(self) -> str:
        return f"s3://{self.name}"

    @property
    def boundary(self) -> Boundary:
        grant = CredentialDefinition(ref=REFERENCE, host=self.server.host)
        return Boundary(self.root, (self.url,), (grant,))

    @property
    def store(self) -> ObjectStore:
        options = {"endpoint": self.server.endpoint, "path_style": "true"}
        return ObjectStore(store_address(self.url, options), REFERENCE, self.boundary)

    def path(self, key: str) -> ObjectPath:
        return ObjectPath(self.store, key)
