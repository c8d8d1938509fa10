"""Whatever a cloned workspace brings, and whatever command is called in it: no harm is done."""

from __future__ import annotations

import pytest

from tests.hostile.clones import REFUSED, UNTRUSTED, Clone
from tests.hostile.conftest import Scene

_RUN = ("close", "--period", "2026-01")
USUAL = (
    ("plan", *_RUN, "--draft", "--connect"),
    ("apply", "--yes"),
    ("activate", "close"),
    ("run", *_RUN),
    ("runs", "list"),
)
"""Of each way to use a workspace one: its data, its store, both and Spark."""
COMMANDS = (
    *USUAL,
    ("plan", *_RUN),
    ("preview", *_RUN),
    ("watch", *_RUN, "--once"),
    ("test",),
    ("run", *_RUN, "--draft"),
    ("diff", *_RUN),
    ("deactivate", "close"),
    ("datasets", "list"),
    ("datasets", "show", "gl"),
    ("periods", "list"),
    ("periods", "close", "2026-01"),
    ("projects", "history", "close"),
    ("runs", "show", "0199"),
    ("runs", "resume", "0199"),
    ("gc", "--older-than", "0"),
)


@pytest.mark.parametrize("clone", UNTRUSTED.values(), ids=UNTRUSTED.keys())
def test_a_clone_that_is_not_trusted_can_be_checked_and_nothing_else(
    clone: Clone, scene: Scene
) -> None:
    scene.write(clone)
    checked = scene.run("validate")
    assert (checked.code, checked.out[:20]) == (0, "0 errors, 0 warnings")
    for words in USUAL:
        check_stopped(scene, words)
    scene.check_unharmed()
    assert not (scene.folder / ".rowbook" / "store.db").exists() or clone.links


def check_stopped(scene: Scene, words: tuple[str, ...]) -> None:
    ended = scene.run(*words)
    assert (ended.code, ended.out) == (2, ""), (words, ended)
    assert "WORKSPACE_006  the workspace " in ended.err, words
    assert "say --trust" in ended.err


def test_every_command_that_uses_a_workspace_asks_first(scene: Scene) -> None:
    scene.write(UNTRUSTED["a store on a server"])
    for words in COMMANDS:
        check_stopped(scene, words)
    scene.check_unharmed()


@pytest.mark.parametrize("clone", REFUSED.values(), ids=REFUSED.keys())
def test_a_definition_that_reaches_out_is_refused(clone: Clone, scene: Scene) -> None:
    scene.write(clone)
    checked = scene.run("validate", "--format", "json")
    assert checked.code == (1 if clone.is_finding else 0)
    assert (clone.code in checked.out) == clone.is_finding
    for words in USUAL:
        scene.run(*words)
    assert clone.code in "".join(scene.said)
    scene.check_unharmed()


def test_a_secret_may_not_go_where_a_shipped_store_says(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are harmless; the project that was activated before reads from a server."""
    scene.write(UNTRUSTED["a secret that it may have itself"])
    with monkeypatch.context() as attacker:
        attacker.setenv("ROWBOOK_TRUST", "1")
        assert scene.run("apply", "--yes").code == 0
        assert scene.run("activate", "close").code == 0
    scene.write(Clone(""))
    for words in (("run", *_RUN), ("plan", *_RUN), ("runs", "list"), ("gc",)):
        scene.run(*words)
    connected = scene.run("plan", *_RUN, "--connect")
    assert "does not let env://CANARY go to 127.0.0.1" in " ".join(connected.out.split())
    scene.check_unharmed()
