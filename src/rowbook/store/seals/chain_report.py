"""What a look at the chain of seals comes to, in closed words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from rowbook.store.seals.seal import SealHead

FindingWord: TypeAlias = Literal[
    "broken", "record changed", "tail cut", "signature bad", "not signed"
]
SignatureWord: TypeAlias = Literal["good", "bad", "none"]
RecordWord: TypeAlias = Literal["as sealed", "changed", "never sealed"]


@dataclass(frozen=True, slots=True)
class SealFinding:
    """`seal` is the number of the seal concerned, None where there is none; `detail` says why.
    `name` is what people call the subject, None where the store has no name for it."""

    word: FindingWord
    seal: int | None
    kind: str | None
    subject: str | None
    detail: str
    name: str | None = None

    def __str__(self) -> str:
        if self.word == "record changed":
            sealed = f", sealed as '{self.kind}' by seal {self.seal}" if self.seal else ""
            return f"record changed: {self.name or self.subject}{sealed}: {self.detail}"
        if self.word == "tail cut":
            return f"tail cut: {self.detail}"
        return f"{self.word} at {self.seal}: {self.detail}"


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key, and how many seals name it."""

    id: str
    first: int
    last: int
    seals: int


@dataclass(frozen=True, slots=True)
class ChainReport:
    """`head` is the last seal, None where there is none; `unsigned` counts seals without signature,
    also where that is no finding."""

    seals: int
    head: SealHead | None
    unsigned: int
    keys: tuple[KeyUse, ...]
    findings: tuple[SealFinding, ...]

    @classmethod
    def of_no_store(cls, head: SealHead | None) -> ChainReport:
        """Where there is nothing: nor is what had the head."""
        why = f"the chain had a seal {head}, and there is no store"
        cut = SealFinding("tail cut", head.number, None, None, why) if head else None
        return cls(0, None, 0, (), (cut,) if cut else ())

    @property
    def is_whole(self) -> bool:
        return not self.findings

    @property
    def verdict(self) -> str:
        """`whole`, or the words of the first finding."""
        if not self.findings:
            return "whole"
        first = self.findings[0]
        return f"broken at {first.seal}" if first.word == "broken" else first.word


@dataclass(frozen=True, slots=True)
class RunSeal:
    """The newest seal over a run. `chain` is `whole` or `broken at n`, from the beginning up to
    this seal; `record` says whether the run's rows are what was sealed."""

    number: int | None
    hash: str | None
    chain: str
    record: RecordWord
    signature: SignatureWord

    @property
    def head(self) -> SealHead | None:
        if self.number is None or self.hash is None:
            return None
        return SealHead(self.number, self.hash)
