"""The seeds' rules, each with what breaks it: the code that `validate` finds, at the marked place.

`BROKEN` and `HELD` are the table. Rules about running or about the store are in `ELSEWHERE`, with
what a definition shows of them here where there is something to show.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rowbook.errors.codes import CODES
from tests.support.trial import (
    BASE,
    NO_DEFAULT,
    ONLY_LEDGER_RESOLVED,
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


@dataclass(frozen=True, slots=True)
class Case:
    """A rule, and a text that breaks it with one finding for each code and mark."""

    rules: str
    what: str
    text: str
    codes: str
    base: str = BASE


FX = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'


def summed(group_by: str, *results: str) -> str:
    """The aggregation of an append."""
    return f"aggregation: {{group_by: [{group_by}], aggregations: [{', '.join(results)}]}}"


TOTAL = '{column: amount, expression: "SUM(amount)"}'

BROKEN = (
    # --- operations
    Case("BR-001", "seq 0", project("- {seq: ⟦0, name: a, type: delete}"), "PROJECT_002"),
    Case("BR-001", "seq -3", project("- {seq: ⟦-3, name: a, type: delete}"), "PROJECT_002"),
    Case(
        "BR-001",
        "the same seq twice",
        project("- {seq: 7, name: a, type: delete}", "- {seq: ⟦7, name: b, type: delete}"),
        "PROJECT_002",
    ),
    Case(
        "BR-004",
        "an update that asks for deleted rows",
        project(
            "- {seq: 1, name: a, type: update, arguments: {⟦include_deleted: true,"
            ' assignments: [{column: net, expression: "1"}]}}'
        ),
        "YAML_002",
    ),
    Case("BR-006 VR-003", "update", project(update(selector="⟦{{nope}}", net="1")), "UPDATE_003"),
    Case(
        "BR-006",
        "aggregate",
        project(aggregate(selector="posted AND ⟦{{nope}}", n="COUNT(*)")),
        "SELECTOR_001",
    ),
    Case(
        "BR-006",
        "append",
        project(append("late_entries", more='source_selector: "⟦{{nope}}"')),
        "SELECTOR_001",
    ),
    Case("BR-006", "delete", project(delete("NOT ⟦{{nope}}")), "SELECTOR_001"),
    Case("BR-006 V-001", "output", project(output(selector="⟦{{nope}}")), "OUTPUT_001"),
    Case(
        "BR-006",
        "a selector that is not boolean",
        project(delete("{{total}}"), more='selectors: {total: "⟦amount * 2"}'),
        "SELECTOR_003",
    ),
    Case(
        "BR-007",
        "an assignment without expression",
        project(
            "- {seq: 1, name: a, type: update, arguments: {assignments: [⟦{column: net}]}}",
        ),
        "YAML_003",
    ),
    Case(
        "VR-001 BR-007",
        "no assignments",
        project("- {seq: 1, name: a, type: update, arguments: {assignments: ⟦[]}}"),
        "UPDATE_001",
    ),
    Case(
        "BR-008 BR-015",
        "the alias of another operation's join",
        project(update(joins=FX, net="amount * fx.rate"), update(seq=2, net="⟦fx.rate")),
        "EXPR_003",
    ),
    Case(
        "BR-008a",
        "a join of a dataset that does not exist",
        project(update(joins='{alias: a, dataset_id: ⟦rats, on: "gl.currency = a.x"}', net="1")),
        "JOIN_001",
    ),
    Case(
        "BR-008a",
        "a join of a disabled dataset",
        project(update(joins='{alias: a, dataset_id: ⟦retired, on: "gl.currency = a.x"}', net="1")),
        "JOIN_003",
    ),
    Case("BR-008a APPEND_001", "a disabled source", project(append("⟦retired")), "APPEND_001"),
    Case(
        "BR-008a",
        "a join of a dataset without resolver",
        project(
            update(
                joins='{alias: fx, dataset_id: ⟦rates, on: "gl.currency = fx.currency"}',
                net="fx.rate",
            )
        ),
        "RESOLVER_005",
        ONLY_LEDGER_RESOLVED,
    ),
    Case(
        "BR-008b",
        "a join with a period of its own",
        project(
            update(
                joins='{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency",'
                ' ⟦period: "2026-01"}',
                net="fx.rate",
            )
        ),
        "YAML_002",
    ),
    Case(
        "BR-008c",
        "a join pinned to a version that does not exist",
        project(
            update(joins='{alias: a, dataset_id: rates, dataset_version: ⟦2, on: "TRUE"}', net="1")
        ),
        "JOIN_002",
    ),
    Case(
        "BR-010 APPEND_003",
        "a source with columns that the working dataset does not have",
        project(append("⟦budget")),
        "APPEND_003",
    ),
    Case(
        "BR-011",
        "a delete with a destination",
        project(
            "- {seq: 1, name: a, type: delete, arguments: ⟦{destination: {location: {path: x}}}}"
        ),
        "PROJECT_006",
    ),
    Case(
        "BR-011",
        "an update with a destination",
        project(
            "- {seq: 1, name: a, type: update, arguments: {⟦destination: {location: {path: x}},"
            ' assignments: [{column: net, expression: "1"}]}}'
        ),
        "YAML_002",
    ),
    Case("BR-014", "in an assignment", project(update(net="⟦SUM(amount)")), "EXPR_007"),
    Case(
        "BR-014",
        "in an update's selector",
        project(update(selector="amount > ⟦AVG(amount)", net="1")),
        "EXPR_007",
    ),
    Case("BR-014", "in a delete's selector", project(delete("⟦COUNT(*) > 1")), "EXPR_007"),
    Case(
        "BR-014", "in an output's selector", project(output(selector="⟦COUNT(*) > 1")), "EXPR_007"
    ),
    Case(
        "BR-014",
        "in a join's condition",
        project(update(joins='{alias: fx, dataset_id: rates, on: "⟦MAX_AGG(posted)"}', net="1")),
        "EXPR_007",
    ),
    Case(
        "BR-014",
        "in a source_selector",
        project(append("late_entries", more='source_selector: "⟦COUNT(*) > 1"')),
        "EXPR_007",
    ),
    Case(
        "BR-014",
        "in a named selector",
        project(delete("{{many}}"), more='selectors: {many: "⟦COUNT(*) > 1"}'),
        "EXPR_007",
    ),
    Case("BR-015 VR-006", "update", project(update(net="gl.amount + ⟦gl.amout")), "EXPR_002"),
    Case("BR-015", "delete", project(delete("⟦amout = 0")), "EXPR_002"),
    Case("BR-015", "aggregate", project(aggregate(total="SUM(⟦amout)")), "AGGREGATE_004"),
    Case(
        "BR-015 APPEND_006",
        "append",
        project(append("late_entries", more="source_selector: \"⟦currency = 'EUR'\"")),
        "APPEND_006",
    ),
    Case("BR-015 V-001", "output", project(output(selector="⟦amout = 0")), "OUTPUT_001"),
    # --- update
    Case(
        "VR-002",
        "a column name with a blank",
        project(
            "- {seq: 1, name: a, type: update, arguments:"
            ' {assignments: [{column: ⟦"net amount", expression: "1"}]}}'
        ),
        "UPDATE_002",
    ),
    Case(
        "VR-002",
        "a column name that starts with a digit",
        project(
            "- {seq: 1, name: a, type: update, arguments:"
            ' {assignments: [{column: ⟦1st, expression: "1"}]}}'
        ),
        "UPDATE_002",
    ),
    Case("VR-004", "syntax", project(update(selector="amount ⟦amount", net="1")), "UPDATE_004"),
    Case("VR-005", "syntax", project(update(net="(amount + 1⟦")), "UPDATE_005"),
    Case("VR-007", "types", project(update(net="⟦amount + currency")), "EXPR_004"),
    Case("VR-007", "the column's type", project(update(amount="⟦currency")), "EXPR_004"),
    # --- output
    Case("V-001", "syntax", project(output(selector="amount = ⟦= 0")), "OUTPUT_001"),
    Case("V-001", "unknown table", project(output(selector="⟦ledger.amount = 0")), "OUTPUT_001"),
    Case("V-002", "column", project(output(more="columns: [amount, ⟦amout]")), "OUTPUT_002"),
    Case("V-003", "none", project(output(to="⟦{}")), "OUTPUT_003"),
    Case("V-003", "half a table", project(output(to="⟦{datasource_id: lake}")), "OUTPUT_003"),
    Case(
        "V-003",
        "an empty table",
        project(output(to='⟦{datasource_id: lake, table: ""}')),
        "OUTPUT_003",
    ),
    Case("V-003", "no data source", project(output(to="⟦{table: result}")), "OUTPUT_003"),
    Case(
        "V-003",
        "both",
        project(output(to="⟦{datasource_id: lake, table: t, location: {path: out}}")),
        "OUTPUT_003",
    ),
    Case("V-004", "name", project(output(more='register_as_dataset: ⟦""')), "OUTPUT_004"),
    Case("V-005", "selector", project(output(selector="⟦amount + 1")), "OUTPUT_005"),
    Case("V-007", "columns", project(output(more="columns: ⟦[]")), "OUTPUT_007"),
    # --- append
    Case("APPEND_001", "unknown", project(append("⟦late_entry")), "APPEND_001"),
    Case(
        "APPEND_002",
        "the pinned version is not there",
        project(append("late_entries, dataset_version: ⟦5")),
        "APPEND_002",
    ),
    Case(
        "APPEND_003 alignment 1",
        "a result that the working dataset does not have",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦total_budget, expression: "SUM(amount)"}'),
            )
        ),
        "APPEND_003",
    ),
    Case(
        "APPEND_003 alignment 1",
        "a key that the working dataset does not have",
        project(append("budget", more=summed("⟦kind", TOTAL))),
        "APPEND_003",
    ),
    Case(
        "APPEND_003",
        "a result of another type",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦currency, expression: "SUM(amount)"}'),
            )
        ),
        "APPEND_003",
    ),
    Case(
        "APPEND_004",
        "source_selector",
        project(append("late_entries", more='source_selector: "invalid ⟦syntax here"')),
        "APPEND_004",
    ),
    Case(
        "APPEND_004",
        "an aggregation",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "SUM(amount⟦"}'),
            )
        ),
        "APPEND_004",
    ),
    Case(
        "APPEND_005",
        "an unknown function",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "⟦MEDIAN(amount)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no aggregate function",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "⟦amount"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "nested aggregates",
        project(
            append(
                "budget",
                more=summed(
                    "account_code", '{column: amount, expression: "SUM(⟦MAX_AGG(amount))"}'
                ),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no keys",
        project(append("budget", more=f"aggregation: {{group_by: ⟦[], aggregations: [{TOTAL}]}}")),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "no results",
        project(
            append("budget", more="aggregation: {group_by: [account_code], aggregations: ⟦[]}")
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a key twice",
        project(append("budget", more=summed("account_code, ⟦plan.account_code", TOTAL))),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a result twice",
        project(
            append(
                "budget",
                more=summed("account_code", TOTAL, '{column: ⟦amount, expression: "AVG(amount)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a system column as result",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦_labels, expression: "MAX_AGG(kind)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_005",
        "a key as result",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: ⟦account_code, expression: "MAX_AGG(kind)"}'),
            )
        ),
        "APPEND_005",
    ),
    Case(
        "APPEND_006",
        "group_by",
        project(append("budget", more=summed("account_code, ⟦nonexistent_column", TOTAL))),
        "APPEND_006",
    ),
    Case(
        "APPEND_006",
        "an aggregation",
        project(
            append(
                "budget",
                more=summed("account_code", '{column: amount, expression: "SUM(⟦amout)"}'),
            )
        ),
        "APPEND_006",
    ),
    Case(
        "APPEND_007",
        "no resolver anywhere",
        project(append("⟦late_entries")),
        "APPEND_007",
        ONLY_LEDGER_RESOLVED,
    ),
    # --- aggregate
    Case(
        "aggregate: group_by is not empty",
        "empty",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments:"
            ' {group_by: ⟦[], aggregations: [{column: n, expression: "COUNT(*)"}]}}'
        ),
        "AGGREGATE_001",
    ),
    Case(
        "aggregate: aggregations are not empty",
        "empty",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments:"
            " {group_by: [currency], aggregations: ⟦[]}}"
        ),
        "AGGREGATE_002",
    ),
    Case(
        "aggregate: keys are unique",
        "the same column in two spellings",
        project(aggregate(by="currency, ⟦gl.currency", n="COUNT(*)")),
        "AGGREGATE_003",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "a key",
        project(aggregate(by="⟦curency", n="COUNT(*)")),
        "AGGREGATE_004",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "an expression",
        project(aggregate(by="currency", n="SUM(amount) / COUNT(⟦amout)")),
        "AGGREGATE_004",
    ),
    Case(
        "aggregate: columns exist BR-015",
        "the selector",
        project(aggregate(by="currency", selector="⟦amout > 0", n="COUNT(*)")),
        "AGGREGATE_004",
    ),
    *(
        Case(
            "aggregate: no result in a system column",
            name,
            project(
                "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency],"
                f' aggregations: [{{column: ⟦{name}, expression: "COUNT(*)"}}]}}}}'
            ),
            "AGGREGATE_005",
        )
        for name in (
            *("_row_id", "_created_at", "_updated_at", "_source_dataset_id", "_source_table"),
            *("_deleted", "_period"),
        )
    ),
    Case(
        "aggregate: an aggregate function",
        "a literal",
        project(aggregate(by="currency", n="⟦1")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: an aggregate function",
        "a column that is not a key",
        project(aggregate(by="currency", n="SUM(amount) + ⟦line_number")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: an aggregate function",
        "nested",
        project(aggregate(by="currency", n="SUM(⟦COUNT(*))")),
        "AGGREGATE_007",
    ),
    Case(
        "aggregate: results are unique",
        "twice",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
            ' [{column: n, expression: "COUNT(*)"}, {column: ⟦n, expression: "SUM(amount)"}]}}'
        ),
        "AGGREGATE_006",
    ),
    Case(
        "aggregate: results are unique",
        "a key",
        project(
            "- {seq: 1, name: a, type: aggregate, arguments: {group_by: [currency], aggregations:"
            ' [{column: ⟦currency, expression: "MAX_AGG(currency)"}]}}'
        ),
        "AGGREGATE_006",
    ),
)

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
