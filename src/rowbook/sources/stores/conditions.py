"""Whether a bucket honours conditions of writes: some servers take no notice of them, and would
lose the output of one of two writers."""

from __future__ import annotations

import secrets
from functools import lru_cache

from rowbook.errors import RowbookError
from rowbook.sources.stores.object_path import ObjectPath
from rowbook.sources.stores.object_store import ObjectStore


@lru_cache(maxsize=64)
def check_conditions(store: ObjectStore, folder: str) -> None:
    """DATASOURCE_008 where it does not: tried with an object of our own beside a table, once in a
    process."""
    probe = (ObjectPath(store, folder) / f".rowbook-probe-{secrets.token_hex(8)}").key
    try:
        first = store.put_if_absent(probe, b"1")
        again = store.put_if_absent(probe, b"2")
        stale = store.put_if_unchanged(probe, b"3", '"00000000000000000000000000000000"')
        right = None if first is None else store.put_if_unchanged(probe, b"4", first)
    finally:
        store.delete(probe)
    if first is None or again is not None or stale is not None or right is None:
        message = (
            f"the bucket {store.address.bucket} at {store.address.server} takes no notice of"
            " conditions (If-None-Match, If-Match), so that outputs could be lost"
        )
        hint = "write to a store that honours them, as Amazon S3 does, or to a folder"
        raise RowbookError.of("DATASOURCE_008", message, hint=hint)
