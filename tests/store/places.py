"""Where a test's store is; plain text, so that it can be sent to other processes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy.engine import Connection

from rowbook.store import Store, StoreAddress, find_store, open_store, store_address


def handed_in(_: Connection, at: datetime) -> datetime:
    """The clock of tests: no server is asked what time it is."""
    return at


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
        return open_store(self.address, self.password, handed_in)

    def find(self) -> Store | None:
        return find_store(self.address, self.password)
