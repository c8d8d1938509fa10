"""Seals are added here, in the transaction that changes a record: both are there, or neither. There
is one writer of a store at a time, so that the chain never forks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TypeAlias

from sqlalchemy.engine import Connection

from rowbook.store.database.json_documents import JsonObject, canonical
from rowbook.store.seals.canonical_records import Subject, all_records, is_unsealed, record_of
from rowbook.store.seals.seal import ENDS, ORIGIN, STORE, Seal, SealKind, sha256
from rowbook.store.seals.seal_rows import add_key, add_seal, instant, last_seal
from rowbook.store.seals.signatures import SigningKey

KeySource: TypeAlias = Callable[[], SigningKey | None]
"""Gives the key to sign with, if there is to be one; asked when the first seal is added."""


def without_key() -> None:
    """Seals are chained, and not signed."""


class Sealer:
    def __init__(self, key: KeySource = without_key) -> None:
        self._source = key

    @cached_property
    def key(self) -> SigningKey | None:
        return self._source()

    def seal(
        self, connection: Connection, kind: SealKind, subject: Subject, *, at: datetime, by: str
    ) -> None:
        """Seals the record of a subject as it is now, unless it is as it was sealed last."""
        record = record_of(connection, subject)
        if record is None:
            raise ValueError(f"there is nothing to seal of {subject}")
        digest, name = sha256(canonical(record)), str(subject)
        before = last_seal(connection, name)
        if before is None or before.digest != digest:
            self._append(connection, kind, name, digest, at, by)

    def seal_store(self, connection: Connection, *, at: datetime, by: str) -> None:
        """One seal over all that is there, for a store from before there were seals."""
        digests = [
            [str(subject), _ending(subject, record), sha256(canonical(record))]
            for subject, record in all_records(connection)
            if not is_unsealed(subject, record)
        ]
        if digests:
            text = canonical({"records": sorted(digests)})
            self._append(connection, "store sealed", STORE, sha256(text), at, by, text)

    def _append(
        self,
        connection: Connection,
        kind: SealKind,
        subject: str,
        digest: str,
        at: datetime,
        by: str,
        record: str | None = None,
    ) -> None:
        key, head = self.key, last_seal(connection)
        number, previous = (head.number + 1, head.hash) if head else (1, ORIGIN)
        key_id = key.public.id if key else None
        made = Seal(
            number, kind, subject, digest, previous, key_id, instant(at), by, record=record
        ).with_hash()
        if key is not None:
            add_key(connection, key.public.id, key.public.pem, at)
            made = replace(made, signature=key.sign(made.statement))
        add_seal(connection, made, at)


def _ending(subject: Subject, record: JsonObject) -> SealKind:
    """As what a record of an older store counts; a run that is at work, as one that started."""
    if subject.kind != "run":
        return "store sealed"
    return ENDS.get(record["run"][0]["status"], "run started")
