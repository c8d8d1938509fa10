"""The file formats at a Spark Connect endpoint: the same rows, the same files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.spark

PROGRAM = """
import json, sys
from pathlib import Path
from pyspark.sql import functions as F
from rowbook.engine.session.session import EngineSettings, open_session
from tests.sources.tables import contents, files_in, put, target

folder, url = Path(sys.argv[1]), sys.argv[2]
found = {}
with open_session(EngineSettings(remote=url)) as engine:
    rows = engine.spark.range(0, 40, 1, 3).select(
        F.col("id").cast("string"), F.lit("10.50").cast("decimal(18,2)").alias("amount")
    )
    for kind in ("csv", "json", "orc", "parquet"):
        where = target(folder / kind, kind, files="2")
        written = put(rows, where)
        texts = [(i, str(amount)) for i, amount in contents(engine.spark, where, "id", "amount")]
        found[kind] = [written.rows, written.files, len(set(texts)), texts[0][1]]
print(json.dumps(found))
"""


def test_all_formats_are_written_and_read(connect_url: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), connect_url],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    expected = [40, 2, 40, "10.50"]
    assert json.loads(done.stdout) == dict.fromkeys(("csv", "json", "orc", "parquet"), expected)
