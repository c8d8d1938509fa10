"""Figures: one measurement, all of a benchmark, and what is said of several."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

FOLDER = Path(__file__).parents[1] / "results"


@dataclass(frozen=True, slots=True)
class Measurement:
    """One run of a contestant on a case. `failed` says in a few words why there is no time. Where
    it left data, `written_bytes` are their size, and `files` how many they are in.
    `processor_seconds` are those of this process and those that it started."""

    contestant: str
    case: str
    seconds: float | None
    peak_megabytes: int | None = None
    failed: str | None = None
    written_bytes: int | None = None
    files: int | None = None
    processor_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """What repeated runs gave: the middle, the ends, and how many there were."""

    median: float
    least: float
    most: float
    count: int
    peak_megabytes: int | None


@dataclass(slots=True)
class Results:
    """All measurements of a benchmark, with what they depend on."""

    name: str
    command: str
    date: str
    machine: dict[str, str]
    versions: dict[str, str]
    load_before: float
    load_after: float | None = None
    measurements: list[Measurement] = field(default_factory=list)

    def of(self, contestant: str, case: str) -> list[Measurement]:
        """The measurements of one contestant on one case."""
        return [m for m in self.measurements if (m.contestant, m.case) == (contestant, case)]

    def spread(self, contestant: str, case: str) -> Spread | None:
        """None where a run failed, or none was made."""
        found = self.of(contestant, case)
        times = [m.seconds for m in found if m.seconds is not None]
        if not times or len(times) < len(found):
            return None
        peaks = [m.peak_megabytes for m in found if m.peak_megabytes is not None]
        most = max(peaks) if peaks else None
        return Spread(median(times), min(times), max(times), len(times), most)

    def failure(self, contestant: str, case: str) -> str | None:
        """Why a contestant has no time for a case."""
        return next((m.failed for m in self.of(contestant, case) if m.failed), None)

    def contestants(self) -> tuple[str, ...]:
        """In the order of their first turn."""
        return tuple(dict.fromkeys(m.contestant for m in self.measurements))

    def cases(self) -> tuple[str, ...]:
        """In the order of their first turn."""
        return tuple(dict.fromkeys(m.case for m in self.measurements))

    def save(self, folder: Path = FOLDER) -> Path:
        """As JSON, whole or not at all; done after each measurement, so that none is lost."""
        folder.mkdir(exist_ok=True)
        path = folder / f"{self.name}.json"
        fresh = path.with_suffix(f".{os.getpid()}.new")
        fresh.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
        return fresh.replace(path)

    @classmethod
    def load(cls, name: str, folder: Path = FOLDER) -> Results:
        """What `save` wrote."""
        stored = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        stored["measurements"] = [Measurement(**each) for each in stored["measurements"]]
        return cls(**stored)


def shown_seconds(seconds: float) -> str:
    """With three digits that count, in the unit that suits."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 10 else f"{seconds:.1f} s"


def label(results: Results, contestant: str, case: str) -> str:
    """A cell: median and ends, or why there is none."""
    spread = results.spread(contestant, case)
    if spread is None:
        return results.failure(contestant, case) or "–"
    middle = shown_seconds(spread.median)
    if spread.count == 1:
        return middle
    return f"{middle} ({shown_seconds(spread.least)} – {shown_seconds(spread.most)})"


def ratio(results: Results, contestant: str, other: str, case: str) -> str:
    """How many times as long as another a contestant takes, by their medians."""
    ours, theirs = results.spread(contestant, case), results.spread(other, case)
    return f"{ours.median / theirs.median:.2f}×" if ours and theirs else "–"


def processor_ratio(results: Results, contestant: str, other: str, case: str) -> str:
    """The same by medians of processor time."""
    ours, theirs = (
        [m.processor_seconds for m in results.of(name, case) if m.processor_seconds is not None]
        for name in (contestant, other)
    )
    return f"{median(ours) / median(theirs):.2f}×" if ours and theirs else "–"


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table; the first columns are texts, the others figures."""
    lines = [header, [*["---"] * texts, *["---:"] * (len(header) - texts)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
