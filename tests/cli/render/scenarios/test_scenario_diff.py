"""How a difference is shown."""

from __future__ import annotations

from decimal import Decimal
from textwrap import dedent

import pytest

from rowbook.cli.render.scenarios.scenario_diff import MOST_SHOWN, lines, mismatch_json
from rowbook.expressions import types as t
from rowbook.expressions.values import Value
from rowbook.scenarios.mismatch import Mismatch
from rowbook.scenarios.outcome import Outcome
from rowbook.text.visible import width
from tests.scenarios.samples import (
    J1,
    compared,
    ledger,
    only,
    rows_compared,
    table,
    text_of,
    written,
)

BOOK = {
    "journal": t.STRING,
    "line": t.INTEGER,
    "account": t.STRING,
    "amount": t.decimal(18, 2),
    "note": t.STRING,
}


def booked(*rows: tuple[str, int, str, str, str | None]) -> Outcome:
    return written(table(BOOK, *((j, n, a, Decimal(v), note) for j, n, a, v, note in rows)))


EXPECTED = """
    outputs:
      result:
        rows:
          - {journal: J1, line: 1, account: "4000", amount: 10.50}
          - {journal: J1, line: 2, account: "6000", amount: 1000}
          - {journal: J2, line: 1, account: "4000", amount: 3, note: 帳簿 paid}
          - {journal: J7, line: 1, account: "9999", amount: -0.07, note: gone}
"""


def found_in_book() -> list[Mismatch]:
    outcome = booked(
        ("J1", 1, "4000", "10.55", None),
        ("J1", 2, "6000", "1000.00", None),
        ("J2", 1, "4010", "3.00", None),
        ("J8", 5, "1000", "12345.00", "new"),
        ("J9", 12, "1200", "0.10", None),
    )
    return compared(EXPECTED, outcome, keys=("journal", "line"))


def test_the_whole_of_a_diff() -> None:
    assert text_of(found_in_book()) == dedent(
        """\
        output result: expected 4 rows, got 5: 2 different, 1 missing, 2 unexpected  (line 8)
          different rows
            journal 'J1', line 1 (line 9)
              amount: expected 10.50, got 10.55
            journal 'J2', line 1 (line 11)
              account: expected '4000', got '4010'
              note: expected '帳簿 paid', got NULL
          missing rows
            journal  line  account  amount  note
            'J7'        1  '9999'    -0.07  'gone'  (line 12)
          unexpected rows
            journal  line  account    amount  note
            'J8'        5  '1000'   12345.00  'new'
            'J9'       12  '1200'       0.10  NULL"""
    )


def test_the_same_for_programs() -> None:
    assert mismatch_json(only(found_in_book())) == {
        "what": "output result",
        "message": "expected 4 rows, got 5: 2 different, 1 missing, 2 unexpected",
        "line": 8,
        "missing": [
            {"journal": "J7", "line": 1, "account": "9999", "amount": "-0.07", "note": "gone"}
        ],
        "unexpected": [
            {"journal": "J8", "line": 5, "account": "1000", "amount": "12345.00", "note": "new"},
            {"journal": "J9", "line": 12, "account": "1200", "amount": "0.10", "note": None},
        ],
        "different": [
            {
                "row": {"journal": "J1", "line": 1},
                "origin": "line 9",
                "cells": [{"column": "amount", "expected": "10.50", "got": "10.55"}],
            },
            {
                "row": {"journal": "J2", "line": 1},
                "origin": "line 11",
                "cells": [
                    {"column": "account", "expected": "4000", "got": "4010"},
                    {"column": "note", "expected": "帳簿 paid", "got": None},
                ],
            },
        ],
        "counts": {"missing": 1, "unexpected": 2, "different": 2},
    }


def test_colours_only_when_asked() -> None:
    (found,) = found_in_book()
    assert "\033[" not in text_of([found])
    painted = "\n".join(lines(found, lambda d: [], paint=True))
    assert "\033[31m    'J7'        1  '9999'    -0.07  'gone'  (line 12)\033[0m" in painted


def test_columns_are_aligned_whatever_the_script() -> None:
    rows = table({"name": t.STRING, "n": t.INTEGER}, ("帳簿", 1), ("e\u0301", 22), ("abc", 333))
    assert text_of(rows_compared("[]", rows)).splitlines()[2:] == [
        "    name      n",
        "    '帳簿'    1",
        "    'e\u0301'      22",
        "    'abc'   333",
    ]


class TestManyRows:
    ROWS = tuple((f"J{i}",) for i in range(33))

    def test_a_section_shows_twenty_and_says_how_many_more(self) -> None:
        found = rows_compared("[]", table({"id": t.STRING}, *self.ROWS))
        shown = text_of(found).splitlines()
        assert shown[-2:] == ["    'J19'", "    … and 13 more"]
        assert len(shown) == 3 + MOST_SHOWN + 1

    def test_pairs_too(self) -> None:
        expected = ", ".join(f"{{id: J{i}, n: 1}}" for i in range(33))
        actual = table({"id": t.STRING, "n": t.INTEGER}, *((f"J{i}", 2) for i in range(33)))
        shown = text_of(rows_compared(f"[{expected}]", actual)).splitlines()
        assert shown.count("      n: expected 1, got 2") == MOST_SHOWN
        assert shown[-1] == "    … and 13 more"

    def test_a_large_table_is_searched_in_part_and_the_diff_says_so(self) -> None:
        expected = ", ".join(f"{{id: J{i}, n: 1}}" for i in range(1000))
        actual = table({"id": t.STRING, "n": t.INTEGER}, *((f"J{i}", 2) for i in range(1000)))
        found = rows_compared(f"[{expected}]", actual)
        assert only(found).message == (
            "expected 1000 rows, got 1000: 200 different, 800 missing, 800 unexpected"
        )
        last = "  only the first 200 rows of each side were searched for pairs"
        assert text_of(found).splitlines()[-1] == last

    def test_for_programs_there_are_more_rows_and_all_counts(self) -> None:
        rows = table({"id": t.STRING}, *((f"J{i}",) for i in range(1000)))
        found = mismatch_json(only(rows_compared("[]", rows)))
        assert len(found["unexpected"]) == 200
        assert found["counts"]["unexpected"] == 1000


LONG = "x" * 300


class TestWidth:
    @pytest.mark.parametrize(
        ("columns", "row"),
        [
            ({f"column_{i}": t.STRING for i in range(30)}, tuple(f"value {i}" for i in range(30))),
            ({"note": t.STRING}, (LONG,)),
            ({"note": t.STRING, "n": t.INTEGER}, ("帳簿" * 100, 1)),
            ({"a_rather_long_name_" * 6: t.STRING}, (LONG,)),
            ({"note": t.STRING}, ("line\n" * 50,)),
        ],
        ids=["many columns", "a long text", "wide characters", "a long name", "line breaks"],
    )
    def test_lines_fit(self, columns: dict[str, t.Type], row: tuple[Value, ...]) -> None:
        actual = table(columns, row)
        missing = "[{" + ", ".join(f"{name}: {'y' * 200}" for name in columns) + "}]"
        for expected in ("[]", missing.replace("y" * 200, "null", len(columns) // 2), missing):
            text = text_of(rows_compared(expected, actual))
            assert [line for line in text.splitlines() if width(line) > 98] == []

    def test_a_row_too_wide_for_a_table_is_a_list(self) -> None:
        columns = {f"column_{i}": t.INTEGER for i in range(20)}
        shown = text_of(rows_compared("[]", table(columns, tuple(range(20))))).splitlines()
        assert shown[2].startswith("    column_0: 0, column_1: 1, ")
        assert shown[3].startswith("      column_")
        assert shown[-1].endswith("column_19: 19")

    @pytest.mark.parametrize("place", [0, 50, 150, 299])
    def test_of_two_long_texts_the_first_difference_is_shown(self, place: int) -> None:
        expected, got = (LONG[:place] + mark + LONG[place:] for mark in "AB")
        actual = table({"id": t.STRING, "note": t.STRING}, ("J1", got))
        text = text_of(rows_compared(f"[{{id: J1, note: {expected}}}]", actual))
        first, second = text.splitlines()[-2:]
        assert first.startswith("      note: expected ")
        assert second.startswith("                 got ")
        assert first.index("A") == second.index("B")
        assert width(first) == width(second) == 98
        assert place == 0 or "xxxA" in first

    def test_a_long_message_is_wrapped(self) -> None:
        columns = ", ".join(f"column_{i}" for i in range(30))
        expect = f"outputs: {{result: {{columns: [{columns}]}}}}"
        text = text_of(compared(expect, written(ledger(J1))))
        assert max(map(len, text.splitlines())) <= 98
        assert "column_29" in text
