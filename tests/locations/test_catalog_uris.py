"""URIs of REST catalogs: a server and a path, and nothing that leads elsewhere."""

from __future__ import annotations

import pytest

from rowbook.locations.catalog_uris import (
    catalog_server,
    catalog_uri_fault,
    is_readable_on_the_way,
    prefix_fault,
)


@pytest.mark.parametrize(
    ("uri", "server"),
    [
        ("https://lake", "lake:443"),
        ("https://lake:8181/api/catalog/", "lake:8181"),
        ("http://127.0.0.1:8181", "127.0.0.1:8181"),
    ],
)
def test_a_uri_names_a_server(uri: str, server: str) -> None:
    assert catalog_uri_fault(uri) is None
    assert catalog_server(uri) == server


@pytest.mark.parametrize(
    "uri",
    [
        *("", "lake", "ftp://lake", "https://", "https://lake:99999", "https://a@lake"),
        *("https://lake/../x", "https://lake/a b", "https://lake?x=1", "https://lake#x"),
        *("https://lake/%2e%2e", "https://lake/a//b", "file:///etc/passwd", "https://lake\n"),
    ],
)
def test_what_is_no_uri_is_refused(uri: str) -> None:
    assert catalog_uri_fault(uri) is not None


def test_what_others_could_read_is_told_from_what_they_cannot() -> None:
    assert is_readable_on_the_way("http://lake:8181")
    assert not is_readable_on_the_way("https://lake:8181")
    assert not is_readable_on_the_way("http://localhost:8181")


@pytest.mark.parametrize(
    ("prefix", "is_good"), [("lakes/close", True), ("../x", False), ("a?b", False)]
)
def test_a_prefix_is_a_path(prefix: str, is_good: bool) -> None:
    assert (prefix_fault(prefix) is None) is is_good
