"""Lines made at random: Spark's rows are those that Python's own parser sees."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.sources.files.json.lines import LOOKED_AT, lines
from tests.sources.tables import csv_file, place, read

pytestmark = pytest.mark.spark

SEEDS = 4

NUMBERS = (
    "0", "-0", "-0.0", "0.00", "1.10", "10.50", "1e5", "1E+3", "-2e-7", "1.5e400",
    "12345678901234567890.123", "9" * 60, "100000.0", "-1.0E7",
)  # fmt: skip
NO_NUMBERS = ("007", "1.", "+1", ".5", "1e", "-", "0x1", "NaN", "-Infinity", "1 2", "--1", "1.2.3")
TEXTS = (
    "", " ", "1.5", "-0", "ü€😀", ":1.5,", "{", "}", "[1.50]", ", ", "a: 1, b: 2.50", "k-1",
    r"\"", r"\\", r"\\\"7", r"\"a\":1.50,", r"\u00e9", r"\u003a", r"\ud83d\ude00",
    r"\\ud800", r"\/x\b",
)  # fmt: skip
NO_TEXTS = (r"\ud800", r"\ude00\ud83d", r"\x", "\t", '"', "\\")
KEYS = ("a", "b", "amount", r"\u0061", "c.d", "ü", "", "x 1.5", ":2,")
OPENINGS, ENDINGS = (
    ("", " ", "\t"),
    ("", "", "", " ", "\t", "}", ",", "{}", "//", ' {"a":1}', ",1.5"),
)


class Maker:
    """Lines of which most are rows, and the others nearly so."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def line(self) -> str:
        """A line that no line end is part of."""
        if self._often(0.03):
            return self._pick((" ", "\t", "", "[]", "null", "5", '"x"', "{", "1.50"))
        return self._pick(OPENINGS) + self._object(KEYS, 0) + self._rarely(ENDINGS)

    def usual_line(self) -> str:
        """Keys in their order, most of them there, in the way of most programs."""
        keys = [key for key in ("id", "amount", "c.d", "text") if self._often(0.85)]
        members = [f'"{key}":{self._pick(("", " "))}{self._value(2)}' for key in keys]
        return "{" + self._pick((",", ", ")).join(members) + "}" + self._rarely(ENDINGS)

    def _object(self, keys: Sequence[str], depth: int) -> str:
        chosen = self._random.sample(keys, self._random.randint(0, 4))
        if chosen and self._often(0.03):
            chosen.append(chosen[0])
        members = (
            f'"{key}"{self._blank()}:{self._blank()}{self._value(depth)}{self._blank()}'
            for key in chosen
        )
        return "{" + self._blank() + ",".join(members) + "}"

    def _value(self, depth: int) -> str:
        kind = self._random.random()
        if kind < 0.4:
            return self._pick(NUMBERS) if self._often(0.97) else self._pick(NO_NUMBERS)
        if kind < 0.75:
            return self._text()
        if kind < 0.9 or depth == 2:
            return self._pick(("true", "false", "null"))
        if kind < 0.95:
            return self._object(("x", "y", "z", "a"), depth + 1)
        return f"[{', '.join(self._value(depth + 1) for _ in range(self._random.randint(0, 3)))}]"

    def _text(self) -> str:
        parts = [self._pick(TEXTS) for _ in range(self._random.randint(0, 3))]
        if self._often(0.03):
            parts.append(self._pick(NO_TEXTS))
        return f'"{"".join(parts)}"'

    def _blank(self) -> str:
        return self._pick(("", "", "", " ", "\t", "  "))

    def _rarely(self, choices: Sequence[str]) -> str:
        return self._pick(choices) if self._often(0.1) else ""

    def _pick(self, choices: Sequence[str]) -> str:
        return self._random.choice(choices)

    def _often(self, chance: float) -> bool:
        return self._random.random() < chance


def unescaped(value: str | None) -> str | None:
    """Inside of what is nested, Spark escapes characters of two halves: the same json."""
    return value and value.replace(r"\uD83D\uDE00", "😀")


@pytest.mark.parametrize("make", [Maker.line, Maker.usual_line])
def test_spark_and_python_see_the_same_rows(
    spark: SparkSession, tmp_path: Path, seed: int, make: Callable[[Maker], str]
) -> None:
    maker = Maker(seed)
    text = "".join(f"{make(maker)}\n" for _ in range(LOOKED_AT))
    path = csv_file(tmp_path, text, "gl.json")
    (raw,) = read(spark, place(path, "json"))
    assert raw.broken is not None
    found = raw.frame.collect()
    expected = list(lines(path, "utf-8"))
    assert len(found) == len(expected)
    assert 100 < sum(line.fault is not None for line in expected) < LOOKED_AT - 100
    for row, line in zip(found, expected, strict=True):
        label = text.splitlines()[line.number - 1]
        assert (row[raw.broken] is None) == (line.fault is None), label
        if line.fault is None:
            assert {name: unescaped(row[name]) for name in raw.columns} == {
                name: line.values.get(name) for name in raw.columns
            }, label


@pytest.mark.campaign
def test_long_lines_are_read_as_short_ones(spark: SparkSession, tmp_path: Path) -> None:
    many = 300_000
    texts = {
        '"' + r"\"" * many + '"': '"' * many,
        '"' + "x" * many + '"': "x" * many,
        "9" * many: "9" * many,
        "[" + "1.50," * many + '"x"]': "[" + "1.50," * many + '"x"]',
    }
    broken = [
        '{"a":"' + "x" * many,
        '{"a":"' + r"\"" * many,
        '{"a":' + "9" * many + "x}",
        "x" * many,
    ]
    text = "".join([*(f'{{"a":{value}}}\n' for value in texts), *(f"{line}\n" for line in broken)])
    (raw,) = read(spark, place(csv_file(tmp_path, text, "gl.json"), "json"))
    assert raw.broken is not None
    found = raw.frame.collect()
    assert [row["a"] for row in found] == [*texts.values(), *([None] * len(broken))]
    assert [row[raw.broken] for row in found] == [*([None] * len(texts)), *broken]
