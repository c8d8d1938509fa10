"""What new users read when something goes wrong, in `goldens/mistakes/`: what, where, what to do.
`python -m tests.cli.test_mistakes` writes it anew."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.mistakes import MISTAKES, permissions_count
from tests.starter.shared_session import shared_session

GOLDENS = Path(__file__).parent / "goldens" / "mistakes"


def _marks(name: str) -> list[pytest.MarkDecorator]:
    mistake = MISTAKES[name]
    marks = {"slow": mistake.apart or mistake.starts_spark, "spark": mistake.starts_spark}
    return [getattr(pytest.mark, mark) for mark, given in marks.items() if given]


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in MISTAKES])
def test_a_mistake_is_explained(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """In this process Spark is that of all tests."""
    mistake = MISTAKES[name]
    if "permission" in name and not permissions_count():
        pytest.skip("root may do everything, and setpriv is not there")
    folder = tmp_path / "acme"
    folder.mkdir()
    golden = (GOLDENS / f"{name}.txt").read_text(encoding="utf-8")
    with ExitStack() as held:
        if mistake.starts_spark and not mistake.apart:
            held.enter_context(shared_session(request.getfixturevalue("spark")))
        assert mistake.session(folder) == golden


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
