"""`rowbook.api` offers its names one by one, and only those."""

from __future__ import annotations

import pytest

import rowbook.api
from rowbook.api import names


def test_every_public_name_is_there() -> None:
    offered = vars(rowbook.api)["__getattr__"]("__all__")
    assert {"Workspace", "Criteria", "Run", "is_listed", "json_schema"} < set(offered)
    assert all(getattr(rowbook.api, each) is getattr(names, each) for each in offered)


@pytest.mark.parametrize("name", ["Workspce", "_HOME", "__wrapped__"])
def test_other_names_are_not_there(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'rowbook.api' has no attribute '{name}'"):
        getattr(rowbook.api, name)
