"""How Spark reaches an object: its URL, and the settings of the file system that reads it.

They go with each scan, never into the settings of the session: these are printed and recorded, and
one session may read from several stores. Hadoop keeps one client for each scheme and bucket,
whatever the settings of who comes next; so each store has a scheme of its own.
"""

from __future__ import annotations

import hashlib
from threading import Lock
from typing import TYPE_CHECKING

from rowbook.errors import RowbookError
from rowbook.sources.stores.object_path import DataPath, ObjectPath
from rowbook.sources.stores.object_store import ObjectStore

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_S3A = "org.apache.hadoop.fs.s3a"
_SIMPLE = f"{_S3A}.SimpleAWSCredentialsProvider"
_TEMPORARY = f"{_S3A}.TemporaryAWSCredentialsProvider"
_REMOTE_SCHEME = "s3a"
_COMMON_SCHEMES = ("s3", "s3a")
"""What the metadata of tables calls objects by, whoever wrote it."""
_CLASS = "fs.{}.impl"
_first: dict[tuple[str, str], str] = {}
"""Of applications of Spark and buckets: the store whose client Hadoop keeps by the common
schemes."""
_lock = Lock()


def spark_url(path: ObjectPath) -> str:
    """DATASOURCE_008 for a store that Spark has no library for."""
    if path.store.address.is_azure:
        raise not_elsewhere(str(path))
    if not path.store.address.is_s3:
        return str(path)
    scheme = _REMOTE_SCHEME if _is_remote() else _scheme(path.store)
    return f"{scheme}://{path.store.address.bucket}/{path.key}"


def not_elsewhere(label: str) -> RowbookError:
    """Of data that Spark cannot read where it is, nor here."""
    message = f"{label} can be read on this machine alone, and Spark runs on others"
    return RowbookError.of("DATASOURCE_008", message, hint="run it with --engine 'local[*]'")


def scan_settings(path: DataPath) -> dict[str, str]:
    """Options of a reader or writer; none for files and HDFS, nor at a Connect server, which has
    its own."""
    if not isinstance(path, ObjectPath) or _is_remote() or not path.store.address.is_s3:
        return {}
    address, keys = path.store.address, path.store.keys()
    settings = {
        _CLASS.format(_scheme(path.store)): f"{_S3A}.S3AFileSystem",
        "fs.s3a.endpoint": address.url,
        "fs.s3a.endpoint.region": address.region,
        "fs.s3a.path.style.access": str(not address.is_virtual_host).lower(),
        "fs.s3a.connection.ssl.enabled": str(address.url.startswith("https://")).lower(),
        "fs.s3a.change.detection.mode": "server",
    }
    if keys is not None:
        settings |= {
            "fs.s3a.aws.credentials.provider": _SIMPLE if keys.token is None else _TEMPORARY,
            "fs.s3a.access.key": keys.id,
            "fs.s3a.secret.key": keys.secret,
        }
        if keys.token is not None:
            settings["fs.s3a.session.token"] = keys.token
    return settings


def catalog_settings(spark: SparkSession, path: DataPath) -> dict[str, str]:
    """Of a catalog of tables whose metadata names each file by its whole URL: none has a scheme of
    its own there. So of several stores with a bucket of the same name, or of several keys for one,
    those that come first get the client that Hadoop keeps; for others it makes new ones."""
    settings = scan_settings(path)
    if not isinstance(path, ObjectPath) or not settings:
        return {}
    own, bucket = _scheme(path.store), path.store.address.bucket
    with _lock:
        kept = _first.setdefault((spark.sparkContext.applicationId, bucket), own)
    del settings[_CLASS.format(own)]
    for scheme in _COMMON_SCHEMES:
        settings[_CLASS.format(scheme)] = f"{_S3A}.S3AFileSystem"
        settings[f"fs.{scheme}.impl.disable.cache"] = str(kept != own).lower()
    return settings


def allow_commits(spark: SparkSession, path: DataPath) -> None:
    """Delta writes its log by another interface of Hadoop, which asks the session alone for the
    class of a scheme."""
    if isinstance(path, ObjectPath) and not _is_remote():
        spark.conf.set(f"fs.AbstractFileSystem.{_scheme(path.store)}.impl", f"{_S3A}.S3A")


def _scheme(store: ObjectStore) -> str:
    """Of one server, asked in one way with one set of keys."""
    told = repr((store.address, store.keys()))
    return f"s3-{hashlib.sha256(told.encode()).hexdigest()[:12]}"


def _is_remote() -> bool:
    from pyspark.sql.utils import is_remote

    return bool(is_remote())
