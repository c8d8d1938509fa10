"""`rowbook activate` and `deactivate`: SPEC section 1; BR-002, BR-003, BR-008a, BR-008c."""

from __future__ import annotations

import pytest

from tests.support.ledger import (
    CLOSE,
    FILES,
    GL,
    RATES,
    WITH_ENTITY,
    WITHOUT_AMOUNT,
    WITHOUT_NOTE,
    active,
    applied,
    in_json,
    opened,
    pins,
    project,
)
from tests.support.shell import Shell

REORDERED = CLOSE.replace("seq: 20", "seq: 5")


def contents(shell: Shell) -> list[str]:
    """The descriptions of all versions of the project, oldest first."""
    with opened(shell) as store:
        latest = store.projects.version("close")
        assert latest is not None
        found = [store.projects.version("close", n) for n in range(1, latest.version + 1)]
    return [str(v and v.content["project"].get("description")) for v in found]


# --- activating


def test_activating_pins_the_datasets_that_the_project_uses(shell: Shell) -> None:
    applied(shell, FILES | {"datasets/more.yaml": RATES.replace("name: rates", "name: more")})
    ended = shell.run("activate", "close")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == (
        "project close version 1 is active\n  dataset gl  version 1\n  dataset rates  version 1\n"
    )
    assert (project(shell).status, pins(shell)) == ("active", {"gl": 1, "rates": 1})


def test_json_says_project_version_and_status(shell: Shell) -> None:
    applied(shell)
    expected = {"project": "close", "version": 1, "status": "active"}
    assert in_json(shell, "activate", "close") == expected


def test_activating_twice_is_the_same_version(shell: Shell) -> None:
    active(shell)
    ended = shell.run("activate", "close")
    assert ended.code == 0
    assert ended.out.startswith("project close version 1 is active already: nothing changed\n")
    with opened(shell) as store:
        assert len(store.projects.history("close")) == 1


def test_editing_the_file_changes_nothing_until_it_is_activated(shell: Shell) -> None:
    active(shell)
    shell.write(
        {"projects/close.yaml": CLOSE.replace("name: close", "name: close\n  description: new")}
    )
    assert contents(shell) == ["None"]
    assert in_json(shell, "activate", "close")["version"] == 2
    assert contents(shell) == ["None", "new"]


def test_reordering_operations_of_an_active_project_is_a_new_version(shell: Shell) -> None:
    """BR-003; as a draft (BR-002) the file is as good as before."""
    active(shell)
    shell.write({"projects/close.yaml": REORDERED})
    assert shell.run("validate").code == 0
    assert project(shell).version == 1
    assert in_json(shell, "activate", "close")["version"] == 2
    assert (project(shell).status, project(shell).version) == ("active", 2)


def test_layout_and_comments_are_no_new_version(shell: Shell) -> None:
    active(shell)
    shell.write({"projects/close.yaml": f"# reviewed\n{CLOSE}\n"})
    assert in_json(shell, "activate", "close")["version"] == 1


def test_by_id_is_as_good_as_by_name(shell: Shell) -> None:
    active(shell)
    assert in_json(shell, "activate", project(shell).id)["project"] == "close"


# --- which versions


def test_the_latest_versions_are_pinned_where_none_is_named(shell: Shell) -> None:
    applied(shell)
    applied(shell, WITH_ENTITY)
    shell.run("activate", "close")
    assert pins(shell) == {"gl": 2, "rates": 1}


def test_a_version_that_the_file_names_is_pinned(shell: Shell) -> None:
    applied(shell)
    applied(shell, WITH_ENTITY)
    pinned = CLOSE.replace("_id: gl\n", "_id: gl\n  input_dataset_version: 1\n")
    shell.write({"projects/close.yaml": pinned})
    assert shell.run("activate", "close").code == 0
    assert pins(shell) == {"gl": 1, "rates": 1}


def test_a_version_that_the_file_names_has_its_own_columns(shell: Shell) -> None:
    applied(shell)
    applied(shell, WITH_ENTITY)
    pinned = CLOSE.replace("_id: gl\n", "_id: gl\n  input_dataset_version: 1\n")
    shell.write({"projects/close.yaml": pinned.replace("amount = 0", "entity = 'x'")})
    ended = shell.run("activate", "close")
    assert (ended.code, ended.out) == (1, "")
    assert "EXPR_002  unknown column 'entity'" in ended.err


@pytest.mark.parametrize("versions", [(None, 1), (1, None)])
def test_a_version_named_by_one_operation_is_not_that_of_another(
    versions: tuple[int | None, int | None], shell: Shell
) -> None:
    """The pin is for references that name none."""
    applied(shell)
    applied(shell, {"datasets/rates.yaml": RATES.replace("decimal(9,4)", "decimal(12,4)")})
    joins = ", ".join(
        f'{{alias: fx{i}, dataset_id: rates, on: "gl.account = fx{i}.account"'
        f"{'' if version is None else f', dataset_version: {version}'}}}"
        for i, version in enumerate(versions)
    )
    text = CLOSE.replace(
        '{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}', joins
    ).replace("fx.rate", "fx0.rate * fx1.rate")
    shell.write({"projects/close.yaml": text})
    assert shell.run("activate", "close").code == 0
    assert pins(shell) == {"gl": 1, "rates": 2}


def test_a_version_that_is_not_there_is_refused(shell: Shell) -> None:
    applied(shell)
    pinned = CLOSE.replace("_id: gl\n", "_id: gl\n  input_dataset_version: 7\n")
    shell.write({"projects/close.yaml": pinned})
    ended = shell.run("activate", "close")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "projects/close.yaml:4:26  DATASET_008  dataset 'gl' has no version 7\n    versions: 1\n"
    )


# --- what is refused


def test_a_fault_is_reported_where_it_stands_and_nothing_is_recorded(shell: Shell) -> None:
    applied(shell)
    shell.write({"projects/close.yaml": CLOSE.replace("amount = 0", "amout = 0 OR nte = ''")})
    ended = shell.run("activate", "close")
    assert (ended.code, ended.out) == (1, "")
    assert "projects/close.yaml:11:60  EXPR_002  unknown column 'amout'" in ended.err
    assert "unknown column 'nte'" in ended.err
    with opened(shell) as store:
        assert store.projects.all() == ()
    found = in_json(shell, "activate", "close", code=1)
    assert (found["project"], found["version"], found["status"]) == ("close", None, None)
    assert [each["code"] for each in found["errors"]] == ["EXPR_002", "EXPR_002"]


def test_a_fault_of_form_is_reported(shell: Shell) -> None:
    applied(shell)
    shell.write({"projects/close.yaml": CLOSE.replace("type: delete", "type: deleet")})
    ended = shell.run("activate", "close")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith("projects/close.yaml:11:41  PROJECT_004")


def test_what_was_not_applied_is_named_with_what_to_do(shell: Shell) -> None:
    shell.write(FILES)
    ended = shell.run("activate", "close")
    assert (ended.code, ended.out) == (1, "")
    hint = "    it is in a file, but was not applied: run `rowbook apply` first\n"
    assert ended.err == (
        f"projects/close.yaml:3:21  PROJECT_001  dataset 'gl' is not defined\n{hint}"
        f"projects/close.yaml:9:41  JOIN_001  dataset 'rates' is not defined\n{hint}"
        f"projects/close.yaml:15:48  DATASOURCE_001  datasource 'lake' is not defined\n{hint}"
    )
    assert not (shell.folder / ".rowbook").exists()


def test_a_default_resolver_that_was_not_applied_is_named(shell: Shell) -> None:
    applied(shell)
    new = FILES["resolvers/lake.yaml"].replace("name: lake", "name: tape", 1)
    shell.write(
        {
            "resolvers/tape.yaml": new,
            "rowbook.yaml": "workspace: {name: acme, default_resolver_id: tape}\n",
        }
    )
    ended = shell.run("activate", "close")
    assert ended.code == 1
    assert "RESOLVER_001  dataset 'gl': resolver 'tape' is not defined" in ended.err
    assert "run `rowbook apply` first" in ended.err


def test_a_change_that_was_not_applied_is_a_warning(shell: Shell) -> None:
    applied(shell)
    shell.write(WITH_ENTITY)
    ended = shell.run("activate", "close")
    assert ended.code == 0
    assert ended.err == (
        "projects/close.yaml:2:9  PROJECT_011 (warning)  dataset 'gl' was changed, and not"
        " applied: the applied version counts\n"
        "    run `rowbook apply`, then activate the project again\n"
    )
    assert pins(shell) == {"gl": 1, "rates": 1}


def test_a_change_of_what_the_project_does_not_use_is_none_of_its_business(shell: Shell) -> None:
    other = RATES.replace("name: rates", "name: other")
    applied(shell, FILES | {"datasets/other.yaml": other})
    shell.write({"datasets/other.yaml": other.replace("decimal(9,4)", "date")})
    assert shell.run("activate", "close").err == ""


def test_a_column_that_was_not_applied_is_unknown_and_the_warning_says_why(shell: Shell) -> None:
    applied(shell)
    shell.write(WITH_ENTITY)
    shell.write({"projects/close.yaml": CLOSE.replace("amount = 0", "entity = 'x'")})
    ended = shell.run("activate", "close")
    assert ended.code == 1
    assert "EXPR_002  unknown column 'entity'" in ended.err
    assert "PROJECT_011 (warning)" in ended.err


@pytest.mark.parametrize(
    ("files", "code"),
    [
        ({"datasets/gl.yaml": GL + "  status: disabled\n"}, "DATASET_009"),
        ({"datasets/rates.yaml": RATES + "  status: disabled\n"}, "JOIN_003"),
    ],
)
@pytest.mark.parametrize("flag", [(), ("--keep-pin",)])
def test_a_disabled_dataset_is_refused(
    files: dict[str, str], code: str, flag: tuple[str, ...], shell: Shell
) -> None:
    """BR-008a; an older version of it is disabled as well."""
    active(shell)
    applied(shell, files)
    ended = shell.run("activate", "close", *flag)
    assert ended.code == 1
    assert f"  {code}  " in ended.err


def test_an_unknown_project_is_2_with_a_suggestion(shell: Shell) -> None:
    applied(shell)
    ended = shell.run("activate", "clsoe")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "PROJECT_008  project 'clsoe' is not defined\n    did you mean 'close'?  projects: close\n"
    )


# --- conflicts


def test_activating_again_adopts_the_new_version(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_NOTE)
    assert project(shell).status == "conflict"
    assert in_json(shell, "activate", "close") == {
        "project": "close",
        "version": 2,
        "status": "active",
    }
    assert (project(shell).status, pins(shell)) == ("active", {"gl": 2, "rates": 1})


def test_keep_pin_stays_on_the_old_version(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_AMOUNT)
    ended = shell.run("activate", "close", "--keep-pin")
    assert ended.code == 0
    assert ended.out.startswith(
        "project close version 1 is active again\n  dataset gl  version 1\n"
    )
    assert (project(shell).status, pins(shell)) == ("active", {"gl": 1, "rates": 1})


def test_a_project_that_the_change_broke_is_not_activated(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_AMOUNT)
    ended = shell.run("activate", "close")
    assert ended.code == 1
    assert "unknown column 'amount'" in ended.err
    assert project(shell).status == "conflict"


def test_keep_pin_stays_also_where_the_file_was_edited(shell: Shell) -> None:
    active(shell)
    applied(shell, WITHOUT_AMOUNT)
    shell.write({"projects/close.yaml": REORDERED})
    assert in_json(shell, "activate", "close", "--keep-pin")["version"] == 2
    assert pins(shell) == {"gl": 1, "rates": 1}
    adapted = REORDERED.replace("amount * fx.rate", "fx.rate").replace("amount = 0", "note = ''")
    shell.write({"projects/close.yaml": adapted})
    assert in_json(shell, "activate", "close")["version"] == 3
    assert pins(shell) == {"gl": 2, "rates": 1}


def test_keep_pin_where_nothing_was_pinned_takes_the_latest(shell: Shell) -> None:
    applied(shell)
    assert in_json(shell, "activate", "close", "--keep-pin")["version"] == 1


# --- deactivating


def test_deactivating_is_recorded_with_its_reason(shell: Shell) -> None:
    active(shell)
    ended = shell.run("deactivate", "close", "--reason", "replaced")
    assert (ended.code, ended.out) == (0, "project close version 1 is inactive\n")
    assert (project(shell).status, project(shell).reason) == ("inactive", "replaced")
    again = shell.run("deactivate", "close")
    assert (again.code, again.out) == (0, "project close version 1 is inactive already\n")
    assert project(shell).reason == "replaced"


def test_a_deactivated_project_is_activated_again_as_it_was(shell: Shell) -> None:
    active(shell)
    found = in_json(shell, "deactivate", "close")
    assert found == {"project": "close", "version": 1, "status": "inactive"}
    ended = shell.run("activate", "close")
    assert ended.out.startswith("project close version 1 is active again\n")


@pytest.mark.parametrize("files", [{}, FILES])
def test_what_was_never_activated_cannot_be_deactivated(
    files: dict[str, str], shell: Shell
) -> None:
    shell.write(FILES)
    if files:
        applied(shell, files)
    ended = shell.run("deactivate", "close")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("PROJECT_008  project 'close' was never activated\n")
