"""Options that say how values are written in text: which are sound, alone and together."""

from __future__ import annotations

import pytest

from rowbook.locations.text_options import format_fault


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("decimal_separator", "."),
        ("decimal_separator", ","),
        ("thousands_separator", "'"),
        ("thousands_separator", "\u2019"),
        ("thousands_separator", "\u00a0"),
        ("negative", "parentheses"),
        ("strip", "EUR"),
        ("strip", "€ %"),
        ("date_format", "dd.MM.yyyy"),
        ("date_format", "yyyyMMdd"),
        ("timestamp_format", "yyyy-MM-dd HH:mm:ss"),
        ("delimiter", ""),
    ],
)
def test_what_can_be_read_is_sound(name: str, value: str) -> None:
    assert format_fault(name, {name: value}) is None


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("decimal_separator", ";", "is ';', but must be '.' or ','"),
        ("decimal_separator", "", "is '', but must be '.' or ','"),
        (
            "thousands_separator",
            "_",
            "is '_', but must be '.', ',', an apostrophe or a space",
        ),
        ("negative", "Leading", "is 'Leading', but must be leading, trailing or parentheses"),
        ("strip", "", "is '', but must be the signs that may stand around a number"),
        ("date_format", "d.m.y", "is 'd.m.y', but must be made of yyyy, MM, dd and punctuation"),
        (
            "timestamp_format",
            "soon",
            "is 'soon', but must be made of yyyy, MM, dd, HH, mm, ss, S, XXX and punctuation",
        ),
    ],
)
def test_what_cannot_be_read_says_what_must_be(name: str, value: str, fault: str) -> None:
    assert format_fault(name, {name: value}) == fault


def test_one_sign_cannot_separate_both_decimals_and_thousands() -> None:
    options = {"thousands_separator": ",", "decimal_separator": ","}
    fault = "is ',', and so is decimal_separator: they must differ"
    assert format_fault("thousands_separator", options) == fault
    assert format_fault("thousands_separator", {**options, "decimal_separator": "."}) is None


def test_signs_around_a_number_are_none_that_it_may_hold() -> None:
    assert format_fault("strip", {"strip": "$-(0"}) == (
        "holds '(', '-', '0', which a number itself may hold"
    )
    separators = {"decimal_separator": ",", "thousands_separator": "."}
    assert format_fault("strip", {"strip": "Fr."}) is None
    assert format_fault("strip", {"strip": "Fr.", **separators}) == (
        "holds '.', which a number itself may hold"
    )
    assert format_fault("strip", {"strip": ",", "decimal_separator": ","}) == (
        "holds ',', which a number itself may hold"
    )


def test_spaces_may_stand_between_thousands_and_around_a_number() -> None:
    assert format_fault("strip", {"strip": "€ ", "thousands_separator": " "}) is None
