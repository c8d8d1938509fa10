"""A seal, and the text that its hash and its signature are made of."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rowbook.store.database.json_documents import canonical

SealKind: TypeAlias = Literal[
    "store sealed",
    "run started",
    "input recorded",
    "expectation waived",
    "period reopened",
    "run completed",
    "run failed",
    "run cancelled",
    "run waiting",
    "run resumed",
    "run approved",
    "run rejected",
    "run verified",
    "definition recorded",
    "project version recorded",
    "project activated",
    "project deactivated",
    "project in conflict",
    "period closed",
    "period locked",
]

ENDS: dict[str, SealKind] = {
    "completed": "run completed",
    "failed": "run failed",
    "cancelled": "run cancelled",
    "waiting": "run waiting",
}
"""What a run that is no longer at work is sealed as, by its status."""
_PASSING = frozenset[str](
    (
        *("run started", "input recorded", "expectation waived", "period reopened"),
        *("run failed", "run waiting", "run resumed", "run approved", "run cancelled"),
    )
)
"""Kinds after which the record of a run may change: what one that was cancelled had announced is
settled afterwards."""

ORIGIN = "0" * 64
"""What the first seal has for the hash of the one before."""
STORE = "store"
"""The subject of the seal over all that an older store had."""
HEAD_DIGITS = 16
_HEAD = re.compile(rf"[0-9]{{1,15}}:[0-9a-fA-F]{{{HEAD_DIGITS},64}}")


@dataclass(frozen=True, slots=True)
class SealHead:
    """The place in a chain that a seal has: its number, and its hash or the beginning of it."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number}:{self.hash[:HEAD_DIGITS]}"

    @classmethod
    def parse(cls, text: str) -> SealHead:
        """As it is printed, or with more of the hash; ValueError where it is none."""
        if not _HEAD.fullmatch(text):
            raise ValueError(f"'{text}' is no head of a chain")
        number, _, digits = text.partition(":")
        return cls(int(number), digits.lower())


@dataclass(frozen=True, slots=True)
class Cover:
    """What a seal says of a subject."""

    number: int
    kind: str
    digest: str

    @property
    def is_final(self) -> bool:
        """Whether the record never changes again, and so is never sealed again."""
        return self.kind not in _PASSING


@dataclass(frozen=True, slots=True)
class Seal:
    """`digest` is the SHA-256 of a record as `canonical_records` writes it, as it was `at` that
    time. `hash` is the SHA-256 of `statement`; `signature` is of the same text, in base64. `record`
    is the record itself where no rows of the store have it."""

    number: int
    kind: str
    subject: str
    digest: str
    previous: str
    key_id: str | None
    at: str
    by: str
    hash: str = ""
    signature: str | None = None
    record: str | None = None

    @property
    def statement(self) -> str:
        """JSON without blanks, keys in the order of the alphabet, ASCII alone."""
        return canonical(
            {
                "at": self.at,
                "by": self.by,
                "digest": self.digest,
                "key": self.key_id,
                "kind": self.kind,
                "number": self.number,
                "previous": self.previous,
                "subject": self.subject,
            }
        )

    @property
    def head(self) -> SealHead:
        return SealHead(self.number, self.hash)

    def covered(self) -> dict[str, Cover]:
        """What it is over, by subject."""
        if self.record is None:
            return {self.subject: Cover(self.number, self.kind, self.digest)}
        if sha256(self.record) != self.digest:
            return {}
        listed = json.loads(self.record)["records"]
        return {subject: Cover(self.number, kind, digest) for subject, kind, digest in listed}

    def with_hash(self) -> Seal:
        return replace(self, hash=sha256(self.statement))


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
