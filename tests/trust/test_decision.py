"""Somebody is asked once for the same content, and again when it changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowbook.trust.decision import TrustRequest, check_trust
from tests.definitions.models.samples import model_of
from tests.support.refusal import refusal


@pytest.fixture(autouse=True)
def _own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROWBOOK_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


class Somebody:
    """Who answers, and what was asked."""

    def __init__(self, *, answer: bool = True) -> None:
        self.answer = answer
        self.requests: list[TrustRequest] = []

    def __call__(self, request: TrustRequest) -> bool:
        self.requests.append(request)
        return self.answer


def settings(*locations: str, jar: str | None = None) -> Any:
    conf = f", engine: {{conf: {{spark.jars: {jar}}}}}" if jar else ""
    return model_of(f"workspace: {{name: acme, allowed_locations: [{', '.join(locations)}]{conf}}}")


def test_what_claims_nothing_is_never_asked_about(tmp_path: Path) -> None:
    check_trust(tmp_path, settings(), False)


def test_without_an_answer_it_is_refused_with_what_is_claimed(tmp_path: Path) -> None:
    found = refusal(lambda: check_trust(tmp_path, settings("/a", jar="x.jar"), False))
    assert (found.code, found.message) == (
        "WORKSPACE_006",
        f"the workspace {tmp_path} claims more than its own folder:"
        " engine.conf spark.jars: x.jar; allowed_locations: /a",
    )


def test_a_yes_is_remembered_for_this_content_at_this_place(tmp_path: Path) -> None:
    somebody = Somebody()
    for _ in range(2):
        check_trust(tmp_path / "a", settings("/a"), somebody)
    check_trust(tmp_path / "a", settings("/a"), False)
    assert [request.first for request in somebody.requests] == [True]
    refusal(lambda: check_trust(tmp_path / "b", settings("/a"), False), "WORKSPACE_006")


def test_a_no_is_not(tmp_path: Path) -> None:
    nobody = Somebody(answer=False)
    for _ in range(2):
        refusal(lambda: check_trust(tmp_path, settings("/a"), nobody), "WORKSPACE_006")
    assert len(nobody.requests) == 2


def test_another_content_is_asked_about_with_what_changed(tmp_path: Path) -> None:
    somebody = Somebody()
    check_trust(tmp_path, settings("/a", jar="x.jar"), somebody)
    check_trust(tmp_path, settings("/a", "/b"), somebody)
    check_trust(tmp_path, settings("/a", jar="x.jar"), somebody)
    first, second = somebody.requests
    assert first.first
    assert not second.first
    assert [each.label for each in second.new] == ["allowed_locations: /b"]
    assert second.gone == ("engine.conf spark.jars",)


def test_true_is_for_this_time_alone(tmp_path: Path) -> None:
    check_trust(tmp_path, settings("/a"), True)
    refusal(lambda: check_trust(tmp_path, settings("/a"), False), "WORKSPACE_006")


@pytest.mark.parametrize(
    ("value", "trusted"),
    [
        ("1", True),
        ("{here}", True),
        ("/elsewhere:{here}/..", True),
        ("/elsewhere", False),
        ("{here}/below", False),
        ("{here}2", False),
        ("work", False),
        ("0", False),
        ("", False),
    ],
)
def test_the_variable_trusts_all_or_some_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, trusted: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROWBOOK_TRUST", value.replace("{here}", str(tmp_path / "work")))
    if trusted:
        check_trust(tmp_path / "work", settings("/a"), False)
    else:
        refusal(lambda: check_trust(tmp_path / "work", settings("/a"), False), "WORKSPACE_006")


def test_a_yes_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("no folder")
    found = refusal(lambda: check_trust(tmp_path, settings("/a"), Somebody()), "WORKSPACE_006")
    assert "cannot be kept in" in found.message
    assert found.hint == "say --trust"
