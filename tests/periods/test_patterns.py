from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.periods.patterns import PatternError, Reading, compile_pattern

_START = date(2025, 7, 1)


@pytest.mark.parametrize(
    ("pattern", "year", "n", "identifier"),
    [
        ("FY{year}", 2026, 1, "FY2026"),
        ("FY{yy}", 2026, 1, "FY26"),
        ("FY{yy}", 2005, 1, "FY05"),
        ("{year}-{n}", 2026, 7, "2026-7"),
        ("{year}-{n:02}", 2026, 7, "2026-07"),
        ("{year}-{n:02}", 2026, 113, "2026-113"),
        ("{year}-{n:03}", 2026, 7, "2026-007"),
        ("P{n:02}.{yy} (adj)", 2026, 13, "P13.26 (adj)"),
    ],
)
def test_a_pattern_writes_and_reads_the_same_identifier(
    pattern: str, year: int, n: int, identifier: str
) -> None:
    compiled = compile_pattern(pattern)
    assert compiled.write(year, n, _START) == identifier
    assert compiled.read(identifier) == Reading(year, n if "{n" in pattern else None)


def test_a_date_stands_for_the_first_day() -> None:
    pattern = compile_pattern("D{date}")
    assert pattern.write(2026, 1, _START) == "D2025-07-01"
    assert pattern.read("D2025-07-01") == Reading(date=(2025, 7, 1))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("{year}-{n:02}", "2026-1"),
        ("{year}-{n:02}", "2026-01 "),
        ("{year}-{n:02}", "2026-0113"),
        ("{year}-{n}", "2026-01"),
        ("{year}", "٢٠٢٦"),
        ("FY{year}", "fy2026"),
        ("{year}.{n}", "2026x1"),
        ("{date}", "2026-1-1"),
    ],
)
def test_a_pattern_reads_exactly_its_form(pattern: str, text: str) -> None:
    assert compile_pattern(pattern).read(text) is None


@pytest.mark.parametrize(
    "text", ["", " FY{year}", "a\tb", "{foo}", "{year:02}", "{n:2}", "{year", "year}", "{}", "{0}"]
)
def test_a_text_that_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(PatternError):
        compile_pattern(text)


@pytest.mark.parametrize(
    ("one", "other", "clash"),
    [
        ("FY{year}-{n}", "FY{year}-{n}", True),
        ("FY{year}-{n}", "FY{year}-{n:02}", True),
        ("FY{year}-{n}", "FY{year}-Q{n}", False),
        ("{year}", "{yy}{n:02}", True),
        ("{year}", "{year}{n}", False),
        ("{year}-{n:02}-01", "{date}", True),
        ("{year}-{n:02}", "{date}", False),
        ("{year}-1", "{year}-{n}", True),
        ("{year}-x", "{year}-{n}", False),
        ("FY{year}", "fy{year}", False),
    ],
)
def test_patterns_clash_where_a_text_could_have_both_forms(
    one: str, other: str, clash: bool
) -> None:
    assert compile_pattern(one).clashes(compile_pattern(other)) is clash
    assert compile_pattern(other).clashes(compile_pattern(one)) is clash


_NUMBERED = ["{n}", "{n:02}", "{n:03}", "-{n}", "-{n:02}", "-{n:03}", "Q{n}", "1{n}", ""]
_PATTERNS = st.builds(
    "".join, st.tuples(st.sampled_from(["", "FY", "2"]), st.sampled_from(["{year}", "{yy}"]),
                       st.sampled_from(_NUMBERED))
)  # fmt: skip


@given(_PATTERNS, _PATTERNS, st.integers(2000, 2099), st.integers(0, 999))
def test_an_identifier_of_one_pattern_is_read_by_no_pattern_that_does_not_clash(
    one: str, other: str, year: int, n: int
) -> None:
    writer, reader = compile_pattern(one), compile_pattern(other)
    if reader.read(writer.write(year, n, _START)):
        assert writer.clashes(reader)
