"""Bound expressions to Columns, through fixed tables: nothing of a user's text reaches SQL."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import assert_never

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.engine.compile import functions
from rowbook.engine.compile.row_ids import row_id, row_order
from rowbook.engine.compile.spark_types import sql_type
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.bound import Bound, Value
from rowbook.expressions.functions import OF_RUN
from rowbook.expressions.types import Type
from rowbook.planning.run_context import RunContext
from rowbook.spark.column_names import column, joined_name, session_column


def reference(source: str | None, name: str) -> Column:
    return column(name if source is None else joined_name(source, name))


def literal(value: Value | float, kind: Type) -> Column:
    return session_column((repr(value), kind), lambda: _literal(value, kind))


def _literal(value: Value | float, kind: Type) -> Column:
    if isinstance(value, datetime):
        value = value.astimezone(UTC).isoformat(" ").removesuffix("+00:00")
    elif isinstance(value, date):
        value = value.isoformat()
    elif kind.kind is t.Kind.DECIMAL and value is not None:
        value = format(value, "f")
    made = F.lit(value)
    return made if isinstance(value, str) and kind == t.STRING else made.cast(sql_type(kind))


def is_constant(node: bound.Aggregate) -> bool:
    """Whether an aggregate is the same for all groups: the least or greatest of a literal."""
    of_literal = node.argument is not None and bound.is_literal(node.argument)
    return of_literal and node.function in ("MIN_AGG", "MAX_AGG")


@dataclass(slots=True)
class Compiler:
    """Of one run. `stored_ids` says that rows of the input brought their ids along."""

    context: RunContext
    stored_ids: bool = False

    def compile(
        self,
        node: Bound,
        made: Mapping[bound.Aggregate, Column] | None = None,
        places: Mapping[bound.Position, Column] | None = None,
        columns: Mapping[str, Column] | None = None,
    ) -> Column:
        """`made` gives the Columns of aggregates that are made otherwise than from rows, `places`
        those of functions of an order, `columns` those of the dataset's columns where they do not
        stand under their names."""
        done = {}
        for part in bound.walk(node) if made or places or columns else ():
            if made and isinstance(part, bound.Aggregate):
                done[id(part)] = made[part]
            elif places and isinstance(part, bound.Position):
                done[id(part)] = places[part]
            elif columns and isinstance(part, bound.Column):
                done[id(part)] = columns[part.name]
        return self._compile(node, done)

    def condition(self, node: Bound | None) -> Column:
        """TRUE where a selector matches; FALSE, never NULL, elsewhere."""
        if node is None:
            return F.lit(True)
        made = self.compile(node)
        return F.coalesce(made, F.lit(False)) if node.nullable else made

    def row_id(self) -> Column:
        return row_id(self.context.now, stored=self.stored_ids)

    def row_order(self) -> list[Column]:
        return row_order(self.context.now, stored=self.stored_ids)

    def _compile(self, node: Bound, done: dict[int, Column]) -> Column:
        if id(node) not in done:
            done[id(node)] = self._make(node, done)
        return done[id(node)]

    def _make(self, node: Bound, done: dict[int, Column]) -> Column:
        match node:
            case bound.Constant(value, kind):
                return literal(value, kind)
            case bound.Parameter(_, value, kind):
                return literal(value, kind)
            case bound.Column(None, "_row_id"):
                return self.row_id()
            case bound.Column(source, name):
                return reference(source, name)
            case bound.Convert(operand, kind):
                return self._compile(operand, done).cast(sql_type(kind))
            case bound.Call(function) if function in OF_RUN:
                return literal(self.context.moment.value(node), node.type)
            case bound.Call(_, arguments):
                return functions.call(node, [self._compile(a, done) for a in arguments])
            case bound.OneOf(operand, items):
                return self._compile(operand, done).isin([self._compile(i, done) for i in items])
            case bound.Choice(branches, otherwise):
                made = [(self._compile(c, done), self._compile(v, done)) for c, v in branches]
                return functions.first_of(made).otherwise(self._compile(otherwise, done))
            case bound.Aggregate():
                return self._aggregate(node, done)
            case bound.Position(function):
                raise TypeError(f"{function} is made from a window: see `execution.row_windows`")
            case _:
                assert_never(node)

    def aggregate(self, node: bound.Aggregate, rows: Column) -> Column:
        """Of these rows alone: what it adds up might fail on others."""
        return self._aggregate(node, {}, rows)

    def _aggregate(
        self, node: bound.Aggregate, done: dict[int, Column], rows: Column | None = None
    ) -> Column:
        argument = functions.added_up(node)
        if argument is None:
            return F.count(F.lit(1))
        value = self._compile(argument, done)
        if is_constant(node):
            # A group has rows; and Spark would sort all of them to find that text's maximum.
            return value
        by = None if node.by is None else self._compile(node.by, done)
        if rows is not None:
            value, by = F.when(rows, value), None if by is None else F.when(rows, by)
        return functions.aggregate(node, value, by)
