"""The key that seals are signed with: read where rowbook.yaml says, made by `rowbook seals key`."""

from __future__ import annotations

import os
from pathlib import Path

from rowbook.definitions.place import Place
from rowbook.definitions.workspace_root import WORKSPACE_FILE
from rowbook.errors import RowbookError
from rowbook.sources.credentials import read_secret
from rowbook.store.seals.signatures import (
    KeyFormatError,
    PublicKey,
    SigningKey,
    new_private_key,
    public_key,
    signing_key,
)

_PUBLIC = 0o644
_PRIVATE = 0o600


def read_seal_key(reference: str, place: Place, root: Path) -> SigningKey:
    """SEAL_001, with the place in rowbook.yaml, where there is no key behind `reference`."""
    try:
        return signing_key(read_secret(reference, root))
    except RowbookError as error:
        first = error.diagnostics[0]
        why, hint = first.message, first.hint
    except KeyFormatError as error:
        why = f"{reference} holds {error}"
        hint = "make one with `rowbook seals key -o FILE`"
    at = place.at("seals", "key")
    message = f"the key that signs seals cannot be used: {why}"
    raise RowbookError(at.diagnostic("SEAL_001", message, hint=hint)) from None


def read_public_key(path: Path) -> PublicKey:
    """USAGE_001 where the file has none."""
    try:
        return public_key(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise RowbookError.of("USAGE_001", f"{path} cannot be read") from None
    except KeyFormatError as error:
        raise RowbookError.of("USAGE_001", f"{path} holds {error}") from None


def make_key_pair(path: Path) -> PublicKey:
    """A new private key in a file for its owner alone, and its public key beside it, with `.pub`
    behind the name. SEAL_002 where one of the files is there, and inside a workspace: whoever gets
    that would get the key with it."""
    folder = path.resolve().parent
    for each in (folder, *folder.parents):
        if (each / WORKSPACE_FILE).exists():
            message = f"{path} is inside the workspace {each}, which others get copies of"
            raise RowbookError.of("SEAL_002", message)
    private = new_private_key()
    public = signing_key(private).public
    beside = path.with_name(path.name + ".pub")
    try:
        if beside.exists():
            raise FileExistsError
        _write_new(path, private, _PRIVATE)
        _write_new(beside, public.pem, _PUBLIC)
    except FileExistsError:
        message = f"{path} or {beside} is there already, and a key is never overwritten"
        raise RowbookError.of("SEAL_002", message) from None
    except OSError as error:
        raise RowbookError.of("SEAL_002", f"{path} cannot be made: {error.strerror}") from None
    return public


def _write_new(path: Path, text: str, mode: int) -> None:
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW, mode)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        os.fchmod(handle, mode)
        file.write(text)
