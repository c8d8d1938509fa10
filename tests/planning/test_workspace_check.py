"""The workspace as a whole: files, identity, settings: SPEC section 1."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from rowbook.definitions.models.entity import derived_id
from rowbook.errors import RowbookError
from rowbook.planning.workspace_check import check_workspace
from tests.support.trial import BASE, Trial, delete, marks, places, project

NAMESPACE = uuid.UUID("6f1d2c3a-5b4e-5a77-9c0d-2f8f3f0c5a11")

TABLE = "main_table: {name: t, columns: [{name: a, type: string}]}"


def settings(trial: Trial, text: str) -> list[tuple[str, str, str]]:
    """Code, place and message of everything found with this rowbook.yaml."""
    found = trial.check("", base=text).diagnostics
    return [(d.code, str(d.position), d.message) for d in found]


# --- files


def test_definitions_are_read_from_their_folders(trial: Trial) -> None:
    files = {
        "datasets/a.yaml": f"dataset: {{name: d1, {TABLE}}}\n---\ndataset: {{name: d2, {TABLE}}}",
        "datasets/deeper/b.yml": f"dataset: {{name: d3, {TABLE}}}",
        "datasources/s.yaml": "datasource: {name: s, type: csv}",
        "resolvers/r.yaml": "resolver: {name: r, is_default: true, rules: [{name: a,"
        " strategy: {type: catalog, table: x}}]}",
        "calendars/c.yaml": 'calendar: {name: c, levels: [{name: year, identifier: "{year}"}],'
        " rule: {type: months}}",
        "projects/p.yaml": "project: {name: p, input_dataset_id: d1,"
        " operations: [{seq: 1, name: a, type: delete}]}",
        "scenarios/s.yaml": 'scenario: {name: s, period: "2026", project: p,'
        " input: {d1: {rows: []}}, expect: {working: {rows: []}}}",
    }
    checked = trial.check("", base="workspace: {name: acme}", files=files)
    assert checked.diagnostics == ()
    read = checked.files
    assert [e.model.name for e in read.datasets] == ["d1", "d2", "d3"]
    assert [e.model.name for e in read.datasources] == ["s"]
    assert [e.model.name for e in read.resolvers] == ["r"]
    assert [e.model.name for e in read.calendars] == ["c"]
    assert [e.model.name for e in read.projects] == ["p"]
    assert [e.model.name for e in read.scenarios] == ["s"]


@pytest.mark.parametrize(
    "name", ["other/x.yaml", ".rowbook/x.yaml", "x.yaml", "datasets/x.txt", "datasets/x.yaml.bak"]
)
def test_other_files_are_left_alone(name: str, trial: Trial) -> None:
    checked = trial.check("", base="workspace: {name: acme}", files={name: "dataset: ["})
    assert checked.diagnostics == ()


def test_every_fault_of_every_file_is_found_sorted(trial: Trial) -> None:
    broken = project(delete("⟦amout = 0"))
    files = {
        "projects/b.yaml": broken,
        "datasets/z.yaml": "dataset: {name: z}",
        "datasources/a.yaml": "datasource: {name: a, type: xls}\n---\ndatasource: [",
        "calendars/c.yaml": "calender: {name: c}",
        "scenarios/s.yaml": "scenario: {name: s}",
    }
    found = trial.check("", files=files).diagnostics
    assert places(found) == [
        ("YAML_009", "calendars/c.yaml:1:1"),
        ("YAML_003", "datasets/z.yaml:1:10"),
        ("YAML_004", "datasources/a.yaml:1:29"),
        ("YAML_005", "datasources/a.yaml:3:14"),
        ("EXPR_002", *marks(broken, "projects/b.yaml")),
        ("YAML_003", "scenarios/s.yaml:1:11"),
        ("YAML_003", "scenarios/s.yaml:1:11"),
        ("YAML_003", "scenarios/s.yaml:1:11"),
    ]


def test_a_folder_in_place_of_a_file_is_a_finding(trial: Trial) -> None:
    (trial.folder / "datasets" / "x.yaml").mkdir(parents=True)
    found = trial.check("", base="workspace: {name: acme}").diagnostics
    assert [(d.code, str(d.position), d.message) for d in found] == [
        ("YAML_001", "datasets/x.yaml:1:1", "a folder, not a file")
    ]


@pytest.mark.parametrize("text", ["", "# nothing\n", f"dataset: {{name: d, {TABLE}}}"])
def test_a_workspace_has_a_workspace_document(text: str, tmp_path: Path) -> None:
    (tmp_path / "rowbook.yaml").write_text(text)
    with pytest.raises(RowbookError) as caught:
        check_workspace(tmp_path)
    assert [d.code for d in caught.value.diagnostics] == ["WORKSPACE_001"]


def test_and_only_one(trial: Trial) -> None:
    assert settings(trial, "workspace: {name: a}\n---\nworkspace: {name: b}\n") == [
        ("YAML_009", "rowbook.yaml:3:12", "a workspace has one 'workspace:' document")
    ]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("datset: {name: d}", "1:1", "'datset' is not a kind of definition"),
        ("[a]", "1:1", "a document is one key that names its kind, with a mapping"),
        ("dataset", "1:1", "a document is one key that names its kind, with a mapping"),
        ("dataset:", "1:9", "'dataset:' needs a mapping below it"),
        ("dataset: [a]", "1:10", "'dataset:' needs a mapping below it"),
        (
            f"dataset: {{name: d, {TABLE}}}\nname: x",
            "2:1",
            "a document holds one definition; 'name' is a second key",
        ),
    ],
)
def test_a_document_is_one_key_that_names_its_kind(
    text: str, place: str, message: str, trial: Trial
) -> None:
    (found,) = trial.check(text).diagnostics
    assert (found.code, str(found.position), found.message) == (
        "YAML_009",
        f"projects/trial.yaml:{place}",
        message,
    )


def test_what_an_unreadable_file_may_hold_is_not_missed(trial: Trial) -> None:
    """Whatever is named and not found may stand in the file that cannot be read."""
    text = "datset: {name: d}\n---\n" + project(
        delete("gl.amount = 0"), input_dataset_id="d", more="calendar_id: c"
    )
    (found,) = trial.check(text).diagnostics
    assert (found.code, found.hint) == (
        "YAML_009",
        "did you mean 'dataset'?  kinds: workspace, dataset, datasource, resolver, calendar,"
        " project, scenario",
    )


# --- identity


def test_an_id_that_is_left_out_is_the_uuid5_of_kind_and_name(trial: Trial) -> None:
    checked = trial.check("")
    first = checked.files.datasets[0].model
    assert first.name == "gl_entries"
    assert first.identity == "edbc01a2-52f9-57f9-a8c7-70daec46e7c7"
    assert uuid.UUID(first.identity).version == 5


@pytest.mark.parametrize("kind", ["dataset", "datasource", "resolver", "calendar", "project"])
def test_kinds_do_not_share_ids(kind: str) -> None:
    assert derived_id(kind, "close") == str(uuid.uuid5(NAMESPACE, f"{kind}:close"))


def test_a_stated_id_is_kept_in_one_spelling(trial: Trial) -> None:
    text = f"dataset: {{name: d, id: 550E8400-E29B-41D4-A716-446655440000, {TABLE}}}"
    model = trial.accepts(text).files.datasets[-1].model
    assert model.identity == "550e8400-e29b-41d4-a716-446655440000"


@pytest.mark.parametrize(
    "reference",
    [
        "550e8400-e29b-41d4-a716-446655440000",
        "550E8400-E29B-41D4-A716-446655440000",
        "550e8400e29b41d4a716446655440000",
        "d",
    ],
)
def test_a_reference_is_the_id_or_the_name(reference: str, trial: Trial) -> None:
    text = f"dataset: {{name: d, id: 550e8400-e29b-41d4-a716-446655440000, {TABLE}}}\n---\n"
    plan = trial.plan(text + project(delete("a = 'x'"), input_dataset_id=reference))
    assert plan.input.name == "d"


def test_the_derived_id_is_no_name_where_an_id_is_stated(trial: Trial) -> None:
    text = f"dataset: {{name: d, id: 550e8400-e29b-41d4-a716-446655440000, {TABLE}}}\n---\n"
    derived = str(uuid.uuid5(NAMESPACE, "dataset:d"))
    trial.refuses(text + project(delete("TRUE"), input_dataset_id=f"⟦{derived}"), "PROJECT_001")


@pytest.mark.parametrize("name", ["a", "A-1", "gl.entries_2", "2026", "d5e6f7g8-0000"])
def test_names(name: str, trial: Trial) -> None:
    trial.accepts(f"dataset: {{name: {name}, {TABLE}}}")


@pytest.mark.parametrize("name", ['"a b"', "a/b", "ä", '""', '"a\\n"', "a:b", "[a]", "null"])
def test_what_is_not_a_name(name: str, trial: Trial) -> None:
    found = trial.check(f"dataset: {{name: {name}, {TABLE}}}").diagnostics
    assert [d.code for d in found] == [
        {"[a]": "YAML_004", "null": "YAML_003"}.get(name, "WORKSPACE_003")
    ]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("dataset", TABLE),
        ("datasource", "type: csv"),
        ("resolver", "rules: [{name: a, strategy: {type: catalog, table: x}}]"),
        (
            "calendar",
            'levels: [{name: year, identifier: "{year}"}], rule: {type: months}',
        ),
        ("project", "input_dataset_id: gl_entries, operations: [{seq: 1, name: a, type: delete}]"),
    ],
)
def test_names_and_ids_are_unique_in_their_kind(kind: str, body: str, trial: Trial) -> None:
    one = "550e8400-e29b-41d4-a716-446655440000"
    (found,) = trial.refuses(
        f"{kind}: {{name: n, {body}}}\n---\n{kind}: {{name: ⟦n, {body}}}", "WORKSPACE_002"
    )
    assert (
        found.message
        == f"{kind} name 'n' is taken already at projects/trial.yaml:1:{len(kind) + 10}"
    )
    trial.refuses(
        f"{kind}: {{name: n, id: {one}, {body}}}\n---\n"
        f"{kind}: {{name: m, id: ⟦{one.upper()}, {body}}}",
        "WORKSPACE_002",
    )


def test_another_kind_may_have_the_same_name(trial: Trial) -> None:
    trial.accepts(f"dataset: {{name: n, {TABLE}}}\n---\ndatasource: {{name: n, type: csv}}")


def test_versions_of_a_dataset_share_name_and_id(trial: Trial) -> None:
    trial.accepts(
        f"dataset: {{name: d, version: 1, {TABLE}}}\n---\ndataset: {{name: d, version: 2, {TABLE}}}"
    )
    one = "id: 550e8400-e29b-41d4-a716-446655440000"
    trial.refuses(
        f"dataset: {{name: d, version: 1, {one}, {TABLE}}}\n---\n"
        f"dataset: {{name: e, version: 2, {one.replace(': ', ': ⟦')}, {TABLE}}}",
        "WORKSPACE_002",
    )
    trial.refuses(
        f"dataset: {{name: d, version: 1, {TABLE}}}\n---\n"
        f"dataset: {{name: ⟦d, version: 2, {one}, {TABLE}}}",
        "WORKSPACE_002",
    )


def test_a_version_stands_once(trial: Trial) -> None:
    trial.refuses(
        f"dataset: {{name: d, {TABLE}}}\n---\ndataset: {{name: ⟦d, version: 1, {TABLE}}}",
        "WORKSPACE_002",
    )


# --- YAML 1.2


def test_on_and_no_are_text(trial: Trial) -> None:
    text = (
        "dataset: {name: d, main_table: {name: NO, columns: [{name: on, type: string},"
        " {name: yes, type: boolean}]}}\n---\n"
    )
    trial.accepts(text + project(delete("NO.yes AND NO.yes IS NOT NULL"), input_dataset_id="d"))


# --- settings


@pytest.mark.parametrize(
    "text",
    [
        "workspace: {name: acme}",
        'workspace: {name: acme, engine: {master: "local[*]", conf: {spark.ui.enabled: false}}}',
        'workspace: {name: acme, engine: {remote: "sc://host:15002"}}',
        'workspace: {name: acme, store: {url: "sqlite:///.rowbook/store.db"}}',
        "workspace: {name: acme, store: {url: 'postgresql://user@host/db',"
        " credential_ref: env://STORE}}",
        "workspace: {name: acme, description: x, allowed_locations: [/mnt/lake]}",
        "workspace: {name: acme, engine: {sandbox: drafts}}",
        "workspace: {name: acme, allowed_locations: [/mnt/lake, 'hdfs://name:8020/tmp'],"
        " engine: {checkpoint_dir: 'hdfs://name:8020/tmp/rows', sandbox: /mnt/lake/drafts}}",
    ],
)
def test_settings(text: str, trial: Trial) -> None:
    assert settings(trial, text) == []


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("workspace: ⟦{}", "YAML_003", "required key 'name' is missing"),
        ("workspace: {name: acme, ⟦stroe: {}}", "YAML_002", "unknown key 'stroe'"),
        (
            'workspace: {name: acme, engine: {master: local, remote: ⟦"sc://host"}}',
            "WORKSPACE_005",
            "an engine is a master or a remote endpoint, not both",
        ),
        (
            'workspace: {name: acme, engine: {remote: ⟦"http://host"}}',
            "WORKSPACE_005",
            "'http://host' is not a Spark Connect endpoint",
        ),
        (
            "workspace: {name: acme, engine: {checkpoint_dir: ⟦rows}}",
            "WORKSPACE_005",
            "'rows' means another folder for each executor",
        ),
        (
            "workspace: {name: acme, engine: {checkpoint_dir: ⟦/mnt/rows}}",
            "WORKSPACE_005",
            "'/mnt/rows' is outside the workspace and its allowed_locations",
        ),
        (
            "workspace: {name: acme, engine: {sandbox: ⟦../drafts}}",
            "WORKSPACE_005",
            "'../drafts' is outside the workspace and its allowed_locations",
        ),
        (
            'workspace: {name: acme, engine: {sandbox: ⟦"s3://lake/drafts"}}',
            "WORKSPACE_005",
            "'s3://lake/drafts' is not a folder of the file system",
        ),
        (
            'workspace: {name: acme, store: {url: ⟦"mysql://host/db"}}',
            "WORKSPACE_005",
            "'mysql' is not a store that is supported",
        ),
        (
            "workspace: {name: acme, default_resolver_id: ⟦nope}",
            "WORKSPACE_004",
            "resolver 'nope' is not defined",
        ),
        (
            "workspace: {name: acme, allowed_locations: ⟦/mnt/lake}",
            "YAML_004",
            "'allowed_locations' must be a list",
        ),
    ],
)
def test_faults_of_settings(text: str, code: str, message: str, trial: Trial) -> None:
    column = text.index("⟦") + 1
    assert settings(trial, text) == [(code, f"rowbook.yaml:1:{column}", message)]


def test_a_faulty_rowbook_yaml_does_not_hide_the_other_files(trial: Trial) -> None:
    base = BASE.replace("workspace: {name: acme, ", "workspace: {nam: acme, ")
    found = trial.check(project(delete("amout = 0")), base=base).diagnostics
    assert [d.code for d in found] == ["EXPR_002", "YAML_003", "YAML_002"]
