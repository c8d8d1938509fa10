"""A month closed from json lines into every file format, and read back from each of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import orc

from tests.runs.books import Books
from tests.starter.shared_session import shared_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FORMATS = ("csv", "json", "orc", "parquet")
COPY = """\
project:
  name: copy_{kind}
  input_dataset_id: closed_{kind}
  operations:
    - seq: 10
      name: publish
      type: output
      arguments:
        destination: {{location: {{path: out/{kind}, format: json}}}}
        columns: [account, amount, day, _row_id]
"""
PUBLISH = """\
    - seq: {seq}
      name: publish {kind}
      type: output
      arguments:
        destination: {{datasource_id: as_{kind}, table: closed_{kind}}}
        register_as_dataset: closed_{kind}
"""
FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/gl.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: account, type: string, nullable: false}
      - {name: amount, type: "decimal(38,10)"}
      - {name: day, type: date}
""",
    "datasources/files.yaml": "---\n".join(
        f"datasource: {{name: as_{kind}, type: {kind}, options: {{root: lake/{kind}, files: 2}}}}\n"
        for kind in FORMATS
    ),
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - {name: a file a month, strategy: {type: path, path: "inbox/{{YYYY}}-{{MM}}.jsonl"}}
""",
    "projects/close.yaml": "project:\n  name: close\n  input_dataset_id: gl\n  operations:\n"
    + "".join(PUBLISH.format(seq=10 * i, kind=kind) for i, kind in enumerate(FORMATS, start=1)),
    "inbox/2026-01.jsonl": '{"account": "4000", "amount": 10.50, "day": "2026-01-31"}\n'
    '{"account": "5000", "amount": 1234567890123456789012345678.0000000001}\n'
    '{"account": "6000", "amount": 1e3, "day": null}\n',
}
EXPECTED = [
    ("4000", "10.5000000000", "2026-01-31"),
    ("5000", "1234567890123456789012345678.0000000001", None),
    ("6000", "1000.0000000000", None),
]


def amounts(folder: Path) -> list[tuple[str, str, str | None]]:
    """The rows of a json table, numbers as they are written."""
    rows = [
        json.loads(line, parse_float=str)
        for file in folder.rglob("*.json")
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    return sorted((row["account"], row["amount"], row["day"]) for row in rows)


@pytest.fixture
def files(connect_url: str, tmp_path: Path) -> Books:
    made = Books(tmp_path / "acme", connect_url)
    made.write(FILES)
    return made


@pytest.mark.campaign
def test_every_format_is_written_and_read_back(files: Books, spark: SparkSession) -> None:
    """Written through Spark Connect, read on the session that all tests share."""
    files.do("apply", "--yes")
    files.do("activate", "close")
    done = files.close("2026-01", "--format", "json").json
    assert [(each["rows"], each["files"]) for each in done["outputs"]] == [(3, 2)] * 4
    lake = files.folder / "lake"
    assert amounts(lake / "json") == EXPECTED
    (folder,) = (lake / "orc" / "closed_orc").glob("period=*")
    tables = [orc.read_table(str(file)) for file in sorted(folder.glob("*.orc"))]
    found = [str(amount) for table in tables for amount in table["amount"].to_pylist()]
    assert sorted(found) == sorted(amount for _, amount, _ in EXPECTED)
    files.write({f"projects/copy_{kind}.yaml": COPY.format(kind=kind) for kind in FORMATS})
    files.do("apply", "--yes")
    for kind in FORMATS:
        files.do("activate", f"copy_{kind}")
        with shared_session(spark):
            files.do("run", f"copy_{kind}", "--period", "2026-01")
        assert amounts(files.folder / "out" / kind) == EXPECTED, kind


@pytest.mark.campaign
def test_a_draft_keeps_the_formats_of_its_destinations(files: Books) -> None:
    done = files.spawn("run", "close", "--period", "2026-01", "--draft", "--format", "json").json
    assert [(each["rows"], each["files"]) for each in done["outputs"]] == [(3, 2)] * 4
    written = [files.folder / each["destination"] for each in done["outputs"]]
    endings = [{file.suffix for file in folder.rglob("part-*")} for folder in written]
    assert endings == [{f".{kind}"} for kind in FORMATS]
    assert not (files.folder / "lake").exists()
