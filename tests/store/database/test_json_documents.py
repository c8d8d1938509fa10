"""One text and one hash for equal content."""

from __future__ import annotations

import hashlib
import json
import math

import pytest

from rowbook.store.database.json_documents import canonical, content_hash, verbatim


def test_equal_content_has_one_hash_whatever_the_order_of_its_keys() -> None:
    assert content_hash({"a": 1, "b": [{"c": "é", "d": None}]}) == content_hash(
        {"b": [{"d": None, "c": "é"}], "a": 1}
    )
    assert content_hash({"a": [1, 2]}) != content_hash({"a": [2, 1]})


def test_the_canonical_text_sorts_keys_at_every_depth_and_keeps_lists() -> None:
    content = {"b": [3, {"d": "é", "c": None}], "a": "x"}
    assert canonical(content) == '{"a":"x","b":[3,{"c":null,"d":"\\u00e9"}]}'


def test_verbatim_text_keeps_the_order_of_keys() -> None:
    assert verbatim({"b": 1, "a": [2]}) == '{"b":1,"a":[2]}'


def test_any_file_name_survives_as_ascii() -> None:
    name = "büro/\udcff\U0001f4d2.csv"
    text = verbatim({"name": name})
    assert text == '{"name":"b\\u00fcro/\\udcff\\ud83d\\udcd2.csv"}'
    assert json.loads(text) == {"name": name}
    assert len(content_hash({"name": name})) == 64


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_what_json_cannot_say_is_refused(number: float) -> None:
    for write in (canonical, verbatim, content_hash):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write({"n": number})


def test_the_hash_of_a_content_is_that_of_its_canonical_text_for_ever() -> None:
    assert content_hash({}) == hashlib.sha256(b"{}").hexdigest()
    assert content_hash({"b": 1, "a": 2}) == hashlib.sha256(b'{"a":2,"b":1}').hexdigest()
