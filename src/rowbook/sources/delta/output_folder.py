"""Where an output to a Delta table in an object store is staged: a folder in that of the table,
whose files stay where they are and become the table's when a commit names them.

Nothing can be renamed there, so an object in the folder says how far it is, and is replaced only by
who knows what it said: `staging`, `staged`, `claimed n` by who is about to commit it as the number
n of its application, `given up`. It goes last, so that whoever was killed half-way is followed by
others; a folder without it holds files of the table, or nothing.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from rowbook.locations.removal import is_run_id
from rowbook.sources.delta.log import LOG_FOLDER
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectChangedError, StoredObject
from rowbook.write_points import write_point

STAGING, STAGED, GIVEN_UP = "staging", "staged", "given up"
_CLAIMED = "claimed"
_STATE = "_state"
_RUN = "rowbook-"
_NAME = re.compile(rf"{_RUN}(?P<run>[0-9a-f-]{{36}})/(?P<seq>[0-9]{{1,9}})\.[0-9a-f]{{16}}")
"""Not hidden: VACUUM passes over folders that are, and what the table replaced would stay."""


@dataclass(frozen=True, slots=True)
class FolderState:
    text: str
    etag: str

    @property
    def number(self) -> int | None:
        """Of who claimed it."""
        word, _, number = self.text.partition(" ")
        return int(number) if word == _CLAIMED else None


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """`name` is the path below the table."""

    table: ObjectPath
    name: str

    @classmethod
    def begin(cls, table: ObjectPath, run_id: str, seq: int) -> OutputFolder:
        """One that was never used: what a dead attempt asked Spark for may still be written."""
        folder = cls(table, f"{_RUN}{run_id}/{seq}.{secrets.token_hex(8)}")
        table.store.put_if_absent(folder._key, STAGING.encode())
        return folder

    @classmethod
    def recorded(cls, table: ObjectPath, name: str, run_id: str, seq: int) -> OutputFolder:
        """ValueError for a name that is none of an output's."""
        found = _NAME.fullmatch(name)
        if found is None or (found["run"], int(found["seq"])) != (run_id, seq):
            raise ValueError(f"{name} is no folder of output {seq}")
        return cls(table, name)

    @property
    def path(self) -> ObjectPath:
        return self.table / self.name

    @property
    def _key(self) -> str:
        return (self.path / _STATE).key

    def state(self) -> FolderState | None:
        store = self.table.store
        while found := store.head(self._key):
            try:
                text = store.read(found.key, 0, found.size, found.etag).decode()
            except (ObjectChangedError, FileNotFoundError):
                continue
            return FolderState(text, found.etag)
        return None

    def move(self, state: FolderState, text: str) -> bool:
        """Whether nobody else did."""
        store = self.table.store
        return store.put_if_unchanged(self._key, text.encode(), state.etag) is not None

    def claim(self, state: FolderState, number: int) -> bool:
        return self.move(state, f"{_CLAIMED} {number}")

    def objects(self) -> dict[str, StoredObject]:
        """Its files by their names in it."""
        below = f"{self.path.key}/"
        found = self.table.store.list(self.path.key)
        return {each.key.removeprefix(below): each for each in found if each.key != self._key}

    def finish(self) -> None:
        """After its files are the table's."""
        store = self.table.store
        store.delete(*(each.key for each in store.list((self.path / LOG_FOLDER).key)))
        store.delete(self._key)
        write_point("nothing is left of how an output was staged")

    def remove(self) -> None:
        """Of an output that is given up."""
        store = self.table.store
        store.delete(*(each.key for each in self.objects().values()))
        write_point("objects of an output that was given up are gone")
        store.delete(self._key)


def output_folders(table: ObjectPath, run_id: str, seq: int) -> Iterator[OutputFolder]:
    """Those that are not done with."""
    if not is_run_id(run_id):
        return
    for each in table.store.list((table / f"{_RUN}{run_id}").key):
        name, _, file = _below(table, each.key).rpartition("/")
        found = _NAME.fullmatch(name)
        if file == _STATE and found and int(found["seq"]) == seq:
            yield OutputFolder(table, name)


def is_staged(table: ObjectPath, key: str) -> bool:
    """Whether an object below a table is in a folder of an output."""
    return _NAME.match(_below(table, key)) is not None


def _below(table: ObjectPath, key: str) -> str:
    return key.removeprefix(f"{table.key}/")
