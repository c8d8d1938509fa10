"""A server of Iceberg's REST protocol, asked for tables and for their exchange.

No redirection is followed: it could take the token to another server.
"""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from rowbook.locations.boundary import Boundary
from rowbook.locations.catalog_uris import catalog_server
from rowbook.sources.credentials import granted_token
from rowbook.sources.source_errors import UnreachableError

_WITHIN = 30.0
_LARGEST = 1 << 28
_LONGEST = 300
_BETWEEN_LEVELS = "\x1f"
_NOT_THERE, _TAKEN = 404, 409


class _AnswerError(Exception):
    """A status that is an answer, and no success."""

    def __init__(self, status: int) -> None:
        super().__init__(str(status))
        self.status = status


class _NoRedirection(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirection)


@dataclass(frozen=True, slots=True)
class RestClient:
    """`credential` names the token, which `boundary` must let go to the server; the token itself is
    in no field. UnreachableError for whatever is no answer."""

    uri: str
    warehouse: str
    prefix: str | None
    credential: str | None
    boundary: Boundary = field(compare=False)

    @property
    def server(self) -> str:
        return catalog_server(self.uri) or self.uri

    def token(self) -> str | None:
        """Read now; DATASOURCE_011 where it may not go there, DATASOURCE_009 where there is
        none."""
        if self.credential is None:
            return None
        return granted_token(self.credential, self.server, self.boundary)

    def load(self, name: tuple[str, ...]) -> Mapping[str, Any] | None:
        """A table as the protocol describes it; None where there is none."""
        try:
            return self._asked("GET", self._table(name))
        except _AnswerError as answer:
            if answer.status == _NOT_THERE:
                return None
            raise self._refused(f"its answer is {answer.status}") from answer

    def create(self, name: tuple[str, ...], table: Mapping[str, Any]) -> None:
        """With its namespace; what is there already stays."""
        if self._is_created(self._tables(name[:-1]), table):
            return
        for depth in range(1, len(name)):
            levels = {"namespace": list(name[:depth]), "properties": {}}
            self._is_created("namespaces", levels)
        if not self._is_created(self._tables(name[:-1]), table):
            raise self._refused(f"it has no namespace {'.'.join(name[:-1])}")

    def commit(
        self,
        name: tuple[str, ...],
        requirements: Sequence[Mapping[str, Any]],
        updates: Sequence[Mapping[str, Any]],
    ) -> bool:
        """False where the table is not, or no longer, what is required."""
        identifier = {"namespace": list(name[:-1]), "name": name[-1]}
        body = {
            "identifier": identifier,
            "requirements": list(requirements),
            "updates": list(updates),
        }
        try:
            self._asked("POST", self._table(name), body)
        except _AnswerError:
            return False
        return True

    def _is_created(self, path: str, body: Mapping[str, Any]) -> bool:
        """Or was there; False where what it belongs to is not."""
        try:
            self._asked("POST", path, body)
        except _AnswerError as answer:
            return answer.status == _TAKEN
        return True

    def _table(self, name: tuple[str, ...]) -> str:
        return f"{self._tables(name[:-1])}/{quote(name[-1], safe='')}"

    def _tables(self, namespace: tuple[str, ...]) -> str:
        return f"namespaces/{quote(_BETWEEN_LEVELS.join(namespace), safe='')}/tables"

    def _asked(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        prefix = _prefix(self) if self.prefix is None else self.prefix
        return self.request(method, f"{prefix}/{path}" if prefix else path, body)

    def request(
        self, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """_AnswerError where what is asked for is not there, or is another one."""
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if (token := self.token()) is not None:
            headers["Authorization"] = f"Bearer {token}"
        url = f"{self.uri.rstrip('/')}/v1/{path}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers, method=method)
        try:
            with _opener.open(request, timeout=_WITHIN) as response:
                text = response.read(_LARGEST)
            found = json.loads(text) if text else {}
            if not isinstance(found, dict):
                raise TypeError("its answer is none of the protocol")
        except urllib.error.HTTPError as error:
            with error:
                if error.code in (_NOT_THERE, _TAKEN):
                    raise _AnswerError(error.code) from error
                raise self._refused(_said(error)) from error
        except (OSError, ValueError, TypeError, http.client.HTTPException) as error:
            cause = getattr(error, "reason", None) or error
            raise self._refused(str(cause)) from error
        return found

    def _refused(self, said: str) -> UnreachableError:
        return UnreachableError(f"the catalog at {self.server} cannot be used: {said}")


@lru_cache(maxsize=64)
def _prefix(client: RestClient) -> str:
    """What the server wants before its paths; asked once in a process."""
    try:
        found = client.request("GET", f"config?warehouse={quote(client.warehouse, safe='')}")
    except _AnswerError:
        return ""
    told = {**(found.get("defaults") or {}), **(found.get("overrides") or {})}
    return str(told.get("prefix") or "").strip("/")


def _said(error: urllib.error.HTTPError) -> str:
    """As the protocol has it, else the status."""
    try:
        said = str(json.loads(error.read(1 << 16))["error"]["message"])
    except (OSError, ValueError, LookupError, TypeError):
        said = str(error.reason)
    return f"{' '.join(said.split())[:_LONGEST]} ({error.code})"
