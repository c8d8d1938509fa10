"""Lineage across projects: through datasets that one registers and others read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from rowbook.lineage.column_lineage import (
    ColumnLineage,
    ColumnSource,
    OutputLineage,
    ProjectLineage,
    in_order,
)
from rowbook.lineage.influences import Kind, SourceColumn, composed
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """Where a column goes: into `column` of an output, or, where that is None, into the decision
    which rows it writes. `through` as in a ColumnSource, the farthest first."""

    source: SourceColumn
    project: str
    seq: int
    output: str
    column: str | None
    kind: Kind
    operations: tuple[int, ...]
    through: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProjectLineages:
    projects: tuple[ProjectLineage, ...]

    @cached_property
    def _registered(self) -> Mapping[str, tuple[str, OutputLineage]]:
        return {
            output.dataset: (project.project, output)
            for project in self.projects
            for output in project.outputs
            if output.dataset is not None
        }

    def upstream(self, project: ProjectLineage) -> ProjectLineage:
        """With what is read from other projects followed to where nobody registers it."""
        outputs = tuple(self._followed(each, project.project) for each in project.outputs)
        return replace(project, outputs=outputs)

    def downstream(self, columns: Iterable[SourceColumn]) -> tuple[ColumnUse, ...]:
        """Where columns go, in this project and those after it."""
        found: dict[ColumnUse, None] = {}
        for column in columns:
            for use in self._uses(column, "identity", column, (), frozenset()):
                found.setdefault(use)
        return tuple(found)

    def _followed(self, output: OutputLineage, project: str) -> OutputLineage:
        columns = tuple(
            replace(each, sources=self._origins(each.sources, project)) for each in output.columns
        )
        return replace(
            output,
            columns=columns,
            rows=self._origins((*output.rows, *self._rows_read(output, project)), project),
            births=(),
        )

    def _rows_read(self, output: OutputLineage, project: str) -> Iterator[ColumnSource]:
        """What decides which rows there are in the datasets that others register."""
        named = (*output.rows, *(each for column in output.columns for each in column.sources))
        for dataset in dict.fromkeys(each.dataset for each in named):
            producer, made = self._registered.get(dataset, (project, None))
            if made is not None and producer != project:
                for each in made.rows:
                    yield replace(each, operations=(), through=(dataset,))

    def _origins(self, sources: Iterable[ColumnSource], project: str) -> tuple[ColumnSource, ...]:
        found: dict[ColumnSource, None] = {}
        for each in sources:
            found.update(dict.fromkeys(self._origin(each, (project,))))
        return in_order(found)

    def _origin(self, source: ColumnSource, above: tuple[str, ...]) -> Iterator[ColumnSource]:
        producer, output = self._registered.get(source.dataset, (None, None))
        made = output.column(source.column) if output is not None else None
        if made is None or producer is None or producer in above:
            yield source
            return
        for each in made.sources:
            further = replace(
                each,
                kind=composed(each.kind, source.kind),
                operations=source.operations,
                through=(*source.through, source.dataset),
            )
            yield from self._origin(further, (*above, producer))

    def _uses(
        self,
        column: SourceColumn,
        kind: Kind,
        start: SourceColumn,
        through: tuple[str, ...],
        above: frozenset[SourceColumn],
    ) -> Iterator[ColumnUse]:
        if column in above:
            return
        for project in self.projects:
            for output in project.outputs:
                for target, source in _named(output, column):
                    use = composed(kind, source.kind)
                    where = project.project, output.seq, output.label, target
                    yield ColumnUse(start, *where, use, source.operations, through)
                    for name in _carried(output, target):
                        further = SourceColumn(output.dataset or "", name)
                        passed = (*through, further.dataset)
                        yield from self._uses(further, use, start, passed, above | {column})


def _named(
    output: OutputLineage, column: SourceColumn
) -> Iterator[tuple[str | None, ColumnSource]]:
    for made in output.columns:
        yield from ((made.column, each) for each in made.sources if each.key == column)
    yield from ((None, each) for each in output.rows if each.key == column)


def _carried(output: OutputLineage, target: str | None) -> tuple[str, ...]:
    """The columns of a registered dataset that depend on a use."""
    if output.dataset is None:
        return ()
    return (target,) if target is not None else tuple(each.column for each in output.columns)


def only_column(output: OutputLineage, name: str) -> OutputLineage | None:
    """An output with one column; None where it has no such."""
    found: ColumnLineage | None = output.column(name)
    if found is None:
        return None
    births = tuple(
        replace(each, columns=tuple(c for c in each.columns if c.column == name))
        for each in output.births
    )
    return replace(output, columns=(found,), births=births)
