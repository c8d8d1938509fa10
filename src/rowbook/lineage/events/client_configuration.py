"""Who gets events: what the user's own environment says, and never the folder that one is in.

The client of OpenLineage also takes an `openlineage.yml` of the current folder, which may name any
server and any class to load; a workspace is a folder that others may have written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openlineage.client import OpenLineageClient
    from openlineage.client.event_v2 import RunEvent

Deliver = Callable[["RunEvent"], None]

_VARIABLES = ("OPENLINEAGE_URL", "OPENLINEAGE__TRANSPORT", "OPENLINEAGE__TRANSPORT__TYPE")


def is_configured(environ: Mapping[str, str] = os.environ) -> bool:
    if environ.get("OPENLINEAGE_DISABLED", "").strip().lower() == "true":
        return False
    return any(environ.get(name) for name in _VARIABLES) or _user_file(environ) is not None


def _user_file(environ: Mapping[str, str]) -> str | None:
    named = environ.get("OPENLINEAGE_CONFIG", "")
    own = environ.get("HOME", "")
    places = [Path(named)] if os.path.isabs(named) else []  # noqa: PTH117
    places += [Path(own) / ".openlineage" / "openlineage.yml"] if own else []
    return next((str(each) for each in places if each.is_file()), None)


def open_delivery() -> Deliver:
    """Sends an event, and raises what goes wrong; so does this function, where the client is not
    installed or its configuration is faulty. One that names nobody would print events."""
    client = _user_client()()
    if not (client.config.transport or {}).get("type") and not os.environ.get("OPENLINEAGE_URL"):
        raise ValueError("the configuration of OpenLineage names no transport")
    return client.emit


@cache
def _user_client() -> type[OpenLineageClient]:
    import logging

    from openlineage.client import OpenLineageClient

    logging.getLogger("openlineage").addHandler(logging.NullHandler())

    class UserClient(OpenLineageClient):
        @staticmethod
        def _find_yaml_config_path() -> str | None:
            return _user_file(os.environ)

        def add_source_code_location_facet(self, event: RunEvent) -> RunEvent:  # type: ignore[override]
            """Nothing of the repository that one happens to be in, whose URL may hold a secret."""
            return event

    return UserClient
