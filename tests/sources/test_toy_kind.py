"""A new kind of data source is one module and one row in the registry: it passes what all pass."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rowbook.planning.datasets import Dataset
from rowbook.planning.declared_columns import wanted_folders
from rowbook.sources import registry
from rowbook.sources.registry import SourceKind
from tests.sources import test_conformance, test_source
from tests.sources.all_kinds import Table
from tests.sources.test_conformance import put as put
from tests.sources.toy_kind import ToySource, ToyTable, ToyTarget

pytestmark = pytest.mark.spark

for _suite in (test_conformance, test_source):
    globals().update({n: test for n, test in vars(_suite).items() if n.startswith("test_")})


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """In place of those of all other kinds."""
    kind = SourceKind(f"{ToySource.__module__}:{ToySource.__name__}")
    monkeypatch.setitem(registry.KINDS, "toy", kind)
    path, label = tmp_path / "gl.toy", "data/gl.toy"

    def place(wanted: Dataset, periods: Sequence[str]) -> ToyTable:
        return ToyTable(path, label, only=dict(wanted_folders(wanted, tuple(periods))))

    return Table("toy", ToyTarget(path, label), place)
