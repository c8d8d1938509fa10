"""Documents to definitions: every fault of form, at its place, and none that hides another."""

from __future__ import annotations

import pytest

from rowbook.definitions.loading import LoadedDefinitions, load_document
from tests.definitions.yaml.samples import document_of, place_of

MARK = "⟦"


def load(text: str) -> LoadedDefinitions:
    return load_document(document_of(text.replace(MARK, "")))


def refuses(text: str, *codes: str) -> list[str]:
    """The messages of the findings, which have these codes and stand at the marks."""
    marks = [
        (number, column)
        for number, line in enumerate(text.split("\n"), start=1)
        for column in _columns(line)
    ]
    found = sorted(load(text).diagnostics, key=place_of)
    assert [(d.code, place_of(d)) for d in found] == list(zip(codes, marks, strict=True))
    return [d.message for d in found]


def _columns(line: str) -> list[int]:
    parts = line.split(MARK)[:-1]
    return [sum(map(len, parts[: i + 1])) + 1 for i in range(len(parts))]


TABLE = "main_table: {name: t, columns: [{name: a, type: string}]}"


# --- documents


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("workspace: {name: w}", "workspace"),
        (f"dataset: {{name: d, {TABLE}}}", "dataset"),
        ("datasource: {name: s, type: csv}", "datasource"),
        ("resolver: {name: r}", "resolver"),
        ("calendar: {name: c}", "calendar"),
        ("project: {name: p, input_dataset_id: d}", "project"),
        ('scenario: {name: s, period: "2026", project: p, expect: {}}', "scenario"),
    ],
)
def test_the_key_names_the_kind(text: str, kind: str) -> None:
    loaded = load(text)
    assert (loaded.kind, loaded.diagnostics) == (kind, ())
    assert loaded.entry is not None
    assert loaded.entry.model.kind == kind
    assert loaded.entry.place.path == (kind,)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("⟦projects: {name: p}", "'projects' is not a kind of definition"),
        ("⟦name: p", "'name' is not a kind of definition"),
        ("⟦[project]", "a document is one key that names its kind, with a mapping"),
        ("⟦{}", "a document is one key that names its kind, with a mapping"),
        ("project: ⟦p", "'project:' needs a mapping below it"),
        ("project: ⟦[p]", "'project:' needs a mapping below it"),
        (
            "project: {name: p, input_dataset_id: d}\n⟦owner: me",
            "a document holds one definition; 'owner' is a second key",
        ),
    ],
)
def test_what_is_no_definition(text: str, message: str) -> None:
    assert refuses(text, "YAML_009") == [message]


def test_a_kind_is_suggested() -> None:
    (found,) = load("datset: {name: d}").diagnostics
    assert (found.hint or "").startswith("did you mean 'dataset'?")


def test_a_second_key_says_how_to_write_two() -> None:
    (found,) = load(f"dataset: {{name: d, {TABLE}}}\nproject: {{name: p}}").diagnostics
    assert found.hint == "indent it below the first key, or put '---' between two definitions"


# --- every fault, once


def test_all_faults_of_a_definition_are_found() -> None:
    refuses(
        "dataset:\n"
        "  name: ⟦my data\n"
        "  ⟦descripton: x\n"
        "  status: ⟦on\n"
        "  version: ⟦one\n"
        "  main_table:\n"
        "    name: t\n"
        "    ⟦mode: period\n"
        "    columns:\n"
        "      - ⟦{name: a}\n"
        "      - {name: b, type: string, nullable: ⟦maybe}\n"
        "      - ⟦b\n"
        "  lookups: ⟦{alias: x}\n",
        *("WORKSPACE_003", "YAML_002", "YAML_004", "YAML_004", "YAML_002", "YAML_003"),
        *("YAML_004", "YAML_004", "YAML_004"),
    )


def test_unknown_keys_do_not_make_a_definition_unusable() -> None:
    loaded = load(f"dataset: {{name: d, nmae: x, {TABLE}}}")
    assert [d.code for d in loaded.diagnostics] == ["YAML_002"]
    assert loaded.entry is not None


def test_an_unknown_key_lists_what_may_stand_there() -> None:
    (found,) = load("datasource: {name: s, type: csv, optoins: {}}").diagnostics
    assert found.message == "unknown key 'optoins'"
    assert found.hint == (
        "did you mean 'options'?  keys: id, description, options, credential_ref, status"
    )


@pytest.mark.parametrize(
    ("strategy", "code"),
    [
        ("{type: path, path: ⟦[a]}", "YAML_004"),
        ("{type: path, path: a, format: ⟦xls}", "YAML_004"),
        ("⟦{type: table, table: a}", "YAML_003"),
        ("{type: table, datasource_id: s, table: ⟦[a]}", "YAML_004"),
        ("⟦{type: catalog}", "YAML_003"),
        ("⟦{type: file}", "YAML_004"),
    ],
)
def test_a_type_that_is_named_like_a_key_does_not_mislead(strategy: str, code: str) -> None:
    refuses(f"resolver: {{name: r, rules: [{{name: a, strategy: {strategy}}}]}}", code)


@pytest.mark.parametrize("status", ["[active]", "{active: true}"])
def test_a_word_is_no_list_and_no_mapping(status: str) -> None:
    text = f"datasource: {{name: s, type: csv, status: ⟦{status}}}"
    assert refuses(text, "YAML_004") == ["'status' must be a word"]


# --- operations


def project(*operations: str) -> str:
    listed = "".join(f"    - {each}\n" for each in operations)
    return f"project:\n  name: p\n  input_dataset_id: d\n  operations:\n{listed}"


def test_a_faulty_operation_is_left_out_and_the_others_keep_their_places() -> None:
    text = project(
        "{seq: 1, name: a, type: delete}",
        "{seq: 7, name: b, type: ⟦upsert}",
        "{seq: ⟦x, name: c, type: delete}",
        "{seq: 3, name: d, type: delete, ⟦selectr: x}",
    )
    refuses(text, "PROJECT_004", "YAML_004", "YAML_002")
    entry = load(text).entry
    assert entry is not None
    assert [each.name for each in entry.model.operations] == ["a", "d"]
    assert entry.operation_paths == (0, 3)
    assert entry.broken_seqs == (7, None)
    assert entry.operation(1).path == ("project", "operations", 3)
    assert entry.operation(1).position.line == 8


def test_faults_beside_the_operations_are_found_with_theirs() -> None:
    text = project("{seq: 1, name: a, type: ⟦upsert}").replace("name: p", "name: ⟦p p")
    refuses(text, "WORKSPACE_003", "PROJECT_004")
    assert load(text).entry is None


def test_in_a_scenario_they_wait_for_what_it_expects() -> None:
    entry = load(
        'scenario: {name: s, period: "2026", expect: {error: {code: PROJECT_004}}, project:'
        " {input_dataset_id: d, operations: [{seq: 1, name: a, type: delete},"
        " {seq: 2, name: b, type: upsert}]}}"
    )
    assert entry.diagnostics == ()
    assert entry.entry is not None
    assert [d.code for d in entry.entry.operation_faults] == ["PROJECT_004"]
    assert entry.entry.broken_seqs == (2,)
    assert [each.name for each in entry.entry.model.project.operations] == ["a"]


def test_unless_there_is_no_scenario_to_wait_for() -> None:
    refuses(
        'scenario: ⟦{name: s, period: "2026", project:'
        " {input_dataset_id: d, operations: [{seq: 2, name: b, type: ⟦upsert}]}}",
        "YAML_003",
        "PROJECT_004",
    )


@pytest.mark.parametrize("operations", ["x", "{a: b}", "1"])
def test_operations_are_a_list(operations: str) -> None:
    refuses(f"project: {{name: p, input_dataset_id: d, operations: ⟦{operations}}}", "YAML_004")
