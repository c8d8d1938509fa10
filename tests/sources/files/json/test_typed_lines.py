"""Lines of json that Arrow reads: the same as by the rules, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.expressions.types import STRING
from rowbook.sources.files.json.typed_lines import TypedLines
from rowbook.sources.files.text.strict_values import UnsureError
from tests.sources.files.plain_loading import TYPES, by_rules, cells

VALUES = {
    "s": '"a"',
    "i": "7",
    "m": "1.50",
    "f": "2.5",
    "b": "true",
    "d": '"2026-01-31"',
    "t": '"2026-01-31T10:00:00Z"',
}


def line(**values: str) -> str:
    return (
        "{" + ", ".join(f'"{name}":{value}' for name, value in {**VALUES, **values}.items()) + "}"
    )


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with TemporaryDirectory() as made:
        yield Path(made)


def typed(text: str) -> list[list[object]] | None:
    try:
        return cells(TypedLines("utf-8", {}).table(text.encode(), TYPES, is_first=True))
    except UnsureError:
        return None


def test_plain_values_are_read() -> None:
    found = typed(line() + "\n" + '{"s":"x\\n\\"y\\"","m":-3e2,"other":null}\n{}\n')
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
        ['x\n"y"', None, Decimal("-300.00"), None, None, None, None],
        [None] * 7,
    ]


@pytest.mark.parametrize(
    "text",
    [
        *(
            line(i=value)
            for value in ("7.0", "1e2", '"7"', "07", "+7", "9223372036854775808", "[7]")
        ),
        *(
            line(m=value)
            for value in ("1.005", '"1.50"', "12345.00", "12345", "-1e4", "NaN", '".5"')
        ),
        *(line(f=value) for value in ("NaN", "Infinity", "1e400", '"1"')),
        *(line(d=value) for value in ('"2026-1-5"', '"0000-01-01"', "20260131")),
        *(line(s=value) for value in ("7", "true", '["a"]', '{"x":1}', '"\\u0061"', '"\ufffd"')),
        line(z="NaN"),
        line(z="[1]"),
        line(z='"1","z":"2"'),
        line(s='"a","s":"b"'),
        line() + line(),
        line() + line() + "\n\n" + line(),
        line() + "\n\n" + line(),
        " " + line(),
        line().replace(", ", ",\r"),
        line() + "\r" + line(),
        "[1]",
        "\ufeff" + line(),
    ],
)
def test_what_may_be_something_else_is_not_read(text: str) -> None:
    assert typed(f"{line()}\n{text}\n") is None


def test_lines_may_end_as_on_windows_and_the_last_not_at_all() -> None:
    assert typed(f"{line()}\r\n{line()}\r\n") == typed(f"{line()}\n{line()}")


def test_a_key_that_lines_lack_may_have_a_value_of_its_own() -> None:
    lines = TypedLines("utf-8", {"_period": "2026-01"})
    text = '{"_period":"2026-02"}\n{"s":"a"}\n'
    table = lines.table(text.encode(), {"s": STRING, "_period": STRING}, is_first=True)
    assert cells(table) == [[None, "2026-02"], ["a", "2026-01"]]
    assert not TypedLines("utf-8", {"_period": None}).may_be_sure
    assert not TypedLines("latin-1", {}).may_be_sure


PARTS = st.one_of(
    st.sampled_from(
        [*VALUES.values(), "null", '""', "-0", "0.10", "1E1", '"1.5"', "1.", "tru", "[]"]
    ),
    st.integers(-(10**12), 10**12).map(str),
    st.decimals(-999, 999, places=3).map(str),
    st.text(max_size=5).map(json.dumps),
    st.text(max_size=5).map(lambda text: json.dumps(text, ensure_ascii=False)),
    st.dates().map(lambda day: f'"{day}"'),
)
LINES = st.lists(
    st.one_of(
        st.just(line()),
        st.dictionaries(st.sampled_from([*VALUES, "z"]), PARTS, max_size=3).map(
            lambda v: line(**v)
        ),
        st.dictionaries(st.sampled_from([*VALUES, "z"]), PARTS, max_size=3).map(
            lambda v: "{" + ",".join(f'"{name}":{value}' for name, value in v.items()) + "}"
        ),
        st.sampled_from(["", " ", "{}", "x", f"{line()} {line()}", f" {line()}"]),
    ),
    max_size=4,
)


@given(lines=LINES, line_end=st.sampled_from(["\n", "\r\n"]), closed=st.booleans())
def test_what_is_read_is_what_the_rules_read(
    folder: Path, lines: list[str], line_end: str, closed: bool
) -> None:
    text = line_end.join((line(), *lines)) + line_end * closed
    path = folder / "lines.json"
    path.write_text(text, encoding="utf-8", newline="")
    found = typed(text)
    assert found is None or found == by_rules("json", path)
