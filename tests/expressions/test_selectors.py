"""Named selectors: cycles, undefined names and size where they are defined, types where used."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

import pytest

from rowbook.expressions.binding.binder import bind
from rowbook.expressions.faults import Fault
from rowbook.expressions.selectors import Selectors, read_selectors
from tests.expressions.samples import SCOPE, bound, codes, marked, says, with_selectors


def findings(texts: Mapping[str, str]) -> list[tuple[str, str | None, str]]:
    """(code, the selector it is in, the marked text) of each fault in the definitions."""
    return [(f.code, f.within, marked("", f, texts)) for f in read_selectors(texts).faults]


@pytest.mark.parametrize(
    ("expression", "nullable"),
    [
        ("{{active}}", False),
        ("{{ active }}", False),
        ("{{active}} AND {{late}}", True),
        ("NOT {{late}}", True),
        ("IF({{active}}, 1, 2)", False),
        ("CASE WHEN {{late}} THEN 1 ELSE 2 END", False),
        ("{{active}} = TRUE", False),
        ("{{both}} OR {{both}}", True),
    ],
)
def test_a_selector_stands_where_a_boolean_may(expression: str, nullable: bool) -> None:
    scope = with_selectors(
        both="{{active}} AND {{late}}", active="posted OR lines > 1", late="days > 30"
    )
    assert scope.selectors.faults == ()
    assert bound(expression, scope).tree.nullable == nullable


def test_a_selector_is_put_in_as_if_in_parentheses() -> None:
    scope = with_selectors(either="posted OR paid")
    assert bound("{{either}} AND posted", scope).tree == bound("(posted OR paid) AND posted").tree


@pytest.mark.parametrize(
    ("texts", "message", "within", "marked_text"),
    [
        ({"a": "{{a}}"}, "a → a", "a", "{{a}}"),
        ({"a": "posted AND NOT {{ a }}"}, "a → a", "a", "{{ a }}"),
        ({"a": "{{b}}", "b": "{{a}}"}, "a → b → a", "b", "{{a}}"),
        ({"a": "{{b}}", "b": "{{c}}", "c": "{{a}} OR posted"}, "a → b → c → a", "c", "{{a}}"),
        # the way to a cycle is no part of it
        ({"in": "{{a}}", "a": "{{b}}", "b": "{{a}}"}, ": a → b → a", "b", "{{a}}"),
        # however often a reference is repeated, it is one cycle
        ({"a": "{{b}} OR {{b}}", "b": "{{a}} AND {{a}}"}, "a → b → a", "b", "{{a}}"),
        ({"a": "{{a}} AND {{a}} AND {{a}}"}, "a → a", "a", "{{a}}"),
    ],
)
def test_a_cycle_is_reported_once(
    texts: Mapping[str, str], message: str, within: str, marked_text: str
) -> None:
    (fault,) = read_selectors(texts).faults
    assert (fault.code, fault.within) == ("SELECTOR_002", within)
    assert "selectors refer to each other in a circle: " in fault.message
    assert message in fault.message
    assert marked("", fault, texts) == marked_text


def test_two_cycles_are_two_faults() -> None:
    texts = {"a": "{{b}} OR {{c}}", "b": "{{a}}", "c": "{{a}}", "x": "{{x}}"}
    assert findings(texts) == [
        ("SELECTOR_002", "b", "{{a}}"),
        ("SELECTOR_002", "c", "{{a}}"),
        ("SELECTOR_002", "x", "{{x}}"),
    ]


def test_where_a_cycle_is_used_nothing_more_is_said() -> None:
    scope = with_selectors(a="{{b}}", b="{{a}}", user="{{a}} AND posted")
    assert codes("{{a}} AND {{b}} AND {{user}}", scope) == []


@pytest.mark.parametrize(
    ("texts", "expected", "hint"),
    [
        ({"a": "{{actve}} OR posted", "active": "posted"}, ("a", "{{actve}}"), "'active'?"),
        ({"a": "NOT {{zzz}}"}, ("a", "{{zzz}}"), "selectors: a"),
        ({"Active": "posted", "a": "{{active}}"}, ("a", "{{active}}"), "did you mean 'Active'?"),
    ],
)
def test_an_undefined_name_is_reported_where_it_is_written(
    texts: Mapping[str, str], expected: tuple[str, str], hint: str
) -> None:
    (fault,) = read_selectors(texts).faults
    assert fault.code == "SELECTOR_001"
    assert (fault.within, marked("", fault, texts)) == expected
    assert says(fault.hint, hint)


def test_an_undefined_name_in_an_expression_is_the_expressions_fault() -> None:
    expression = "posted AND {{actve}}"
    (fault,) = bind(expression, with_selectors(active="posted")).faults
    assert (fault.code, fault.within) == ("SELECTOR_001", None)
    assert fault.message == "selector 'actve' is not defined in the project"
    assert marked(expression, fault) == "{{actve}}"
    assert fault.hint == "did you mean 'active'?  selectors: active"


def test_syntax_is_checked_in_every_selector_used_or_not() -> None:
    texts = {"a": "posted AND", "b": "lines > > 1", "c": "AND(posted)", "fine": "posted"}
    assert findings(texts) == [
        ("EXPR_001", "a", ""),
        ("EXPR_001", "b", ">"),
        ("EXPR_006", "c", "AND(posted)"),
    ]


def test_a_broken_selector_is_not_reported_again_where_it_is_used() -> None:
    scope = with_selectors(broken="posted AND", lost="{{nowhere}}", user="{{broken}} AND {{lost}}")
    assert [f.within for f in scope.selectors.faults] == ["broken", "lost"]
    assert codes("{{broken}} OR {{lost}} OR {{user}}", scope) == []


def test_faults_beside_a_broken_reference_are_found_too() -> None:
    scope = with_selectors(broken="posted AND", user="{{broken}} AND {{nowhere}} AND amout > 1")
    (fault,) = bind("{{user}}", scope).faults
    assert (fault.code, fault.within) == ("EXPR_002", "user")


def test_types_are_checked_only_where_a_selector_is_used() -> None:
    scope = with_selectors(bad="amout > 1 AND lines = 'x'", good="posted")
    assert scope.selectors.faults == ()
    assert codes("{{good}}", scope) == []
    assert codes("{{bad}}", scope) == ["EXPR_002", "EXPR_004"]


@pytest.mark.parametrize(
    "expression",
    [
        "{{bad}}",
        "{{bad}} AND {{bad}} AND {{bad}}",
        "{{bad}} OR {{user}} OR NOT {{user}}",
        "IF({{bad}}, {{user}}, {{bad}})",
    ],
)
def test_a_fault_in_a_selector_is_reported_once_at_its_definition(expression: str) -> None:
    texts = {"bad": "posted AND amout > 1", "user": "{{bad}} OR paid"}
    (fault,) = bind(expression, with_selectors(**texts)).faults
    assert (fault.code, fault.within) == ("EXPR_002", "bad")
    assert marked(expression, fault, texts) == "amout"


def test_a_warning_in_a_selector_is_reported_once_at_its_definition() -> None:
    texts = {"lossy": "wide * wide > 1"}
    binding = bind("{{lossy}} OR {{lossy}}", with_selectors(**texts))
    (warning,) = binding.faults
    assert (warning.code, warning.severity, warning.within) == ("EXPR_009", "warning", "lossy")
    assert marked("", warning, texts) == "wide * wide"
    assert binding.usable


@pytest.mark.parametrize("body", ["lines", "'text'", "lines + 1", "IF(posted, 1, 2)"])
def test_a_selector_that_is_no_condition_is_reported_at_its_definition(body: str) -> None:
    texts = {"number": body}
    (fault,) = bind("{{number}} AND {{number}} = 5", with_selectors(**texts)).faults
    assert (fault.code, fault.within) == ("SELECTOR_003", "number")
    assert "selector 'number' is " in fault.message
    assert fault.message.endswith(", not a condition")
    assert marked("", fault, texts) == body


def test_a_selector_that_is_null_is_a_condition() -> None:
    scope = with_selectors(never="NULL")
    assert codes("{{never}} AND posted", scope) == []
    assert codes("{{never}} + 1", scope) == ["EXPR_004"]


def test_an_aggregate_in_a_selector_is_refused_where_rows_are_not_grouped() -> None:
    (fault,) = bind("{{many}}", with_selectors(many="COUNT(*) > 1")).faults
    assert (fault.code, fault.within) == ("EXPR_007", "many")


def test_names_are_those_of_the_scope_it_is_used_in() -> None:
    scope = with_selectors(foreign="rates.currency = 'EUR'")
    assert codes("{{foreign}}", scope) == []
    other = with_selectors(type(SCOPE)(SCOPE.main, "gl"), foreign="rates.currency = 'EUR'")
    assert codes("{{foreign}}", other) == ["EXPR_003"]


def quickly(texts: Mapping[str, str]) -> tuple[Selectors, Fault]:
    """The selectors, used once each, and the one fault of their definitions."""
    start = time.process_time()
    selectors = read_selectors(texts)
    for name in texts:
        bind(f"{{{{{name}}}}}", replace(SCOPE, selectors=selectors))
    assert time.process_time() - start < 5
    (fault,) = selectors.faults
    return selectors, fault


def test_selectors_that_double_30_times_are_refused_once_and_quickly() -> None:
    texts = {"s0": "posted"}
    texts |= {f"s{i}": f"{{{{s{i - 1}}}}} AND {{{{s{i - 1}}}}}" for i in range(1, 31)}
    selectors, fault = quickly(texts)
    assert fault.code == "EXPR_008"
    assert "with its selectors put in, the expression has " in fault.message
    assert "parts, more than 100,000" in fault.message
    assert selectors.trees["s10"] is not None
    assert selectors.trees["s30"] is None


def test_an_expression_that_grows_too_large_through_its_selectors_is_refused() -> None:
    scope = with_selectors(wide=" OR ".join(["posted"] * 2_000))
    bound(" AND ".join(["{{wide}}"] * 40), scope)
    text = " AND ".join(["{{wide}}"] * 60)
    (fault,) = bind(text, scope).faults
    assert (fault.code, fault.within) == ("EXPR_008", None)
    assert "120,121 parts, more than 100,000" in fault.message


def test_depth_counts_through_selectors() -> None:
    scope = with_selectors(deep="NOT " * 150 + "posted")
    bound("NOT " * 48 + "{{deep}}", scope)
    (fault,) = bind("NOT " * 49 + "{{deep}}", scope).faults
    assert (fault.code, fault.within) == ("EXPR_008", None)
    assert fault.message.endswith("has 201 levels, more than 200")


def test_depth_counts_beside_a_broken_reference_too() -> None:
    scope = with_selectors(deep="NOT " * 190 + "posted", broken="posted AND")
    for lost in ("{{broken}}", "{{nowhere}}"):
        assert codes(f"{lost} AND ({'NOT ' * 190}{{{{deep}}}})", scope) == ["EXPR_008"]


@pytest.mark.parametrize("body", ["{{%s}}", "NOT {{%s}}", "({{%s}} AND posted)"])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_chain_of_5_000_selectors_is_too_deep_once(body: str, backwards: bool) -> None:
    numbers = range(1, 5_000)
    texts = {"s0": "posted"} | {f"s{i}": body % f"s{i - 1}" for i in numbers}
    if backwards:
        texts = dict(reversed(texts.items()))
    selectors, fault = quickly(texts)
    assert fault.code == "EXPR_008"
    assert "levels, more than 200" in fault.message
    assert selectors.trees["s4999"] is None
    assert codes("{{s4999}}", replace(SCOPE, selectors=selectors)) == []


def test_a_cycle_of_5_000_selectors_is_found() -> None:
    texts = {f"s{i}": f"{{{{s{(i + 1) % 5_000}}}}}" for i in range(5_000)}
    _, fault = quickly(texts)
    assert (fault.code, fault.within) == ("SELECTOR_002", "s4999")


def test_199_references_in_a_row_are_bound() -> None:
    texts = {"s0": "posted"} | {f"s{i}": f"{{{{s{i - 1}}}}}" for i in range(1, 199)}
    assert read_selectors(texts).faults == ()
    assert bound("{{s198}}", with_selectors(**texts)).tree == bound("posted").tree
