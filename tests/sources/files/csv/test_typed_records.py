"""Lines of csv that Arrow reads: the same as by the rules, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.sources.files.csv.dialect import CsvDialect
from rowbook.sources.files.csv.typed_records import TypedRecords
from rowbook.sources.files.text.strict_values import UnsureError
from tests.sources.files.plain_loading import TYPES, by_rules, cells

NAMES = tuple(TYPES)
HEADER = ",".join(NAMES)
PLAIN = "a,7,1.50,2.5,true,2026-01-31,2026-01-31T10:00:00Z"


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as made:
        yield Path(made)


def typed(text: str) -> list[list[object]] | None:
    lines = TypedRecords(NAMES, CsvDialect(), "\r\n" if "\r\n" in text[:60] else "\n")
    try:
        return cells(lines.table(text.encode(), TYPES, is_first=True))
    except UnsureError:
        return None


def test_plain_values_are_read() -> None:
    other = '"x, ""y""",-07,-1,1,FALSE,0001-01-01,2222-02-28T23:59:59.000001Z'
    found = typed(f"{HEADER}\n{PLAIN}\n,,,,,,\n{other}\n")
    assert found == [
        [
            "a",
            7,
            Decimal("1.50"),
            2.5,
            True,
            date(2026, 1, 31),
            datetime(2026, 1, 31, 10, tzinfo=UTC),
        ],
        [None] * 7,
        [
            'x, "y"',
            -7,
            Decimal("-1.00"),
            1.0,
            False,
            date(1, 1, 1),
            datetime(2222, 2, 28, 23, 59, 59, 1, tzinfo=UTC),
        ],
    ]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        *[
            (1, text)
            for text in ("+7", " 7", "7 ", "0x7", "1e2", "7.0", "9223372036854775808", '""')
        ],
        *[(2, text) for text in ("1.005", ".5", "5.", "1e2", "12345.00", "1,5", " 1.50", "NaN")],
        *[(3, text) for text in ("NaN", "Infinity", "1e400", "9" * 400, "1_0")],
        *[(4, text) for text in ("1", "0", "yes", "t")],
        *[(5, text) for text in ("2026-1-5", "2026-02-30", "0000-01-01", "31.01.2026", "20260131")],
        *[
            (6, text)
            for text in ("2026-01-31 10:00:00", "2026-01-31T10:00:00+01:00", "2026-01-31T24:00:00Z")
        ],
        *[(0, text) for text in ("a\ufffd", 'a"b', '"a\nb"', '"a"b', "a\0", "a,b")],
    ],
)
def test_what_may_be_something_else_is_not_read(place: int, text: str) -> None:
    values = PLAIN.split(",")
    values[place] = text
    assert typed(f"{HEADER}\n{PLAIN}\n{','.join(values)}\n") is None


def test_the_header_must_be_the_one_that_is_known() -> None:
    assert typed(f"{HEADER.replace('s,', 'z,')}\n{PLAIN}\n") is None


@pytest.mark.parametrize(
    "dialect",
    [
        CsvDialect(encoding="latin-1"),
        CsvDialect(null_text="-"),
        CsvDialect(escape="\\"),
        CsvDialect(header_row=3),
        CsvDialect(compression="gzip"),
    ],
)
def test_other_dialects_are_for_the_rules(dialect: CsvDialect) -> None:
    assert TypedRecords(NAMES, CsvDialect(), "\n").may_be_sure
    assert not TypedRecords(NAMES, dialect, "\n").may_be_sure


CELLS = st.one_of(
    st.sampled_from(PLAIN.split(",")),
    st.sampled_from(["", '""', " ", "7", "-0", "+1", "00.10", "1.5", "-3.25", '"x"', "TRUE", "é"]),
    st.from_regex(r"[0-9+\-.e: \"TZx]{0,8}", fullmatch=True),
    st.dates().map(str),
    st.integers(-(10**7), 10**7).map(lambda cents: f"{cents / 100:.2f}"),
)
ROWS = st.lists(
    st.one_of(
        st.just(PLAIN),
        st.tuples(*[CELLS] * 7).map(",".join),
        st.tuples(st.sampled_from(PLAIN.split(",")), st.integers(0, 6), CELLS).map(
            lambda each: ",".join(
                each[2] if i == each[1] else cell for i, cell in enumerate(PLAIN.split(","))
            )
        ),
        st.sampled_from(["", " ", ",,,,,,", "a,b", f"{PLAIN},"]),
    ),
    max_size=4,
)


@given(rows=ROWS, line_end=st.sampled_from(["\n", "\r\n"]), closed=st.booleans())
def test_what_is_read_is_what_the_rules_read(
    folder: Path, rows: list[str], line_end: str, closed: bool
) -> None:
    text = line_end.join((HEADER, *rows)) + line_end * closed
    path = folder / "lines.csv"
    path.write_text(text, encoding="utf-8", newline="")
    found = typed(text)
    assert found is None or found == by_rules("csv", path)
