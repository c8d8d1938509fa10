"""Files that a job cannot read to their end: the file and the innermost cause are named."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from pyspark.sql import SparkSession

from rowbook.engine.execution.failures.explain_failure import explain
from rowbook.engine.loading.load import load
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.errors import Diagnostic
from rowbook.sources import registry
from rowbook.spark.causes import is_spark_failure
from tests.sources.tables import context, dataset, place
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark

TABLE = pa.table({"id": [f"{i * 7919 % 100_003}" for i in range(30_000)]})
LINES = "".join(f"{value}\n" for value in TABLE["id"].to_pylist())
JSON = "".join(f'{{"id":"{value}"}}\n' for value in TABLE["id"].to_pylist())


def packed(text: str) -> bytes:
    return gzip.compress(text.encode())


def garbled(content: bytes) -> bytes:
    """The end, which says where things are, is whole; the data is not."""
    middle = len(content) // 3
    return content[:middle] + bytes(512) + content[middle + 512 :]


def parquet_file(path: Path) -> None:
    pq.write_table(TABLE, path, compression="snappy", use_dictionary=False)
    path.write_bytes(garbled(path.read_bytes()))


def orc_file(path: Path) -> None:
    orc.write_table(TABLE, path, compression="zlib")
    path.write_bytes(garbled(path.read_bytes()))


def cut(path: Path, content: bytes) -> None:
    path.write_bytes(content[: len(content) // 2])


FAULTY: dict[str, Callable[[Path], None]] = {
    "gl.csv.gz": lambda path: cut(path, packed("id\n" + LINES)),
    "gl.json.gz": lambda path: cut(path, packed(JSON)),
    "gl.parquet": parquet_file,
    "gl.orc": orc_file,
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_file_that_is_not_whole_is_named_with_the_cause(
    spark: SparkSession, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    FAULTY[name](path)
    kind = name.split(".")[1]
    found = failure(spark, path, kind)
    assert found.code == "DATASOURCE_007"
    label, _, reason = found.message.partition(" cannot be read: ")
    assert label == f"data/{name}"
    assert reason
    assert "Exception" not in reason
    assert "Job aborted" not in reason
    assert "SQLSTATE" not in reason


def failure(spark: SparkSession, path: Path, kind: str) -> Diagnostic:
    wanted = dataset("id string")
    with ExitStack() as resources:
        table = replace(place(path, kind), wanted=("id",))
        raws = registry.read(spark, [table], resources)
        frame = load(wanted, raws, context(), keep_deleted=True).frame
        with pytest.raises(Exception) as caught:
            frame.write.format("noop").mode("overwrite").save()
        assert is_spark_failure(caught.value)
        explained = explain(caught.value, lambda: (), ReadInput([(wanted, raws)]), {}, "reading")
    (found,) = explained.diagnostics
    return found


def test_a_file_that_ends_before_its_columns_are_known_is_named(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "gl.json.gz"
    FAULTY["gl.json.gz"](path)
    table = replace(place(path, "json"), wanted=("id", "amount"))
    with ExitStack() as resources:
        found = refusal(lambda: registry.read(spark, [table], resources), "DATASOURCE_007")
    assert found.message == "data/gl.json.gz cannot be read: Unexpected end of input stream"
