"""Names by which runs, waivers and scenarios know expectations."""

from __future__ import annotations

from tests.support.trial import Trial, delete, project, update


def _must_match(operation: str) -> str:
    return operation.replace("arguments", "must_match: ⟦true, arguments", 1)


def test_an_operation_that_must_match_takes_no_expectations_name(trial: Trial) -> None:
    more = 'expectations:\n  - {name: update, that: "amount <> 0"}\n'
    (found,) = trial.refuses(project(_must_match(update(extra="1")), more=more), "EXPECT_006")
    assert found.message == "the name 'update' is taken already at projects/trial.yaml:5:14"


def test_two_that_must_match_have_names_of_their_own(trial: Trial) -> None:
    first = _must_match(update(seq=1, extra="1")).replace("⟦", "")
    text = project(first, _must_match(update(seq=2, extra="2")))
    trial.refuses(text, "EXPECT_006")


def test_one_that_need_not_match_may_have_any_name(trial: Trial) -> None:
    more = 'expectations:\n  - {name: delete, that: "amount <> 0"}\n'
    trial.accepts(project(delete("amount = 0"), delete("amount = 1", seq=2), more=more))


def test_a_dataset_and_a_project_may_have_the_same_name(trial: Trial) -> None:
    dataset = (
        "dataset:\n  name: things\n  main_table: {name: t, columns: [{name: a, type: string}]}\n"
        '  expectations: [{name: some, that: "COUNT(*) > 0"}]\n---\n'
    )
    more = 'expectations:\n  - {name: some, that: "COUNT(*) > 0"}\n'
    text = dataset + project(update(extra="1"), more=more, input_dataset_id="things")
    assert [each.key for each in trial.plan(text).expectations] == [
        ("things", "some"),
        (None, "some"),
    ]
