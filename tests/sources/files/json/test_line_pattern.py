"""The usual line of a file: which lines it matches, and what it takes out of them."""

from __future__ import annotations

import re

import pytest

from rowbook.sources.files.json.line_pattern import MOST_KEYS, LinePattern, line_pattern
from rowbook.sources.files.json.lines import lines_in


def pattern_of(*lines: str) -> LinePattern | None:
    return line_pattern(tuple(lines_in(lines)))


def cells(pattern: LinePattern | None, line: str) -> list[str] | None:
    """What Java's replacement gives, split; None where the line does not match."""
    assert pattern is not None
    found = re.fullmatch(pattern.pattern, line)
    if found is None:
        return None
    groups = re.compile(r"\$(\d+)")
    return groups.sub(lambda n: found[int(n[1])] or "", pattern.replacement).split("\x01")[1:]


def test_values_are_taken_as_they_are_written() -> None:
    usual = pattern_of('{"id":"J1","amount":1.50,"text":"x"}', '{"id": "J2", "amount": -2E+3}')
    assert usual is not None
    assert usual.names == ("id", "amount", "text")
    assert cells(usual, '{"id":"J1","amount":1.50,"text":"x, {y}: 1"}') == [
        "J1",
        "1.50",
        "x, {y}: 1",
    ]
    assert cells(usual, '{"id": "ü€😀", "amount": -0}') == ["ü€😀", "-0", ""]


def test_null_empty_text_and_booleans_are_told_apart() -> None:
    usual = pattern_of('{"a":"","b":null,"c":true}')
    assert cells(usual, '{"a":"","b":null,"c":false}') == ['"', "", "false"]
    assert cells(usual, '{"a":null,"b":"","c":1.5}') == ["", '"', "1.5"]
    assert cells(usual, '{"a":"null","b":"x","c":"true"}') == ["null", "x", "true"]


def test_keys_that_rows_lack_stand_where_other_rows_have_them() -> None:
    usual = pattern_of('{"b":1}', '{"a":1,"b":1,"c":1,"d":1}', '{"c":1}')
    assert usual is not None
    assert usual.names == ("a", "b", "c", "d")
    assert cells(usual, '{"d":4}') == ["", "", "", "4"]
    assert cells(usual, '{"a":1,"c":3}') == ["1", "", "3", ""]
    assert cells(usual, "{}") == ["", "", "", ""]


@pytest.mark.parametrize(
    "line",
    [
        '{"a":1,"b":"x","a":1}',
        '{"a":1,"b":"x","b":"x"}',
        '{"b":"x","a":1}',
        '{"a":1,"b":"x","c":2}',
        '{"a":1"b":"x"}',
        '{"a":1,,"b":"x"}',
        '{,"a":1}',
        '{"a":1,}',
        '{"a":1,"b":"x"}}',
        '{"a":1,"b":"x"}{"a":1}',
        '{"a":1,"b":"x"} x',
        '{"a":01,"b":"x"}',
        '{"a":1.,"b":"x"}',
        '{"a":.5,"b":"x"}',
        '{"a":+1,"b":"x"}',
        '{"a":NaN,"b":"x"}',
        '{"a":1e,"b":"x"}',
        '{"a":-,"b":"x"}',
        '{"a":[1],"b":"x"}',
        '{"a":1,"b":{}}',
        '{"a":1,"b":"x\ty"}',
        '{"a":1,"b":"x\x01y"}',
        r'{"a":1,"b":"\n"}',
        '{"a":1,"b":"x',
        '{"a":1,"b":x}',
        '[{"a":1,"b":"x"}]',
        "\x01a\x01b",
    ],
)
def test_what_is_no_usual_line_is_left_to_the_parser(line: str) -> None:
    for first in (['{"a":1,"b":"x"}'], ['{"a":1}', '{"b":""}', '{"a":"","b":null}']):
        assert cells(pattern_of(*first), line) is None


def test_lines_that_are_at_fault_say_nothing() -> None:
    assert pattern_of("", "x", "[]") is None
    usual = pattern_of('{"a":1}', '{"b":1,"b":2}')
    assert usual is not None
    assert usual.names == ("a",)


def test_keys_may_hold_any_character_that_needs_no_escape() -> None:
    usual = pattern_of('{"a.b":1,"c d (1)$":2,"ü":3}')
    assert cells(usual, '{"a.b":1,"c d (1)$":2,"ü":3}') == ["1", "2", "3"]
    assert cells(usual, '{"axb":1,"c d (1)$":2,"ü":3}') is None
    assert pattern_of(r'{"a\"b":1}') is None


def test_many_keys_have_no_pattern() -> None:
    keys = [f'"k{n}":{n}' for n in range(MOST_KEYS + 1)]
    assert pattern_of(f"{{{','.join(keys[1:])}}}") is not None
    assert pattern_of(f"{{{','.join(keys)}}}") is None
