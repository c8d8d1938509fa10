"""What a pipeline on Spark tells of the expectations of its plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from rowbook.expectations.observation import Observation
from rowbook.planning.expectations.expectation import Expectation


class ObservingPipeline(Protocol):
    """`quarantined` are the visible rows that were taken out after operations, by seq; `check`
    computes the plan for its expectations alone."""

    @property
    def observations(self) -> tuple[tuple[Expectation, Observation], ...]: ...

    @property
    def quarantined(self) -> Mapping[int, int]: ...

    def check(self) -> object: ...
