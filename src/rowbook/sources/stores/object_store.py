"""What Rowbook asks of an object store: lists, ranges of bytes, and writes that happen only where
nothing, or exactly this, is there.

The library is imported with the first question: nobody who reads files waits for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rowbook.errors import RowbookError, reason
from rowbook.locations.boundary import Boundary
from rowbook.locations.object_urls import StoreAddress
from rowbook.sources.credentials import StoreKeys, granted_keys
from rowbook.sources.source_errors import UnreachableError
from rowbook.sources.stores.store_client import store_client

if TYPE_CHECKING:
    from obstore import GetOptions
    from obstore.store import AzureStore, S3Store

_AT_ONCE = 1_000
_NO_BUCKET = frozenset({"NoSuchBucket", "ContainerNotFound"})
_CODE = re.compile("<Code>([A-Za-z]{1,60})</Code>")
_KEYS_HINT = "see which keys are used, and what they may do in the bucket"


@dataclass(frozen=True, slots=True)
class StoredObject:
    """`etag` is another one whenever the bytes are; `version` is there where a bucket keeps
    versions and said so."""

    key: str
    size: int
    modified: datetime
    etag: str
    version: str | None = None


class ObjectChangedError(OSError):
    """An object is not, or no longer, what it was to be."""


@dataclass(frozen=True, slots=True)
class ObjectStore:
    """A bucket. `credential` names the keys (env://…, file://…), which `boundary` must let go to
    the server; without one they are those of the environment or the machine. The keys themselves
    are in no field."""

    address: StoreAddress
    credential: str | None
    boundary: Boundary = field(compare=False)

    def url(self, key: str) -> str:
        return f"{self.address.root}/{key}" if key else self.address.root

    def keys(self) -> StoreKeys | None:
        """Read now; DATASOURCE_011 where they may not go there, DATASOURCE_009 where there are
        none."""
        if self.credential is None:
            return None
        return granted_keys(self.credential, self.address, self.boundary)

    def list(self, prefix: str) -> tuple[StoredObject, ...]:
        """All objects below a prefix, which is a folder; not one that has its very name."""
        import obstore

        with self._asking(prefix):
            pages = obstore.list(self._client, prefix or None, chunk_size=_AT_ONCE)
            return tuple(self._object(each) for page in pages for each in page)

    def head(self, key: str) -> StoredObject | None:
        import obstore

        try:
            with self._asking(key):
                return self._object(obstore.head(self._client, key))
        except FileNotFoundError:
            return None

    def read(self, key: str, start: int, end: int, etag: str | None = None) -> bytes:
        """The bytes from `start` to before `end`; ObjectChangedError where the object has another
        etag than the one that is given."""
        import obstore

        if end <= start:
            return b""
        with self._asking(key):
            found = obstore.get(
                self._client, key, options={"range": (start, end), **_matching(etag)}
            )
            return bytes(found.bytes())

    def chunks(self, key: str, etag: str | None = None) -> Iterator[bytes]:
        """All of an object, by one question."""
        import obstore

        with self._asking(key):
            found = obstore.get(self._client, key, options=_matching(etag))
            for chunk in found.stream(min_chunk_size=1 << 20):
                yield bytes(chunk)

    def put_if_absent(self, key: str, data: bytes) -> str | None:
        """The etag; None where there is an object already."""
        return self._put(key, data, "create")

    def put_if_unchanged(self, key: str, data: bytes, etag: str) -> str | None:
        """The new etag; None where the object is another one by now."""
        return self._put(key, data, {"e_tag": etag})

    def upload(self, key: str, file: Path) -> str:
        """The etag; large files go in parts. What was there is replaced."""
        import obstore

        with self._asking(key):
            return str(obstore.put(self._client, key, file)["e_tag"])

    def delete(self, *keys: str) -> None:
        """What is gone already is deleted."""
        import obstore

        for key in keys:
            try:
                with self._asking(key):
                    obstore.delete(self._client, key)
            except FileNotFoundError:
                continue

    def _put(self, key: str, data: bytes, mode: Any) -> str | None:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        try:
            with self._asking(key):
                put = obstore.put(self._client, key, data, mode=mode, use_multipart=False)
        except (AlreadyExistsError, ObjectChangedError, FileNotFoundError):
            return None
        return str(put["e_tag"])

    def _object(self, meta: Any) -> StoredObject:
        if not meta["e_tag"]:
            raise self._refused(f"{self.url(meta['path'])}: the store gives no etag")
        return StoredObject(
            meta["path"], meta["size"], meta["last_modified"], meta["e_tag"], meta["version"]
        )

    @property
    def _client(self) -> S3Store | AzureStore:
        return store_client(self.address, self.keys())

    @contextmanager
    def _asking(self, key: str) -> Iterator[None]:
        """DATASOURCE_010 for what goes wrong, but for what is not there, or is not what it was."""
        exceptions = _library()
        try:
            yield
        except exceptions.NotFoundError as error:
            if _code(error) in _NO_BUCKET:
                raise self._refused(self._no_bucket) from error
            raise FileNotFoundError(f"no object {self.url(key)}") from error
        except exceptions.PreconditionError as error:
            raise ObjectChangedError(f"{self.url(key)} changed") from error
        except exceptions.AlreadyExistsError:
            raise
        except exceptions.BaseError as error:
            code = _code(error)
            if code in _NO_BUCKET:
                raise self._refused(self._no_bucket) from error
            is_refusal = isinstance(
                error, (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError)
            )
            if is_refusal or "403 Forbidden" in str(error) or "401 Unauthorized" in str(error):
                said = f"it refuses {self.url(key)} ({code or 'access denied'})"
                raise self._refused(said, _KEYS_HINT) from error
            raise self._refused(_said(error)) from error

    @property
    def _no_bucket(self) -> str:
        return f"there is no bucket {self.address.bucket}"

    def _refused(self, said: str, hint: str | None = None) -> RowbookError:
        message = f"the object store at {self.address.server} cannot be used: {said}"
        return RowbookError.of("DATASOURCE_010", message, hint=hint)


@contextmanager
def reached() -> Iterator[None]:
    """UnreachableError where a store does not answer, or not to us."""
    try:
        yield
    except RowbookError as error:
        if error.diagnostics[0].code.startswith("DATASOURCE_"):
            raise UnreachableError(reason(error)) from error
        raise


def _library() -> Any:
    """DATASOURCE_008 where it is not installed."""
    try:
        from obstore import exceptions
    except ImportError:
        message = "data in an object store needs a library that is not installed"
        hint = "install it: pip install 'rowbook[objects]'"
        raise RowbookError.of("DATASOURCE_008", message, hint=hint) from None
    return exceptions


def _matching(etag: str | None) -> GetOptions:
    return {} if etag is None else {"if_match": etag}


def _code(error: Exception) -> str | None:
    """What the server calls it."""
    found = _CODE.search(str(error))
    return found[1] if found else None


def _said(error: Exception) -> str:
    """The code of the server, else the last cause that the library names on its first line."""
    line = str(error).strip().split("\n", 1)[0]
    return _code(error) or line.rpartition(" - ")[2].strip()[:300]
