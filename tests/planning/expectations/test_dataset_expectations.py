"""The expectations of datasets: checked where they stand, whoever loads them."""

from __future__ import annotations

import pytest

from rowbook.planning.project_plan import ProjectPlan
from tests.support.trial import BASE, Trial, append, project, update

_COLUMNS = (
    "columns: [{name: code, type: string, nullable: false}, {name: parent, type: string},"
    " {name: size, type: integer}]"
)


def _dataset(*expectations: str, name: str = "things", lookups: str = "") -> str:
    listed = "".join(f"    - {each}\n" for each in expectations)
    return (
        f"dataset:\n  name: {name}\n  main_table: {{name: {name}, {_COLUMNS}}}\n"
        f"  lookups: [{lookups}]\n  expectations:\n{listed}"
    )


@pytest.mark.parametrize(
    ("expectation", "code", "message"),
    [
        (
            '{name: x, at: ⟦input, that: "COUNT(*) > 0"}',
            "EXPECT_004",
            "the expectations of a dataset hold where it is loaded: they have no `at`",
        ),
        (
            '{name: x, against: {alias: o, at: ⟦input}, that: "COUNT(*) > COUNT(o.size)"}',
            "EXPECT_004",
            "a dataset has no operations to look after",
        ),
        ('{name: x, that: "COUNT(*) > ⟦param.most"}', "EXPECT_007", None),
        ('{name: x, that: "size > ⟦param.most"}', "EXPR_003", None),
        ('{name: x, that: "⟦{{some}}"}', "SELECTOR_001", None),
        ('{name: x, that: "⟦_row_id IS NOT NULL"}', "EXPR_002", "unknown column '_row_id'"),
        ('{name: x, that: "⟦size > 0"}', "EXPECT_009", None),
        ("{name: x, unique: [⟦cod]}", "EXPR_002", "unknown column 'cod'"),
    ],
)
def test_they_are_checked_without_any_project(
    trial: Trial, expectation: str, code: str, message: str | None
) -> None:
    (found,) = trial.refuses(_dataset(expectation), code)
    assert message is None or found.message == message


def test_what_is_wrong_with_them_is_not_said_again_where_they_are_loaded(trial: Trial) -> None:
    broken = _dataset('{name: x, that: "⟦siz > 0"}', '{name: ⟦x, that: "⟦size"}')
    operation = update(seq=10, extra="1").replace(", arguments", ", must_match: true, arguments")
    text = f"{broken}---\n{project(operation, input_dataset_id='things')}"
    trial.refuses(text, "EXPR_002", "EXPECT_006", "EXPECT_001")


def test_which_rows_are_quarantined_does_not_depend_on_itself(trial: Trial) -> None:
    text = _dataset(
        '{name: parents are known, that: "parent IS NULL OR above.code IS NOT NULL",'
        " otherwise: ⟦quarantine}",
        lookups='{alias: above, dataset_id: things, on: "things.parent = above.code"}',
    )
    (found,) = trial.refuses(text, "EXPECT_005")
    assert found.message == "which rows of 'things' are quarantined would depend on itself"
    trial.accepts(text.replace("⟦quarantine", "stop"))


def test_nor_by_way_of_another_dataset(trial: Trial) -> None:
    texts = [
        _dataset(
            '{name: known, that: "other.code IS NOT NULL", otherwise: ⟦quarantine}',
            name=name,
            lookups=f'{{alias: other, dataset_id: {other}, on: "{name}.parent = other.code"}}',
        )
        for name, other in (("things", "stuff"), ("stuff", "things"))
    ]
    trial.refuses("---\n".join(texts), "EXPECT_005", "EXPECT_005")


def _view(expectations: str) -> str:
    return f"dataset:\n  name: gl_before\n  of: gl_entries\n  periods: previous\n{expectations}"


def _labels(plan: ProjectPlan) -> list[tuple[str, str | None, str, str]]:
    return [(e.name, e.owner, e.point.kind, e.point.label) for e in plan.expectations]


def _base(dataset: str, expectation: str) -> str:
    at = f"  name: {dataset}\n"
    return BASE.replace(at, f"{at}  expectations:\n    - {expectation}\n", 1)


def test_a_view_has_those_that_it_says_itself(trial: Trial) -> None:
    base = _base("gl_entries", '{name: of the month, that: "amount <> 0"}')
    view = _view('  expectations: [{name: of the view, that: "amount > 0"}]\n')
    more = "assignments: [{column: amount, expression: amount}]"
    text = f"{view}---\n{project(append('gl_before', more=more))}"
    assert _labels(trial.plan(text, base=base)) == [
        ("of the month", "gl_entries", "input", "input"),
        ("of the view", "gl_before", "dataset", "gl_before"),
    ]


def test_those_of_a_view_are_checked_against_the_columns_that_it_reads(trial: Trial) -> None:
    trial.refuses(_view('  expectations: [{name: x, that: "⟦amout > 0"}]\n'), "EXPR_002")


def test_rows_that_were_quarantined_do_not_come_back_with_a_second_load(trial: Trial) -> None:
    base = _base("gl_entries", '{name: some, that: "amount <> 0", otherwise: quarantine}')
    base = base.replace(
        "    - {name: some", '    - {name: all, that: "COUNT(*) > 0"}\n    - {name: some'
    )
    more = "quarantine: {datasource_id: lake, table: held_back}\n"
    text = project(update(seq=10, extra="1"), append("gl_entries", seq=20), more=more)
    assert _labels(trial.plan(text, base=base)) == [
        ("all", "gl_entries", "input", "input"),
        ("some", "gl_entries", "input", "input"),
        ("some", "gl_entries (loaded again)", "dataset", "gl_entries"),
    ]


def test_lookups_of_an_expectation_are_looked_at_before_it(trial: Trial) -> None:
    base = _base("gl_entries", '{name: grouped, that: "groups.title IS NOT NULL"}')
    base = base.replace(
        "dataset:\n  name: groups\n",
        'dataset:\n  name: groups\n  expectations: [{name: any, that: "COUNT(*) > 0"}]\n',
    )
    assert _labels(trial.plan(project(update(extra="1")), base=base)) == [
        ("any", "groups", "dataset", "groups"),
        ("grouped", "gl_entries", "input", "input"),
    ]


def test_versions_of_a_dataset_are_told_apart(trial: Trial) -> None:
    late = BASE.partition("dataset:\n  name: late_entries\n")[2].partition("---\n")[0]
    expectations = '  expectations: [{name: some, that: "COUNT(*) > 0"}]\n'
    versions = "---\n".join(
        f"dataset:\n  name: late_entries\n  version: {version}\n{expectations}{late}"
        for version in (1, 2)
    )
    base = BASE.replace(f"dataset:\n  name: late_entries\n{late}", versions)
    text = project(
        append("late_entries, dataset_version: 1", seq=10),
        append("late_entries, dataset_version: 2", seq=20),
        input_dataset_id="late_entries",
        more="input_dataset_version: 1\n",
    )
    assert _labels(trial.plan(text, base=base)) == [
        ("some", "late_entries", "input", "input"),
        ("some", "late_entries version 2", "dataset", "late_entries"),
    ]
