"""Definitions of datasets: SPEC sections 2 and 3."""

from __future__ import annotations

import pytest

from rowbook.expressions import types as t
from rowbook.planning.datasets import Dataset
from tests.support.trial import NO_DEFAULT, Trial, delete, plan_of, project, types, update


def dataset(columns: str, *, table: str = "name: t", more: str = "") -> str:
    """A dataset with these columns, in the flow style."""
    return f"dataset:\n  name: d\n  main_table: {{{table}, columns: [{columns}]}}\n{more}"


def typed(trial: Trial, text: str) -> Dataset:
    """The dataset as a project that starts from it sees it."""
    return plan_of(
        trial.accepts(text + "---\n" + project(delete("TRUE"), input_dataset_id="d"))
    ).input


# --- columns


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("integer", 'thousands_separator: "."'),
        ("float", 'decimal_separator: ",", thousands_separator: " ", negative: trailing'),
        ("decimal", 'strip: "€", negative: parentheses'),
        ("date", "date_format: dd.MM.yyyy"),
        ("timestamp", "timestamp_format: dd.MM.yyyy HH:mm"),
        ("string", ""),
    ],
)
def test_a_column_may_say_how_it_is_written(kind: str, form: str, trial: Trial) -> None:
    trial.accepts(dataset(f"{{name: a, type: {kind}, format: {{{form}}}}}"))


@pytest.mark.parametrize(
    ("kind", "form", "message"),
    [
        ("string", "strip: ⟦x", "strip says nothing about a column that is string"),
        (
            "date",
            "timestamp_format: ⟦x",
            "timestamp_format says nothing about a column that is date",
        ),
        ("integer", "date_format: ⟦x", "date_format says nothing about a column that is integer"),
        (
            "date",
            "date_format: ⟦dd.MM",
            "'date_format' is 'dd.MM', but must be made of yyyy, MM, dd and punctuation",
        ),
        (
            "float",
            'decimal_separator: ",", thousands_separator: ⟦","',
            "'thousands_separator' is ',', and so is decimal_separator: they must differ",
        ),
    ],
)
def test_a_format_is_for_its_type(kind: str, form: str, message: str, trial: Trial) -> None:
    text = dataset(f"{{name: a, type: {kind}, format: {{{form}}}}}")
    (found,) = trial.refuses(text, "DATASET_017")
    assert found.message == message


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("string", t.STRING),
        ("integer", t.INTEGER),
        ("float", t.FLOAT),
        ("boolean", t.BOOLEAN),
        ("date", t.DATE),
        ("timestamp", t.TIMESTAMP),
        ("decimal", t.decimal(24, 6)),
        ('"decimal(18,2)"', t.decimal(18, 2)),
        ('"decimal(38, 38)"', t.decimal(38, 38)),
    ],
)
def test_types(written: str, expected: t.Type, trial: Trial) -> None:
    found = typed(trial, dataset(f"{{name: a, type: {written}}}")).fields
    assert [(f.name, f.type, f.nullable) for f in found] == [("a", expected, True)]


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ("text", "types: string, integer, float, boolean, date, timestamp, decimal, decimal(p,s)"),
        (
            "strng",
            "did you mean 'string'?  types: string, integer, float, boolean, date, timestamp,"
            " decimal, decimal(p,s)",
        ),
        ('"decimal(39,2)"', "precision is 1 to 38, scale 0 to precision"),
        ('"decimal(2,3)"', "precision is 1 to 38, scale 0 to precision"),
    ],
)
def test_an_unknown_type_is_refused(written: str, hint: str, trial: Trial) -> None:
    (found,) = trial.refuses(dataset(f"{{name: a, type: ⟦{written}}}"), "DATASET_002")
    assert found.hint == hint


def test_a_column_of_unknown_type_is_no_second_error_where_it_is_used(trial: Trial) -> None:
    trial.refuses(
        dataset("{name: a, type: ⟦text}")
        + "---\n"
        + project(update(b="a + 1", c="CONCAT(a, 'x')"), input_dataset_id="d"),
        "DATASET_002",
    )


@pytest.mark.parametrize("name", ["1st", '"a b"', "a-b", "größe", '"Amount (USD)"', '""', "a.b"])
def test_a_column_is_named_with_letters_digits_and_underscores(name: str, trial: Trial) -> None:
    (found,) = trial.refuses(dataset(f"{{name: ⟦{name}, type: string}}"), "DATASET_001")
    assert found.hint == "say `source:` where the physical name differs"


def test_the_physical_name_may_be_anything(trial: Trial) -> None:
    found = typed(trial, dataset('{name: amount, type: integer, source: "Amount (USD)"}'))
    assert found.definition.main_table.columns[0].source == "Amount (USD)"


def test_names_are_case_sensitive_but_may_not_differ_by_case_alone(trial: Trial) -> None:
    (found,) = trial.refuses(
        dataset("{name: amount, type: string}, {name: ⟦Amount, type: string}"), "DATASET_003"
    )
    assert found.message == "column 'Amount' differs from 'amount' only by case"


def test_a_column_stands_once(trial: Trial) -> None:
    (found,) = trial.refuses(
        dataset("{name: a, type: string}, {name: ⟦a, type: string}"), "DATASET_003"
    )
    assert found.message == "column 'a' stands twice"


@pytest.mark.parametrize(
    "text",
    [
        "dataset:\n  name: d\n  main_table: {name: t, columns: ⟦[]}\n",
        "dataset:\n  name: d\n  main_table: ⟦{name: t}\n",
    ],
)
def test_a_table_has_columns(text: str, trial: Trial) -> None:
    trial.refuses(text, "DATASET_006")


@pytest.mark.parametrize("name", ["g-l", '"my table"', "1"])
def test_a_table_is_named_like_a_column(name: str, trial: Trial) -> None:
    trial.refuses(dataset("{name: a, type: string}", table=f"name: ⟦{name}"), "DATASET_001")


def test_natural_keys_are_declared_columns(trial: Trial) -> None:
    (found,) = trial.refuses(
        dataset("{name: code, type: string}", more="  natural_key_columns: [code, ⟦cod]\n"),
        "DATASET_004",
    )
    assert found.message == "natural key column 'cod' is not declared"
    assert found.hint == "did you mean 'code'?  columns: code"


# --- system columns


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *((n, "string") for n in ("_row_id", "_source_dataset_id", "_source_table", "_labels")),
        *((n, "string") for n in ("_created_by_project_id", "_created_by_run_id", "_period")),
        *((n, "timestamp") for n in ("_created_at", "_updated_at", "_valid_from")),
        ("_operation_seq", "integer"),
        ("_deleted", "boolean"),
        ("_valid_to", "date"),
    ],
)
def test_a_source_may_hold_system_columns(name: str, kind: str, trial: Trial) -> None:
    columns = f"{{name: a, type: string}}, {{name: {name}, type: {kind}}}"
    found = typed(trial, dataset(columns))
    assert [f.name for f in found.fields] == ["a", name]


@pytest.mark.parametrize("name", ["_mine", "_", "__a", "_source_dataset"])
def test_other_names_with_underscore_belong_to_the_system(name: str, trial: Trial) -> None:
    trial.refuses(dataset(f"{{name: ⟦{name}, type: string}}"), "SYSTEM_COLUMN")


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("_period", "date", "system column '_period' is string, not date"),
        ("_deleted", "integer", "system column '_deleted' is boolean, not integer"),
        ("_valid_to", "string", "system column '_valid_to' is date or timestamp, not string"),
    ],
)
def test_a_system_column_has_its_own_type(name: str, kind: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(dataset(f"{{name: {name}, type: ⟦{kind}}}"), "DATASET_002")
    assert found.message == message


SYSTEM = [
    ("_row_id", "string"),
    ("_source_dataset_id", "string"),
    ("_source_table", "string"),
    ("_operation_seq", "integer?"),
    ("_created_by_project_id", "string"),
    ("_created_by_run_id", "string"),
    ("_created_at", "timestamp"),
    ("_updated_at", "timestamp"),
    ("_deleted", "boolean"),
    ("_labels", "string"),
]


@pytest.mark.parametrize(
    ("table", "columns", "more"),
    [
        ("name: t", "", []),
        ("name: t, temporal_mode: period", "", [("_period", "string?")]),
        (
            "name: t, temporal_mode: period",
            ", {name: _period, type: string, nullable: false}",
            [("_period", "string?")],
        ),
        (
            "name: t, temporal_mode: bitemporal",
            ", {name: _valid_from, type: date, nullable: false}, {name: _valid_to, type: date}",
            [("_valid_from", "date"), ("_valid_to", "date?")],
        ),
        (
            "name: t, temporal_mode: bitemporal",
            ", {name: valid_from, type: date}, {name: valid_to, type: date}",
            [],
        ),
    ],
)
def test_the_working_dataset_has_the_system_columns_of_its_mode(
    table: str, columns: str, more: list[tuple[str, str]], trial: Trial
) -> None:
    text = dataset("{name: a, type: string}" + columns, table=table)
    plan = plan_of(trial.accepts(text + "---\n" + project(delete("TRUE"), input_dataset_id="d")))
    fields = plan.columns.fields.values()
    system = [(f.name, f"{f.type}{'?' if f.nullable else ''}") for f in fields if f.name[0] == "_"]
    assert system == [*SYSTEM, *more]


def test_validity_columns_without_underscore_stay_business_columns(trial: Trial) -> None:
    found = typed(
        trial,
        dataset(
            "{name: a, type: string}, {name: valid_from, type: date}, {name: valid_to, type: date}",
            table="name: t, temporal_mode: bitemporal",
        ),
    )
    assert types(found.working_columns()) == {
        "a": "string?",
        "valid_from": "date?",
        "valid_to": "date?",
    }
    assert found.validity == ("valid_from", "valid_to")


# --- bitemporal


PAIRS = ["_valid_from/_valid_to", "valid_from/valid_to", "_period_from/_period_to"]


def pair(names: str, kind: str = "date") -> str:
    return ", ".join(f"{{name: {name}, type: {kind}}}" for name in names.split("/"))


@pytest.mark.parametrize("names", PAIRS)
@pytest.mark.parametrize("kind", ["date", "timestamp"])
def test_a_bitemporal_table_declares_its_validity_pair(names: str, kind: str, trial: Trial) -> None:
    found = typed(trial, dataset(pair(names, kind), table="name: t, temporal_mode: bitemporal"))
    assert found.validity == tuple(names.split("/"))


def test_the_first_pair_counts(trial: Trial) -> None:
    columns = ", ".join(pair(names) for names in reversed(PAIRS))
    found = typed(trial, dataset(columns, table="name: t, temporal_mode: bitemporal"))
    assert found.validity == ("_valid_from", "_valid_to")


@pytest.mark.parametrize(
    "columns",
    [
        "{name: a, type: string}",
        "{name: valid_from, type: date}",
        "{name: _valid_from, type: date}, {name: valid_to, type: date}",
        "{name: valid_from, type: string}, {name: valid_to, type: string}",
        "{name: valid_from, type: date}, {name: valid_to, type: timestamp}",
    ],
)
def test_a_bitemporal_table_without_a_pair_is_refused(columns: str, trial: Trial) -> None:
    trial.refuses(dataset(columns, table="name: t, temporal_mode: ⟦bitemporal"), "DATASET_005")


@pytest.mark.parametrize("mode", ["snapshot", "Period", "monthly"])
def test_there_are_two_modes_and_none(mode: str, trial: Trial) -> None:
    (found,) = trial.refuses(
        dataset("{name: a, type: string}", table=f"name: t, temporal_mode: ⟦{mode}"), "YAML_004"
    )
    assert found.message == f"'{mode}' is not a value of 'temporal_mode'"


def test_a_mode_without_value_is_none(trial: Trial) -> None:
    found = typed(trial, dataset("{name: a, type: string}", table="name: t, temporal_mode: null"))
    assert found.definition.main_table.temporal_mode is None


def test_a_date_that_says_the_period_is_never_null(trial: Trial) -> None:
    columns = "{name: a, type: string}, {name: posted, type: date}"
    table = "name: t, temporal_mode: period, period_from: posted"
    found = typed(trial, dataset(columns, table=table))
    assert [(field.name, field.nullable) for field in found.fields] == [
        ("a", True),
        ("posted", False),
    ]
    assert "_period" in found.readable.fields


@pytest.mark.parametrize(
    ("columns", "table", "message"),
    [
        ("{name: d, type: date}", "name: t, period_from: ⟦d", "temporal_mode: period"),
        ("{name: d, type: date}", "name: t, temporal_mode: period, period_from: ⟦e", "declared"),
        (
            "{name: d, type: string}",
            "name: t, temporal_mode: period, period_from: ⟦d",
            "column 'd' is string, not date or timestamp",
        ),
        (
            "{name: d, type: date}, {name: _period, type: string}",
            "name: t, temporal_mode: period, period_from: ⟦d",
            "one of them says the period",
        ),
    ],
)
def test_a_period_comes_from_a_date_of_a_periodic_table(
    columns: str, table: str, message: str, trial: Trial
) -> None:
    (found,) = trial.refuses(dataset(columns, table=table), "DATASET_016")
    assert message in found.message


# --- versions, status, resolver


def test_a_file_states_a_version_or_has_the_first(trial: Trial) -> None:
    columns = "{name: a, type: string}"
    assert typed(trial, dataset(columns)).version == 1
    assert typed(trial, dataset(columns, more="  version: 4\n")).version == 4


def test_a_version_is_positive(trial: Trial) -> None:
    trial.refuses(dataset("{name: a, type: string}", more="  version: ⟦0\n"), "YAML_004")


def test_the_latest_active_version_is_taken(trial: Trial) -> None:
    def version(number: int, status: str) -> str:
        more = f"  version: {number}\n  status: {status}\n---\n"
        return dataset(f"{{name: v{number}, type: string}}", more=more)

    text = version(2, "active") + version(3, "disabled") + version(1, "active")
    plan = plan_of(trial.accepts(text + project(delete("v2 = 'x'"), input_dataset_id="d")))
    assert plan.input.version == 2


def test_a_pinned_version_of_the_input(trial: Trial) -> None:
    old = dataset("{name: a, type: string}", more="  version: 1\n---\n")
    new = dataset("{name: a, type: integer}", more="  version: 2\n---\n")
    pin = project(delete("a = 'x'"), input_dataset_id="d", more="input_dataset_version: 1")
    assert plan_of(trial.accepts(old + new + pin)).input.version == 1


def test_a_pinned_version_that_does_not_exist(trial: Trial) -> None:
    (found,) = trial.refuses(
        project(delete("posted"), more="input_dataset_version: ⟦3"), "DATASET_008"
    )
    assert (found.message, found.hint) == ("dataset 'gl_entries' has no version 3", "versions: 1")


def test_a_disabled_dataset_is_refused_as_input(trial: Trial) -> None:
    (found,) = trial.refuses(project(delete("TRUE"), input_dataset_id="⟦retired"), "DATASET_009")
    assert found.message == "dataset 'retired' is disabled"


def test_a_disabled_dataset_that_nobody_uses_is_fine(trial: Trial) -> None:
    trial.accepts(dataset("{name: a, type: string}", more="  status: disabled\n"))


def test_a_resolver_that_is_named_exists(trial: Trial) -> None:
    (found,) = trial.refuses(
        dataset("{name: a, type: string}", more="  resolver_id: ⟦warehous\n"), "RESOLVER_001"
    )
    assert found.hint == "did you mean 'warehouse'?  resolvers: warehouse"


def test_a_dataset_that_nobody_uses_needs_no_resolver(trial: Trial) -> None:
    trial.accepts(dataset("{name: a, type: string}"), base=NO_DEFAULT)


# --- form


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("dataset: ⟦{name: d}", "YAML_003", "required key 'main_table' is missing"),
        (
            "dataset: ⟦{main_table: {name: t, columns: [{name: a, type: string}]}}",
            "YAML_003",
            "required key 'name' is missing",
        ),
        (
            "dataset: {name: d, main_table: {name: t, columns: [⟦{name: a}]}}",
            "YAML_003",
            "required key 'type' is missing",
        ),
        (
            "dataset: {name: d, main_table: {name: t, columns: ⟦{a: string}}}",
            "YAML_004",
            "'columns' must be a list",
        ),
        (
            "dataset: {name: d, main_table: {name: t, columns: [⟦a]}}",
            "YAML_004",
            "'columns' must be a mapping",
        ),
        (
            "dataset: {name: d, main_table: {name: t, columns:"
            " [{name: a, type: string, nullable: ⟦maybe}]}}",
            "YAML_004",
            "'nullable' must be true or false, not 'maybe'",
        ),
        (
            "dataset: {name: d, status: ⟦enabled, main_table:"
            " {name: t, columns: [{name: a, type: string}]}}",
            "YAML_004",
            "'enabled' is not a value of 'status'",
        ),
        (
            "dataset: {name: d, version: ⟦two, main_table:"
            " {name: t, columns: [{name: a, type: string}]}}",
            "YAML_004",
            "'version' must be a whole number, not 'two'",
        ),
        (
            "dataset: {name: ⟦my data, main_table: {name: t, columns: [{name: a, type: string}]}}",
            "WORKSPACE_003",
            "'my data' is not a name",
        ),
    ],
)
def test_faults_of_form(text: str, code: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(text, code)
    assert found.message == message


def test_an_unknown_key_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(dataset("{name: a, type: string, ⟦nulable: false}"), "YAML_002")
    assert found.message == "unknown key 'nulable'"
    assert found.hint == "did you mean 'nullable'?  keys: nullable, source, format, description"
