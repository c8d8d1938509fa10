"""Binding: names resolved against a scope, types and NULLs inferred, all faults collected.

A faulty part gets the type UNKNOWN, which goes with everything, so that one mistake is reported
once. Warnings (EXPR_009) come with the faults.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from rowbook.errors import listing, suggestion
from rowbook.expressions import bound
from rowbook.expressions import types as t
from rowbook.expressions.binding import arithmetic, calls
from rowbook.expressions.binding.foreign_words import (
    FUNCTION_HINTS,
    ORDERED_HINT,
    WINDOWS_HINT,
    column_hint,
)
from rowbook.expressions.binding.weight import too_heavy
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import as_condition, convert, to_common, unknown
from rowbook.expressions.faults import ExpressionError, Fault
from rowbook.expressions.functions import FUNCTIONS, SPELLINGS
from rowbook.expressions.scope import PARAMETERS, Scope, Table
from rowbook.expressions.selectors import expanded_size, oversize
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.types import Kind
from rowbook.value_class import dataclass

_MAX_LONG = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Binding:
    """The bound tree of an expression and what was found; `usable` when nothing is an error."""

    tree: Bound
    faults: tuple[Fault, ...] = ()

    @property
    def usable(self) -> bool:
        return not _has_errors(self.faults)


def bind(text: str, scope: Scope) -> Binding:
    """Parse and bind; never raises."""
    try:
        tree = parse(text)
    except ExpressionError as error:
        return Binding(unknown(), error.faults)
    return bind_tree(tree, scope)


def bind_tree(tree: n.Node, scope: Scope) -> Binding:
    if any(isinstance(node, n.Selector) for node in n.walk(tree)):
        size = expanded_size(tree, scope.selectors.sizes)
        if fault := oversize(size, tree):
            return Binding(unknown(), (fault,))
    if fault := too_heavy(tree):
        return Binding(unknown(), (fault,))
    binder = Binder(scope)
    result = binder.bind(tree)
    if scope.keys is not None and not binder.saw_aggregate and not _has_errors(binder.faults):
        binder.fault(
            "AGGREGATE_007",
            "the expression has no aggregate function",
            tree,
            "use SUM, COUNT, COUNT_DISTINCT, AVG, MIN_AGG, MAX_AGG, MIN_BY or MAX_BY",
        )
    return Binding(result, tuple(dict.fromkeys(binder.faults)))


def _has_errors(faults: Iterable[Fault]) -> bool:
    return any(f.severity == "error" for f in faults)


class Binder:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.faults: list[Fault] = []
        self.saw_aggregate = False
        self._inside: str | None = None
        self._selector: str | None = None
        self._selectors: dict[tuple[str, bool], Bound] = {}

    def bind(self, node: n.Node) -> Bound:
        return _HANDLERS[type(node)](self, node)

    def fault(
        self,
        code: str,
        message: str,
        node: n.Node,
        hint: str | None = None,
        *,
        warning: bool = False,
    ) -> Bound:
        """Record a finding; returns the tree to go on with after an error."""
        severity = "warning" if warning else "error"
        self.faults.append(Fault(code, message, node.span, hint, severity, self._selector))  # type: ignore[arg-type]
        return unknown()

    def mismatch(self, what: str, node: n.Node, hint: str | None = None) -> Bound:
        return self.fault("EXPR_004", what, node, hint)

    def boolean(self, node: n.Node, where: str) -> Bound:
        tree = self.bind(node)
        if tree.type.kind is Kind.BOOLEAN or tree.type.is_open:
            return as_condition(tree)
        return self.mismatch(f"{where} needs a condition, not {tree.type}", node)

    def aggregate(self, function: str, node: n.Call) -> list[Bound] | None:
        """The arguments of a function over rows, bound inside it; None after a fault."""
        if self.scope.keys is None:
            message = f"{function} is an aggregate function: not allowed here"
            self.fault("EXPR_007", message, node.name, WINDOWS_HINT)
            self.examine(node.arguments)
            return None
        if self._inside:
            self.fault(
                "AGGREGATE_007", f"{function} inside {self._inside}: aggregates do not nest", node
            )
            self.examine(node.arguments)
            return None
        self.saw_aggregate = True
        self._inside = function
        arguments = [self.bind(argument) for argument in node.arguments]
        self._inside = None
        return arguments

    def position(self, function: str, node: n.Call) -> list[Bound] | None:
        """The same of a function that asks for the order of a window."""
        if self.scope.window == "order":
            return self.aggregate(function, node)
        if self.scope.window is None:
            message = f"{function} stands in a window of an update, where rows have an order"
            hint = ORDERED_HINT
        else:
            message, hint = f"{function} needs an order of the rows", "give the window an order_by"
        self.fault("WINDOW_004", message, node.name, hint)
        self.saw_aggregate = True
        self.examine(node.arguments)
        return None

    def examine(self, nodes: Iterable[n.Node]) -> None:
        """Collect what is wrong with the arguments of a call that is faulty itself. Whether it was
        meant as an aggregate is not known, so neither is what may stand in it."""
        before = len(self.faults)
        for node in nodes:
            self.bind(node)
        self.faults[before:] = [f for f in self.faults[before:] if f.code != "AGGREGATE_007"]

    def unify(self, parts: Sequence[Bound], node: n.Node) -> tuple[Bound, ...] | None:
        """All converted to their common type; None where there is none. EXPR_009 where that type
        has no room for the scale of each."""
        unified = to_common(parts)
        if unified is None:
            return None
        scale = max(part.type.scale for part in parts)
        if unified[0].type.kind is Kind.DECIMAL and unified[0].type.scale < scale:
            kinds = listing(tuple(dict.fromkeys(str(part.type) for part in parts)))
            self.fault(
                "EXPR_009",
                f"{kinds} together need more than {t.MAX_PRECISION} digits: the result keeps"
                f" {unified[0].type.scale} of {scale} decimal places",
                node,
                warning=True,
            )
        return unified

    # -- one method for each form of node

    def _literal(self, node: n.Literal) -> Bound:
        match node.value:
            case None:
                return bound.Constant(None, t.NULL)
            case bool():
                return bound.Constant(node.value, t.BOOLEAN)
            case int() as value:
                fits = value <= _MAX_LONG
                kind = t.INTEGER if fits else t.decimal(len(str(value)), 0)
                return bound.Constant(value if fits else Decimal(value), kind)
            case Decimal() as value:
                return bound.Constant(value, decimal_type(value))
            case str():
                return bound.Constant(node.value, t.STRING)

    def _name(self, node: n.Name) -> Bound:
        parameters = self.scope.parameters
        if node.qualifier == PARAMETERS not in self.scope.tables and parameters is not None:
            return self._parameter(node, parameters)
        table, source = self._table(node)
        if table is None:
            return unknown()
        field = table.find(node.column)
        if field is None:
            if source is None and node.column in self.scope.absent:
                return self.fault(
                    "AGGREGATE_012",
                    f"'{node.text}' has no value on a summary row: it is neither key nor result",
                    node,
                    f"add it to group_by, or make it a result: MAX_AGG({node.column})",
                )
            if table.complete:
                hint = self._column_hint(node, table)
                self.fault("EXPR_002", f"unknown column '{node.text}'", node, hint)
            return unknown()
        keys = self.scope.keys
        if keys is not None and not self._inside and (source is not None or field.name not in keys):
            return self.fault(
                "AGGREGATE_007",
                f"'{node.text}' stands outside an aggregate function and is not a group key",
                node,
                "put it into an aggregate function, or add it to "
                + ("`by`" if self.scope.window else "group_by"),
            )
        return bound.Column(source, field.name, field.type, field.nullable)

    def _parameter(self, node: n.Name, parameters: Mapping[str, bound.Parameter]) -> Bound:
        found = parameters.get(node.column)
        if found is not None:
            return unknown() if found.type.kind is Kind.UNKNOWN else found
        hint = suggestion(node.column, tuple(parameters), "parameters")
        message = f"the project has no parameter '{node.column}'"
        declare = f"declare it: parameters: {{{node.column}: {{type: string}}}}"
        return self.fault("PARAMETER_001", message, node, hint or declare)

    def _table(self, node: n.Name) -> tuple[Table | None, str | None]:
        qualifier = node.qualifier
        if qualifier is None or qualifier == self.scope.main_name:
            return self.scope.main, None
        if qualifier in self.scope.others:
            return self.scope.others[qualifier], qualifier
        hint = suggestion(qualifier, self.scope.tables, "tables and aliases here")
        self.fault("EXPR_003", f"unknown table or alias '{qualifier}'", node, hint)
        return None, None

    def _column_hint(self, node: n.Name, table: Table) -> str | None:
        holders = [a for a, table in self.scope.others.items() if table.find(node.column)]
        if node.qualifier is None and holders:
            return f"did you mean '{holders[0]}.{node.column}'?"
        hint = column_hint(node.column, _listed(table))
        if hint and node.qualifier:
            return hint.replace("did you mean '", f"did you mean '{node.qualifier}.", 1)
        return hint

    def _selector_reference(self, node: n.Selector) -> Bound:
        fault = self.scope.selectors.undefined(node)
        tree = None if fault else self.scope.selectors.trees[node.name]
        if tree is None:
            if fault and self._selector is None:
                self.faults.append(fault)
            self.saw_aggregate = True  # it may have been meant to hold one
            return unknown()
        use = node.name, self._inside is not None
        if use not in self._selectors:
            outer, self._selector = self._selector, node.name
            body = self.bind(tree)
            if body.type.kind is Kind.BOOLEAN or body.type.is_open:
                body = as_condition(body)
            else:
                body = self.fault(
                    "SELECTOR_003", f"selector '{node.name}' is {body.type}, not a condition", tree
                )
            self._selectors[use] = body
            self._selector = outer
        return self._selectors[use]

    def _negate(self, node: n.Negate) -> Bound:
        operand = self.bind(node.operand)
        if not operand.type.is_numeric:
            return self.mismatch(f"'-' needs a number, not {operand.type}", node)
        if operand.type.kind is Kind.NULL:
            operand = convert(operand, t.INTEGER)
        return bound.Call("NEGATE", (operand,), operand.type, operand.nullable)

    def _not(self, node: n.Not) -> Bound:
        operand = self.boolean(node.operand, "NOT")
        return bound.Call("NOT", (operand,), t.BOOLEAN, operand.nullable)

    def _logical(self, node: n.Logical) -> Bound:
        operands = tuple([self.boolean(o, node.op) for o in node.operands])
        return bound.Call(node.op, operands, t.BOOLEAN, any(o.nullable for o in operands))

    def _binary(self, node: n.Binary) -> Bound:
        left, right = self.bind(node.left), self.bind(node.right)
        if node.op in arithmetic.OPERATORS:
            return arithmetic.combine(self, node, left, right)
        return self._compare(node.op, left, right, node)

    def _compare(self, op: str, left: Bound, right: Bound, node: n.Node) -> Bound:
        both = self.unify((left, right), node)
        if both is None:
            return self.mismatch(
                f"cannot compare {left.type} with {right.type}", node, _compare_hint(left, right)
            )
        return bound.Call(op, both, t.BOOLEAN, left.nullable or right.nullable)

    def _is_null(self, node: n.IsNull) -> Bound:
        test = bound.Call("ISNULL", (self.bind(node.operand),), t.BOOLEAN, False)
        return _negated(test, node.negated)

    def _in(self, node: n.In) -> Bound:
        operand = self.bind(node.operand)
        items = [self.bind(item) for item in node.items]
        for item, written in zip(items, node.items, strict=True):
            if t.common_type(operand.type, item.type) is None:
                return self.mismatch(
                    f"IN compares {operand.type} with {item.type}",
                    written,
                    _compare_hint(operand, item),
                )
        all_items = self.unify((operand, *items), node)
        if all_items is None:
            kinds = " and ".join(dict.fromkeys(str(item.type) for item in items))
            return self.mismatch(f"IN lists values of unlike types: {kinds}", node)
        nullable = any(part.nullable for part in all_items)
        return _negated(bound.OneOf(all_items[0], all_items[1:], nullable), node.negated)

    def _between(self, node: n.Between) -> Bound:
        operand, low, high = self.bind(node.operand), self.bind(node.low), self.bind(node.high)
        bounds = tuple(
            self._compare(op, operand, limit, written)
            for op, limit, written in ((">=", low, node.low), ("<=", high, node.high))
        )
        nullable = any(b.nullable for b in bounds)
        return _negated(bound.Call("AND", bounds, t.BOOLEAN, nullable), node.negated)

    def _like(self, node: n.Like) -> Bound:
        both = self.bind(node.operand), self.bind(node.pattern)
        for part, written in zip(both, (node.operand, node.pattern), strict=True):
            if part.type.kind is not Kind.STRING and not part.type.is_open:
                return self.mismatch(f"LIKE needs text, not {part.type}", written)
        call = bound.Call("LIKE", both, t.BOOLEAN, any(b.nullable for b in both))
        return _negated(call, node.negated)

    def _case(self, node: n.Case) -> Bound:
        conditions = [self.boolean(condition, "WHEN") for condition, _ in node.branches]
        written = [value for _, value in node.branches]
        if node.otherwise is not None:
            written.append(node.otherwise)
        values = [self.bind(value) for value in written]
        return self.choice("CASE", conditions, values, node)

    def choice(
        self, what: str, conditions: list[Bound], values: list[Bound], node: n.Node
    ) -> Bound:
        """CASE and IF: values brought to one type; one value more than conditions is the ELSE."""
        unified = self.unify(values, node)
        if unified is None:
            kinds = " and ".join(dict.fromkeys(str(v.type) for v in values))
            return self.mismatch(f"{what} gives values of unlike types: {kinds}", node)
        otherwise = (
            unified[-1] if len(unified) > len(conditions) else bound.Constant(None, unified[0].type)
        )
        branches = tuple(zip(conditions, unified, strict=False))
        nullable = any(v.nullable for v in (*(v for _, v in branches), otherwise))
        return bound.Choice(branches, otherwise, otherwise.type, nullable)

    def _call(self, node: n.Call) -> Bound:
        name = SPELLINGS.get(node.function, node.function)
        if name == "COUNT_ALL":
            if not node.arguments:
                return self._call(n.Call("COUNT", (), True, node.span))
            hint = "COUNT(x) counts the values that are not NULL"
            self.fault("EXPR_006", "COUNT_ALL takes no arguments", node.name, hint)
            self.examine(node.arguments)
            return unknown()
        function = FUNCTIONS.get(name)
        if function is None:
            self.fault(
                "EXPR_005",
                f"unknown function {node.function}",
                node.name,
                FUNCTION_HINTS.get(node.function)
                or suggestion(node.function, tuple(FUNCTIONS), "functions"),
            )
            self.examine(node.arguments)
            return unknown()
        return calls.bind_call(self, function, node)


def decimal_type(value: Decimal) -> t.Type:
    """The narrowest decimal type of a literal: 0.90 is decimal(2,2)."""
    _, digits, exponent = value.as_tuple()
    scale = -int(exponent)
    return t.decimal(max(len(digits), scale, 1), scale)


def _listed(table: Table) -> tuple[str, ...]:
    """Business columns first: they are what is meant."""
    return tuple(sorted(table.fields, key=lambda name: name.startswith("_")))


def _negated(test: Bound, negated: bool) -> Bound:
    return bound.Call("NOT", (test,), t.BOOLEAN, test.nullable) if negated else test


def _compare_hint(left: Bound, right: Bound) -> str | None:
    kinds = {left.type.kind, right.type.kind}
    if kinds in ({Kind.DATE, Kind.STRING}, {Kind.TIMESTAMP, Kind.STRING}):
        text = next(side for side in (left, right) if side.type.kind is Kind.STRING)
        function = "DATE" if Kind.DATE in kinds else "TIMESTAMP"
        if isinstance(text, bound.Constant):
            return f"write {function}('{text.value}')"
        return f"convert the text with {function}(…)"
    if Kind.STRING in kinds and kinds & {Kind.INTEGER, Kind.DECIMAL, Kind.FLOAT}:
        number = left if right.type.kind is Kind.STRING else right
        if isinstance(number, bound.Constant):
            return f"write it as text: '{number.value}'"
        return "write the number without quotes, or convert one side with TO_DECIMAL or TO_STRING"
    return None


_HANDLERS: dict[type, Callable[..., Bound]] = {
    n.Literal: Binder._literal,
    n.Name: Binder._name,
    n.Selector: Binder._selector_reference,
    n.Negate: Binder._negate,
    n.Not: Binder._not,
    n.Binary: Binder._binary,
    n.Logical: Binder._logical,
    n.IsNull: Binder._is_null,
    n.In: Binder._in,
    n.Between: Binder._between,
    n.Like: Binder._like,
    n.Case: Binder._case,
    n.Call: Binder._call,
}
