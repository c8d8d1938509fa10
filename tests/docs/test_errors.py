"""Every code is documented, and every example of one teaches that one thing."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import generate_docs
import rowbook
from docgen.coverage import RUN_TIME, UndocumentedError, check_coverage
from docgen.examples import EXAMPLES, Example, Outcome, file_examples, outcome, read_example
from docgen.special import special_examples
from rowbook.errors.codes import CODES

_FROM_FILES = file_examples()
_ALL = _FROM_FILES | special_examples()
_WARNINGS = {
    *("EXPECT_009", "EXPECT_010", "EXPR_009", "PARAMETER_005", "PROJECT_007", "UPDATE_007")
}


@cache
def _outcome(code: str) -> Outcome:
    return outcome(_ALL[code])


@pytest.fixture(params=sorted(_ALL))
def example(request: pytest.FixtureRequest) -> Example:
    return _ALL[str(request.param)]


def test_an_example_reports_its_code_and_nothing_else(example: Example) -> None:
    found = _outcome(example.code)
    if example.file is None:
        assert found.text.startswith(f"{example.code}  ")
        return
    (finding,) = found.findings
    severity = "warning" if example.code in _WARNINGS else "error"
    assert (finding.code, finding.severity) == (example.code, severity)


def test_an_example_is_faulty_in_its_own_file(example: Example) -> None:
    if example.file is None:
        return
    (finding,) = _outcome(example.code).findings
    assert finding.file == example.file
    assert finding.line is not None
    assert 1 <= finding.line <= len(example.shown.splitlines())


@pytest.mark.parametrize("code", sorted(_FROM_FILES))
def test_an_example_says_in_a_sentence_what_is_wrong(code: str) -> None:
    what = _FROM_FILES[code].what
    assert what.endswith(".")
    assert what[0].isupper() or what[0] == "`"


def test_every_code_has_an_example_or_a_reason_for_having_none() -> None:
    check_coverage(_ALL.keys())
    assert CODES.keys() == _ALL.keys() | RUN_TIME.keys()


def test_a_code_without_example_is_refused() -> None:
    with pytest.raises(UndocumentedError, match="EXPR_001: no example"):
        check_coverage(_ALL.keys() - {"EXPR_001"})


def test_an_example_of_no_code_is_refused() -> None:
    with pytest.raises(UndocumentedError, match="EXPR_999: not a code"):
        check_coverage(_ALL.keys() | {"EXPR_999"})


def test_a_code_is_not_both_exampled_and_found_at_run_time() -> None:
    with pytest.raises(UndocumentedError, match="JOIN_005: both"):
        check_coverage(_ALL.keys() | {"JOIN_005"})


def test_the_catalogue_holds_exactly_the_codes_that_are_reported() -> None:
    sources = [p for p in Path(rowbook.__file__).parent.rglob("*.py") if p.name != "codes.py"]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    assert CODES.keys() - set(re.findall(r"\b[A-Z]+_[A-Z0-9]+\b", text)) == set()
    kinds = {code.partition("_")[0] for code in CODES if code != "SYSTEM_COLUMN"}
    named = re.findall(rf"\b(?:{'|'.join(sorted(kinds))})_[0-9]{{3}}\b", text)
    assert set(named) - CODES.keys() == set()


def test_an_example_without_its_sentence_is_refused(tmp_path: Path) -> None:
    (tmp_path / "EXPR_001.yaml").write_text("project: {}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"EXPR_001\.yaml does not start with '# what: …'"):
        read_example(tmp_path / "EXPR_001.yaml")


def test_examples_stand_in_files_that_are_named_after_a_code() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} <= CODES.keys()


@pytest.mark.slow
def test_the_generated_pages_are_up_to_date() -> None:
    assert list(generate_docs.out_of_date()) == []


def test_a_page_that_differs_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate_docs, "PAGES", {"errors.md": lambda: "new\n"})
    monkeypatch.setattr(generate_docs, "DOCS", tmp_path)
    (tmp_path / "errors.md").write_text("old\n", encoding="utf-8")
    assert generate_docs.main(["--check"]) == 1
    assert capsys.readouterr().err == "docs/errors.md is out of date: run `make docs`\n"
    assert (tmp_path / "errors.md").read_text(encoding="utf-8") == "old\n"
    assert generate_docs.main([]) == 0
    assert generate_docs.main(["--check"]) == 0


def test_the_pages_show_no_path_of_this_machine() -> None:
    for page in generate_docs.DOCS.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.:/-])/(?:tmp|work|home|root|var|private)/", text), page.name
