"""One text and one hash for equal content."""

from __future__ import annotations

from rowbook.store import content_hash


def test_equal_content_has_one_hash_whatever_the_order_of_its_keys() -> None:
    assert content_hash({"a": 1, "b": [{"c": "é", "d": None}]}) == content_hash(
        {"b": [{"d": None, "c": "é"}], "a": 1}
    )
    assert content_hash({"a": [1, 2]}) != content_hash({"a": [2, 1]})
