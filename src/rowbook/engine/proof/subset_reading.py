"""The rows of a dataset that a question is about, read by Spark and brought here.

The run completed on the same data: values are not checked again, so that conditions reach the
source.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.compiler import Compiler
from rowbook.engine.compile.row_ids import STORED, with_row_ids
from rowbook.engine.execution.environment import Environment
from rowbook.engine.execution.start_rows import identity
from rowbook.engine.loading.load import Loaded
from rowbook.engine.proof.id_marks import IdMarks
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, columns, conjuncts
from rowbook.expressions.folding import FALSE, both
from rowbook.expressions.scope import Field
from rowbook.planning.columns import PERIOD, ROW_ID
from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import declared_columns, stored_columns
from rowbook.planning.run_context import RunContext
from rowbook.reference.loading.column_fit import ColumnFit
from rowbook.reference.loading.dataset_rows import PlainTable
from rowbook.reference.subset.row_subset import BirthCondition
from rowbook.spark.column_names import column


@dataclass(frozen=True, slots=True)
class SubsetReading:
    """Of a dataset as it was loaded, without checks; `load` gives the rows of others, which
    conditions join."""

    dataset: Dataset
    loaded: Loaded
    context: RunContext
    load: Callable[[Dataset], DataFrame]
    origin: str
    """What messages call the place of all rows."""

    def rows(self, birth: BirthCondition, most: int) -> PlainTable | None:
        """Those that meet a condition on rows as they are loaded; None where there are more than
        `most`."""
        if birth.condition == FALSE:
            return self._table([])
        found = self._collected(self.frame(birth), most)
        if not found and self._reads_ids(birth) and not self.loaded.identity:
            found = self._collected(self.frame(birth, all_ids=True), most)
        return None if len(found) > most else self._table(found)

    def _collected(self, frame: DataFrame, most: int) -> list[dict[str, Any]]:
        """Each part is read until it has enough. Put in an order afterwards: without one, Spark
        looks for the first rows in one part after the other."""
        fields = [*self._fields, *self._identity]
        return collect(frame.limit(most + 1).orderBy(column(frame.columns[0])), fields)

    def frame(self, birth: BirthCondition, *, all_ids: bool = False) -> DataFrame:
        """The same, to be computed. Of more than a few equal rows only `all_ids` tell which they
        are."""
        first, rest = self._split(birth.condition)
        frame = self.loaded.frame
        if first:
            frame = frame.filter(self._compiler.compile(both(*first)))
        if not rest:
            return frame
        if self._reads_ids(birth):
            return self._by_id(frame, birth, all_ids=all_ids)
        return self._picked(frame, both(*rest), birth)

    def _reads_ids(self, birth: BirthCondition) -> bool:
        return (None, ROW_ID) in columns(birth.condition)

    @property
    def _compiler(self) -> Compiler:
        return Compiler(self.context, stored_ids=ROW_ID in self.loaded.frame.columns)

    def _split(self, condition: Bound) -> tuple[list[Bound], list[Bound]]:
        """What is said of own columns alone, for the source; and what needs joins or ids."""
        first: list[Bound] = []
        rest: list[Bound] = []
        for part in conjuncts(condition):
            read = columns(part)
            alone = (None, ROW_ID) not in read and all(source is None for source, _ in read)
            (first if alone else rest).append(part)
        return first, rest

    def _picked(self, frame: DataFrame, condition: Bound, birth: BirthCondition) -> DataFrame:
        names = self.loaded.frame.columns
        environment = Environment(self.context, self._compiler, self.load, self.dataset)
        joined = environment.joined(frame, birth.joins, None, F.lit(True))
        return joined.filter(self._compiler.compile(condition)).select(*map(column, names))

    def _by_id(self, frame: DataFrame, birth: BirthCondition, *, all_ids: bool) -> DataFrame:
        """Equal rows, of which an id tells the number, are taken all or none."""
        told_by, unique = identity(self.loaded.frame)
        stored = ROW_ID in self.loaded.frame.columns
        condition = both(*self._split(birth.condition)[1])
        marks = None if all_ids and not unique else IdMarks.of(condition)
        rows = self.loaded.frame if marks is None else frame
        rows = rows.withColumn(STORED, column(ROW_ID)) if stored else rows
        if marks is None:
            rows = with_row_ids(rows, "input", told_by, unique=unique)
            found = self._picked(rows, birth.condition, birth)
        else:
            if unique and not stored and marks.are_needed:
                rows = self._at_places(rows, marks, told_by)
            rows = marks.marked(rows, told_by, self.context.now, unique=unique, stored=stored)
            found = self._picked(rows, marks.condition, birth)
        return found if unique else self._with_equals(found)

    def _at_places(self, rows: DataFrame, marks: IdMarks, told_by: Sequence[str]) -> DataFrame:
        """Places alone tell which rows have the ids that are asked for. The rest of these is then
        read of their files alone: a condition on the name of a file leaves out others."""
        names = list(map(column, told_by))
        narrow = self.loaded.frame.select(*names)
        now = self.context.now
        found = marks.marked(narrow, told_by, now, unique=True, stored=False).filter(marks.any)
        places = found.select(*names).collect()
        if not places:
            return rows.filter(F.lit(False))
        for place, name in enumerate(names):
            rows = rows.filter(name.isin(sorted({each[place] for each in places})))
        return rows

    def _with_equals(self, found: DataFrame) -> DataFrame:
        rows, names = self.loaded.frame, self.loaded.frame.columns
        hits = found.distinct().select(*(column(n).alias(f"__hit_{n}") for n in names))
        same = [rows[f"`{n}`"].eqNullSafe(hits[f"`__hit_{n}`"]) for n in names]
        condition = same[0]
        for each in same[1:]:
            condition = condition & each
        return rows.join(F.broadcast(hits), condition, "left_semi")

    @property
    def _fields(self) -> list[Field]:
        made = {PERIOD.name} if self.dataset.period_from else set[str]()
        return [each for name, each in self.loaded.fields.items() if name not in made]

    @property
    def _identity(self) -> list[Field]:
        numbers = dict(self.loaded.frame.dtypes)
        return [
            Field(name, t.INTEGER if numbers[name] in ("bigint", "int") else t.STRING)
            for name in self.loaded.identity
        ]

    def _table(self, rows: Sequence[dict[str, Any]]) -> PlainTable:
        """Values as they are, in the order of the declared columns."""
        dataset, present = self.dataset, [each.name for each in self._fields]
        declared = declared_columns(dataset, by_position=True, partitions=())
        stored = stored_columns(dataset, present)
        names = {each.name: place for each, place in (*declared, *stored) if each.name in present}
        ids = self._identity
        made = [
            {
                **{place: row[name] for name, place in names.items()},
                **{each.name: row[each.name] for each in ids},
            }
            for row in rows
        ]

        def name_of(index: int) -> str:
            file, number = (made[index][each.name] for each in ids)
            return f"{file} row {number + 1}"

        is_file = [each.type for each in ids] == [t.STRING, t.INTEGER]
        return PlainTable(
            tuple(names.values()),
            made,
            self.origin,
            tuple(ids),
            by_position=True,
            fit=lambda _, __: ColumnFit(_same),
            name_of=name_of if is_file else None,
        )


def _same(value: Any, _: object) -> Any:
    return value
