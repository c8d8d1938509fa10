"""Two palettes with the same names, and rules that hold in both."""

from __future__ import annotations

from rowbook.drawing.colours import DARK, KINDS, LIGHT, in_both


def test_both_palettes_have_a_colour_for_everything() -> None:
    assert list(LIGHT) == list(DARK)
    assert set(KINDS) <= set(LIGHT)


def test_rules_are_written_for_light_and_for_dark_surroundings() -> None:
    assert in_both(".a {fill: $card}") == (
        ".a {fill: #ffffff}@media (prefers-color-scheme: dark) {.a {fill: #1c222b}}"
    )
