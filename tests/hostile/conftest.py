"""A clone in a folder, what is beside it, and who would notice if it did harm."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from rowbook.engine.session.jvm import Jvm
from tests.hostile.clones import BASE, Clone
from tests.support.password_thief import Thief, password_thief
from tests.support.shell import Ended, Shell
from tests.support.write_files import write_files

SECRET = "kanarie-7"


@dataclass(frozen=True, slots=True)
class Scene:
    """`outside` is a folder of the user's, whose files hold the secret; a variable holds it too."""

    shell: Shell
    outside: Path
    thief: Thief
    starts: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        return self.shell.folder / "clone"

    def write(self, clone: Clone) -> None:
        files = {**BASE, **clone.files}
        if "data/gl" in clone.links:
            del files["data/gl.csv"]
        write_files(self.folder, {name: self._filled(text) for name, text in files.items()})
        for name, target in clone.links.items():
            link = self.folder / name
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(self._filled(target))

    def run(self, *words: str) -> Ended:
        ended = self.shell.run(*words, "-C", str(self.folder))
        self.said.append(ended.out + ended.err)
        return ended

    def check_unharmed(self) -> None:
        """Nothing was written or removed outside, no code ran, nobody was asked, no secret told."""
        assert self._files() == {"book.csv": f"account,amount,note,_period\n{SECRET},1,,2026-01\n"}
        assert self.starts == []
        assert (self.thief.visits, self.thief.loot) == (0, [])
        assert [text for text in self.said if SECRET in text or "\x1b" in text] == []

    def _files(self) -> dict[str, str]:
        found = [Path(f, n) for f, _, names in os.walk(self.outside) for n in names]
        return {path.relative_to(self.outside).as_posix(): path.read_text() for path in found}

    def _filled(self, text: str) -> str:
        return text.replace("{outside}", str(self.outside)).replace("{port}", str(self.thief.port))


@pytest.fixture
def scene(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    """Nothing is trusted, and nobody is at the terminal."""
    monkeypatch.delenv("ROWBOOK_TRUST")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(shell.folder / "config"))
    monkeypatch.setenv("CANARY", SECRET)
    monkeypatch.setenv("PGPASSWORD", SECRET)
    outside = shell.folder / "outside"
    outside.mkdir()
    (outside / "book.csv").write_text(f"account,amount,note,_period\n{SECRET},1,,2026-01\n")
    with password_thief() as thief:
        made = Scene(shell, outside, thief)

        def start(*_: object, **__: object) -> None:
            made.starts.append("Java")
            raise AssertionError("Java is started")

        monkeypatch.setattr(Jvm, "start", start)
        yield made
