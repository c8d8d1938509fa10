"""What a project reads and registers, by its definition."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.models.entity import derived_id
from rowbook.planning.chains.project_graph import ChainProject
from rowbook.planning.chains.project_reads import ProjectSource, chain_project
from rowbook.planning.workspace_check import check_workspace
from tests.support.trial import BASE
from tests.support.write_files import write_files

HEAD = "project:\n  name: report\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    settings, *definitions = BASE.split("---\n")
    write_files(tmp_path, {"rowbook.yaml": settings})
    for number, text in enumerate(definitions):
        write_files(tmp_path, {f"{text.partition(':')[0]}s/{number}.yaml": text})
    return tmp_path


def read(
    folder: Path, project: str, registered: str = "", pins: dict[str, int] | None = None
) -> ChainProject:
    write_files(folder, {"projects/report.yaml": HEAD + project})
    checked = check_workspace(folder)
    (entry,) = checked.files.projects
    return chain_project(
        ProjectSource(
            entry,
            "draft",
            checked.known,
            frozenset(registered.split()),
            lambda: checked.projects["report"].plan,
            pins or {},
        )
    )


def places(found: ChainProject) -> list[tuple[str, int | None, str]]:
    return [(each.dataset, each.version, str(each.position)) for each in found.reads]


def test_input_joins_and_sources_are_read_wherever_the_project_names_them(folder: Path) -> None:
    found = read(
        folder,
        """\
  input_dataset_id: closed
  input_dataset_version: 3
  operations:
    - seq: 10
      name: rates
      type: update
      arguments:
        joins: [{alias: r, dataset_id: rates, on: "a = r.currency"}]
        assignments: [{column: b, expression: "r.rate"}]
    - seq: 20
      name: more
      type: append
      arguments: {source: {dataset_id: adjustments, dataset_version: 2}}
    - seq: 30
      name: publish
      type: output
      arguments:
        destination: {location: {path: data/out}}
        register_as_dataset: reported
""",
        "closed adjustments",
    )
    assert places(found) == [
        ("closed", 3, "projects/report.yaml:3:21"),
        ("rates", None, "projects/report.yaml:10:40"),
        ("adjustments", 2, "projects/report.yaml:15:40"),
    ]
    assert [(name, str(at)) for name, at in found.registers] == [
        ("reported", "projects/report.yaml:21:30")
    ]


def test_an_id_is_the_dataset_of_that_id_also_where_it_is_to_be_registered(folder: Path) -> None:
    ids = derived_id("dataset", "closed"), derived_id("dataset", "gl_entries")
    found = read(
        folder,
        f"""\
  input_dataset_id: {ids[0]}
  operations:
    - {{seq: 1, name: more, type: append, arguments: {{source: {{dataset_id: {ids[1]}}}}}}}
""",
        "closed",
    )
    assert [each.dataset for each in found.reads][:2] == ["closed", "gl_entries"]


def test_pins_are_versions_of_references_that_name_none(folder: Path) -> None:
    found = read(
        folder,
        "  input_dataset_id: gl_entries\n  operations: [{seq: 1, name: a, type: delete}]\n",
        pins={derived_id("dataset", "gl_entries"): 4},
    )
    assert places(found) == [("gl_entries", 4, "projects/report.yaml:3:21")]


def test_lookups_are_read_where_operations_use_them(folder: Path) -> None:
    found = read(
        folder,
        """\
  input_dataset_id: gl_entries
  operations:
    - {seq: 1, name: a, type: delete, selector: "ISNULL(accounts.group_code)"}
""",
    )
    assert [each.dataset for each in found.reads] == ["gl_entries", "accounts"]


def test_of_a_project_that_cannot_be_planned_yet_all_lookups_are_read(folder: Path) -> None:
    found = read(
        folder,
        """\
  input_dataset_id: gl_entries
  operations:
    - seq: 1
      name: a
      type: append
      arguments: {source: {dataset_id: closed}}
""",
        "closed",
    )
    assert [each.dataset for each in found.reads] == ["gl_entries", "accounts", "groups", "closed"]


@pytest.mark.parametrize(
    ("periods", "reads"),
    [
        ("current", ["gl_entries", "closed"]),
        ("year_to_date", ["gl_entries", "closed"]),
        ("all", ["gl_entries", "closed"]),
        ("{trailing: 3}", ["gl_entries", "closed"]),
        ("{offset: 0}", ["gl_entries", "closed"]),
        ("previous", ["gl_entries"]),
        ("same_last_year", ["gl_entries"]),
        ("{offset: -2}", ["gl_entries"]),
    ],
)
def test_a_view_is_what_it_reads_of_the_same_period(
    periods: str, reads: list[str], folder: Path
) -> None:
    """Also where that is still to be registered; other periods are there already."""
    view = f"dataset: {{name: earlier, of: closed, periods: {periods}}}\n"
    write_files(folder, {"datasets/earlier.yaml": view})
    found = read(
        folder,
        """\
  input_dataset_id: gl_entries
  operations:
    - {seq: 1, name: a, type: append, arguments: {source: {dataset_id: earlier}}}
""",
        "closed",
    )
    lookups = ("accounts", "groups")
    assert [each.dataset for each in found.reads if each.dataset not in lookups] == reads


def test_what_expectations_compare_with_and_those_of_datasets_look_up_is_read(
    folder: Path,
) -> None:
    (accounts,) = (p for p in folder.glob("datasets/*.yaml") if "name: accounts\n" in p.read_text())
    lookup = '{alias: g, dataset_id: groups, on: "accounts.group_code = g.group_code"}'
    write_files(
        folder,
        {
            f"datasets/{accounts.name}": accounts.read_text()
            + f"  lookups: [{lookup}]\n"
            + '  expectations: [{name: grouped, that: "g.group_code IS NOT NULL"}]\n'
        },
    )
    found = read(
        folder,
        """\
  input_dataset_id: accounts
  expectations:
    - name: planned
      against: {alias: plan, dataset_id: budget, dataset_version: 1}
      that: "COUNT(*) > COUNT(plan.amount)"
  operations: []
""",
    )
    assert [(each.dataset, each.version) for each in found.reads] == [
        ("accounts", None),
        ("groups", None),
        ("budget", 1),
    ]
