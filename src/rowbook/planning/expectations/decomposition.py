"""Conditions about groups of rows taken apart: aggregates become measures, and the condition reads
these as columns.

`SUM(amount) = SUM(tb.balance)` has the measures SUM(amount), of the rows themselves, and
SUM(balance), of those it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import TypeGuard

from rowbook.definitions.place import Place
from rowbook.errors import suggestion
from rowbook.expressions.binding.binder import bind_tree
from rowbook.expressions.binding.foreign_words import column_hint
from rowbook.expressions.bound import Bound
from rowbook.expressions.faults import Fault
from rowbook.expressions.functions import FUNCTIONS, SPELLINGS
from rowbook.expressions.scope import PARAMETERS, Field, Scope, Table
from rowbook.expressions.selectors import Selectors
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.printer import to_text
from rowbook.expressions.types import UNKNOWN
from rowbook.planning.columns import COLUMN_NAME
from rowbook.planning.expectations.certainty import may_be_null
from rowbook.planning.expectations.viewpoint import Viewpoint, business_names
from rowbook.planning.findings import Codes, Findings
from rowbook.planning.steps import Result
from rowbook.value_class import dataclass

CODES = {"EXPR_003": "EXPECT_007"}
_NO_VALUE = n.Literal(None)


@dataclass(frozen=True, slots=True)
class OtherSide:
    """What a condition is compared with under an alias; `rows` is None where it is what was
    measured in the previous period."""

    alias: str
    rows: Viewpoint | None


@dataclass(slots=True)
class Measures:
    """Collects the measures of a condition about the rows of `here` while it is taken apart.
    `own` begins with those that the definition names."""

    here: Viewpoint
    keys: tuple[str, ...]
    other_side: OtherSide | None
    findings: Findings
    own: dict[str, Result] = field(default_factory=dict)
    other: dict[str, Result] = field(default_factory=dict)

    def named(self, name: str, tree: n.Node, place: Place) -> None:
        """Adds a measure that the definition names (EXPECT_002, EXPECT_003)."""
        scope = self.here.scope
        if not has_aggregate(tree, scope.selectors):
            message = f"measure '{name}' has no aggregate function"
            self.findings.add(place, "EXPECT_003", message, _AGGREGATES, tree.span)
            return
        outside = [node for node in _outside(tree, scope.selectors) if self._is_column(node)]
        for node in outside:
            self._beside_aggregate(node, place)
        if not outside:
            scope = replace(scope, keys=frozenset(self.keys))
            self.own[name] = Result(name, self._bound(tree, scope, place))

    def condition(self, tree: n.Node, place: Place) -> tuple[n.Node, Scope]:
        """The condition with columns in place of aggregates, and what it is bound against."""

        def apart(node: n.Node) -> n.Node:
            if is_aggregate(node):
                return self._measure(node, place)
            if is_meant_as_aggregate(node):
                return replace(node, arguments=(_NO_VALUE,) * len(node.arguments))
            match node:
                case n.Selector(name) if body := scope.selectors.trees.get(name):
                    return apart(_at(body, node.span))
                case n.Name():
                    return self._name(node, place)
            return n.with_children(node, apart)

        scope = self.here.scope
        rest = apart(tree)
        fields = self.here.fields
        keys = [fields.get(key) or Field(key, UNKNOWN) for key in self.keys]
        measures = map(self._field, self.own.values())
        main = Table.of((*keys, *measures), complete=scope.main.complete)
        others = {}
        if self.other_side is not None:
            others = {self.other_side.alias: Table.of(map(self._field, self.other.values()))}
        return rest, replace(scope, main=main, others=others)

    def _measure(self, node: n.Node, place: Place) -> n.Node:
        """A column for an aggregate."""
        side, scope = self.other_side, self.here.scope
        alias = side.alias if side else None
        names = [each for each in _names(node, scope.selectors) if each.qualifier != PARAMETERS]
        of_other = [each for each in names if alias is not None and each.qualifier == alias]
        if side is None or not of_other:
            text = to_text(node)
            self.own.setdefault(text, Result(text, self._aggregate(node, scope, place)))
            return n.Name(None, text, node.span)
        if len(of_other) < len(names):
            own = next(each for each in names if each not in of_other)
            message = f"an aggregate over both sides: '{own.text}' and '{of_other[0].text}'"
            self.findings.add(place, "EXPECT_007", message, _BOTH_SIDES, node.span)
            return _NO_VALUE
        text = to_text(_without(side.alias, node))
        rows = side.rows or self.here
        tree = self._aggregate(node, replace(rows.scope, main_name=side.alias), place)
        if side.rows is None:
            self.own.setdefault(text, Result(text, tree))
        self.other.setdefault(text, Result(text, tree))
        return n.Name(side.alias, text, node.span)

    def _name(self, node: n.Name, place: Place) -> n.Node:
        """A name beside aggregates: a key, a measure, or a measure of the previous period."""
        side = self.other_side
        if side is not None and node.qualifier == side.alias:
            measure = self.own.get(node.column)
            if side.rows is None and measure is not None:
                self.other.setdefault(node.column, measure)
                return node
            if side.rows is None:
                message = f"'{node.text}' is nothing that was measured"
                hint = suggestion(node.column, tuple(self.own), "measures") or _NAME_IT
                self.findings.add(place, "EXPECT_007", message, hint, node.span)
                return _NO_VALUE
        elif self._is_unknown(node):
            named = filter(COLUMN_NAME.fullmatch, self.own)
            known = dict.fromkeys((*named, *business_names(self.here.scope.main)))
            message, names = f"unknown column '{node.text}'", tuple(known)
            self.findings.add(
                place, "EXPR_002", message, column_hint(node.column, names), node.span
            )
            return _NO_VALUE
        elif not self._is_column(node):
            return replace(node, qualifier=None) if self._is_own(node) else node
        self._beside_aggregate(node, place)
        return _NO_VALUE

    def _is_own(self, node: n.Name) -> bool:
        return node.qualifier in (None, self.here.scope.main_name)

    def _is_unknown(self, node: n.Name) -> bool:
        known = (*self.keys, *self.own, *self.here.fields)
        return self._is_own(node) and node.column not in known and self.here.scope.main.complete

    def _is_column(self, node: n.Name) -> bool:
        """Whether it is a column that differs between the rows of a group."""
        if self._is_own(node):
            known = node.column in self.here.fields
            return known and node.column not in self.keys and node.column not in self.own
        return node.qualifier in self.here.scope.others

    def _beside_aggregate(self, node: n.Name, place: Place) -> None:
        what = "`by` does not name it" if self.keys else "it is about all rows"
        message = f"column '{node.text}' stands beside an aggregate, and {what}"
        hint = "put it into an aggregate function"
        hint += f", or say by: [{node.column}]" if self._is_own(node) else ""
        self.findings.add(place, "EXPECT_002", message, hint, node.span)

    def _aggregate(self, node: n.Node, scope: Scope, place: Place) -> Bound:
        return self._bound(node, replace(scope, keys=frozenset()), place)

    def _bound(self, node: n.Node, scope: Scope, place: Place) -> Bound:
        binding = bind_tree(node, scope)
        report(binding.faults, place, self.findings, CODES)
        return binding.tree

    def _field(self, measure: Result) -> Field:
        tree = measure.expression
        return Field(measure.column, tree.type, may_be_null(tree, grouped=bool(self.keys)))


_AGGREGATES = "use SUM, COUNT, COUNT_DISTINCT, AVG, MIN_AGG, MAX_AGG, MIN_BY or MAX_BY"
_BOTH_SIDES = "aggregate each side by itself: SUM(amount) = SUM(other.amount)"
_NAME_IT = 'name it: measures: {lines: "COUNT(*)"}'


def report(faults: tuple[Fault, ...], place: Place, findings: Findings, codes: Codes) -> None:
    for each in faults:
        findings.fault(place, each, codes)


def is_aggregate(node: n.Node) -> bool:
    if not isinstance(node, n.Call):
        return False
    known = FUNCTIONS.get(SPELLINGS.get(node.function, node.function))
    return node.function == "COUNT_ALL" or (known is not None and known.is_aggregate)


def is_meant_as_aggregate(node: n.Node) -> TypeGuard[n.Call]:
    """A call that cannot be, and may have been meant as one: `MAX(amount)`, `TOTAL(amount)`. What
    is in it is no second error."""
    if not isinstance(node, n.Call):
        return False
    name = SPELLINGS.get(node.function, node.function)
    return name not in FUNCTIONS or (name in ("MIN", "MAX") and len(node.arguments) == 1)


def has_aggregate(tree: n.Node, selectors: Selectors, *, or_meant: bool = False) -> bool:
    return any(
        is_aggregate(node) or (or_meant and is_meant_as_aggregate(node))
        for node in _expanded(tree, selectors)
    )


def _expanded(tree: n.Node, selectors: Selectors) -> Iterator[n.Node]:
    """The node and everything below it, through named selectors, each of these once."""
    waiting, seen = [tree], set[str]()
    while waiting:
        for node in n.walk(waiting.pop()):
            yield node
            if isinstance(node, n.Selector) and node.name not in seen:
                seen.add(node.name)
                body = selectors.trees.get(node.name)
                waiting += [] if body is None else [body]


def _names(tree: n.Node, selectors: Selectors) -> list[n.Name]:
    return [node for node in _expanded(tree, selectors) if isinstance(node, n.Name)]


def _outside(tree: n.Node, selectors: Selectors) -> Iterator[n.Name]:
    """The names that stand in no aggregate."""
    if is_aggregate(tree):
        return
    if isinstance(tree, n.Name):
        yield tree
    body = selectors.trees.get(tree.name) if isinstance(tree, n.Selector) else None
    below = n.children(tree) if body is None else (_at(body, tree.span),)
    for child in below:
        yield from _outside(child, selectors)


def _at(node: n.Node, span: n.Span) -> n.Node:
    """A selector's body as if it stood where it is named."""
    return replace(n.with_children(node, lambda child: _at(child, span)), span=span)


def _without(alias: str, node: n.Node) -> n.Node:
    if isinstance(node, n.Name) and node.qualifier == alias:
        return replace(node, qualifier=None)
    return n.with_children(node, lambda child: _without(alias, child))
