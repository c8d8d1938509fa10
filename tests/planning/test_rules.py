"""The seeds' rules, each with what breaks it: the code that `validate` finds, at the marked place.

`BROKEN`, from rules/, and `HELD` are the table. Rules about running or about the store are in
`ELSEWHERE`, with what a definition shows of them here where there is something to show.
"""

from __future__ import annotations

import pytest

from rowbook.errors.codes import CODES
from tests.planning.rules.aggregate import AGGREGATE
from tests.planning.rules.append import APPEND
from tests.planning.rules.case import FX, TOTAL, Case, summed
from tests.planning.rules.operations import OPERATIONS
from tests.planning.rules.update_and_output import OUTPUT, UPDATE
from tests.support.trial import (
    NO_DEFAULT,
    Trial,
    aggregate,
    append,
    delete,
    output,
    project,
    types,
    update,
)

RULES = (
    *("BR-001", "BR-002", "BR-003", "BR-004", "BR-005", "BR-006", "BR-007", "BR-008", "BR-008a"),
    *("BR-008b", "BR-008c", "BR-009", "BR-010", "BR-011", "BR-012", "BR-013", "BR-014", "BR-015"),
    *("VR-001", "VR-002", "VR-003", "VR-004", "VR-005", "VR-006", "VR-007", "VR-008"),
    *("V-001", "V-002", "V-003", "V-004", "V-005", "V-006", "V-007"),
    *("APPEND_001", "APPEND_002", "APPEND_003", "APPEND_004"),
    *("APPEND_005", "APPEND_006", "APPEND_007", "APPEND_008"),
    *("alignment 1", "alignment 2", "alignment 3"),
    "aggregate: group_by is not empty",
    "aggregate: aggregations are not empty",
    "aggregate: keys are unique",
    "aggregate: columns exist",
    "aggregate: no result in a system column",
    "aggregate: an aggregate function",
    "aggregate: results are unique",
)
"""Every rule of the seeds: operations, update, output, append with its Schema Alignment Rules, and
the Validation Rules of aggregate, which have no numbers of their own."""

ELSEWHERE = {
    "BR-002": "the store: a draft is a file, its order what the file says (test_project_plan: seq)",
    "BR-003": "the store: activating an edited file makes version n+1",
    "BR-004": "the engine: deleted rows are invisible; here: only output has include_deleted",
    "BR-008b": "the engine: temporal filters; here: a join has no period of its own",
    "BR-009": "the engine: rows stay; here: an aggregate leaves every column in place",
    "BR-011": "the engine: only output writes; here: only output has a destination",
    "BR-013": "the engine: deleted rows are not written; here: include_deleted is false by default",
    "V-006": "the engine: OUTPUT_006 when a write fails",
    "APPEND_008": "the engine: data that cannot be loaded",
}


BROKEN = (*OPERATIONS, *UPDATE, *OUTPUT, *APPEND, *AGGREGATE)
HELD = (
    Case("BR-001", "gaps, and any order in the file", project(delete(seq=500), delete(seq=7)), ""),
    Case("BR-005", "no selector", project(update(net="1"), delete(seq=2), output(seq=3)), ""),
    Case("BR-007", "an alias in an assignment", project(update(joins=FX, net="fx.rate")), ""),
    Case(
        "BR-008",
        "the same alias in two operations",
        project(update(joins=FX, net="fx.rate"), update(seq=2, joins=FX, net="fx.rate * 2")),
        "",
    ),
    Case("BR-012", "output first and between", project(output(), delete(seq=2), output(seq=3)), ""),
    Case(
        "BR-014",
        "aggregates in aggregate and in an append's aggregation",
        project(
            aggregate(total="SUM(amount)"),
            append("budget", seq=2, more=summed("account_code", TOTAL)),
        ),
        "",
    ),
    Case("VR-008", "_updated_at", project(update(selector="_updated_at < NOW()", net="1")), ""),
)


def named(case: Case) -> str:
    return f"{case.rules}: {case.what}"


def rules_of(case: Case) -> list[str]:
    """The rules a case is about; those of aggregate are sentences."""
    return [rule for rule in RULES if f" {rule} " in f" {case.rules} "]


@pytest.mark.parametrize("case", BROKEN, ids=named)
def test_a_broken_rule_is_found_at_its_place(case: Case, trial: Trial) -> None:
    trial.refuses(case.text, *case.codes.split(), base=case.base)


@pytest.mark.parametrize("case", HELD, ids=named)
def test_what_a_rule_allows_plans(case: Case, trial: Trial) -> None:
    assert trial.plan(case.text).steps


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_row(rule: str) -> None:
    shown = {found for case in (*BROKEN, *HELD) for found in rules_of(case)}
    shown |= {"alignment 2", "alignment 3"}  # the two tests below
    assert rule in shown or rule in ELSEWHERE


def test_every_row_names_a_rule() -> None:
    assert [case for case in (*BROKEN, *HELD) if not rules_of(case)] == []
    assert set(ELSEWHERE) <= set(RULES)


def test_each_code_that_says_which_rules_it_enforces_does() -> None:
    """The catalogue names rules beside its codes; each such pair has a row, or is about running."""
    claimed = {(c.code, rule) for c in CODES.values() for rule in c.rules if rule not in ELSEWHERE}
    shown = {
        (code, rule) for case in BROKEN for code in case.codes.split() for rule in rules_of(case)
    }
    assert claimed <= shown


def test_a_pinned_version_is_taken_and_else_the_latest(trial: Trial) -> None:
    """BR-008c."""
    second = (
        "dataset:\n  name: rates\n  version: 2\n  main_table:\n    name: fx\n"
        '    columns: [{name: currency, type: string}, {name: rate, type: "decimal(18,9)"}]\n---\n'
    )
    pinned = '{alias: fx, dataset_id: rates, dataset_version: 1, on: "gl.currency = fx.currency"}'
    plan = trial.plan(
        second
        + project(update(joins=pinned, old="fx.rate"), update(seq=2, joins=FX, new="fx.rate"))
    )
    assert [join.dataset.version for step in plan.steps for join in step.joins] == [1, 2]
    assert types(plan.steps[-1].columns)["old"] == "decimal(24,6)?"
    assert types(plan.steps[-1].columns)["new"] == "decimal(27,9)?"


def test_without_any_resolver_the_input_is_refused_too(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete(), input_dataset_id="⟦gl_entries"), "RESOLVER_005", base=NO_DEFAULT
    )
    assert found.message == "no resolver for dataset 'gl_entries'"
