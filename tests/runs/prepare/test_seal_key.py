"""The key that signs seals is read where the workspace says, and refused with that place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.errors import RowbookError
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.seal_key import make_key_pair, read_public_key
from tests.support.refusal import refusal
from tests.support.write_files import write_files


def opened(folder: Path, key: str, *, trust: bool = True) -> OpenWorkspace:
    write_files(folder, {"rowbook.yaml": f"workspace:\n  name: acme\n  seals: {{key: {key}}}\n"})
    return OpenWorkspace(folder, trust=trust)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "acme").mkdir()
    return tmp_path / "acme"


def test_a_file_below_the_workspace_or_elsewhere_has_the_key(folder: Path, tmp_path: Path) -> None:
    made = make_key_pair(tmp_path / "seal.key")
    for reference in ("file://../seal.key", f"file://{tmp_path}/seal.key"):
        with opened(folder, reference) as workspace:
            key = workspace._seal_key()
            assert key is not None
            assert key.public == made == read_public_key(tmp_path / "seal.key.pub")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "a credential is not there: the file ../seal.key cannot be read"),
        ("hunter2", "file://../seal.key holds no private key in PEM form without a password"),
    ],
)
def test_what_is_no_key_is_said_with_its_place(
    folder: Path, tmp_path: Path, text: str | None, why: str
) -> None:
    if text is not None:
        (tmp_path / "seal.key").write_text(text)
    with opened(folder, "file://../seal.key") as workspace:
        finding = refusal(workspace.store.seals.check_key)
    assert finding.code == "SEAL_001"
    assert finding.message == f"the key that signs seals cannot be used: {why}"
    assert str(finding.position) == "rowbook.yaml:3:16"


def test_a_key_is_used_by_who_trusts_the_workspace(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ROWBOOK_TRUST")
    make_key_pair(tmp_path / "seal.key")
    with (
        opened(folder, "file://../seal.key", trust=False) as workspace,
        pytest.raises(RowbookError, match="WORKSPACE_006"),
    ):
        workspace.store.seals.check_key()


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "seal.key.pub").write_text("mine")
    assert refusal(lambda: make_key_pair(tmp_path / "seal.key")).code == "SEAL_002"
    assert not (tmp_path / "seal.key").exists()
    assert (tmp_path / "seal.key.pub").read_text() == "mine"


def test_a_public_key_that_is_none_is_a_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "x.pub").write_text("nothing")
    finding = refusal(lambda: read_public_key(tmp_path / "x.pub"))
    assert finding.code == "USAGE_001"
    assert finding.message.endswith("x.pub holds no public key in PEM form")
