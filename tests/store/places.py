"""Where a test's store is; plain text, so that it can be sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rowbook.store import Store, StoreAddress, find_store, open_store, store_address


@dataclass(frozen=True, slots=True)
class Place:
    url: str
    root: str
    password: str | None

    @property
    def address(self) -> StoreAddress:
        return store_address(self.url, Path(self.root))

    @property
    def file(self) -> Path:
        """For SQLite."""
        return Path(self.root, ".rowbook", "store.db")

    def open(self) -> Store:
        return open_store(self.address, self.password)

    def find(self) -> Store | None:
        return find_store(self.address, self.password)
