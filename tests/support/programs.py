"""Programs of the machine that some tests need, beside Python and make."""

from __future__ import annotations

import shutil

import pytest


def needs(*names: str) -> pytest.MarkDecorator:
    """Skipped, with their names, where some are not there."""
    missing = [name for name in names if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
