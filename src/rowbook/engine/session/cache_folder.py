"""Where things are kept that can be made again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def cache_folder(name: str, environ: Mapping[str, str] = os.environ) -> Path:
    """Code is loaded from it: PermissionError where it is not the user's own."""
    cache = environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(cache) / "rowbook" / name
    if not folder.is_dir():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise PermissionError(f"{folder} belongs to somebody else")
    return folder
