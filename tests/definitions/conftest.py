"""Both YAML parsers, for tests that hold for either."""

from __future__ import annotations

import pytest
import yaml

from rowbook.definitions.yaml import reader


@pytest.fixture(params=["libyaml", "pyyaml"])
def either_parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both the C parser and the one that serves where libyaml is missing."""
    loader = {"libyaml": yaml.CSafeLoader, "pyyaml": yaml.SafeLoader}[request.param]
    monkeypatch.setattr(reader, "_LOADER", loader)
