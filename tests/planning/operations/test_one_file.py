"""Outputs that are one file: with which modes and periods, and sheets of one workbook."""

from __future__ import annotations

import pytest

from tests.support.trial import BASE, Trial, output, project

CSV = "{location: {path: exports/guv, format: csv, options: {single_file: true%s}}}"
JSON = '{location: {path: "x/{{identifier}}.json", format: json, options: {single_file: true}}}'
EXCEL = "{location: {path: exports/guv.xlsx, format: excel, options: {sheet: %s}}}"
AMOUNTS = "columns: [account_code, amount]"
BOOKS = BASE + "---\ndatasource: {name: books, type: excel, options: {root: out}}\n"


@pytest.mark.parametrize(
    ("to", "more"),
    [
        (CSV % "", AMOUNTS),
        (CSV % ', file_name: "guv_{{identifier}}.csv"', ""),
        (CSV % ', file_name: "guv_{{YYYY}}{{MM}}.csv.gz", compression: gzip', ""),
        (JSON, ""),
        (CSV % "", "mode: error_if_exists"),
        (EXCEL % "GuV", AMOUNTS),
        ('{datasource_id: books, table: "guv_{{identifier}}"}', ""),
        ("{datasource_id: books, table: guv, options: {file_name: a.xlsx, sheet: b}}", AMOUNTS),
    ],
)
def test_an_output_may_be_one_file(to: str, more: str, trial: Trial) -> None:
    trial.accepts(project(output(to=to, more=more)), base=BOOKS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (", file_name: ⟦guv.txt", "'file_name' must end with .csv"),
        (", compression: gzip, file_name: ⟦guv.csv", "'file_name' must end with .csv.gz"),
        (", file_name: ⟦a/guv.csv", "'file_name' is a name alone, without '/', '\\' and ':'"),
        (
            ", file_name: ⟦.guv.csv",
            "'.guv.csv' would be hidden: 'file_name' must not begin with '.'",
        ),
    ],
)
def test_a_file_has_a_name_that_fits(options: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(output(to=CSV % options, more=AMOUNTS)), "DATASOURCE_002")
    assert found.message == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("file_name: ⟦guv.csv", "'file_name' goes with single_file: true"),
        ("single_file: ⟦yes", "'single_file' must be true or false"),
        ("files: 2, single_file: ⟦true", "'single_file' excludes 'files' and 'file_size'"),
    ],
)
def test_one_file_is_said_so(options: str, message: str, trial: Trial) -> None:
    to = f"{{location: {{path: exports/guv, format: csv, options: {{{options}}}}}}}"
    (found,) = trial.refuses(project(output(to=to, more=AMOUNTS)), "DATASOURCE_002")
    assert found.message == message


def test_one_file_cannot_be_appended_to(trial: Trial) -> None:
    more = f"{AMOUNTS}, mode: ⟦append"
    (found,) = trial.refuses(project(output(to=CSV % "", more=more)), "OUTPUT_008")
    assert found.message == "'exports/guv/guv.csv' is one file: rows cannot be appended to it"
    assert found.hint == "use mode replace, or leave single_file out"
    trial.refuses(project(output(to=EXCEL % "GuV", more=more)), "OUTPUT_008")


@pytest.mark.parametrize(
    "to",
    [
        "{location: {path: ⟦exports/guv, format: csv, options: {single_file: true}}}",
        CSV % ", file_name: ⟦guv.csv",
        "{datasource_id: books, table: ⟦guv}",
    ],
)
def test_one_file_does_not_replace_other_periods(to: str, trial: Trial) -> None:
    (found,) = trial.refuses(project(output(to=to)), "OUTPUT_008", base=BOOKS)
    assert found.message.startswith("the output has _period, but '")
    assert found.message.endswith("' is one file for several periods")
    assert found.hint is not None
    assert "leave _period out" in found.hint
    assert "{{identifier}}" in found.hint


def test_outputs_are_sheets_of_one_workbook(trial: Trial) -> None:
    first, second = EXCEL % "GuV", EXCEL % "Bilanz"
    both = output(to=first, more=AMOUNTS), output(seq=2, to=second, more=AMOUNTS)
    trial.accepts(project(*both))


def test_a_sheet_is_that_of_one_output(trial: Trial) -> None:
    first, second = EXCEL % "GuV", EXCEL % "⟦guv"
    both = output(to=first, more=AMOUNTS), output(seq=2, to=second, more=AMOUNTS)
    (found,) = trial.refuses(project(*both), "OUTPUT_009")
    assert found.message == "sheet 'guv' of 'exports/guv.xlsx' is that of operation 1"


@pytest.mark.parametrize(
    ("sheet", "message"),
    [
        ("x" * 32, "'sheet' is longer than 31 characters"),
        ("a/b", "'sheet' must not hold any of [ ] : * ? / \\"),
        ("History", "'sheet' must not be History, which is Excel's own"),
    ],
)
def test_a_sheet_has_a_name_that_excel_takes(sheet: str, message: str, trial: Trial) -> None:
    to = EXCEL % f"⟦{sheet}"
    (found,) = trial.refuses(project(output(to=to, more=AMOUNTS)), "OUTPUT_009")
    assert found.message == message


def test_a_workbook_is_no_dataset(trial: Trial) -> None:
    more = f"{AMOUNTS}, register_as_dataset: ⟦guv"
    to = '{location: {path: "x/{{identifier}}.xlsx", format: excel}}'
    (found,) = trial.refuses(project(output(to=to, more=more)), "OUTPUT_009")
    assert found.hint == "register an output of parquet or csv instead"


def test_a_table_of_a_database_has_no_options(trial: Trial) -> None:
    to = "{datasource_id: erp, table: guv, options: {url: ⟦x}}"
    trial.refuses(project(output(to=to)), "DATASOURCE_002")
