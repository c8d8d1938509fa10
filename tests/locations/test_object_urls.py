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
        ("az://lake/in/gl", ("lake", "in/gl")),
        ("abfss://lake@acme.dfs.core.windows.net/in/gl", ("lake", "in/gl")),
    ],
)
def test_a_url_is_a_bucket_and_a_key(url: str, parts: tuple[str, str]) -> None:
    assert split_url(url) == parts


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("gs://lake/in", "data at gs:// cannot be read or written"),
        ("hdfs:///in", "'' is not a host"),
        ("hdfs://name:port/in", "'name:port' is not a host"),
        ("s3a://lake/in", "data at s3a:// cannot be read or written"),
        ("abfs://lake@acme.dfs.core.windows.net", "data at abfs:// cannot be read or written"),
        ("abfss://lake/in", "'lake' is not the name of a container and its account"),
        ("abfss://lake@acme.example/in", "is not the name of a container and its account"),
        ("az://UPPER/in", "'UPPER' is not the name of a bucket"),
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
        store_address("s3://lake", {name: value})


@pytest.mark.parametrize(
    ("url", "options", "asked"),
    [
        ("az://lake/in", {"account": "acme"}, "https://acme.blob.core.windows.net"),
        ("abfss://lake@acme.dfs.core.windows.net", {}, "https://acme.blob.core.windows.net"),
        (
            "az://lake",
            {"account": "acme", "endpoint": "https://acme.private.example"},
            "https://acme.private.example",
        ),
        (
            "abfss://lake@acme.dfs.core.windows.net/in",
            {"endpoint": "http://127.0.0.1:10000", "path_style": "true"},
            "http://127.0.0.1:10000/acme",
        ),
    ],
)
def test_a_container_is_asked_of_its_account(url: str, options: dict[str, str], asked: str) -> None:
    address = store_address(url, options)
    assert (address.bucket, address.account, address.url) == ("lake", "acme", asked)
    assert url.startswith(address.root)


def test_hdfs_is_asked_of_its_name_node() -> None:
    url = "hdfs://name.example:8020/in"
    assert store_address(url, {}).url == "http://name.example:9870"
    address = store_address(url, {"namenode": "https://name.example:9871"})
    assert (address.root, address.url) == ("hdfs://name.example:8020", "https://name.example:9871")
    with pytest.raises(ObjectUrlError, match="'namenode' must be"):
        store_address(url, {"namenode": "name.example"})


def test_a_container_has_an_account() -> None:
    with pytest.raises(ObjectUrlError, match="does not say whose storage account"):
        store_address("az://lake", {})
    with pytest.raises(ObjectUrlError, match="must be the name of a storage account"):
        store_address("az://lake", {"account": "evil.example/"})
