"""The chain walked and its records computed again: what does not agree, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.engine import Connection

from rowbook.store.database.json_documents import canonical
from rowbook.store.seals.canonical_records import all_records, is_unsealed, record_of, run_subject
from rowbook.store.seals.chain_report import (
    ChainReport,
    FindingWord,
    KeyUse,
    RunSeal,
    SealFinding,
    SignatureWord,
)
from rowbook.store.seals.pointer_check import wrong_pointers
from rowbook.store.seals.seal import ORIGIN, Cover, Seal, SealHead, sha256
from rowbook.store.seals.seal_rows import public_keys, seal_of, walk
from rowbook.store.seals.signatures import KeyFormatError, PublicKey, public_key
from rowbook.store.seals.subject_names import SubjectNames

_UNSIGNED = "it has no signature, although seals before it have"
_UNTRUSTED = "no seal has a signature of a key that was given"


def check_chain(
    connection: Connection,
    head: SealHead | None,
    trusted: Sequence[PublicKey],
    calendars: Mapping[str, str],
) -> ChainReport:
    """All of it. `head` is one that was noted before; `trusted` are the keys that are believed:
    without, those that the store has recorded. `calendars` are named by `SubjectNames`."""
    keys = _KeyRing.of(connection, trusted)
    seals: list[Seal] = []
    findings: list[SealFinding] = []
    sealed: dict[str, Cover] = {}
    was_signed = False
    for each in walk(connection):
        findings += _link_findings(each, seals[-1] if seals else None)
        signature = keys.check(each)
        if signature == "bad":
            findings.append(_finding(each, "signature bad", keys.complaint(each)))
        elif signature == "none" and was_signed:
            findings.append(_finding(each, "not signed", _UNSIGNED))
        was_signed |= signature == "good"
        for subject, cover in each.covered().items():
            before = sealed.get(subject)
            if before is not None and before.is_final:
                why = f"it was final, and seal {each.number} is over it again"
                findings.append(_changed(before, subject, why))
            sealed[subject] = cover
        seals.append(each)
    if trusted and seals and not was_signed:
        findings.append(_finding(seals[-1], "not signed", _UNTRUSTED))
    if head is not None:
        findings += _head_findings(seals, head)
    findings += _record_findings(connection, sealed)
    names = SubjectNames.of(connection, calendars)
    named = (replace(each, name=names.find(each.subject or "")) for each in findings)
    unsigned = sum(1 for each in seals if each.signature is None)
    return ChainReport(
        len(seals), seals[-1].head if seals else None, unsigned, _uses(seals), tuple(named)
    )


def check_run(connection: Connection, run_id: str) -> RunSeal:
    newest, subject = seal_of(connection, run_subject(run_id)), str(run_subject(run_id))
    if newest is None:
        return RunSeal(None, None, "whole", "never sealed", "none")
    chain, before = "whole", None
    for each in walk(connection, newest.number):
        if any(_link_findings(each, before)):
            chain = f"broken at {each.number}"
            break
        before = each
    record = record_of(connection, run_subject(run_id))
    same = record is not None and sha256(canonical(record)) == newest.covered()[subject].digest
    signature = _KeyRing.of(connection, ()).check(newest)
    return RunSeal(newest.number, newest.hash, chain, "as sealed" if same else "changed", signature)


@dataclass(frozen=True, slots=True)
class _KeyRing:
    """Keys by the id that seals name; those that are none, or have another id, are of no use."""

    keys: Mapping[str, PublicKey]
    is_closed: bool

    @classmethod
    def of(cls, connection: Connection, trusted: Sequence[PublicKey]) -> _KeyRing:
        if trusted:
            return cls({key.id: key for key in trusted}, True)
        found: dict[str, PublicKey] = {}
        for key_id, pem in public_keys(connection).items():
            try:
                key = public_key(pem)
            except KeyFormatError:
                continue
            if key.id == key_id:
                found[key_id] = key
        return cls(found, False)

    def check(self, seal: Seal) -> SignatureWord:
        if seal.signature is None and seal.key_id is None:
            return "none"
        key = self.keys.get(seal.key_id or "")
        if key is None or seal.signature is None:
            return "bad"
        return "good" if key.verifies(seal.signature, seal.statement) else "bad"

    def complaint(self, seal: Seal) -> str:
        name = f"key {(seal.key_id or 'none')[:16]}"
        if seal.key_id in self.keys:
            return f"it is not what {name} signed"
        if self.is_closed:
            return f"it is of {name}, which is not one of those that were given"
        return f"the public key of {name} is not in the store, or is another one"


def _link_findings(seal: Seal, before: Seal | None) -> Iterator[SealFinding]:
    number, previous = (before.number + 1, before.hash) if before else (1, ORIGIN)
    if seal.number != number:
        yield _finding(seal, "broken", f"seal {number} is missing")
    elif seal.previous != previous:
        after = f"seal {number - 1}" if before else "nothing"
        yield _finding(seal, "broken", f"it was not made after {after} as that is now")
    if sha256(seal.statement) != seal.hash:
        yield _finding(seal, "broken", "its hash is not that of what it says")
    if seal.record is not None and sha256(seal.record) != seal.digest:
        yield _finding(seal, "record changed", "its list of records is another one")


def _head_findings(seals: Sequence[Seal], head: SealHead) -> Iterator[SealFinding]:
    at = next((each for each in seals if each.number == head.number), None)
    if at is None:
        last = seals[-1].number if seals else 0
        why = f"the chain had a seal {head}, and now ends with {last}"
        yield SealFinding("tail cut", head.number, None, None, why)
    elif not at.hash.startswith(head.hash):
        yield _finding(at, "broken", f"it was {head}, and is {at.head}: the chain was made anew")


def _record_findings(connection: Connection, sealed: Mapping[str, Cover]) -> Iterator[SealFinding]:
    """Only the newest seal over a subject says what it is now."""
    left = dict(sealed)
    for subject, record in all_records(connection):
        known = left.pop(str(subject), None)
        if known is None:
            if not is_unsealed(subject, record):
                why = "it is in the store, and no seal is over it"
                yield SealFinding("record changed", None, None, str(subject), why)
        elif sha256(canonical(record)) != known.digest:
            yield _changed(known, str(subject), "the store says something else now")
    for name, cover in left.items():
        yield _changed(cover, name, "it is gone from the store")
    for name in wrong_pointers(connection):
        why = "it is at another version, status or name than its last change says"
        yield SealFinding("record changed", None, None, name, why)


def _uses(seals: Sequence[Seal]) -> tuple[KeyUse, ...]:
    numbers: dict[str, list[int]] = {}
    for each in seals:
        if each.key_id is not None:
            numbers.setdefault(each.key_id, []).append(each.number)
    return tuple(KeyUse(key, min(n), max(n), len(n)) for key, n in numbers.items())


def _finding(seal: Seal, word: FindingWord, detail: str) -> SealFinding:
    return SealFinding(word, seal.number, seal.kind, seal.subject, detail)


def _changed(cover: Cover, subject: str, detail: str) -> SealFinding:
    return SealFinding("record changed", cover.number, cover.kind, subject, detail)
