"""The library's client for a bucket, by the protocol of its store.

Keys that are given are the only ones that are sent: the library takes what is left out from the
environment, where a token may be that is for another server.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rowbook.locations.object_urls import StoreAddress
from rowbook.sources.credentials import StoreKeys

if TYPE_CHECKING:
    from obstore.store import AzureStore, S3Store

_WITHIN = timedelta(seconds=30)
_TRIES = 3


@lru_cache(maxsize=64)
def store_client(address: StoreAddress, keys: StoreKeys | None) -> S3Store | AzureStore:
    common: dict[str, Any] = {
        "client_options": {"allow_http": address.url.startswith("http://"), "timeout": _WITHIN},
        "retry_config": {"max_retries": _TRIES, "retry_timeout": _WITHIN},
    }
    make = _azure if address.is_azure else _s3
    return make(address, keys, common)


def _s3(address: StoreAddress, keys: StoreKeys | None, common: dict[str, Any]) -> S3Store:
    from obstore.store import S3Store

    given: dict[str, Any] = {}
    if keys is not None:
        given["credential_provider"] = lambda: {
            "access_key_id": keys.id,
            "secret_access_key": keys.secret,
            "token": keys.token,
            "expires_at": None,
        }
    return S3Store(
        address.bucket,
        region=address.region,
        endpoint=address.bucket_url,
        virtual_hosted_style_request=address.is_virtual_host,
        disable_bulk_delete=True,
        **given,
        **common,
    )


def _azure(address: StoreAddress, keys: StoreKeys | None, common: dict[str, Any]) -> AzureStore:
    """A server that somebody names gets no keys of the environment: these may be tokens, which it
    could use itself."""
    from obstore.store import AzureStore

    given: dict[str, Any] = {}
    if keys is not None:
        name = "sas_token" if "sig=" in keys.secret else "access_key"
        secret = keys.secret.removeprefix("?")
        given["credential_provider"] = lambda: {name: secret, "expires_at": None}
    elif address.endpoint is not None:
        given["skip_signature"] = True
    return AzureStore(
        address.bucket,
        account_name=address.account,
        endpoint=address.url,
        **given,
        **common,
    )
