"""The verbs of a workspace for the seals over what its store records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rowbook.api.client import Client
from rowbook.errors import RowbookError

if TYPE_CHECKING:
    from rowbook.store import ChainReport, JsonObject
    from rowbook.store.seals.signatures import PublicKey


class SealVerbs:
    _client: Client

    def verify_seals(
        self, *, head: str | None = None, public_keys: Sequence[str | Path] = ()
    ) -> ChainReport:
        """Whether all records are as they were sealed. `head` is one that was printed before
        (`12:0123456789abcdef`): only by it a tail is found that was cut, or a chain that was made
        anew. `public_keys` are files with the keys that are believed; without, those that the store
        has are."""
        from rowbook.definitions.models.entity import derived_id
        from rowbook.periods import GREGORIAN
        from rowbook.runs.prepare.seal_key import read_public_key
        from rowbook.store import ChainReport, SealHead

        try:
            noted = None if head is None else SealHead.parse(head)
        except ValueError as error:
            hint = "write it as `rowbook run` prints it: 12:0123456789abcdef"
            raise RowbookError.of("USAGE_001", str(error), hint=hint) from None
        trusted = [read_public_key(Path(each)) for each in public_keys]
        with self._client.open() as workspace:
            store = workspace.find_store()
            if store is None:
                return ChainReport.of_no_store(noted)
            calendars = {derived_id("calendar", GREGORIAN.name): GREGORIAN.name}
            return store.seals.verify(noted, trusted, calendars)

    def export_seals(self, *, records: bool = False) -> tuple[JsonObject, ...]:
        """All seals, oldest first, with all that checks them without Rowbook; with `records` also
        what was sealed, where the store still has it so."""
        with self._client.open() as workspace:
            store = workspace.find_store()
            return () if store is None else tuple(store.seals.export(records=records))


def make_seal_key(path: str | Path) -> PublicKey:
    """Makes a pair of keys: the private one in a file for its owner alone, the public one beside it
    with `.pub` behind the name. SEAL_002 where a file is there, or inside a workspace."""
    from rowbook.runs.prepare.seal_key import make_key_pair

    return make_key_pair(Path(path))
