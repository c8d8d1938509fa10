"""The table of quarantined rows: its columns, and where it cannot be."""

from __future__ import annotations

from tests.support.trial import BASE, Trial, append, output, project, update

_TABLE = "quarantine: {datasource_id: lake, table: held_back}\n"
_TAKING = '  - {name: taken, at: 30, otherwise: quarantine, that: "amount <> 0"}\n'


def test_it_has_the_columns_of_every_point_at_which_rows_are_taken(trial: Trial) -> None:
    base = BASE.replace(
        "  name: accounts\n  main_table",
        "  name: accounts\n  expectations:\n"
        '    - {name: grouped, that: "group_code IS NOT NULL", otherwise: quarantine}\n'
        "  main_table",
    )
    more = f"{_TABLE}expectations:\n{_TAKING}"
    text = project(update(seq=30, extra="accounts.group_code"), more=more)
    table = trial.plan(text, base=base).quarantine
    assert table is not None
    assert (table.seq, table.mode) == (0, "replace")
    assert table.written == (
        "_expectation",
        "_run_id",
        "_dataset",
        "_row_id",
        "_period",
        "account_code",
        "group_code",
        "journal_id",
        "line_number",
        "posting_date",
        "currency",
        "amount",
        "weight",
        "posted",
        "entered",
        "extra",
    )
    assert all(field.nullable for field in table.columns.business)


def test_rows_without_a_period_leave_the_column_out(trial: Trial) -> None:
    text = project(
        update(seq=30, extra="1"),
        more=f"{_TABLE}expectations:\n{_TAKING}".replace("amount <> 0", "group_code <> ''"),
        input_dataset_id="accounts",
    ).replace("group_code <> ''", "COALESCE(group_code, '') <> ''")
    table = trial.plan(text).quarantine
    assert table is not None
    assert "_period" not in table.written


def test_rows_that_are_quarantined_need_a_table(trial: Trial) -> None:
    text = project(
        update(seq=30, extra="1"),
        more='expectations:\n  - {name: t, at: 30, otherwise: ⟦quarantine, that: "amount <> 0"}\n',
    )
    (found,) = trial.refuses(text, "EXPECT_005")
    assert found.message == "rows that 't' quarantines have no table to go to"


def test_a_project_that_loads_a_dataset_that_quarantines_needs_one_too(trial: Trial) -> None:
    base = BASE.replace(
        "  name: gl_entries\n",
        "  name: gl_entries\n  expectations:\n"
        '    - {name: t, otherwise: quarantine, that: "amount <> 0"}\n',
    )
    text = project(update(extra="1")).replace("input_dataset_id: ", "input_dataset_id: ⟦")
    (found,) = trial.refuses(text, "EXPECT_005", base=base)
    assert found.message == (
        "rows that 't' of dataset 'gl_entries' quarantines have no table to go to"
    )


def test_a_column_has_one_type(trial: Trial) -> None:
    base = BASE.replace(
        "  name: late_entries\n",
        "  name: late_entries\n  expectations:\n"
        '    - {name: late, otherwise: quarantine, that: "amount <> 0"}\n',
    )
    more = f"quarantine: ⟦{_TABLE.removeprefix('quarantine: ')}expectations:\n{_TAKING}"
    text = project(update(seq=30, extra="1"), append("late_entries", seq=40), more=more)
    (found,) = trial.refuses(text, "EXPECT_005", base=base)
    assert found.message == (
        "quarantined rows have a column 'amount', decimal(18,2), and where 'late' takes them"
        " 'amount', integer"
    )


def test_it_is_no_outputs_table(trial: Trial) -> None:
    more = f"quarantine: ⟦{{datasource_id: lake, table: result}}\nexpectations:\n{_TAKING}"
    (found,) = trial.refuses(
        project(update(seq=30, extra="1"), output(seq=80), more=more), "EXPECT_005"
    )
    assert found.message == "operation 80 'output' writes to 'lake:result' too"


def test_one_file_holds_rows_of_one_period(trial: Trial) -> None:
    place = "{location: {path: out/held.xlsx, format: excel}}"
    more = f"quarantine: {place.replace('out', '⟦out')}\nexpectations:\n{_TAKING}"
    trial.refuses(project(update(seq=30, extra="1"), more=more), "OUTPUT_008")


def test_its_destination_is_checked_as_an_outputs(trial: Trial) -> None:
    more = f"quarantine: {{datasource_id: ⟦lakes, table: x}}\nexpectations:\n{_TAKING}"
    trial.refuses(project(update(seq=30, extra="1"), more=more), "DATASOURCE_001")


def test_a_table_that_nothing_goes_to_is_pointed_out(trial: Trial) -> None:
    more = f"quarantine: ⟦{_TABLE.removeprefix('quarantine: ')}"
    (found,) = trial.refuses(project(update(seq=30, extra="1"), more=more), "EXPECT_005")
    assert found.severity == "warning"
    assert found.message == "no expectation quarantines rows: the table is never written"
