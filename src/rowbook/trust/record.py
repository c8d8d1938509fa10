"""What the user has agreed to, in a file of their own: for each workspace, by its path, the
settings, as digests. Values are not kept: some settings hold secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias
from uuid import uuid4

_MOST = 20
"""Contents that are kept of a workspace: branches of a repository may each have theirs."""

Content: TypeAlias = Mapping[str, str]
"""Digests of claims, each with the setting that it is of."""


def trusted_file(environ: Mapping[str, str] = os.environ) -> Path:
    given = environ.get("XDG_CONFIG_HOME") or ""
    config = Path(given) if os.path.isabs(given) else Path.home() / ".config"  # noqa: PTH117
    return config / "rowbook" / "trusted.json"


def trusted_contents(root: Path, file: Path) -> tuple[Content, ...]:
    """The newest last."""
    return tuple(_read(file).get(os.path.realpath(root), ()))


def add_trusted(root: Path, content: Content, file: Path) -> None:
    """OSError where the file cannot be written; others see the old file or the new."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    workspaces, key = _read(file), os.path.realpath(root)
    others = [each for each in workspaces.get(key, ()) if each != content]
    workspaces[key] = [*others, dict(content)][-_MOST:]
    text = json.dumps({"workspaces": workspaces}, indent=2, sort_keys=True) + "\n"
    beside = file.with_name(f".{file.name}-{uuid4().hex}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def _read(file: Path) -> dict[str, list[Content]]:
    """What cannot be read is no agreement; nor is what somebody else wrote."""
    try:
        if file.stat().st_uid != os.getuid():
            return {}
        found: Any = json.loads(file.read_text(encoding="utf-8"))
        workspaces = found["workspaces"]
        return {str(key): [dict(each) for each in value] for key, value in workspaces.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}
