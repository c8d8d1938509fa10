"""Findings: expressions are checked where they stand, and each fault is told once."""

from __future__ import annotations

from rowbook.definitions.loading import load_document
from rowbook.definitions.place import Place
from rowbook.expressions import types as t
from rowbook.planning.findings import Findings
from tests.definitions.yaml.samples import document_of
from tests.expressions.samples import SCOPE, with_selectors

TEXT = """\
project:
  name: p
  input_dataset_id: d
  selectors: {big: amout > 1}
  operations: [{seq: 1, name: a, type: delete, selector: amount > 1}]
"""


def place(*path: str | int) -> Place:
    entry = load_document(document_of(TEXT)).entry
    assert entry is not None
    return entry.place.at(*path)


HERE = place("operations", 0, "selector")


def codes(findings: Findings) -> list[str]:
    return [d.code for d in findings.diagnostics]


def test_a_warning_is_no_failure() -> None:
    warned, failed = Findings(), Findings()
    warned.warn(HERE, "EXPR_009", "digits are lost")
    failed.add(HERE, "EXPR_002", "no such column")
    assert (warned.failed, failed.failed) == (False, True)
    assert [d.severity for d in warned.diagnostics] == ["warning"]


def test_an_expression_with_faults_has_no_known_type() -> None:
    findings = Findings()
    assert findings.expression(HERE, "amount > 1", SCOPE).type == t.BOOLEAN
    assert findings.expression(HERE, "amout > 1", SCOPE).type == t.UNKNOWN
    assert codes(findings) == ["EXPR_002"]


def test_an_operation_has_codes_of_its_own() -> None:
    findings = Findings()
    findings.expression(HERE, "amount >", SCOPE, {"EXPR_001": "UPDATE_004"})
    assert codes(findings) == ["UPDATE_004"]


def test_a_condition_is_boolean_or_left_out() -> None:
    findings = Findings()
    assert findings.condition(HERE, None, SCOPE) is None
    findings.condition(HERE, "amount", SCOPE)
    (found,) = findings.diagnostics
    assert (found.code, found.message) == (
        "SELECTOR_003",
        "the condition gives decimal(18,2), not true or false",
    )


def test_a_fault_of_a_named_selector_is_told_there_and_once() -> None:
    findings = Findings(place("selectors"))
    scope = with_selectors(big="amout > 1")
    for _ in range(2):
        findings.condition(HERE, "{{big}}", scope, {"EXPR_002": "UPDATE_004"})
    (found,) = findings.diagnostics
    assert found.code == "EXPR_002"
    assert found.position is not None
    assert (found.position.line, found.position.column) == (4, 20)
