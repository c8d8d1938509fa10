"""How columns are called inside frames."""

from __future__ import annotations

from rowbook.spark.physical_names import named as column

__all__ = ["column", "joined_name"]


def joined_name(alias: str, name: str) -> str:
    """How a column of a join is called inside a frame; no user's column starts like this."""
    return f"__{alias}__{name}"
