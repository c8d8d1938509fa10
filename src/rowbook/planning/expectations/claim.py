"""One expectation: its condition checked and resolved against the rows that it sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from rowbook.definitions.models.expectation import AgainstDefinition, ExpectationDefinition
from rowbook.definitions.place import Place
from rowbook.expressions.binding.binder import bind_tree
from rowbook.expressions.bound import Bound, columns, walk
from rowbook.expressions.faults import ExpressionError
from rowbook.expressions.scope import Scope
from rowbook.expressions.selectors import expanded_size, oversize
from rowbook.expressions.syntax import unbound as n
from rowbook.expressions.syntax.parser import parse
from rowbook.expressions.types import Kind
from rowbook.planning.columns import COLUMN_NAME
from rowbook.planning.datasets import Join
from rowbook.planning.expectations.certainty import is_always_true, may_be_null
from rowbook.planning.expectations.consequence import check_consequence, tolerance_of
from rowbook.planning.expectations.decomposition import (
    CODES,
    Measures,
    OtherSide,
    has_aggregate,
    report,
)
from rowbook.planning.expectations.expectation_plan import (
    Against,
    Condition,
    Expectation,
    GroupCondition,
    RowCondition,
    UniqueKeys,
)
from rowbook.planning.expectations.fault_size import fault_size
from rowbook.planning.expectations.viewpoint import Viewpoint
from rowbook.planning.findings import NO_CODES, Codes, Findings
from rowbook.planning.operations.context import used_joins
from rowbook.value_class import dataclass

FindOther: TypeAlias = Callable[[AgainstDefinition, Place, tuple[str, ...]], OtherSide | None]
"""What `against` names, checked for the keys; None where it cannot be told, which is reported."""


@dataclass(frozen=True, slots=True)
class ClaimInPlace:
    """An expectation on its way into a plan."""

    definition: ExpectationDefinition
    place: Place
    here: Viewpoint
    owner: str | None
    find_other: FindOther
    findings: Findings

    def is_sound_since(self, before: int) -> bool:
        """Whether nothing but warnings was found since there were so many findings."""
        return all(each.severity != "error" for each in self.findings.diagnostics[before:])


def plan_claim(claim: ClaimInPlace) -> Expectation | None:
    """None after a fault that leaves nothing to look at."""
    definition, place, here = claim.definition, claim.place, claim.here
    selector = claim.findings.condition(place.at("selector"), definition.selector, here.scope)
    whole = here.columns(definition.whole, place.at("whole"), "EXPECT_005", claim.findings)
    show = here.columns(definition.show, place.at("show"), "EXPECT_003", claim.findings)
    found = _condition(claim)
    kind = None if found is None else found[0]
    check_consequence(definition, place, here.point, kind, claim.findings)
    tolerance = tolerance_of(definition, place.at("tolerate"), kind, claim.findings)
    if found is None:
        return None
    condition, size = found
    trees = (selector, *_row_trees(condition))
    joins = used_joins(here.joins, trees)
    if isinstance(condition, RowCondition) and not show:
        show = _telling_columns(here, condition.that, joins)
    return Expectation(
        definition.name,
        claim.owner,
        here.point,
        selector,
        joins,
        condition,
        definition.otherwise,
        _text(definition),
        whole,
        tolerance,
        show,
        definition.include_deleted,
        size,
    )


def _text(definition: ExpectationDefinition) -> str:
    that = " ".join(line.strip() for line in (definition.that or "").strip().splitlines())
    return that or f"unique: {', '.join(definition.unique)}"


def _row_trees(condition: Condition) -> Iterable[Bound]:
    """What is computed of rows."""
    if isinstance(condition, RowCondition):
        yield condition.that
    elif isinstance(condition, GroupCondition):
        yield from (measure.expression for measure in condition.measures)


def _telling_columns(here: Viewpoint, that: Bound, joins: Iterable[Join]) -> tuple[str, ...]:
    """What a sample shows of a row: its natural key, and what the condition reads of it."""
    read = {each for tree in (that, *(join.condition for join in joins)) for each in columns(tree)}
    names = {name for source, name in read if source is None}
    key = [name for name in here.natural_key if name in here.fields]
    return tuple(dict.fromkeys((*key, *(name for name in here.fields if name in names))))


def _condition(claim: ClaimInPlace) -> tuple[Condition, Bound | None] | None:
    """The condition, and how wrong something is that violates it (EXPECT_001, EXPECT_003)."""
    definition, place, findings = claim.definition, claim.place, claim.findings
    if definition.unique and definition.that is not None:
        message = "an expectation says `that` or `unique`, not both"
        findings.add(place.at("unique"), "EXPECT_001", message)
        return None
    if definition.unique:
        _refuse_beside_unique(claim)
        keys = claim.here.columns(definition.unique, place.at("unique"), "EXPECT_003", findings)
        return UniqueKeys(keys), None
    if definition.that is None:
        message = f"expectation '{definition.name}' says nothing that must hold"
        findings.add(place.at("name"), "EXPECT_001", message)
        return None
    at = place.at("that")
    tree = _parsed(definition.that, at, claim)
    if tree is None:
        return None
    is_grouped = bool(definition.by or definition.against)
    selectors = claim.here.scope.selectors
    if definition.measures or has_aggregate(tree, selectors, or_meant=is_grouped):
        return _of_groups(tree, claim)
    if definition.by:
        message = "`by` makes groups of rows, and `that` has no aggregate"
        hint = "leave `by` out: the condition is about each row; or compare SUM(…), COUNT(*) …"
        findings.add(place.at("by"), "EXPECT_003", message, hint)
    if definition.against is not None:
        message = "a comparison is about aggregates of both sides, and `that` has none"
        hint = f"SUM(…) = SUM({definition.against.alias}.…)"
        findings.add(place.at("against"), "EXPECT_007", message, hint)
        return None
    that = _checked(tree, claim.here.scope, claim, len(findings.diagnostics))
    return RowCondition(that), fault_size(tree, claim.here.scope)


def _refuse_beside_unique(claim: ClaimInPlace) -> None:
    definition, place = claim.definition, claim.place
    given = (("by", definition.by), ("measures", definition.measures), ("show", definition.show))
    for key, value in given:
        if value:
            message = f"`{key}` says nothing beside `unique`"
            claim.findings.add(place.at(key), "EXPECT_003", message, f"leave `{key}` out")
    if definition.against is not None:
        message = "`unique` compares with nothing"
        claim.findings.add(place.at("against"), "EXPECT_007", message, "leave `against` out")


def _parsed(text: str, place: Place, claim: ClaimInPlace) -> n.Node | None:
    try:
        tree = parse(text)
    except ExpressionError as error:
        report(error.faults, place, claim.findings, NO_CODES)
        return None
    if fault := oversize(expanded_size(tree, claim.here.scope.selectors.sizes), tree):
        report((fault,), place, claim.findings, NO_CODES)
        return None
    return tree


def _of_groups(tree: n.Node, claim: ClaimInPlace) -> tuple[Condition, Bound | None] | None:
    definition, place, here = claim.definition, claim.place, claim.here
    findings, before = claim.findings, len(claim.findings.diagnostics)
    keys = here.columns(definition.by, place.at("by"), "EXPECT_003", findings)
    if definition.show:
        message = "`show` is about rows, and `that` is about " + ("groups" if keys else "all rows")
        findings.add(place.at("show"), "EXPECT_003", message, "leave `show` out")
    side = None
    if definition.against is not None:
        side = claim.find_other(definition.against, place.at("against"), keys)
        if side is None:
            return None
    measures = Measures(here, keys, side, findings)
    for name, text in definition.measures.items():
        at = place.at("measures", name)
        parsed = _parsed(text, at, claim)
        _check_measure_name(name, keys, at, claim)
        if parsed is not None:
            measures.named(name, parsed, at)
    rest, scope = measures.condition(tree, place.at("that"))
    that = _checked(rest, scope, claim, before, CODES)
    against = None
    if side is not None and definition.against is not None:
        if not measures.other and claim.is_sound_since(before):
            message = f"`that` reads nothing of '{side.alias}'"
            findings.add(place.at("against", "alias"), "EXPECT_007", message)
        against = _against(definition.against, side, measures, claim)
    condition = GroupCondition(keys, tuple(measures.own.values()), that, against)
    return condition, fault_size(rest, scope)


def _check_measure_name(
    name: str, keys: tuple[str, ...], place: Place, claim: ClaimInPlace
) -> None:
    if not COLUMN_NAME.fullmatch(name):
        message = f"'{name}' cannot be a measure's name: use letters, digits and '_'"
        claim.findings.add(place, "EXPECT_003", message)
    elif name in keys:
        claim.findings.add(place, "EXPECT_003", f"measure '{name}' is a column of `by`")


def _against(
    definition: AgainstDefinition, side: OtherSide, measures: Measures, claim: ClaimInPlace
) -> Against:
    read = tuple(measures.other.values())
    if side.rows is None:
        return Against(side.alias, None, None, (), read)
    at = claim.place.at("against", "selector")
    selector = claim.findings.condition(at, definition.selector, side.rows.scope)
    trees = (selector, *(measure.expression for measure in read))
    joins = used_joins(side.rows.joins, trees)
    return Against(side.alias, side.rows.point, selector, joins, read)


def _checked(
    tree: n.Node, scope: Scope, claim: ClaimInPlace, before: int, codes: Codes = NO_CODES
) -> Bound:
    """The condition bound: EXPECT_001 where it is no condition, EXPECT_009 where it may be NULL,
    EXPECT_010 where it says nothing."""
    findings, place, text = claim.findings, claim.place.at("that"), claim.definition.that or ""
    binding = bind_tree(tree, scope)
    report(binding.faults, place, findings, codes)
    whole, kind = (0, len(text)), binding.tree.type
    if kind.kind is not Kind.BOOLEAN and not kind.is_open:
        message = f"the condition gives {kind}, not true or false"
        findings.add(place, "EXPECT_001", message, span=whole)
    elif not claim.is_sound_since(before) or _is_uncertain(binding.tree):
        return binding.tree
    elif is_always_true(binding.tree):
        message = "the condition is TRUE whatever the rows are"
        findings.warn(place, "EXPECT_010", message, whole)
    elif may_be_null(binding.tree):
        message = "the condition may be NULL, which violates it"
        findings.warn(place, "EXPECT_009", message, whole)
    return binding.tree


def _is_uncertain(tree: Bound) -> bool:
    """Whether something before it that is faulty decides what it is."""
    return any(part.type.kind is Kind.UNKNOWN for part in walk(tree))
