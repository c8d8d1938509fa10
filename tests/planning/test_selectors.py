"""Named selectors: SPEC section 4, BR-006. Each fault of one is reported once, where it is."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from tests.support.trial import Trial, aggregate, append, delete, output, project, update


def selectors(**texts: str) -> str:
    listed = ", ".join(f'{name}: "{text}"' for name, text in texts.items())
    return f"selectors: {{{listed}}}"


def test_a_selector_stands_for_its_expression_in_parentheses(trial: Trial) -> None:
    plan = trial.plan(
        project(
            delete("{{either}} AND posted"),
            delete("(amount = 0 OR amount = 1) AND posted", seq=2),
            more=selectors(either="amount = 0 OR amount = 1"),
        )
    )
    assert plan.steps[0].selector == plan.steps[1].selector


def test_a_selector_may_use_others(trial: Trial) -> None:
    plan = trial.plan(
        project(
            delete("{{both}}"),
            more=selectors(both="{{large}} AND {{open}}", large="amount > 100", open="NOT posted"),
        )
    )
    assert plan.steps[0].selector is not None
    assert bound.columns(plan.steps[0].selector) == {(None, "amount"), (None, "posted")}


def test_a_selector_may_stand_wherever_a_condition_may(trial: Trial) -> None:
    plan = trial.plan(
        project(
            update(selector="{{large}}", made="IF({{large}}, 1, 2)"),
            aggregate(seq=2, selector="NOT {{large}}", n="SUM(IF({{large}}, 1, 0))"),
            append("late_entries", seq=3, more='source_selector: "{{large}}"'),
            output(seq=4, selector="CASE WHEN {{large}} THEN TRUE ELSE FALSE END"),
            more=selectors(large="amount > 100"),
        )
    )
    assert len(plan.steps) == 4


def test_in_a_string_it_is_text(trial: Trial) -> None:
    step = trial.step(delete("currency = '{{nope}}'"))
    assert step.selector is not None
    constants = [n.value for n in bound.walk(step.selector) if isinstance(n, bound.Constant)]
    assert constants == ["{{nope}}"]


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (update(selector="⟦{{larg}}", made="1"), "UPDATE_003"),
        (aggregate(selector="⟦{{larg}}", n="COUNT(*)"), "SELECTOR_001"),
        (append("late_entries", more='source_selector: "⟦{{larg}}"'), "SELECTOR_001"),
        (delete("⟦{{larg}}"), "SELECTOR_001"),
        (output(selector="⟦{{larg}}"), "OUTPUT_001"),
    ],
)
def test_an_undefined_name_is_found_where_it_is_used(
    operation: str, code: str, trial: Trial
) -> None:
    (found,) = trial.refuses(project(operation, more=selectors(large="amount > 100")), code)
    assert found.message == "selector 'larg' is not defined in the project"
    assert found.hint == "did you mean 'large'?  selectors: large"


# --- faults at the definition


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("amount >⟦", "EXPR_001"),
        ("⟦amout > 0", "EXPR_002"),
        ("⟦ledger.amount > 0", "EXPR_003"),
        ("⟦amount > 'x'", "EXPR_004"),
        ("⟦NOPE(amount)", "EXPR_005"),
        ("⟦ABS() > 1", "EXPR_006"),
        ("⟦COUNT(*) > 1", "EXPR_007"),
        ("⟦amount", "SELECTOR_003"),
        ("⟦{{nope}}", "SELECTOR_001"),
    ],
)
def test_a_fault_is_reported_once_however_often_the_selector_is_used(
    text: str, code: str, trial: Trial
) -> None:
    trial.refuses(
        project(
            update(selector="{{bad}} OR {{bad}}", made="IF({{bad}}, 1, 2)"),
            delete("{{bad}}", seq=2),
            output(seq=3, selector="{{worse}}"),
            more=selectors(bad=text, worse="{{bad}} AND posted"),
        ),
        code,
    )


@pytest.mark.parametrize(
    ("text", "code"), [("amount >⟦", "EXPR_001"), ("⟦{{nope}}", "SELECTOR_001")]
)
def test_syntax_and_names_are_checked_in_selectors_that_nobody_uses(
    text: str, code: str, trial: Trial
) -> None:
    trial.refuses(project(delete("posted"), more=selectors(unused=text)), code)


def test_types_are_checked_where_a_selector_is_used(trial: Trial) -> None:
    """Nobody uses it, and whether a column is there depends on where it is used."""
    trial.accepts(project(delete("posted"), more=selectors(unused="what_ever > 0")))


def test_a_selector_may_name_a_column_that_is_made_before_its_use(trial: Trial) -> None:
    named = selectors(large="net > 100")
    trial.accepts(project(update(net="amount * 2"), delete("{{large}}", seq=2), more=named))


def test_and_is_refused_where_it_is_used_too_early(trial: Trial) -> None:
    trial.refuses(
        project(
            delete("{{large}}"),
            update(seq=2, net="amount * 2"),
            more=selectors(large="⟦net > 100"),
        ),
        "EXPR_002",
    )


def test_different_faults_of_a_selector_are_all_reported(trial: Trial) -> None:
    trial.refuses(
        project(delete("{{bad}}"), more=selectors(bad="⟦amout > 0 AND ⟦NOPE(1)")),
        "EXPR_002",
        "EXPR_005",
    )


@pytest.mark.parametrize(
    "texts",
    [
        {"a": "⟦{{a}}"},
        {"a": "{{b}}", "b": "posted AND ⟦{{a}}"},
        {"a": "{{b}}", "b": "{{c}}", "c": "⟦{{b}}"},
    ],
)
def test_a_circle_is_one_fault(texts: dict[str, str], trial: Trial) -> None:
    (found,) = trial.refuses(project(delete("{{a}}"), more=selectors(**texts)), "SELECTOR_002")
    assert found.message.startswith("selectors refer to each other in a circle: ")


def test_the_circle_is_shown(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete("posted"), more=selectors(a="{{b}}", b="NOT ⟦{{a}}")), "SELECTOR_002"
    )
    assert found.message == "selectors refer to each other in a circle: a → b → a"


def test_a_place_inside_a_selector_of_several_lines_is_right(trial: Trial) -> None:
    trial.refuses(
        project(
            delete("{{long}}"),
            more="""\
            selectors:
              long: |
                amount > 0
                  AND ⟦amout > 0
                  OR ⟦curency = 'EUR'
            """,
        ),
        "EXPR_002",
        "EXPR_002",
    )


def test_a_selector_is_an_expression(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete("posted"), more="selectors: {bad: ⟦[a, b]}"), "YAML_004"
    )
    assert found.message == "'bad' must be an expression"


def test_braces_without_quotes_are_explained(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            "- {seq: 1, name: a, type: delete, selector: ⟦{{large}}}",
            more=selectors(large="amount > 100"),
        ),
        "YAML_005",
    )
    assert (
        found.message == "{{large}} needs quotes: without them YAML reads the braces as a mapping"
    )


def test_the_project_of_a_faulty_selector_has_no_plan(trial: Trial) -> None:
    checked = trial.check(project(delete("posted"), more=selectors(unused="amount >")))
    assert checked.projects["trial"].plan is None


@pytest.mark.parametrize("name", ["2nd", '"not it"', '""', "größe"])
def test_a_selector_has_a_name_that_can_be_used(name: str, trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete("posted"), more=f'selectors: {{⟦{name}: "posted"}}'), "WORKSPACE_003"
    )
    assert found.hint == "start with a letter or '_'; then letters, digits, '_', '-' and '.'"


@pytest.mark.parametrize("name", ["large", "_x", "profit-and-loss", "p.2026", "L1"])
def test_names_of_selectors(name: str, trial: Trial) -> None:
    plan = trial.plan(project(delete(f"{{{{{name}}}}}"), more=f'selectors: {{{name}: "posted"}}'))
    assert plan.steps[0].selector is not None
