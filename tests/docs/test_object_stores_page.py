"""docs/object-stores.md is a session in an empty folder, with a store of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.docs.markdown import blocks
from tests.docs.playing import play
from tests.support.object_store_server import KEYS, StoreServer
from tests.support.paths import ROOT
from tests.support.programs import needs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = (ROOT / "docs" / "object-stores.md").read_text(encoding="utf-8")


def test_the_keys_of_the_page_are_those_of_the_server() -> None:
    access, _, secret = KEYS.partition(":")
    starts = [block.text for block in blocks(PAGE, "sh") if "versitygw --port" in block.text]
    assert len(starts) == 1
    assert f"--access {access} --secret {secret} " in starts[0]


@pytest.mark.spark
@needs("curl")
@pytest.mark.usefixtures("ann")
def test_the_page_goes_as_it_is_shown(
    object_store: StoreServer,
    spark: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("LAKE_KEYS", KEYS)
    monkeypatch.chdir(tmp_path)
    object_store.bucket("lake")
    (tmp_path / "buckets").symlink_to(object_store.folder)
    play(PAGE.replace("127.0.0.1:7070", object_store.host), spark, capsys)
