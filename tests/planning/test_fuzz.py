"""Definitions that were damaged at random: findings, never anything else."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowbook.definitions.yaml.nodes import Mapping, Node, Scalar, Sequence, SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.errors import RowbookError
from rowbook.errors.codes import CODES
from rowbook.planning.workspace_check import CheckedWorkspace, check_workspace
from tests.support.trial import BASE, aggregate, append, delete, output, project, update

JOIN = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'
WHOLE = (
    BASE
    + """\
---
calendar:
  name: fiscal
  levels:
    - {name: year, identifier: "FY{year}"}
    - {name: month, parent: year, identifier: "FY{year}-{n:02}"}
  rule: {type: months, start_month: 7}
  periods:
    - {identifier: FY2026-13, level: month, start: 2026-06-30, end: 2026-06-30, parent: FY2026}
---
scenario:
  name: nothing is lost
  period: "2026-01"
  as_of: 2026-01-15
  project: trial
  input:
    gl_entries: {rows: [{journal_id: J1, amount: 10.50}]}
    rates: {rows: []}
    budget: {rows: []}
    accounts: {rows: []}
  expect:
    working: {rows: [{journal_id: J1, net: 21.00}]}
    outputs: {result: {columns: [journal_id], rows: []}}
    ledger: [{seq: 2, matched: 3}]
  match: {mode: subset, tolerance: {net: 0.01}}
---
"""
    + project(
        update(joins=JOIN, selector="{{large}}", net="amount * fx.rate"),
        aggregate(seq=2, by="gl.account_code, _period", total="SUM(net)"),
        append(
            "budget",
            seq=3,
            more="source_selector: \"kind = 'x'\", aggregation: {group_by: [account_code],"
            ' aggregations: [{column: amount, expression: "SUM(amount)"}]}',
        ),
        delete("accounts.group_code IS NULL", seq=4),
        output(seq=5, more="columns: [journal_id, net], register_as_dataset: closed"),
        more='selectors: {large: "amount > 100", small: "NOT {{large}}"}\n'
        "resolver_overrides: {rates: warehouse}\ncalendar_id: gregorian\n",
    )
)
"""A workspace in which something of everything is used."""


def spans(node: Node) -> list[tuple[int, int]]:
    """Where each node of a document stands, keys included."""
    here = [(node.start, node.end)]
    match node:
        case Mapping():
            for key, value in node.entries:
                here += [(key.start, key.end), *spans(value)]
        case Sequence():
            for item in node.items:
                here += spans(item)
        case Scalar():
            pass
    return here


PLACES = [span for document in parse(SourceText("f", WHOLE))[0] for span in spans(document.root)]

DAMAGE = st.sampled_from(
    [
        *("", "null", "x", "1", "-1", "1.5", "true", '""', "''", '" "', "[]", "{}", "[a]", "[[a]]"),
        *(
            "{a: b}",
            "{type: path}",
            "[{}]",
            "{{x}}",
            '"{{x}}"',
            '"{{large}}"',
            "*a",
            "&a x",
            "!x y",
        ),
        *("2026-01-31", "99999999999999999999", '"a\\nb"', '"\\0"', "é", "SUM(amount)", '"a b c"'),
        *("gl_entries", "retired", "update", "append", "name", "amount", "_row_id", "AMOUNT", "~"),
        *("../..", "s3://a:b@c", '"decimal(99,1)"', "? a", "- a", ":", "#", "'", '"', "[", "{"),
    ]
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The workspace with one to three of its parts replaced."""
    chosen = draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=3, unique=True))
    text = WHOLE
    for start, end in sorted(chosen, reverse=True):
        text = text[:start] + draw(DAMAGE) + text[end:]
    return text


def check(text: str) -> CheckedWorkspace | RowbookError:
    """What is found, or that there is no workspace."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rowbook.yaml").write_text(text, encoding="utf-8")
        try:
            return check_workspace(Path(folder))
        except RowbookError as error:
            return error


def test_undamaged_it_is_sound() -> None:
    checked = check(WHOLE)
    assert isinstance(checked, CheckedWorkspace)
    assert checked.diagnostics == ()


@pytest.mark.fuzz
@settings(deadline=None)
@given(damaged())
def test_whatever_is_written_the_outcome_is_findings(text: str) -> None:
    checked = check(text)
    if isinstance(checked, RowbookError):
        assert [d.code for d in checked.diagnostics] == ["WORKSPACE_001"]
        return
    lines = text.split("\n")
    for found in checked.diagnostics:
        assert found.code in CODES
        assert found.message
        assert found.position is not None
        assert 1 <= found.position.line <= len(lines)
        assert 1 <= found.position.column <= len(lines[found.position.line - 1]) + 1
    for name, planned in checked.projects.items():
        errors = [d for d in planned.diagnostics if d.severity == "error"]
        assert not (planned.plan and errors), name
