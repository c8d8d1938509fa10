"""What a project uses, and where it stands."""

from __future__ import annotations

from rowbook.planning.used_definitions import used_definitions, used_places
from rowbook.planning.workspace_check import check_workspace
from tests.support.trial import Trial
from tests.support.write_files import write_files

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: usual}\n",
    "calendars/fiscal.yaml": """\
calendar:
  name: fiscal
  levels: [{name: month, identifier: "FY{year}-{n:02}"}]
  rule: {type: months, start_month: 7}
""",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table: {name: gl, columns: [{name: account, type: string}]}
  lookups: [{alias: names, dataset_id: accounts, on: "gl.account = names.account"}]
---
dataset:
  name: accounts
  resolver_id: own
  main_table: {name: accounts, columns: [{name: account, type: string}]}
---
dataset:
  name: unused
  main_table: {name: unused, columns: [{name: account, type: string}]}
""",
    "datasources/all.yaml": "\n---\n".join(
        f"datasource: {{name: {name}, type: csv, options: {{root: {name}}}}}"
        for name in ("inbox", "lake", "other")
    ),
    "resolvers/all.yaml": "\n---\n".join(
        f"resolver: {{name: {name}, rules: [{{name: all, strategy:"
        f" {{type: table, datasource_id: {source}, table: '{{{{table_name}}}}'}}}}]}}"
        for name, source in (("usual", "inbox"), ("own", "inbox"), ("unused", "other"))
    ),
    "projects/close.yaml": """\
project:
  name: close
  calendar_id: fiscal
  input_dataset_id: gl
  operations:
    - seq: 10
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: closed}}
""",
}


def test_datasets_lookups_resolvers_sources_and_the_calendar_are_used(trial: Trial) -> None:
    write_files(trial.folder, FILES)
    checked = check_workspace(trial.folder)
    assert checked.errors == ()
    plan = checked.projects["close"].plan
    assert plan is not None
    used = [(each.model.kind, each.model.name) for each in used_definitions(plan, checked.known)]
    assert sorted(used) == [
        ("dataset", "accounts"),
        ("dataset", "gl"),
        ("datasource", "inbox"),
        ("datasource", "lake"),
        ("resolver", "usual"),
    ]
    files = {place.position.file for place in used_places(plan, checked.known)}
    assert files == {
        "calendars/fiscal.yaml",
        "datasets/all.yaml",
        "datasources/all.yaml",
        "resolvers/all.yaml",
    }


def test_the_data_source_of_quarantined_rows_is_used(trial: Trial) -> None:
    listed = (
        "  quarantine: {datasource_id: other, table: held_back}\n"
        '  expectations: [{name: x, at: input, otherwise: quarantine, that: "account IS NOT NULL"}]'
        "\n"
    )
    text = FILES["projects/close.yaml"].replace("  operations:\n", f"{listed}  operations:\n")
    write_files(trial.folder, {**FILES, "projects/close.yaml": text})
    checked = check_workspace(trial.folder)
    plan = checked.projects["close"].plan
    assert plan is not None
    assert "other" in {each.model.name for each in used_definitions(plan, checked.known)}
