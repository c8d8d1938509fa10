"""`rowbook datasets`: SPEC section 10. What is in the store, and who put it there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rowbook.definitions.models.entity import derived_id
from rowbook.store import Definition
from tests.store.samples import AT, started
from tests.support.ledger import CLOSE, FILES, GL, WITH_ENTITY, applied, in_json, opened
from tests.support.shell import Shell

CLOSED = {
    "name": "closed",
    "resolver_id": "closed.output",
    "main_table": {"name": "closed", "columns": [{"name": "usd", "type": "decimal(18,2)"}]},
}
RULE = {"name": "all", "strategy": {"type": "table", "datasource_id": "lake", "table": "closed"}}
RUN = "01900000-0000-7000-8000-000000000001"


def registered(shell: Shell) -> None:
    """A run wrote a dataset that no file defines."""
    definitions = [
        Definition("dataset", derived_id("dataset", "closed"), "closed", {"dataset": CLOSED}),
        Definition(
            "resolver",
            derived_id("resolver", "closed.output"),
            "closed.output",
            {"resolver": {"name": "closed.output", "rules": [RULE]}},
        ),
    ]
    with opened(shell) as store:
        lease = started(store, RUN)
        with store.writing_as(lease, at=AT) as writes:
            writes.register(
                definitions, dataset_id=derived_id("dataset", "closed"), seq=30, data={}
            )


def words(text: str) -> list[list[str]]:
    """The cells of the lines of a table."""
    return [re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line.strip()]


# --- list


def test_before_anything_is_applied_the_list_is_empty(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("datasets", "list")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == "no datasets in the store: `rowbook apply` records those in files\n"
    assert in_json(shell, "datasets", "list") == {"datasets": []}
    assert not (shell.folder / ".rowbook").exists()


def test_the_list_has_applied_and_registered_datasets(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    applied(shell)
    applied(shell, WITH_ENTITY)
    registered(shell)
    heading, _, *rows = words(shell.run("datasets", "list").out)
    assert heading == ["name", "version", "status", "columns", "produced by"]
    assert rows == [
        ["closed", "1", "active", "1", f"close 2026-01, run {RUN}"],
        ["gl", "2", "active", "4", "a file, by ann"],
        ["rates", "1", "active", "2", "a file, by ann"],
    ]


def test_the_list_in_json(shell: Shell) -> None:
    applied(shell, FILES | {"datasets/gl.yaml": GL + "  status: disabled\n"})
    registered(shell)
    closed, gl, _ = in_json(shell, "datasets", "list")["datasets"]
    assert closed == {
        "name": "closed",
        "id": derived_id("dataset", "closed"),
        "version": 1,
        "status": "active",
        "columns": 1,
        "produced_by": RUN,
    }
    assert (gl["name"], gl["status"], gl["produced_by"]) == ("gl", "disabled", None)


# --- show


def test_a_dataset_is_shown_with_its_schema_and_versions(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ann")
    applied(shell)
    applied(shell, WITH_ENTITY)
    out = shell.run("datasets", "show", "gl").out
    assert out.startswith("dataset gl version 2  active\n")
    lines = words(out)
    assert ["temporal mode period"] in lines
    assert ["natural key", "none"] in lines
    assert ["resolver", "the default"] in lines
    assert ["account", "string", "no"] in lines
    assert ["amount", "decimal(18,2)", "yes"] in lines
    assert [line[0] for line in lines[-2:]] == ["2", "1"]
    assert [line[3:] for line in lines[-2:]] == [["ann", "a file"]] * 2


def test_a_view_is_shown_with_what_it_reads(shell: Shell) -> None:
    view = "dataset: {name: gl_year, of: gl, periods: {trailing: 12}, require: closed}\n"
    table = "main_table: {name: gl, temporal_mode: period, columns: [{name: a, type: string}]}"
    files = {"datasets/gl.yaml": f"dataset: {{name: gl, {table}}}\n---\n{view}"}
    shell.write({"rowbook.yaml": "workspace: {name: acme}\n", **files})
    assert shell.run("apply", "--yes").code == 0
    assert "gl_year        1  active    of gl" in shell.run("datasets", "list").out
    lines = shell.run("datasets", "show", "gl_year").out.splitlines()
    assert lines[2:6] == [
        "  of            gl",
        "  periods       trailing: 12",
        "  missing       error",
        "  require       closed",
    ]
    found = json.loads(shell.run("datasets", "show", "gl_year", "--format", "json").out)
    assert found["periods"] == {"trailing": 12}


def test_an_older_version_is_shown_by_its_number(shell: Shell) -> None:
    applied(shell)
    applied(shell, WITH_ENTITY)
    old, new = (in_json(shell, "datasets", "show", f"gl@{n}") for n in (1, 2))
    assert [c["name"] for c in old["columns"]] == ["account", "amount", "note"]
    assert [c["name"] for c in new["columns"]] == ["account", "amount", "note", "entity"]
    assert (old["version"], new["version"]) == (1, 2)
    assert [v["version"] for v in old["versions"]] == [2, 1]
    assert (old["temporal_mode"], old["table"], old["resolver"]) == ("period", "gl", None)


def test_a_registered_dataset_names_the_run_that_wrote_it(shell: Shell) -> None:
    applied(shell)
    registered(shell)
    found = in_json(shell, "datasets", "show", "closed")
    assert found["productions"] == [
        {
            "version": 1,
            "run_id": RUN,
            "project": "close",
            "period": "2026-01",
            "seq": 30,
            "recorded_at": "2026-02-03T10:00:00Z",
        }
    ]
    last = words(shell.run("datasets", "show", "closed").out)[-1]
    assert last == ["1", "2026-02-03 10:00", f"close 2026-01, run {RUN}", "30"]


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("gll", "DATASET_007  dataset 'gll' is not in the store\n    did you mean 'gl'?"),
        ("gl@9", "DATASET_008  dataset 'gl' has no version 9\n    versions: 1\n"),
        ("gl@0", "DATASET_008  dataset 'gl' has no version 0\n"),
        ("gl@two", "USAGE_001  'two' is not a version\n    write NAME or NAME@2\n"),
        ("gl@", "USAGE_001  '' is not a version\n"),
    ],
)
def test_what_is_not_there_is_2(reference: str, message: str, shell: Shell) -> None:
    applied(shell)
    ended = shell.run("datasets", "show", reference)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(message)


def test_without_a_store_the_hint_is_to_apply(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("datasets", "show", "gl")
    assert (ended.code, ended.out) == (2, "")
    assert "nothing was applied yet: run `rowbook apply`" in ended.err


def test_the_group_alone_shows_its_commands(shell: Shell) -> None:
    ended = shell.run("datasets")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("Usage: rowbook datasets [OPTIONS] COMMAND [ARGS]...\n")
    helped = shell.run("datasets", "--help")
    assert helped.code == 0
    assert "The datasets in the store, and what made them." in helped.out


# --- drafts use what only the store has


def reading(dataset: str, version: int | None = None) -> dict[str, str]:
    """The project with another input."""
    named = "" if version is None else f"\n  input_dataset_version: {version}"
    text = CLOSE.replace("input_dataset_id: gl", f"input_dataset_id: {dataset}{named}")
    return {"projects/close.yaml": text}


def test_validate_finds_a_dataset_that_a_run_registered(shell: Shell) -> None:
    shell.write(FILES)
    text = (
        "project:\n  name: later\n  input_dataset_id: closed\n  operations:\n"
        '    - {seq: 1, name: drop, type: delete, selector: "usd = 0"}\n'
    )
    shell.write({"projects/later.yaml": text})
    before = shell.run("validate")
    assert before.code == 1
    assert "PROJECT_001  dataset 'closed' is not defined" in before.out
    (shell.folder / "projects" / "later.yaml").unlink()
    applied(shell)
    registered(shell)
    shell.write({"projects/later.yaml": text})
    assert shell.run("validate").code == 0
    shell.write({"projects/later.yaml": text.replace("usd", "usdd")})
    assert "EXPR_002  unknown column 'usdd'" in shell.run("validate").out


def test_a_version_that_is_named_is_the_stored_one(shell: Shell) -> None:
    """The file is a draft of version 2: version 1 has no column `entity`, there is no third."""
    applied(shell)
    shell.write(WITH_ENTITY)
    shell.write(reading("gl", 1))
    assert shell.run("validate").code == 0
    uses_entity = reading("gl", 1)["projects/close.yaml"].replace("amount = 0", "entity = ''")
    shell.write({"projects/close.yaml": uses_entity})
    assert "EXPR_002  unknown column 'entity'" in shell.run("validate").out
    shell.write({"projects/close.yaml": uses_entity.replace("version: 1", "version: 2")})
    assert shell.run("validate").code == 0
    shell.write(reading("gl", 3))
    assert "DATASET_008  dataset 'gl' has no version 3" in shell.run("validate").out


def test_a_dataset_whose_file_was_removed_is_still_known(shell: Shell) -> None:
    applied(shell)
    Path(shell.folder, "datasets", "rates.yaml").unlink()
    assert shell.run("validate").code == 0


def test_a_disabled_draft_is_disabled_in_all_versions(shell: Shell) -> None:
    applied(shell)
    shell.write({"datasets/gl.yaml": GL + "  status: disabled\n"})
    shell.write(reading("gl", 1))
    assert "DATASET_009  dataset 'gl' is disabled" in shell.run("validate").out


def test_validate_leaves_no_store_behind(shell: Shell) -> None:
    shell.write(FILES | reading("nowhere"))
    assert shell.run("validate").code == 1
    assert not (shell.folder / ".rowbook").exists()
