"""Chance that gives the same on every machine and with every Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Chance:
    """A stream of choices that its name decides. Only `random()` is used: it alone is promised to
    stay the same in later versions of Python."""

    def __init__(self, *name: object) -> None:
        self._random = random.Random(" ".join(map(str, name)))

    def share(self, low: float, high: float) -> float:
        return low + (high - low) * self._random.random()

    def pick(self, choices: Sequence[_T]) -> _T:
        return choices[int(self._random.random() * len(choices))]

    def split(self, total: int, parts: int) -> list[int]:
        weights = [self.share(0.4, 1.6) for _ in range(parts)]
        shares = [int(total * weight / sum(weights)) for weight in weights]
        return [total - sum(shares[1:]), *shares[1:]]
