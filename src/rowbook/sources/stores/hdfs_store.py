"""HDFS by WebHDFS, for reading: lists and ranges of bytes, asked of the name node over HTTP.

A file there is never changed in place, but for what is added at its end: whatever replaces it has
another id. So a file is told by its id, length and time; and as no question can name these, it is
looked at again after it was read.
"""

from __future__ import annotations

import getpass
import json
import os
import posixpath
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.client import HTTPException, HTTPResponse
from typing import Any, NoReturn
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import urlopen

from rowbook.errors import reason
from rowbook.sources.stores.object_store import ObjectChangedError, ObjectStore, StoredObject

_WITHIN = 30.0
_CHUNK = 1 << 20
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NOT_THERE = "FileNotFoundException"


@dataclass(frozen=True, slots=True)
class HdfsStore(ObjectStore):
    def list(self, prefix: str) -> tuple[StoredObject, ...]:
        try:
            return tuple(self._files(prefix))
        except FileNotFoundError:
            return ()

    def head(self, key: str) -> StoredObject | None:
        try:
            found = self._told(key, "GETFILESTATUS", "FileStatus")
        except FileNotFoundError:
            return None
        return _file(key, found) if found["type"] == "FILE" else None

    def read(self, key: str, start: int, end: int, etag: str | None = None) -> bytes:
        if end <= start:
            return b""
        with self._asked(key, "OPEN", offset=start, length=end - start) as answer:
            data = answer.read()
        self._check(key, etag)
        return data

    def chunks(self, key: str, etag: str | None = None) -> Iterator[bytes]:
        with self._asked(key, "OPEN") as answer:
            while data := answer.read(_CHUNK):
                yield data
        self._check(key, etag)

    @property
    def _client(self) -> NoReturn:
        raise self._refused("nothing is written there")

    def _files(self, folder: str) -> Iterator[StoredObject]:
        for found in self._told(folder, "LISTSTATUS", "FileStatuses")["FileStatus"]:
            key = posixpath.join(folder, found["pathSuffix"])
            if found["type"] == "DIRECTORY":
                yield from self._files(key)
            elif found["pathSuffix"]:
                yield _file(key, found)

    def _check(self, key: str, etag: str | None) -> None:
        if etag is None:
            return
        found = self.head(key)
        if found is None or found.etag != etag:
            raise ObjectChangedError(f"{self.url(key)} changed")

    def _told(self, key: str, operation: str, name: str) -> Any:
        with self._asked(key, operation) as answer:
            told = json.load(answer)
            if name not in told:
                raise ValueError(f"it answers as no name node does: {name} is missing")
            return told[name]

    @contextmanager
    def _asked(self, key: str, operation: str, **more: int) -> Iterator[HTTPResponse]:
        """FileNotFoundError for what is not there, else DATASOURCE_010."""
        user = os.environ.get("HADOOP_USER_NAME") or getpass.getuser()
        words = urlencode({"op": operation, "user.name": user, **more})
        url = f"{self.address.url}/webhdfs/v1/{quote(key)}?{words}"
        try:
            with urlopen(url, timeout=_WITHIN) as answer:
                yield answer
        except HTTPError as error:
            name, said = _refusal(error)
            if name == _NOT_THERE:
                raise FileNotFoundError(f"no object {self.url(key)}") from error
            raise self._refused(f"it refuses {self.url(key)} ({said})") from error
        except ObjectChangedError:
            raise
        except (OSError, HTTPException, ValueError) as error:
            why = getattr(error, "reason", error)
            raise self._refused(reason(why) if isinstance(why, OSError) else str(why)) from error


def _file(key: str, found: dict[str, Any]) -> StoredObject:
    modified = int(found["modificationTime"])
    etag = f"{found['fileId']}-{modified}-{found['length']}"
    return StoredObject(key, found["length"], _EPOCH + timedelta(milliseconds=modified), etag)


def _refusal(error: HTTPError) -> tuple[str, str]:
    """What the name node calls it, and what it says in one line."""
    if error.code == 401:
        return "", "it asks who it is by Kerberos, which Rowbook does not speak"
    try:
        told = json.loads(error.read())["RemoteException"]
        return str(told["exception"]), str(told["message"]).split("\n", 1)[0][:300]
    except (OSError, ValueError, LookupError, TypeError):
        return "", f"{error.code} {error.reason}"
