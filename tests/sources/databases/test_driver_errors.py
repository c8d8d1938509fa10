"""What a driver said, without the values of rows that it repeats."""

from __future__ import annotations

import pytest

from rowbook.sources.databases.driver_errors import without_values


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Duplicate entry 'secret' for key 'PRIMARY'", "Duplicate entry … for key 'PRIMARY'"),
        (
            "Incorrect date value: 'it's' for column `a`.`b`.`c` at row 1",
            "Incorrect date value: … for column `a`.`b`.`c` at row 1",
        ),
        (
            "Out of range value for column 'id' at row 1",
            "Out of range value for column 'id' at row 1",
        ),
    ],
)
def test_values_are_left_out(said: str, told: str) -> None:
    assert without_values(said) == told
