"""Named selectors: parsed once, checked for cycles, undefined names and size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from types import MappingProxyType

from rowbook.errors import suggestion
from rowbook.expressions.faults import ExpressionError, Fault
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import MAX_DEPTH, parse
from rowbook.value_class import dataclass

MAX_EXPANDED = 100_000
"""How many nodes an expression may have once the named selectors in it are put in."""


@dataclass(frozen=True, slots=True)
class Size:
    """Of an expression with its selectors put in."""

    nodes: int
    depth: int


_NOTHING = Size(0, 0)


@dataclass(frozen=True, slots=True)
class Selectors:
    """The selectors of a project. A name that maps to None has a fault, reported already; so is
    every reference in a tree here that leads nowhere."""

    trees: Mapping[str, n.Node | None] = field(default_factory=dict)
    sizes: Mapping[str, Size] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()

    def undefined(self, node: n.Selector) -> Fault | None:
        if node.name in self.trees:
            return None
        return Fault(
            "SELECTOR_001",
            f"selector '{node.name}' is not defined in the project",
            node.span,
            suggestion(node.name, tuple(self.trees), "selectors"),
        )


NO_SELECTORS = Selectors()


def read_selectors(texts: Mapping[str, str]) -> Selectors:
    """Parse a project's selectors; faults name the selector they are in by `within`."""
    faults: list[Fault] = []
    trees: dict[str, n.Node | None] = {}
    for name, text in texts.items():
        try:
            trees[name] = parse(text)
        except ExpressionError as error:
            trees[name] = None
            faults += [_within(name, fault) for fault in error.faults]
    known = Selectors(trees)
    references = {name: _references(tree) for name, tree in trees.items()}
    for name, refs in references.items():
        for ref in refs:
            if fault := known.undefined(ref):
                faults.append(_within(name, fault))
    sizes: dict[str, Size] = {}
    too_large: set[str] = set()
    for name in _in_dependency_order(references, trees, faults):
        tree = trees[name]
        if tree is None:
            continue
        size = expanded_size(tree, sizes)
        if any(ref.name in too_large for ref in references[name]):
            too_large.add(name)
        elif fault := oversize(size, tree):
            too_large.add(name)
            faults.append(_within(name, fault))
        else:
            sizes[name] = size
    trees.update(dict.fromkeys(too_large))
    return Selectors(MappingProxyType(trees), MappingProxyType(sizes), tuple(faults))


def used_selectors(expressions: Iterable[str], named: Mapping[str, str]) -> dict[str, str]:
    """Of the named selectors those that expressions use, and the ones that these build on, in the
    order of their use. All of them parse, and every name is there."""
    found: dict[str, str] = {}
    pending = list(expressions)
    while pending:
        for reference in _references(parse(pending.pop(0))):
            if reference.name not in found:
                found[reference.name] = named[reference.name]
                pending.append(named[reference.name])
    return found


def expanded_size(tree: n.Node, sizes: Mapping[str, Size]) -> Size:
    """The size with selectors put in. A reference is a level of its own, as parentheses are; one to
    a faulty or undefined selector brings nothing in."""
    nodes, deepest, depth = 0, 0, 0
    level: tuple[n.Node, ...] = (tree,)
    while level:
        depth += 1
        for node in level:
            body = sizes.get(node.name, _NOTHING) if isinstance(node, n.Selector) else _NOTHING
            nodes += 1 + body.nodes
            deepest = max(deepest, depth + body.depth)
        level = tuple(child for node in level for child in n.children(node))
    return Size(nodes, deepest)


def oversize(size: Size, tree: n.Node) -> Fault | None:
    if size.nodes <= MAX_EXPANDED and size.depth <= MAX_DEPTH:
        return None
    grown = (
        f"{size.nodes:,} parts, more than {MAX_EXPANDED:,}"
        if size.nodes > MAX_EXPANDED
        else f"{size.depth} levels, more than {MAX_DEPTH}"
    )
    return Fault("EXPR_008", f"with its selectors put in, the expression has {grown}", tree.span)


def _references(tree: n.Node | None) -> tuple[n.Selector, ...]:
    if tree is None:
        return ()
    return tuple(node for node in n.walk(tree) if isinstance(node, n.Selector))


def _in_dependency_order(
    references: Mapping[str, tuple[n.Selector, ...]],
    trees: dict[str, n.Node | None],
    faults: list[Fault],
) -> list[str]:
    """Names so that each comes after those it uses; members of a cycle become None, with one
    SELECTOR_002 for the cycle, at the reference that closes it."""
    order: list[str] = []
    done: set[str] = set()
    cycles: set[tuple[str, ...]] = set()
    for root in references:
        path: dict[str, None] = {}
        stack: list[tuple[str, int]] = [(root, 0)]
        while stack:
            name, at = stack.pop()
            if name in done:
                continue
            path[name] = None
            refs = references[name]
            if at == len(refs):
                done.add(name)
                order.append(name)
                del path[name]
                continue
            stack.append((name, at + 1))
            ref = refs[at]
            if ref.name in path:
                cycle = tuple(path)[tuple(path).index(ref.name) :]
                if cycle in cycles:
                    continue
                cycles.add(cycle)
                shown = " → ".join([*cycle, ref.name])
                message = f"selectors refer to each other in a circle: {shown}"
                faults.append(_within(name, Fault("SELECTOR_002", message, ref.span)))
                trees.update(dict.fromkeys(cycle))
            elif ref.name in references:
                stack.append((ref.name, 0))
    return order


def _within(name: str, fault: Fault) -> Fault:
    return Fault(fault.code, fault.message, fault.span, fault.hint, fault.severity, name)
