"""Chance that is the same everywhere."""

from __future__ import annotations

from rowbook.starter.chance import Chance


def test_parts_add_up_to_the_total() -> None:
    for sum_ in (-100_003, 0, 7, 999_999):
        parts = Chance("parts", sum_).split(sum_, 7)
        assert (len(parts), sum(parts)) == (7, sum_)


def test_its_name_decides_all_that_comes() -> None:
    one, same, other = Chance(1, "US01"), Chance(1, "US01"), Chance(2, "US01")
    first = [one.share(0, 1) for _ in range(5)]
    assert [same.share(0, 1) for _ in range(5)] == first
    assert [other.share(0, 1) for _ in range(5)] != first


def test_the_first_choices_are_the_same_on_every_machine() -> None:
    chance = Chance("machine")
    assert [chance.pick("abcdefghij") for _ in range(8)] == list("ifhgdfjd")
    assert chance.split(1_000, 4) == [364, 343, 126, 167]


def test_a_share_lies_between_its_ends_and_a_choice_among_its_choices() -> None:
    chance = Chance("ends")
    assert all(0.9 <= chance.share(0.9, 1.1) < 1.1 for _ in range(1_000))
    assert {chance.pick("abc") for _ in range(200)} == set("abc")
    assert chance.share(2, 2) == 2


def test_one_part_is_the_total() -> None:
    assert Chance("one").split(12_345, 1) == [12_345]
