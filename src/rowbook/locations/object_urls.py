"""Places in object stores, as definitions name them: a URL, and which server it is asked of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from rowbook.value_class import dataclass

STORE_OPTIONS = ("endpoint", "region", "path_style", "publication")
"""What a data source whose `root` is a URL may say beside the options of its type."""
DEFAULT_REGION = "us-east-1"
_SCHEME = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.\-]*)://")
_BUCKET = re.compile(r"[a-z0-9][a-z0-9.\-]{1,61}[a-z0-9]")
_ENDPOINT = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9.\-]+)(?::(?P<port>[0-9]{1,5}))?/?"
)
_REGION = re.compile(r"[a-z0-9-]{1,40}")
_PORTS = {"https": 443, "http": 80}
ONLY_S3 = (
    "write s3://bucket/prefix; of other stores those that speak S3, by `endpoint` (Google's does at"
    " https://storage.googleapis.com)"
)


class ObjectUrlError(ValueError):
    """What is wrong with a URL or with how its store is to be asked."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class StoreAddress:
    """Which server keeps a bucket. Without an `endpoint` it is Amazon's, of the region."""

    bucket: str
    endpoint: str | None = None
    region: str = DEFAULT_REGION
    path_style: bool = False

    @property
    def url(self) -> str:
        return self.endpoint or f"https://s3.{self.region}.amazonaws.com"

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


def url_fault(url: str) -> ObjectUrlError | None:
    """Of a URL that may hold placeholders behind its bucket."""
    try:
        split_url(url)
    except ObjectUrlError as fault:
        return fault
    return None


def split_url(url: str) -> tuple[str, str]:
    """The bucket and the key of `s3://bucket/key`; ObjectUrlError for anything else."""
    found = _SCHEME.match(url)
    scheme = found["scheme"].lower() if found else ""
    if scheme != "s3":
        raise ObjectUrlError(f"data at {scheme}:// cannot be read or written", ONLY_S3)
    bucket, _, key = url[len("s3://") :].partition("/")
    if not _BUCKET.fullmatch(bucket):
        raise ObjectUrlError(f"'{bucket}' is not the name of a bucket", "write s3://bucket/prefix")
    key = key.strip("/")
    if any(part in ("", ".", "..") for part in key.split("/")) and key:
        raise ObjectUrlError(
            f"'{url}' has an empty part, or one of dots", "write s3://bucket/prefix"
        )
    return bucket, key


def store_address(bucket: str, options: Mapping[str, str]) -> StoreAddress:
    """ObjectUrlError for options that cannot be."""
    for name in STORE_OPTIONS:
        if fault := store_option_fault(name, options.get(name, "")):
            raise ObjectUrlError(fault)
    endpoint = options.get("endpoint", "").rstrip("/") or None
    region = options.get("region") or DEFAULT_REGION
    return StoreAddress(bucket, endpoint, region, options.get("path_style") == "true")


def store_option_fault(name: str, value: str) -> str | None:
    """Of one that is given; '' is none."""
    if not value:
        return None
    if name == "endpoint" and not _ENDPOINT.fullmatch(value):
        return "'endpoint' must be https://host or https://host:port, without a path"
    if name == "region" and not _REGION.fullmatch(value):
        return "'region' must be the name of a region, such as eu-central-1"
    if name == "publication" and value != "pointer":
        return "'publication' must be pointer"
    if name == "path_style" and value not in ("true", "false"):
        return "'path_style' must be true or false"
    return None
