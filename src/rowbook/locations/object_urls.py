"""Places in object stores, as definitions name them: a URL, and which server it is asked of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from rowbook.value_class import dataclass

STORE_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "s3": ("endpoint", "region", "path_style", "publication"),
    "az": ("account", "endpoint", "path_style"),
    "abfss": ("endpoint", "path_style"),
    "hdfs": ("namenode",),
}
"""What a data source whose `root` is a URL may say beside the options of its type."""
AZURE = frozenset({"az", "abfss"})
"""Spark itself does not read what is there."""
_NAME_NODE_PORT = 9870
DEFAULT_REGION = "us-east-1"
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]")
_ENDPOINT = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.\-]+)(?::(?P<port>[0-9]{1,5}))?/?"
)
_ABFSS = re.compile(r"(?P<container>[^@/]+)@(?P<account>[^@/.]+)\.dfs\.core\.windows\.net")
_AUTHORITY = re.compile(r"(?P<host>[A-Za-z0-9.\-]+)(?::[0-9]{1,5})?")
_ACCOUNT = re.compile(r"[a-z0-9]{3,24}")
_REGION = re.compile(r"[a-z0-9-]{1,40}")
_PORTS = {"https": 443, "http": 80}
SCHEMES = (
    "write s3://bucket/prefix, az://container/prefix,"
    " abfss://container@account.dfs.core.windows.net/prefix or hdfs://host:8020/path; of other"
    " stores those that speak S3, by `endpoint` (Google's does at https://storage.googleapis.com)"
)


class ObjectUrlError(ValueError):
    """What is wrong with a URL or with how its store is to be asked."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Which server keeps a bucket. Without an `endpoint` it is Amazon's, of the region; or
    Microsoft's, of the `account`, where buckets are called containers. Of HDFS the bucket is the
    host and port of the URL, and the endpoint its name node's, over HTTP."""

    bucket: str
    endpoint: str | None = None
    region: str = DEFAULT_REGION
    path_style: bool = False
    scheme: str = "s3"
    account: str | None = None

    @property
    def root(self) -> str:
        """The URL of the bucket, as definitions have it."""
        if self.scheme == "abfss":
            return f"abfss://{self.bucket}@{self.account}.dfs.core.windows.net"
        return f"{self.scheme}://{self.bucket}"

    @property
    def is_azure(self) -> bool:
        return self.scheme in AZURE

    @property
    def is_s3(self) -> bool:
        """The only one that is written to."""
        return self.scheme == "s3"

    @property
    def url(self) -> str:
        if self.account is None:
            return self.endpoint or f"https://s3.{self.region}.amazonaws.com"
        if self.endpoint is None:
            return f"https://{self.account}.blob.core.windows.net"
        return f"{self.endpoint}/{self.account}" if self.path_style else self.endpoint

    @property
    def is_virtual_host(self) -> bool:
        """Whether the bucket stands in the server's name; one with a dot has no certificate
        there."""
        return not self.path_style and "." not in self.bucket

    @property
    def bucket_url(self) -> str:
        return (
            self.url.replace("://", f"://{self.bucket}.", 1) if self.is_virtual_host else self.url
        )

    @property
    def server(self) -> str:
        """host:port, as credentials are granted to it."""
        parts = urlsplit(self.url)
        return f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}"


def is_url(path: str) -> bool:
    return _SCHEME.match(path) is not None


def is_in_store(path: str, root: str) -> bool:
    """Whether a path, taken from `root` where it is relative, is a URL."""
    return is_url(path) or (is_url(root) and not path.startswith("/"))


def store_options(url: str) -> tuple[str, ...]:
    """Those of a data source whose `root` it is; none for a path."""
    return STORE_OPTIONS.get(scheme_of(url), ())


def url_fault(url: str) -> ObjectUrlError | None:
    """Of a URL that may hold placeholders behind its bucket."""
    try:
        split_url(url)
    except ObjectUrlError as fault:
        return fault
    return None


def scheme_of(url: str) -> str:
    """In small letters; '' of what is no URL."""
    found = _SCHEME.match(url)
    return found["scheme"].lower() if found else ""


def is_only_read(url: str) -> bool:
    """Of a store that is none of those that speak S3."""
    return scheme_of(url) in STORE_OPTIONS.keys() - {"s3"}


def split_url(url: str) -> tuple[str, str]:
    """The bucket and the key of `s3://bucket/key`, or of the same at Azure; ObjectUrlError for
    anything else."""
    return _split(url)[1:]


def _split(url: str) -> tuple[str | None, str, str]:
    """With the account, where the URL has it."""
    scheme, account = scheme_of(url), None
    if scheme not in STORE_OPTIONS:
        raise ObjectUrlError(f"data at {scheme}:// cannot be read or written", SCHEMES)
    bucket, _, key = url[len(f"{scheme}://") :].partition("/")
    form = f"write {scheme}://bucket/prefix"
    if scheme == "abfss":
        form = "write abfss://container@account.dfs.core.windows.net/prefix"
        found = _ABFSS.fullmatch(bucket)
        if found is None:
            raise ObjectUrlError(f"'{bucket}' is not the name of a container and its account", form)
        bucket, account = found["container"], found["account"]
    if scheme == "hdfs":
        if not _AUTHORITY.fullmatch(bucket):
            raise ObjectUrlError(f"'{bucket}' is not a host", "write hdfs://host:8020/path")
    elif not _BUCKET.fullmatch(bucket):
        raise ObjectUrlError(f"'{bucket}' is not the name of a bucket", form)
    key = key.strip("/")
    if any(part in ("", ".", "..") for part in key.split("/")) and key:
        raise ObjectUrlError(f"'{url}' has an empty part, or one of dots", form)
    return account, bucket, key


def store_address(url: str, options: Mapping[str, str]) -> StoreAddress:
    """Of the bucket of a URL; ObjectUrlError for one or for options that cannot be."""
    scheme = scheme_of(url)
    account, bucket, _ = _split(url)
    known = STORE_OPTIONS[scheme]
    for name in known:
        if fault := store_option_fault(name, options.get(name, "")):
            raise ObjectUrlError(fault)
    endpoint = options.get("endpoint", "").rstrip("/") or None
    path_style = options.get("path_style") == "true"
    if scheme == "hdfs":
        host = bucket.partition(":")[0]
        namenode = options.get("namenode", "").rstrip("/") or f"http://{host}:{_NAME_NODE_PORT}"
        return StoreAddress(bucket, namenode, scheme=scheme)
    if scheme not in AZURE:
        region = options.get("region") or DEFAULT_REGION
        return StoreAddress(bucket, endpoint, region, path_style)
    account = account or options.get("account")
    if not account:
        hint = "name a data source with the option `account`, or write abfss://"
        raise ObjectUrlError(f"'{url}' does not say whose storage account it is in", hint)
    return StoreAddress(bucket, endpoint, DEFAULT_REGION, path_style, scheme, account)


def store_option_fault(name: str, value: str) -> str | None:
    """Of one that is given; '' is none."""
    if not value:
        return None
    if name in ("endpoint", "namenode") and not _ENDPOINT.fullmatch(value):
        return f"'{name}' must be https://host or https://host:port, without a path"
    if name == "region" and not _REGION.fullmatch(value):
        return "'region' must be the name of a region, such as eu-central-1"
    if name == "account" and not _ACCOUNT.fullmatch(value):
        return "'account' must be the name of a storage account, of small letters and digits"
    if name == "publication" and value != "pointer":
        return "'publication' must be pointer"
    if name == "path_style" and value not in ("true", "false"):
        return "'path_style' must be true or false"
    return None
