"""Scenarios as `validate` sees them: SPEC section 9."""

from __future__ import annotations

import pytest

from tests.support.trial import BASE, Trial, append, delete, marks, output, places, project, update

PROJECT = project(update(net="amount * 2"), output(seq=2, more="columns: [journal_id, net]"))


def scenario(
    expect: str = "{working: {rows: []}}",
    *,
    given: str = "{gl_entries: {rows: []}}",
    of: str = "trial",
    more: str = "",
    period: str = '"2026-01"',
) -> str:
    return (
        f"scenario:\n  name: s\n  period: {period}\n{more}"
        f"  project: {of}\n  input: {given}\n  expect: {expect}\n"
    )


def refuses(trial: Trial, text: str, *codes: str) -> list[str]:
    """The messages; the project stands in a file of its own."""
    found = trial.check(text, files={"projects/project.yaml": PROJECT}).diagnostics
    assert places(found) == list(zip(codes, marks(text), strict=True)), list(map(str, found))
    return [d.message for d in found]


def accepts(trial: Trial, text: str) -> None:
    assert refuses(trial, text) == []


# --- project


def test_a_scenario_of_a_project_of_the_workspace(trial: Trial) -> None:
    accepts(trial, scenario())


def test_a_project_is_named_by_its_id_too(trial: Trial) -> None:
    """The id is uuid5 of project:trial."""
    accepts(trial, scenario(of="77593052-2756-5922-8170-cf94b15ad3bc"))
    accepts(trial, scenario(of="77593052-2756-5922-8170-CF94B15AD3BC"))


def test_an_unknown_project(trial: Trial) -> None:
    assert refuses(trial, scenario(of="⟦trail"), "SCENARIO_002") == [
        "project 'trail' is not defined"
    ]


INLINE = (
    "{input_dataset_id: gl_entries, operations: [{seq: 1, name: a, type: delete,"
    ' selector: "amount = 0"}]}'
)


def test_an_inline_project(trial: Trial) -> None:
    accepts(trial, scenario(of=INLINE))


def test_faults_of_an_inline_project_are_found_in_the_scenario(trial: Trial) -> None:
    refuses(trial, scenario(of=INLINE.replace("amount = 0", "⟦amout = 0")), "EXPR_002")


def test_one_faulty_operation_does_not_hide_the_others(trial: Trial) -> None:
    refuses(
        trial,
        scenario(
            of="{input_dataset_id: gl_entries, operations: [{seq: 1, name: a, type: delete,"
            ' selector: "⟦amout = 0"}, {seq: 2, name: b, type: ⟦upsert}]}'
        ),
        "EXPR_002",
        "PROJECT_004",
    )


def test_unless_the_scenario_expects_an_error(trial: Trial) -> None:
    expected = "{error: {code: EXPR_002, contains: amout}}"
    accepts(trial, scenario(expected, of=INLINE.replace("amount = 0", "amout = 0")))
    expected = "{error: {code: PROJECT_004}}"
    accepts(trial, scenario(expected, of=INLINE.replace("type: delete", "type: upsert")))


def test_faults_of_a_project_of_the_workspace_are_not_repeated(trial: Trial) -> None:
    broken = project(delete("amout = 0"))
    found = trial.check(scenario(), files={"projects/project.yaml": broken}).diagnostics
    assert [(d.code, d.position and d.position.file) for d in found] == [
        ("EXPR_002", "projects/project.yaml")
    ]


def test_data_sources_and_resolvers_need_not_exist(trial: Trial) -> None:
    inline = (
        "{input_dataset_id: gl_entries, operations: [{seq: 1, name: a, type: output,"
        " arguments: {destination: {datasource_id: nowhere, table: t}}}]}"
    )
    base = BASE.replace(", default_resolver_id: warehouse", "")
    text = scenario("{outputs: {t: {rows: []}}}", of=inline)
    assert trial.check(text, base=base).diagnostics == ()


# --- datasets


OWN = (
    "  datasets:\n    - name: gl_entries\n      main_table: {name: gl, columns:"
    " [{name: journal_id, type: string}, {name: amount, type: integer}]}\n"
)


def test_inline_datasets_stand_in_for_those_of_the_workspace(trial: Trial) -> None:
    accepts(trial, scenario(more=OWN, given="{gl_entries: {rows: [{amount: 12}]}}"))
    refuses(
        trial, scenario(more=OWN, given="{gl_entries: {rows: [{amount: ⟦1.5}]}}"), "SCENARIO_004"
    )


def test_faults_of_inline_datasets_are_found(trial: Trial) -> None:
    broken = OWN.replace("type: integer", "type: ⟦text")
    refuses(trial, scenario(more=broken), "DATASET_002")


# --- input


def test_every_dataset_that_the_project_uses_has_input(trial: Trial) -> None:
    messages = refuses(trial, scenario(given="⟦{rates: {rows: []}}"), "SCENARIO_001")
    assert messages == ["the project uses dataset 'gl_entries', but input gives no rows for it"]


def test_a_view_needs_the_rows_of_the_dataset_that_it_reads(trial: Trial) -> None:
    view = "dataset: {name: last, of: gl_entries, periods: previous}\n"
    inline = (
        '{input_dataset_id: last, operations: [{seq: 1, name: a, type: delete, selector: "FALSE"}]}'
    )
    files = {"datasets/views.yaml": view}
    given = "{gl_entries: {rows: []}}"
    assert trial.check(scenario(of=inline, given=given), files=files).diagnostics == ()
    text = scenario(of=inline, given="⟦{last: ⟦{rows: []}}")
    found = trial.refuses(text, "SCENARIO_001", "SCENARIO_001", files=files)
    assert [each.message for each in found] == [
        "the project uses dataset 'gl_entries', but input gives no rows for it",
        "dataset 'last' reads the rows of 'gl_entries'",
    ]


def test_joins_lookups_and_appends_are_uses(trial: Trial) -> None:
    uses_all = project(
        update(
            joins='{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}',
            net="fx.rate",
            title="groups.title",
        ),
        append("late_entries", seq=2),
    )
    text = scenario(given="⟦⟦⟦⟦{gl_entries: {rows: []}}")
    found = trial.check(text, files={"projects/project.yaml": uses_all}).diagnostics
    assert [d.hint for d in found] == [
        "add accounts: {rows: []}",
        "add groups: {rows: []}",
        "add late_entries: {rows: []}",
        "add rates: {rows: []}",
    ]
    assert places(found) == [("SCENARIO_001", place) for place in marks(text)]


@pytest.mark.parametrize(
    ("rows", "code", "message"),
    [
        ("⟦{}", "SCENARIO_001", "input is given either as rows or as a file"),
        ("⟦{rows: [], file: a.csv}", "SCENARIO_001", "input is given either as rows or as a file"),
        ("{rows: [{amout: ⟦1}]}", "SCENARIO_003", "dataset 'gl_entries' has no column 'amout'"),
        (
            "{rows: [{amount: ⟦abc}]}",
            "SCENARIO_004",
            "'abc' does not fit for column 'amount', decimal(18,2)",
        ),
        ("{rows: ⟦{amount: 1}}", "YAML_004", "'rows' must be a list"),
        ("{rows: [⟦1]}", "YAML_004", "'rows' must be a mapping"),
        ("{rows: [{amount: ⟦[1]}]}", "YAML_004", "'amount' must be a single value"),
    ],
)
def test_faults_of_input(rows: str, code: str, message: str, trial: Trial) -> None:
    text = scenario(given=f"{{gl_entries: {rows}}}")
    assert refuses(trial, text, code) == [message]


def test_an_unknown_dataset_in_input(trial: Trial) -> None:
    messages = refuses(
        trial, scenario(given="{gl_entries: {rows: []}, rats: ⟦{rows: []}}"), "DATASET_007"
    )
    assert messages == ["dataset 'rats' is not defined"]


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        *(("amount", cell) for cell in ("10.50", '"10.50"', "10", "-0.5", "1e2", "null", "10.500")),
        *(("line_number", cell) for cell in ("1", '"1"', "-9223372036854775808", "~")),
        *(("weight", cell) for cell in ("1", "1.5", "1e-3")),
        *(("posted", cell) for cell in ("true", '"false"', "FALSE")),
        *(("posting_date", cell) for cell in ("2026-01-31", '"2026-01-31"')),
        *(("entered", cell) for cell in ('"2026-01-31T10:00:00Z"', "2026-01-31")),
        *(("currency", cell) for cell in ("EUR", "NO", "on", "12", '""')),
        ("_period", '"2025-12"'),
        ("_labels", "x"),
        ("_deleted", "true"),
    ],
)
def test_cells_are_read_by_the_type_of_their_column(column: str, cell: str, trial: Trial) -> None:
    accepts(trial, scenario(given=f"{{gl_entries: {{rows: [{{{column}: {cell}}}]}}}}"))


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        *(
            ("amount", cell)
            for cell in ("10.555", "abc", '""', "1e30", "true", "99999999999999999")
        ),
        *(("line_number", cell) for cell in ("1.0", "one", "9223372036854775808", "0x10")),
        ("weight", "heavy"),
        *(("posted", cell) for cell in ("yes", "1")),
        *(("posting_date", cell) for cell in ("31.01.2026", "2026-02-30", "2026")),
        ("entered", "10:00"),
    ],
)
def test_a_cell_that_does_not_fit_is_refused(column: str, cell: str, trial: Trial) -> None:
    text = scenario(given=f"{{gl_entries: {{rows: [{{{column}: ⟦{cell}}}]}}}}")
    refuses(trial, text, "SCENARIO_004")


# --- expect


@pytest.mark.parametrize(
    "expect",
    [
        "{working: {rows: [{journal_id: J1, net: 21.00, _deleted: false}]}}",
        "{working: {file: expected.csv}}",
        "{outputs: {result: {rows: [{net: 21.00}], columns: [journal_id, net]}}}",
        "{outputs: {result: {columns: [journal_id, net]}}}",
        "{ledger: [{seq: 1, matched: 3}]}",
        "{error: {code: RUN_001}}",
        "{error: {code: APPEND_003, contains: kind}, ledger: []}",
    ],
)
def test_expectations(expect: str, trial: Trial) -> None:
    accepts(trial, scenario(expect))


@pytest.mark.parametrize(
    ("expect", "code", "message"),
    [
        (
            "⟦{}",
            "SCENARIO_005",
            "a scenario expects something: working, outputs, ledger, expectations, quarantined or"
            " error",
        ),
        (
            "{error: ⟦{code: EXPR_002}, working: {rows: []}}",
            "SCENARIO_005",
            "a scenario expects an error, or rows, not both",
        ),
        ("{error: {code: ⟦EXPR_02}}", "SCENARIO_005", "'EXPR_02' is not a code"),
        ("{error: ⟦{contains: x}}", "YAML_003", "required key 'code' is missing"),
        ("{working: ⟦{}}", "SCENARIO_005", "expected rows are given as rows or as a file"),
        (
            "{outputs: {result: ⟦{rows: [], file: x.csv}}}",
            "SCENARIO_005",
            "expected rows are given as rows or as a file",
        ),
        (
            "{working: {rows: [{nett: ⟦1}]}}",
            "SCENARIO_003",
            "the working dataset has no column 'nett'",
        ),
        (
            "{working: {rows: [{net: ⟦abc}]}}",
            "SCENARIO_004",
            "'abc' does not fit for column 'net', decimal(20,2)",
        ),
        ("{outputs: {reslt: ⟦{rows: []}}}", "SCENARIO_003", "the project has no output 'reslt'"),
        (
            "{outputs: {result: {rows: [{amount: ⟦1}]}}}",
            "SCENARIO_003",
            "output 'result' has no column 'amount'",
        ),
        (
            "{outputs: {result: {columns: [net, ⟦journal]}}}",
            "SCENARIO_003",
            "output 'result' has no column 'journal'",
        ),
        (
            "{outputs: {result: {rows: [{net: ⟦1.005}]}}}",
            "SCENARIO_004",
            "'1.005' does not fit for column 'net', decimal(20,2)",
        ),
        ("{ledger: [⟦{matched: 1}]}", "YAML_003", "required key 'seq' is missing"),
        (
            "{ledger: [{seq: 1}, {seq: ⟦3}]}",
            "SCENARIO_005",
            "the project has no operation with seq 3",
        ),
        ("{⟦workin: {rows: []}, ledger: []}", "YAML_002", "unknown key 'workin'"),
    ],
)
def test_faults_of_expectations(expect: str, code: str, message: str, trial: Trial) -> None:
    text = scenario(expect)
    if "workin:" in expect:
        text = scenario(expect.replace("ledger: []", "ledger: [{seq: 1}]"))
    assert refuses(trial, text, code) == [message]


def test_an_output_to_a_location_is_named_by_its_path(trial: Trial) -> None:
    inline = (
        "{input_dataset_id: gl_entries, operations: [{seq: 1, name: a, type: output,"
        " arguments: {destination: {location: {path: out/x.csv, format: csv}}}}]}"
    )
    accepts(trial, scenario('{outputs: {"out/x.csv": {rows: []}}}', of=inline))


def test_two_outputs_of_one_name_may_have_different_columns(trial: Trial) -> None:
    two = project(
        output(more="columns: [journal_id]"), output(seq=2, more="columns: [amount], mode: append")
    )
    text = scenario("{outputs: {result: {rows: [{journal_id: J1}, {amount: 1}]}}}")
    assert trial.check(text, files={"projects/project.yaml": two}).diagnostics == ()


# --- match


def test_a_value_that_may_be_off_need_not_fit(trial: Trial) -> None:
    match = "  match: {tolerance: {net: 0.01}, ignore: [currency]}\n"
    accepts(trial, scenario("{working: {rows: [{net: 1.005}]}}", more=match))


@pytest.mark.parametrize(
    ("match", "code"),
    [
        ("{mode: ⟦exakt}", "YAML_004"),
        ("{order: ⟦maybe}", "YAML_004"),
        ("{tolerance: {net: ⟦-1}}", "SCENARIO_005"),
        ("{tolerance: {net: ⟦some}}", "SCENARIO_005"),
        ("{⟦tolerances: {net: 1}}", "YAML_002"),
    ],
)
def test_faults_of_matching(match: str, code: str, trial: Trial) -> None:
    refuses(trial, scenario(more=f"  match: {match}\n"), code)


# --- period and clock


@pytest.mark.parametrize("period", ['"2026-01"', "2026-01", "2026", '"2026-Q1"', '"2026-W05"'])
def test_periods(period: str, trial: Trial) -> None:
    accepts(trial, scenario(period=period))


@pytest.mark.parametrize("period", ['"2026-13"', "January", '"2026-1"'])
def test_a_period_is_one_of_the_project_s_calendar(period: str, trial: Trial) -> None:
    refuses(trial, scenario(period=f"⟦{period}"), "PERIOD_001")


def test_a_scenario_may_expect_that_its_period_is_refused(trial: Trial) -> None:
    accepts(trial, scenario("{error: {code: PERIOD_001}}", period='"2026-13"'))


@pytest.mark.parametrize(
    "more",
    ["  as_of: 2026-01-15\n", '  now: "2026-02-01T08:00:00Z"\n', '  as_of: "2026-01-15 10:00"\n'],
)
def test_clocks(more: str, trial: Trial) -> None:
    accepts(trial, scenario(more=more))


@pytest.mark.parametrize("more", ["  as_of: ⟦yesterday\n", "  now: ⟦2026-02-30\n"])
def test_faulty_clocks(more: str, trial: Trial) -> None:
    refuses(trial, scenario(more=more), "SCENARIO_004")


# --- form


def test_names_of_scenarios_are_unique(trial: Trial) -> None:
    second = scenario().replace("name: s", "name: ⟦s")
    text = scenario() + "---\n" + second
    assert refuses(trial, text, "WORKSPACE_002") == [
        "scenario name 's' is taken already at projects/trial.yaml:2:9"
    ]


@pytest.mark.parametrize("missing", ["name", "period", "project", "expect"])
def test_required_keys(missing: str, trial: Trial) -> None:
    parts = {
        "name": "s",
        "period": '"2026-01"',
        "project": "trial",
        "input": "{gl_entries: {rows: []}}",
        "expect": "{working: {rows: []}}",
    }
    del parts[missing]
    text = "scenario: ⟦{" + ", ".join(f"{key}: {value}" for key, value in parts.items()) + "}"
    assert refuses(trial, text, "YAML_003") == [f"required key '{missing}' is missing"]
