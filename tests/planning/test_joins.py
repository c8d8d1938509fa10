"""Runtime joins of an update: SPEC section 5, BR-008 to BR-008c."""

from __future__ import annotations

import pytest

from rowbook.expressions import bound
from rowbook.planning.steps import UpdateStep
from tests.support.trial import LEDGER, Trial, project, types, update

FX = '{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}'


def joined(on: str, alias: str = "fx", dataset: str = "rates") -> str:
    return f'{{alias: {alias}, dataset_id: {dataset}, on: "{on}"}}'


def test_the_columns_of_a_join_are_read_under_its_alias(trial: Trial) -> None:
    step = trial.step(update(joins=FX, net="amount * fx.rate", month="fx._period"))
    assert [(join.alias, join.dataset.name) for join in step.joins] == [("fx", "rates")]
    assert types(step.columns) == {**LEDGER, "net": "decimal(31,8)?", "month": "string?"}


def test_no_match_gives_null_even_for_a_column_that_is_never_null(trial: Trial) -> None:
    step = trial.step(update(joins=FX, journal_id="fx.currency"))
    assert types(step.columns) == {**LEDGER, "journal_id": "string?"}


def test_columns_of_a_join_do_not_stay(trial: Trial) -> None:
    step = trial.step(update(joins=FX, net="fx.rate"))
    assert "rate" not in step.columns.fields


def test_a_join_is_visible_in_the_selector(trial: Trial) -> None:
    step = trial.step(update(joins=FX, selector="fx.rate > 1", net="1"))
    assert step.selector is not None
    assert bound.columns(step.selector) == {("fx", "rate")}


def test_a_join_is_visible_in_the_conditions_of_later_joins(trial: Trial) -> None:
    both = f"{FX}, {joined('fx.currency = two.currency AND two.rate > fx.rate', 'two')}"
    step = trial.step(update(joins=both, net="two.rate"))
    assert [join.alias for join in step.joins] == ["fx", "two"]


def test_but_not_of_earlier_ones(trial: Trial) -> None:
    both = f"{joined('⟦two.currency = fx.currency')}, {joined('gl.currency = two.currency', 'two')}"
    trial.refuses(project(update(joins=both, net="two.rate")), "EXPR_003")


def test_an_unqualified_name_is_never_a_join_s(trial: Trial) -> None:
    trial.refuses(project(update(joins=joined("gl.currency = ⟦rate"), net="1")), "EXPR_002")


def test_a_join_s_dataset_is_not_known_by_its_own_names(trial: Trial) -> None:
    trial.refuses(
        project(update(joins=FX, a="⟦rates.rate", b="⟦fx_monthly.rate")), "EXPR_003", "EXPR_003"
    )


def test_every_join_is_done_whether_mentioned_or_not(trial: Trial) -> None:
    """At most one match is checked for every join that is written."""
    step = trial.step(update(joins=FX, net="1"))
    assert [join.alias for join in step.joins] == ["fx"]


def test_the_input_dataset_itself_may_be_joined(trial: Trial) -> None:
    step = trial.step(
        update(
            joins=joined("gl.journal_id = prior.journal_id", "prior", "gl_entries"),
            change="amount - prior.amount",
        )
    )
    assert step.joins[0].dataset.name == "gl_entries"


def test_a_condition_may_use_lookups(trial: Trial) -> None:
    step = trial.step(update(joins=joined("accounts.group_code = fx.currency"), net="fx.rate"))
    assert [join.alias for join in step.joins] == ["accounts", "fx"]


def test_a_condition_may_use_named_selectors(trial: Trial) -> None:
    plan = trial.plan(
        project(
            update(joins=joined("gl.currency = fx.currency AND {{large}}"), net="fx.rate"),
            more='selectors: {large: "amount > 100"}',
        )
    )
    (step,) = plan.steps
    assert isinstance(step, UpdateStep)
    assert bound.columns(step.joins[0].condition) == {
        (None, "currency"),
        ("fx", "currency"),
        (None, "amount"),
    }


@pytest.mark.parametrize(
    ("on", "code"),
    [
        ("⟦gl.currency", "JOIN_004"),
        ("⟦gl.amount = fx.currency", "EXPR_004"),
        ("gl.currency = ⟦fx.curency", "EXPR_002"),
        ("gl.currency =⟦", "EXPR_001"),
        ("⟦{{nope}}", "UPDATE_003"),
        ("⟦COUNT(*) = 1", "EXPR_007"),
    ],
)
def test_faults_of_the_condition(on: str, code: str, trial: Trial) -> None:
    trial.refuses(project(update(joins=joined(on), net="1")), code)


def test_a_column_that_the_join_does_not_have_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(update(joins=FX, net="⟦fx.rates")), "EXPR_002")
    assert found.hint == "did you mean 'fx.rate'?  columns: currency, rate, _period"


@pytest.mark.parametrize("missing", ["alias", "dataset_id", "on"])
def test_a_join_has_alias_dataset_and_condition(missing: str, trial: Trial) -> None:
    parts = {"alias": "fx", "dataset_id": "rates", "on": '"gl.currency = fx.currency"'}
    del parts[missing]
    written = ", ".join(f"{key}: {value}" for key, value in parts.items())
    (found,) = trial.refuses(project(update(joins=f"⟦{{{written}}}", net="1")), "YAML_003")
    assert found.message == f"required key '{missing}' is missing"


# --- aliases


@pytest.mark.parametrize("alias", ["gl", "accounts", "groups"])
def test_an_alias_that_is_taken_is_refused(alias: str, trial: Trial) -> None:
    (found,) = trial.refuses(
        project(update(joins=joined("TRUE", f"⟦{alias}"), net="1")), "JOIN_006"
    )
    assert found.message == f"alias '{alias}' is taken already by a table, lookup or join"


def test_an_alias_stands_once_in_an_operation(trial: Trial) -> None:
    trial.refuses(project(update(joins=f"{FX}, {joined('TRUE', '⟦fx')}", net="1")), "JOIN_006")


@pytest.mark.parametrize("alias", ["gl", "accounts", "fx"])
def test_columns_of_an_alias_that_clashes_are_no_second_error(alias: str, trial: Trial) -> None:
    clash = joined(f"gl.currency = {alias}.code", f"⟦{alias}", "budget")
    trial.refuses(project(update(joins=f"{FX}, {clash}", net=f"{alias}.share")), "JOIN_006")


def test_other_faults_are_still_found_beside_a_clash(trial: Trial) -> None:
    clash = joined("TRUE", "⟦accounts", "budget")
    trial.refuses(project(update(joins=clash, net="⟦amout")), "JOIN_006", "EXPR_002")


@pytest.mark.parametrize("alias", ['"my fx"', "1st", "a.b", '""'])
def test_an_alias_is_a_name(alias: str, trial: Trial) -> None:
    trial.refuses(project(update(joins=joined("TRUE", f"⟦{alias}"), net="1")), "JOIN_006")


# --- datasets


def test_an_unknown_dataset_is_suggested_and_its_columns_are_no_second_error(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(update(joins=joined("gl.currency = fx.what", dataset="⟦rate"), net="fx.ever")),
        "JOIN_001",
    )
    assert found.message == "dataset 'rate' is not defined"
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'rates'?")


def test_a_version_that_does_not_exist_says_which_do(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(
            update(
                joins='{alias: fx, dataset_id: rates, dataset_version: ⟦7, on: "fx.rate = 1"}',
                net="1",
            )
        ),
        "JOIN_002",
    )
    assert (found.message, found.hint) == ("dataset 'rates' has no version 7", "versions: 1")


def test_a_dataset_is_joined_by_its_id_too(trial: Trial) -> None:
    # uuid5 of "dataset:rates" in the namespace of SPEC section 1
    step = trial.step(
        update(
            joins=joined(
                "gl.currency = fx.currency", dataset="00f3832e-f5f7-53f3-91a1-127071dab67d"
            ),
            net="fx.rate",
        )
    )
    assert step.joins[0].dataset.name == "rates"
