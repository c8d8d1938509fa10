"""Each verdict of `verify`, on runs that the reference engine recorded: no JVM."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rowbook.api import make_seal_key
from tests.runs.conversion import FILES
from tests.support.programs import needs
from tests.support.recorded_run import record_run
from tests.support.shell import Shell

PROJECT = FILES["projects/close.yaml"].partition("    - seq: 30\n")[0]
APPENDS = PROJECT + "        mode: append\n"


@pytest.fixture
def close(shell: Shell) -> Shell:
    return activated(shell)


def activated(shell: Shell, project: str = PROJECT, evidence: str = "small") -> Shell:
    settings = f"workspace: {{name: acme, default_resolver_id: inbox, evidence: {evidence}}}\n"
    shell.write({**FILES, "projects/close.yaml": project, "rowbook.yaml": settings})
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return shell


def verified(shell: Shell, *words: str, code: int = 0) -> Any:
    ended = shell.run("verify", *words, "--format", "json")
    assert ended.code == code, ended.out + ended.err
    return json.loads(ended.out)["runs"]


def close_january(shell: Shell) -> str:
    return record_run(shell.folder, "close", "2026-01")


def part(shell: Shell) -> Path:
    (file,) = (shell.folder / "out" / "closed").rglob("*.parquet")
    return file


def rates(shell: Shell, text: str) -> None:
    shell.write({"data/rates.csv": text})


def test_a_run_that_nobody_touched_is_proved(close: Shell) -> None:
    run_id = close_january(close)
    (found,) = verified(close, run_id)
    seal = found["record"].pop("seal")
    assert found == {
        "run_id": run_id,
        "verdict": "proved",
        "inputs": [
            {"place": "gl/2026-01.csv", "status": "same"},
            {"place": "rates", "status": "same"},
        ],
        "operations": {"same": 2, "different": []},
        "outputs": [{"table": "out/closed", "result": "equal", "on_disk": "as written"}],
        "record": {"chain": "whole", "signature": "none"},
        "notes": [],
    }
    assert seal


def test_a_rate_file_that_was_saved_otherwise_still_proves_the_run(close: Shell) -> None:
    run_id = close_january(close)
    rates(close, "account,rate\r\n4000,2.0000\r\n")
    (found,) = verified(close, run_id)
    assert found["inputs"][1]["status"] == "other bytes, same rows"
    assert (found["verdict"], found["notes"]) == ("proved", ["rates: taken from evidence"])


def test_a_rate_file_that_got_another_line_is_the_same_rows_for_the_run(close: Shell) -> None:
    run_id = close_january(close)
    rates(close, "account,rate\n4000,2\n5000,7\n")
    (found,) = verified(close, run_id)
    assert found["inputs"][1]["status"] == "other bytes, same rows"
    assert (found["verdict"], found["notes"]) == ("proved", ["rates: taken from evidence"])


def test_changed_input_that_was_kept_proves_the_run_with_a_note(close: Shell) -> None:
    run_id = close_january(close)
    rates(close, "account,rate\n4000,3\n")
    (found,) = verified(close, run_id)
    assert found["inputs"][1]["status"] == "changed"
    assert (found["verdict"], found["notes"]) == ("proved", ["rates: taken from evidence"])


def test_changed_input_that_was_not_kept_cannot_be_recomputed(shell: Shell) -> None:
    activated(shell, evidence="none")
    run_id = close_january(shell)
    rates(shell, "account,rate\n4000,3\n")
    (found,) = verified(shell, run_id, code=3)
    assert (found["verdict"], found["inputs"][1]["status"]) == ("cannot be recomputed", "changed")
    assert found["notes"] == [
        "rates of dataset 'rates' was not kept: data/rates.csv changed",
    ]
    (found,) = verified(shell, run_id, "--accept-changed-input", code=1)
    assert (found["verdict"], found["outputs"][0]["result"]) == ("differs", "differs")
    assert found["notes"] == [
        "output 20: usd: 31.500000 in all, not 21.000000",
        "computed on the data as it is now, as rates changed: data/rates.csv changed",
    ]


def test_a_count_that_was_changed_in_the_store_is_found(close: Shell) -> None:
    run_id = close_january(close)
    with closing(sqlite3.connect(close.folder / ".rowbook" / "store.db")) as store:
        store.execute(
            "UPDATE run_step SET entry = replace(entry, '\"matched\":1', '\"matched\":2')"
        )
        store.commit()
    (found,) = verified(close, run_id, code=1)
    assert found["verdict"] == "record changed"


def test_a_cell_that_was_changed_in_the_table_is_found(close: Shell) -> None:
    run_id = close_january(close)
    file = part(close)
    table = pq.ParquetFile(file).read()
    other = table.set_column(0, "account", [["4001"]])
    pq.write_table(other, file)
    (found,) = verified(close, run_id, code=1)
    assert (found["verdict"], found["operations"]["different"]) == ("differs", [])
    assert found["outputs"] == [{"table": "out/closed", "result": "equal", "on_disk": "changed"}]


def test_a_table_that_is_gone_is_found(close: Shell) -> None:
    run_id = close_january(close)
    (close.folder / "out" / "closed").rename(close.folder / "elsewhere")
    (found,) = verified(close, run_id, code=1)
    assert (found["verdict"], found["outputs"][0]["on_disk"]) == ("differs", "missing")


def test_a_run_that_a_later_one_replaced_is_still_proved(close: Shell) -> None:
    first = close_january(close)
    rates(close, "account,rate\n4000,3\n")
    second = close_january(close)
    (found,) = verified(close, first, "--exact")
    assert found["verdict"] == "proved"
    assert found["outputs"][0] == {
        "table": "out/closed",
        "result": "equal",
        "on_disk": f"replaced by run {second}",
    }


def test_runs_in_force_are_the_last_of_each_period(close: Shell) -> None:
    close_january(close)
    second, february = close_january(close), record_run(close.folder, "close", "2026-02")
    assert [each["run_id"] for each in verified(close, "--all-active")] == [second, february]
    assert [each["run_id"] for each in verified(close, "--period", "2026-01")] == [second]


def test_of_a_table_that_is_appended_to_the_own_rows_are_verified(shell: Shell) -> None:
    activated(shell, APPENDS)
    first = close_january(shell)
    record_run(shell.folder, "close", "2026-02")
    (found,) = verified(shell, first)
    assert (found["verdict"], found["outputs"][0]["on_disk"]) == ("proved", "as written")


def test_a_run_that_did_not_complete_is_refused(close: Shell) -> None:
    run_id = close_january(close)
    with closing(sqlite3.connect(close.folder / ".rowbook" / "store.db")) as store:
        store.execute("DELETE FROM seal")
        store.execute("UPDATE run SET status = 'failed'")
        store.commit()
    (found,) = verified(close, run_id, code=4)
    assert found["verdict"] == "refused"


def test_the_text_leads_on_where_something_differs(close: Shell) -> None:
    run_id = close_january(close)
    (close.folder / "out" / "closed").rename(close.folder / "elsewhere")
    ended = close.run("verify", run_id)
    lines = ended.out.splitlines()
    assert lines[0] == f"differs: run {run_id}  close v1  2026-01"
    assert lines[1:5] == [
        "  input      gl/2026-01.csv: same",
        "  input      rates: same",
        "  operations 2 of 2 counted the same",
        "  output     20 out/closed: equal, missing",
    ]
    assert lines[6] == "  first difference: output 20 'publish'"


def test_what_is_to_be_verified_must_be_said_in_one_way(close: Shell) -> None:
    ended = close.run("verify")
    assert ended.code == 2
    assert "name the runs to verify" in ended.err


def test_the_certificate_has_commands_that_check_it_without_rowbook(close: Shell) -> None:
    run_id = close_january(close)
    ended = close.run("verify", run_id, "-o", "certificate.html")
    assert ended.out.splitlines()[-1] == "wrote certificate.html and certificate.json"
    page = (close.folder / "certificate.html").read_text()
    found = json.loads((close.folder / "certificate.json").read_text())["runs"][0]
    assert "<script" not in page
    assert found["seal"]["hash"] in page
    script = "\n".join(found["commands"])
    done = subprocess.run(["sh", "-e", "-c", script], cwd=close.folder, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().splitlines() == [
        "statement.txt: OK",
        "data/gl/2026-01.csv: OK",
        "data/rates.csv: OK",
    ]
    (close.folder / "data" / "rates.csv").write_text("account,rate\n4000,3\n")
    done = subprocess.run(["sh", "-e", "-c", script], cwd=close.folder, capture_output=True)
    assert done.returncode != 0


def test_a_run_of_a_quarter_is_proved_by_the_files_of_its_months(close: Shell) -> None:
    close.write({"data/gl/2026-03.csv": "account,amount\n4000,1.00\n"})
    run_id = record_run(close.folder, "close", "2026-Q1")
    (found,) = verified(close, run_id)
    assert [each["place"] for each in found["inputs"]] == [
        *("gl/2026-01.csv", "gl/2026-02.csv", "gl/2026-03.csv", "rates")
    ]
    assert (found["verdict"], found["outputs"][0]["on_disk"]) == ("proved", "as written")
    close.write({"data/gl/2026-02.csv": "account,amount\n4000,2.50\n"})
    (found,) = verified(close, run_id)
    assert (found["verdict"], found["notes"]) == (
        "proved",
        ["gl/2026-02.csv: taken from evidence"],
    )


@needs("openssl")
def test_the_signature_of_a_certificate_is_checked_by_openssl(
    close: Shell, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path_factory.mktemp("keys") / "seal.key"
    made = make_seal_key(key)
    monkeypatch.setenv("ROWBOOK_SEAL_KEY", key.read_text())
    settings = (close.folder / "rowbook.yaml").read_text()
    signed = settings.replace("}\n", ", seals: {key: env://ROWBOOK_SEAL_KEY}}\n")
    close.write({"rowbook.yaml": signed})
    run_id = record_run(close.folder, "close", "2026-01", trust=True)
    ended = close.run("verify", run_id, "-o", "certificate.html", "--trust")
    assert ended.code == 0, ended.err
    found = json.loads((close.folder / "certificate.json").read_text())["runs"][0]
    assert found["record"]["signature"] == "good"
    assert made.id in found["seal"]["statement"]
    script = "\n".join(found["commands"])
    done = subprocess.run(["sh", "-e", "-c", script], cwd=close.folder, capture_output=True)
    assert "Signature Verified Successfully" in done.stdout.decode(), done.stderr
