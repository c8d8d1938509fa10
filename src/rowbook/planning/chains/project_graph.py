"""Projects that feed each other: who registers what a project reads, and the order to run them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Literal, TypeAlias

from rowbook.errors import Diagnostic, Position, RowbookError
from rowbook.value_class import dataclass

ProjectState: TypeAlias = Literal["active", "conflict", "inactive", "draft"]
"""A draft is a file that was never activated, or one that is to run as it is."""


@dataclass(frozen=True, slots=True)
class DatasetRead:
    """A dataset that a project reads: `version` is the one that is named or pinned, None for the
    latest; `position` where the project names it, or the dataset whose lookup it is."""

    dataset: str
    version: int | None
    position: Position


@dataclass(frozen=True, slots=True)
class ChainProject:
    """`registers` are the datasets that its outputs become, with the places that say so."""

    name: str
    state: ProjectState
    reads: tuple[DatasetRead, ...] = ()
    registers: tuple[tuple[str, Position], ...] = ()


@dataclass(frozen=True, slots=True)
class Supply:
    """What a project reads, and the other project that registers it."""

    read: DatasetRead
    producer: str


@dataclass(frozen=True, slots=True)
class ProjectGraph:
    projects: Mapping[str, ChainProject]

    @classmethod
    def of(cls, projects: Iterable[ChainProject]) -> ProjectGraph:
        return cls({each.name: each for each in projects})

    def supplies(self, project: str) -> tuple[Supply, ...]:
        """What others register of what it reads, in the order it reads it; its own outputs, which
        it reads as they were, are none. CHAIN_003 where several register one dataset."""
        found = []
        for read in self.projects[project].reads:
            makers = [each for each in self._producers(read.dataset) if each != project]
            if len(makers) > 1:
                raise RowbookError(*self._ambiguous(read, makers))
            found += [Supply(read, maker) for maker in makers]
        return tuple(found)

    def producers(self, project: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.producer for each in self.supplies(project)))

    def order(self, wanted: Iterable[str]) -> tuple[str, ...]:
        """These and all that they depend on, producers first; CHAIN_001 where that is a circle."""
        done: dict[str, None] = {}
        for project in wanted:
            self._visit(project, (), done)
        return tuple(done)

    def _visit(self, project: str, above: tuple[str, ...], done: dict[str, None]) -> None:
        if project in done:
            return
        if project in above:
            raise RowbookError(*self._circle((*above[above.index(project) :], project)))
        for producer in self.producers(project):
            self._visit(producer, (*above, project), done)
        done[project] = None

    def _producers(self, dataset: str) -> list[str]:
        """Those that run, if any does; else those that would if they were activated."""
        makers = [each for each in self.projects.values() if dataset in dict(each.registers)]
        running = [each.name for each in makers if each.state in ("active", "conflict")]
        return running or [each.name for each in makers]

    def _circle(self, path: tuple[str, ...]) -> Iterator[Diagnostic]:
        drawn = " -> ".join(path)
        for project, producer in pairwise(path):
            read = next(e.read for e in self.supplies(project) if e.producer == producer)
            message = (
                f"{drawn}: project '{project}' reads dataset '{read.dataset}', which project"
                f" '{producer}' registers"
            )
            yield Diagnostic("CHAIN_001", message, read.position)

    def _ambiguous(self, read: DatasetRead, makers: list[str]) -> Iterator[Diagnostic]:
        listed = " and ".join(f"'{each}'" for each in makers)
        message = f"dataset '{read.dataset}' is registered by projects {listed}"
        yield Diagnostic(
            "CHAIN_003", f"{message}: which of them to run is not known", read.position
        )
        for maker in makers:
            position = dict(self.projects[maker].registers)[read.dataset]
            yield Diagnostic("CHAIN_003", f"project '{maker}' registers '{read.dataset}'", position)
