from __future__ import annotations

import pytest

from rowbook.locations.object_urls import (
    ObjectUrlError,
    StoreAddress,
    split_url,
    store_address,
    store_option_fault,
)


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("s3://lake", ("lake", "")),
        ("s3://lake/", ("lake", "")),
        ("s3://lake/in/gl", ("lake", "in/gl")),
        ("s3://lake/{{YYYY}}/a.csv", ("lake", "{{YYYY}}/a.csv")),
    ],
)
def test_a_url_is_a_bucket_and_a_key(url: str, parts: tuple[str, str]) -> None:
    assert split_url(url) == parts


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("gs://lake/in", "data at gs:// cannot be read or written"),
        ("hdfs://name:8020/in", "data at hdfs:// cannot be read or written"),
        ("s3a://lake/in", "data at s3a:// cannot be read or written"),
        ("s3://", "'' is not the name of a bucket"),
        ("s3://UPPER/in", "'UPPER' is not the name of a bucket"),
        ("s3://lake/in/../out", "has an empty part, or one of dots"),
        ("s3://lake/in//gl", "has an empty part, or one of dots"),
    ],
)
def test_other_urls_are_refused(url: str, says: str) -> None:
    with pytest.raises(ObjectUrlError, match=r".*") as refused:
        split_url(url)
    assert says in str(refused.value)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("address", "server", "bucket_url"),
    [
        (
            StoreAddress("lake", region="eu-central-1"),
            "s3.eu-central-1.amazonaws.com:443",
            "https://lake.s3.eu-central-1.amazonaws.com",
        ),
        (
            StoreAddress("my.lake"),
            "s3.us-east-1.amazonaws.com:443",
            "https://s3.us-east-1.amazonaws.com",
        ),
        (
            StoreAddress("lake", "http://127.0.0.1:7070", path_style=True),
            "127.0.0.1:7070",
            "http://127.0.0.1:7070",
        ),
        (StoreAddress("lake", "http://store"), "store:80", "http://lake.store"),
    ],
)
def test_a_bucket_has_one_server(address: StoreAddress, server: str, bucket_url: str) -> None:
    assert (address.server, address.bucket_url) == (server, bucket_url)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("endpoint", "127.0.0.1:7070"),
        ("endpoint", "https://user:word@store"),
        ("endpoint", "https://store/path"),
        ("endpoint", "file:///etc"),
        ("region", "eu central"),
        ("path_style", "yes"),
        ("publication", "rename"),
    ],
)
def test_options_that_cannot_be_are_said_to_be(name: str, value: str) -> None:
    assert store_option_fault(name, value)
    with pytest.raises(ObjectUrlError):
        store_address("lake", {name: value})
