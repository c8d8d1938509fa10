"""`output`: SPEC section 5."""

from __future__ import annotations

import pytest

from rowbook.planning.steps import OutputStep, SortKey
from tests.support.trial import (
    BASE,
    LEDGER,
    Trial,
    aggregate,
    append,
    delete,
    output,
    plan_of,
    project,
    update,
)

SYSTEM = (
    *("_row_id", "_source_dataset_id", "_source_table", "_operation_seq"),
    *("_created_by_project_id", "_created_by_run_id", "_created_at", "_updated_at"),
    *("_deleted", "_labels"),
)

HISTORY = """\
dataset:
  name: history
  main_table:
    name: history
    temporal_mode: bitemporal
    columns:
      - {name: code, type: string}
      - {name: valid_from, type: date}
      - {name: valid_to, type: date}
---
dataset:
  name: history_of_system
  main_table:
    name: history
    temporal_mode: bitemporal
    columns:
      - {name: code, type: string}
      - {name: _valid_from, type: timestamp}
      - {name: _valid_to, type: timestamp}
---
dataset: {name: codes, main_table: {name: codes, columns: [{name: code, type: string}]}}
---
"""


def step_of(trial: Trial, operation: str) -> OutputStep:
    step = trial.step(operation)
    assert isinstance(step, OutputStep)
    return step


def written(trial: Trial, operation: str, dataset: str) -> tuple[str, ...]:
    """What an output of one of the datasets above writes."""
    step = plan_of(trial.accepts(HISTORY + project(operation, input_dataset_id=dataset))).steps[0]
    assert isinstance(step, OutputStep)
    return step.written


# --- columns


def test_all_columns_are_written_business_columns_first(trial: Trial) -> None:
    assert step_of(trial, output()).written == (*LEDGER, *SYSTEM, "_period")


def test_columns_made_before_come_after_the_declared_ones(trial: Trial) -> None:
    plan = trial.plan(project(update(net="1"), aggregate(seq=2, n="COUNT(*)"), output(seq=3)))
    step = plan.steps[2]
    assert isinstance(step, OutputStep)
    assert step.written == (*LEDGER, "net", "n", *SYSTEM, "_period")


def test_columns_that_are_given_are_exactly_those_in_that_order(trial: Trial) -> None:
    step = step_of(trial, output(more="columns: [amount, gl.journal_id, _row_id, _source_dataset]"))
    assert step.written == ("amount", "journal_id", "_row_id", "_source_dataset_id")


def test_an_output_changes_no_column(trial: Trial) -> None:
    plan = trial.plan(project(output(more="columns: [amount]")))
    assert plan.steps[0].columns == plan.columns


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("amount, ⟦amout", "unknown column 'amout'"),
        ("⟦accounts.group_code", "unknown column 'accounts.group_code'"),
        ("⟦ledger.amount", "unknown column 'ledger.amount'"),
        ("⟦Amount", "unknown column 'Amount'"),
        ("⟦_valid_from", "unknown column '_valid_from'"),
        ("amount, ⟦gl.amount", "column 'amount' stands twice"),
    ],
)
def test_columns_exist_and_stand_once(columns: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(output(more=f"columns: [{columns}]")), "OUTPUT_002")
    assert found.message == message


def test_an_unknown_column_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(output(more="columns: [⟦amout]")), "OUTPUT_002")
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'amount'?")


def test_a_column_that_comes_later_is_unknown(trial: Trial) -> None:
    trial.refuses(project(output(more="columns: [⟦net]"), update(seq=2, net="1")), "OUTPUT_002")


# --- registering


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("history", ("code", "valid_from", "valid_to")),
        ("history_of_system", ("code", "_valid_from", "_valid_to")),
        ("codes", ("code",)),
    ],
)
def test_registering_adds_what_the_temporal_mode_needs(
    dataset: str, expected: tuple[str, ...], trial: Trial
) -> None:
    operation = output(more="columns: [code], register_as_dataset: made")
    assert written(trial, operation, dataset) == expected
    assert written(trial, output(more="columns: [code]"), dataset) == ("code",)


def test_registering_adds_the_period(trial: Trial) -> None:
    step = step_of(trial, output(more="columns: [amount], register_as_dataset: closed.ledger-2"))
    assert step.written == ("amount", "_period")
    assert step.register_as == "closed.ledger-2"


def test_registering_leaves_a_period_where_it_is(trial: Trial) -> None:
    step = step_of(trial, output(more="columns: [_period, amount], register_as_dataset: closed"))
    assert step.written == ("_period", "amount")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ('""', "OUTPUT_004"),
        ('"  "', "OUTPUT_004"),
        ("a/b", "WORKSPACE_003"),
        ('"closed ledger"', "WORKSPACE_003"),
        ('"closed\\n"', "WORKSPACE_003"),
    ],
)
def test_a_dataset_is_registered_under_a_name(name: str, code: str, trial: Trial) -> None:
    trial.refuses(project(output(more=f"register_as_dataset: ⟦{name}")), code)


# --- order


def test_rows_are_ordered_by_columns_that_need_not_be_written(trial: Trial) -> None:
    more = 'columns: [amount], order_by: [gl.account_code, "-amount", _period]'
    assert step_of(trial, output(more=more)).order_by == (
        SortKey("account_code"),
        SortKey("amount", descending=True),
        SortKey("_period"),
    )


def test_without_an_order_rows_come_as_they_are(trial: Trial) -> None:
    assert step_of(trial, output()).order_by == ()


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        ("order_by: ⟦[]", "OUTPUT_010", "an order needs at least one column"),
        ("order_by: [amount, ⟦amoun]", "OUTPUT_002", "unknown column 'amoun'"),
        ('order_by: [⟦"--amount"]', "OUTPUT_002", "unknown column '-amount'"),
        ("order_by: [⟦accounts.group_code]", "OUTPUT_002", "unknown column 'accounts.group_code'"),
        ('order_by: [amount, ⟦"-gl.amount"]', "OUTPUT_010", "column 'amount' stands twice"),
    ],
)
def test_an_order_names_columns_once(more: str, code: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(output(more=more)), code)
    assert found.message == message


def test_a_table_of_a_database_has_no_order(trial: Trial) -> None:
    to = "{datasource_id: erp, table: result}"
    (found,) = trial.refuses(project(output(to=to, more="order_by: ⟦[amount]")), "OUTPUT_010")
    assert found.message == "a table of jdbc has no order"


# --- destinations


def test_a_table_of_a_data_source(trial: Trial) -> None:
    destination = step_of(trial, output()).destination
    assert (destination.datasource_id, destination.table) == ("lake", "result")
    assert destination.location is None


def test_a_table_of_a_database(trial: Trial) -> None:
    step = step_of(trial, output(to="{datasource_id: erp, table: finance.result}"))
    assert step.destination.table == "finance.result"


def test_a_location(trial: Trial) -> None:
    to = '{location: {path: out/result.csv, format: csv, options: {delimiter: ";", header: false}}}'
    location = step_of(trial, output(to=to)).destination.location
    assert location is not None
    assert (location.path, location.format) == ("out/result.csv", "csv")
    assert {name: cell.text for name, cell in location.options.items()} == {
        "delimiter": ";",
        "header": "false",
    }


def test_a_location_is_parquet_unless_it_says_otherwise(trial: Trial) -> None:
    location = step_of(trial, output(to="{location: {path: out}}")).destination.location
    assert location is not None
    assert location.format == "parquet"


@pytest.mark.parametrize(
    ("to", "message"),
    [
        ("⟦{}", "an output needs a destination"),
        ("⟦{datasource_id: lake}", "a destination in a data source needs table too"),
        ("⟦{table: t}", "a destination in a data source needs datasource_id too"),
        (
            "⟦{table: t, location: {path: out}}",
            "a destination is a table of a data source or a location, not both",
        ),
    ],
)
def test_a_destination_has_exactly_one_form(to: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(output(to=to)), "OUTPUT_003")
    assert found.message == message


def test_an_output_without_arguments_has_no_destination(trial: Trial) -> None:
    trial.refuses(project("- ⟦{seq: 1, name: a, type: output}"), "OUTPUT_003")


@pytest.mark.parametrize(
    ("to", "code"),
    [
        ("{datasource_id: ⟦lak, table: t}", "DATASOURCE_001"),
        ("{datasource_id: ⟦tape, table: t}", "DATASOURCE_005"),
        ("{location: {path: ⟦/etc/result}}", "DATASOURCE_004"),
        ("{location: {path: ⟦../result}}", "DATASOURCE_004"),
        ("{location: {path: ⟦out/../../result}}", "DATASOURCE_004"),
        ('{location: {path: ⟦"s3a://bucket/result"}}', "DATASOURCE_004"),
        ('{location: {path: ⟦"file:///etc/result"}}', "DATASOURCE_004"),
        ('{location: {path: ⟦"s3a://key:secret@bucket/result"}}', "DATASOURCE_003"),
        ("{datasource_id: lake, table: ⟦../../../result}", "DATASOURCE_004"),
        ("{datasource_id: lake, table: ⟦/etc/result}", "DATASOURCE_004"),
        ("{location: {path: ⟦.rowbook}}", "DATASOURCE_004"),
        ("{location: {path: ⟦.rowbook/sandbox/result}}", "DATASOURCE_004"),
        ("{datasource_id: lake, table: ⟦../../.rowbook/store.db}", "DATASOURCE_004"),
        ("{location: {path: out, options: {delimiter: ⟦x}}}", "DATASOURCE_002"),
        (
            "{location: {path: out, format: csv, options: {header_row: ⟦2}}}",
            "DATASOURCE_002",
        ),
        ("{location: {path: out, options: {secret_key: ⟦x}}}", "DATASOURCE_003"),
        ("{location: {path: out, format: ⟦xlsx}}", "YAML_004"),
        ("{location: ⟦{format: csv}}", "YAML_003"),
        ("{location: ⟦out}", "YAML_004"),
    ],
)
def test_destinations_that_are_refused(to: str, code: str, trial: Trial) -> None:
    trial.refuses(project(output(to=to)), code)


@pytest.mark.parametrize(
    "to",
    [
        '{location: {path: ⟦""}}',
        "{location: {path: ⟦.}}",
        "{location: {path: ⟦out/..}}",
        "{datasource_id: here, table: ⟦.}",
        "{location: {path: ⟦/mnt/lake}}",
        '{location: {path: ⟦"s3a://bucket/close/"}}',
    ],
)
def test_an_output_never_replaces_a_whole_location(to: str, trial: Trial) -> None:
    base = BASE.replace(
        "workspace: {", 'workspace: {allowed_locations: [/mnt/lake, "s3a://bucket/close"], '
    )
    base += "---\ndatasource: {name: here, type: csv}\n"
    (found,) = trial.refuses(project(output(to=to)), "DATASOURCE_004", base=base)
    assert found.hint == "name a file or folder in it"


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("{path: PATH, format: csv}", "files cannot be replaced there in one step"),
        ("{path: PATH, format: excel}", "tables of type excel cannot be written there"),
        (
            "{path: PATH, format: csv, options: {publication: pointer, single_file: true}}",
            "one file cannot be written there",
        ),
    ],
)
def test_what_a_store_cannot_replace_in_one_step_is_refused(
    to: str, says: str, trial: Trial
) -> None:
    base = BASE.replace("workspace: {", 'workspace: {allowed_locations: ["s3://bucket"], ')
    location = to.replace("PATH", '"s3://bucket/out"')
    text = project(output(to=f"{{location: {location}}}"))
    every = trial.check(text, base=base).diagnostics
    (found,) = (each for each in every if each.code == "DATASOURCE_008")
    assert says in found.message
    assert "publication: pointer" in (found.hint or "")


@pytest.mark.parametrize("kind", ["parquet", "delta"])
def test_nothing_is_written_to_azure(kind: str, trial: Trial) -> None:
    url = "abfss://lake@acme.dfs.core.windows.net"
    base = BASE.replace("workspace: {", f'workspace: {{allowed_locations: ["{url}"], ')
    to = f'{{location: {{path: ⟦"{url}/out", format: {kind}}}}}'
    (found,) = trial.refuses(project(output(to=to)), "DATASOURCE_008", base=base)
    assert "where data is only read" in found.message


def test_files_are_written_to_a_store_with_a_pointer(trial: Trial) -> None:
    base = BASE.replace("workspace: {", 'workspace: {allowed_locations: ["s3://bucket"], ')
    to = '{location: {path: "s3://bucket/out", format: csv, options: {publication: pointer}}}'
    trial.accepts(project(output(to=to)), base=base)


def test_an_output_never_goes_to_what_rowbook_keeps(trial: Trial) -> None:
    (trial.folder / ".rowbook").mkdir()
    (trial.folder / "out").symlink_to(trial.folder / ".rowbook")
    to = "{location: {path: ⟦out/result}}"
    (found,) = trial.refuses(project(output(to=to)), "DATASOURCE_004")
    told = "'out/result' leads into .rowbook/, where Rowbook keeps its store and drafts"
    assert (found.message, found.hint) == (told, "write to a folder outside of .rowbook/")


# --- the rest


@pytest.mark.parametrize("mode", ["replace", "append", "error_if_exists"])
def test_modes(mode: str, trial: Trial) -> None:
    assert step_of(trial, output(more=f"mode: {mode}")).mode == mode


def test_the_mode_is_replace_unless_it_says_otherwise(trial: Trial) -> None:
    assert step_of(trial, output()).mode == "replace"


def test_an_unknown_mode_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(project(output(more="mode: ⟦apend")), "YAML_004")
    assert found.message == "'apend' is not a value of 'mode'"
    assert found.hint == "did you mean 'append'?  allowed: replace, append, error_if_exists"


@pytest.mark.parametrize(
    ("selector", "code"),
    [
        ("amount >⟦", "OUTPUT_001"),
        ("⟦amout > 0", "OUTPUT_001"),
        ("⟦fx.rate > 0", "OUTPUT_001"),
        ("⟦{{nope}}", "OUTPUT_001"),
        ("⟦amount", "OUTPUT_005"),
        ("⟦amount > 'x'", "EXPR_004"),
        ("⟦NOPE(amount)", "EXPR_005"),
        ("⟦COUNT(*) > 0", "EXPR_007"),
    ],
)
def test_faults_of_the_selector(selector: str, code: str, trial: Trial) -> None:
    trial.refuses(project(output(selector=selector)), code)


def test_the_selector_may_use_lookups(trial: Trial) -> None:
    step = step_of(trial, output(selector="groups.title = 'Revenue'"))
    assert [join.alias for join in step.joins] == ["accounts", "groups"]


def test_an_output_may_stand_anywhere_and_more_than_once(trial: Trial) -> None:
    plan = trial.plan(
        project(
            output(), delete(seq=2), output(seq=3), append("late_entries", seq=4), output(seq=5)
        )
    )
    assert [type(s).__name__ for s in plan.steps] == [
        *("OutputStep", "DeleteStep", "OutputStep", "AppendStep", "OutputStep")
    ]
