"""What became of an expectation in a run, for everybody who shows or keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal, TypeAlias

from rowbook.definitions.models.expectation import Otherwise
from rowbook.expectations.observation import Unit
from rowbook.value_class import dataclass

VerdictStatus: TypeAlias = Literal[
    "passed", "nothing to check", "tolerated", "violated", "waived", "skipped", "not evaluated"
]


@dataclass(frozen=True, slots=True)
class Waiver:
    """Who let a run go on although an expectation that stops is violated, when and why."""

    name: str
    reason: str
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """`measures` and the values of `samples` are as JSON has them: numbers that are decimals are
    texts, so that they are exact. A sample has `_row_id`, or the group's keys, among its values.
    `detail` is the sentence after the name in messages: `2 of 1,204 groups violate it: …`. `at` is
    the label of the point."""

    name: str
    owner: str | None
    at: str
    status: VerdictStatus
    otherwise: Otherwise
    text: str
    unit: Unit
    checked: int
    violated: int
    detail: str
    measures: Mapping[str, Any] = field(default_factory=dict)
    other_measures: Mapping[str, Any] = field(default_factory=dict)
    samples: tuple[Mapping[str, Any], ...] = ()
    quarantined: int = 0
    waiver: Waiver | None = None

    @property
    def stops(self) -> bool:
        """Nothing may be published: a stop or a quarantine above its tolerance that is violated, or
        a stop that could not be evaluated, and nobody waived it."""
        failed = self.status in ("violated", "not evaluated")
        return failed and self.otherwise != "warn"

    def as_json(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in self.__slots__}
        values["waiver"] = None if self.waiver is None else _fields(self.waiver)
        return {
            name: dict(value) if isinstance(value, Mapping) else value
            for name, value in {**values, "samples": [dict(each) for each in self.samples]}.items()
        }

    @classmethod
    def from_json(cls, recorded: Mapping[str, Any]) -> Verdict:
        waiver = recorded.get("waiver")
        return cls(
            **{
                **recorded,
                "samples": tuple(recorded.get("samples", ())),
                "waiver": None if waiver is None else Waiver(**waiver),
            }
        )


def _fields(waiver: Waiver) -> dict[str, str]:
    return {name: getattr(waiver, name) for name in waiver.__slots__}
