"""What new users read when something goes wrong, in `goldens/mistakes/`: what, where, what to do.
`python -m tests.cli.test_mistakes` writes it anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.cli.mistakes import MISTAKES, permissions_count

GOLDENS = Path(__file__).parent / "goldens" / "mistakes"


def _marks(name: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow, *([pytest.mark.spark] if MISTAKES[name].starts_spark else [])]


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in MISTAKES])
def test_a_mistake_is_explained(name: str, tmp_path: Path) -> None:
    if "permission" in name and not permissions_count():
        pytest.skip("root may do everything, and setpriv is not there")
    folder = tmp_path / "acme"
    folder.mkdir()
    golden = (GOLDENS / f"{name}.txt").read_text(encoding="utf-8")
    assert MISTAKES[name].session(folder) == golden


def test_every_golden_is_of_a_mistake() -> None:
    assert {path.stem for path in GOLDENS.iterdir()} == set(MISTAKES)


def main() -> None:
    """Writes the goldens anew."""
    GOLDENS.mkdir(exist_ok=True)
    for name, mistake in MISTAKES.items():
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary) / "acme"
            folder.mkdir()
            text = mistake.session(folder)
            (GOLDENS / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
