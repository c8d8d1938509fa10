"""The chain of seals as others see it: its head, whether it is whole, one run's part of it, an
export for people without Rowbook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType

import sqlalchemy as sa

from rowbook.store.database.connections import StoreDatabase
from rowbook.store.database.json_documents import JsonObject, canonical
from rowbook.store.database.tables import run_verification
from rowbook.store.runs.run_rows import get_run
from rowbook.store.seals.canonical_records import Subject, all_records, run_subject
from rowbook.store.seals.chain_check import check_chain, check_run
from rowbook.store.seals.chain_report import ChainReport, RunSeal
from rowbook.store.seals.seal import SealHead, sha256
from rowbook.store.seals.seal_rows import last_seal, public_keys, seal_of, walk
from rowbook.store.seals.sealer import Sealer
from rowbook.store.seals.signatures import PublicKey


class Seals:
    """`Store.seals`. Seals are added by whatever changes a record, never here: but for the record
    of a verification, which is this module's own."""

    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def head(self) -> SealHead | None:
        """The last seal; its text (`12:0123456789abcdef`) is what `verify` takes for a head."""
        with self._database.reading() as connection:
            last = last_seal(connection)
            return last.head if last else None

    def check_key(self) -> None:
        """Refused as `KeySource` says where seals are to be signed, and cannot be."""
        _ = self._sealer.key

    def head_of_run(self, run_id: str) -> SealHead | None:
        """The newest seal over a run, not checked."""
        with self._database.reading() as connection:
            newest = seal_of(connection, run_subject(run_id))
            return newest.head if newest else None

    def of_run(self, run_id: str) -> RunSeal:
        """The newest seal over a run: whether the chain is whole up to it, the run's rows are what
        was sealed, and the signature is good. Nothing of it is a refusal."""
        with self._database.reading() as connection:
            return check_run(connection, run_id)

    def verify(
        self,
        head: SealHead | None = None,
        trusted: Sequence[PublicKey] = (),
        calendars: Mapping[str, str] = MappingProxyType({}),
    ) -> ChainReport:
        """See `check_chain`."""
        with self._database.reading() as connection:
            return check_chain(connection, head, trusted, calendars)

    def record_verification(
        self, run_id: str, verification: JsonObject, *, by: str, at: datetime
    ) -> int:
        """Keeps what became of verifying a run, sealed; gives the number that it has among those of
        the run. `RunRecord.verifications` lists them."""
        v = run_verification
        with self._database.writing("a verification") as connection:
            get_run(connection, run_id)
            count = sa.select(sa.func.count()).where(v.c.run_id == run_id)
            number: int = (connection.scalar(count) or 0) + 1
            connection.execute(
                v.insert().values(
                    run_id=run_id,
                    number=number,
                    verification=verification,
                    recorded_at=at,
                    recorded_by=by,
                )
            )
            subject = Subject("verification", (run_id, number))
            self._sealer.seal(connection, "run verified", subject, at=at, by=by)
            return number

    def public_keys(self) -> dict[str, str]:
        """The keys that seals were signed with, in PEM form, by their ids."""
        with self._database.reading() as connection:
            return public_keys(connection)

    def export(self, *, records: bool = False) -> Iterator[JsonObject]:
        """A line for each seal, oldest first. `hash` is the SHA-256 of the text `statement`, and
        `signature` its signature in base64. The statement's digest is the SHA-256 of the text
        `record`: there with `records`, where the store still has it so."""
        with self._database.reading() as connection:
            texts = {}
            if records:
                found = (canonical(record) for _, record in all_records(connection))
                texts = {sha256(text): text for text in found}
            keys = public_keys(connection)
            for each in walk(connection):
                yield {
                    "number": each.number,
                    "statement": each.statement,
                    "hash": each.hash,
                    "signature": each.signature,
                    "public_key": keys.get(each.key_id) if each.key_id else None,
                    "record": each.record if each.record is not None else texts.get(each.digest),
                }
