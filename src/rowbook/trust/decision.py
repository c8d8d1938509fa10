"""Whether the settings of a workspace may be used: as the user said once, for as long as they stay
what they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from rowbook.definitions.models.workspace import WorkspaceDefinition
from rowbook.errors import RowbookError
from rowbook.trust.claims import Claim, claims_of
from rowbook.trust.record import Content, add_trusted, trusted_contents, trusted_file
from rowbook.value_class import dataclass

VARIABLE = "ROWBOOK_TRUST"
_HINT = (
    "if you trust who wrote it: run the command on a terminal and answer yes, or say --trust,"
    f" or set {VARIABLE} to 1 or to the folder"
)


@dataclass(frozen=True, slots=True)
class TrustRequest:
    """What a workspace claims, and of that, what is new since it was trusted for the last time;
    `gone` are settings that it had then. Where it never was, it is the `first` request."""

    root: Path
    claims: tuple[Claim, ...]
    new: tuple[Claim, ...]
    gone: tuple[str, ...]
    first: bool


Trust: TypeAlias = bool | Callable[[TrustRequest], bool]
"""True trusts whatever a workspace claims, for now. A function is asked; its yes is remembered."""


def check_trust(root: Path, settings: WorkspaceDefinition | None, trust: Trust) -> None:
    """WORKSPACE_006 where a workspace claims something that is not trusted."""
    claims = claims_of(root, settings)
    if not claims or trust is True or _is_trusted_by(os.environ, root):
        return
    file = trusted_file()
    content = {each.digest: each.setting for each in claims}
    contents = trusted_contents(root, file)
    if content in contents:
        return
    request = _request(root, claims, contents)
    if trust is False or not trust(request):
        raise _untrusted(request)
    try:
        add_trusted(root, content, file)
    except OSError as error:
        message = f"that you trust it cannot be kept in {file}: {error.strerror or error}"
        raise RowbookError.of("WORKSPACE_006", message, hint="say --trust") from error


def _request(root: Path, claims: tuple[Claim, ...], contents: tuple[Content, ...]) -> TrustRequest:
    last = contents[-1] if contents else {}
    digests = {each.digest for each in claims}
    new = tuple(each for each in claims if each.digest not in last)
    settings = {each.setting for each in claims}
    gone = [name for digest, name in last.items() if digest not in digests]
    gone = [name for name in gone if name not in settings]
    return TrustRequest(root, claims, new, tuple(gone), not contents)


def _is_trusted_by(environ: Mapping[str, str], root: Path) -> bool:
    """1 for all workspaces, or folders whose workspaces are meant: absolute, divided as in PATH."""
    given = environ.get(VARIABLE, "")
    if given == "1":
        return True
    here = Path(os.path.realpath(root))
    folders = [Path(each) for each in given.split(os.pathsep) if os.path.isabs(each)]  # noqa: PTH117
    return any(here.is_relative_to(os.path.realpath(folder)) for folder in folders)


def _untrusted(request: TrustRequest) -> RowbookError:
    labels = "; ".join(each.label for each in request.claims)
    message = f"the workspace {request.root} claims more than its own folder: {labels}"
    return RowbookError.of("WORKSPACE_006", message, hint=_HINT)
