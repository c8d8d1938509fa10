"""What a user reads when a job fails: code, operation, column; Spark's text only as the cause."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from rowbook.engine.execution.failures.explain_failure import (
    LostRowsError,
    explain,
    explain_loss,
    losses_explained,
)
from rowbook.engine.loading.value_checks import ReadInput
from rowbook.errors import OperationRef, RowbookError
from rowbook.planning.datasets import Dataset
from tests.engine.running import Rows, TableReader, run
from tests.support.refusal import refusal
from tests.support.small_plans import plan_of

pytestmark = pytest.mark.spark

DATASETS = """
dataset:
  name: lines
  main_table:
    name: l
    columns:
      - {name: k, type: integer}
      - {name: amount, type: "decimal(18,2)"}
      - {name: small, type: "decimal(4,2)"}
---
dataset:
  name: names
  main_table:
    name: n
    columns:
      - {name: code, type: integer}
      - {name: label, type: string}
---
"""


def failure(
    spark: SparkSession, folder: Path, operations: str, tables: dict[str, Rows]
) -> tuple[str, str]:
    text = f"project:\n  name: p\n  input_dataset_id: lines\n  operations:\n{operations}"
    plan = plan_of(folder, DATASETS + text)
    with pytest.raises(RowbookError) as caught:
        run(plan, TableReader(spark, tables))
    assert caught.value.__cause__ is not None
    (diagnostic,) = caught.value.diagnostics
    return diagnostic.code, diagnostic.text


ROW: Rows = [{"k": 1, "amount": Decimal("1000.00"), "small": Decimal("1.00")}]


@pytest.mark.parametrize(
    ("expression", "column", "kind"),
    [
        ("9223372036854775807 + k", "k", "integer"),
        ("amount", "small", "decimal(4,2)"),
        ("FLOOR(POWER(10, 30))", "k", "integer"),
    ],
)
def test_overflow_names_operation_and_column(
    spark: SparkSession, tmp_path: Path, expression: str, column: str, kind: str
) -> None:
    operations = f"""
    - seq: 5
      name: harmless
      type: update
      arguments: {{assignments: [{{column: label, expression: "'x'"}}]}}
    - seq: 10
      name: grow
      type: update
      arguments:
        assignments:
          - {{column: other, expression: "k * 2"}}
          - {{column: {column}, expression: "{expression}"}}
"""
    code, message = failure(spark, tmp_path, operations, {"lines": ROW})
    assert code == "RUN_001"
    assert message == f"operation 10 'grow': a value of column '{column}' does not fit {kind}"


def test_overflow_on_a_row_that_is_not_selected_is_none(
    spark: SparkSession, tmp_path: Path
) -> None:
    operations = """
    - seq: 10
      name: grow
      type: update
      selector: "k > 5"
      arguments: {assignments: [{column: small, expression: amount}]}
"""
    text = f"project:\n  name: p\n  input_dataset_id: lines\n  operations:\n{operations}"
    rows, pipeline = run(plan_of(tmp_path, DATASETS + text), TableReader(spark, {"lines": ROW}))
    assert rows[0]["small"] == Decimal("1.00")
    assert pipeline.counts[10].matched == 0


def test_overflow_of_a_sum_names_the_aggregate(spark: SparkSession, tmp_path: Path) -> None:
    operations = """
    - seq: 20
      name: total
      type: aggregate
      arguments: {group_by: [k], aggregations: [{column: small, expression: "SUM(amount)"}]}
"""
    code, message = failure(spark, tmp_path, operations, {"lines": ROW})
    assert code == "RUN_001"
    assert message == "operation 20 'total': a value of column 'small' does not fit decimal(4,2)"


JOINS = """
    - seq: 10
      name: look up
      type: update
      selector: "k = 1"
      arguments:
        joins: [{{alias: j, dataset_id: names, on: "{on}"}}]
        assignments: [{{column: label, expression: j.label}}]
"""


@pytest.mark.parametrize(
    ("on", "key"), [("l.k = j.code", "2"), ("l.k <= j.code AND l.k >= j.code", "row ")]
)
def test_a_second_match_names_alias_key_and_count_even_on_a_row_not_selected(
    spark: SparkSession, tmp_path: Path, on: str, key: str
) -> None:
    tables: dict[str, Rows] = {
        "lines": [*ROW, {"k": 2, "amount": None, "small": None}],
        "names": [
            {"code": 1, "label": "one"},
            {"code": 2, "label": "two"},
            {"code": 2, "label": "zwei"},
        ],
    }
    code, message = failure(spark, tmp_path, JOINS.format(on=on), tables)
    assert code == "JOIN_005"
    start = f"operation 10 'look up': join 'j' to dataset 'names': key {key}"
    assert message.startswith(start)
    assert message.endswith(" matches 2 rows")


@pytest.mark.parametrize("on", ["l.k = j.code", "l.k <= j.code AND l.k >= j.code"])
def test_duplicates_that_no_visible_row_matches_harm_nobody(
    spark: SparkSession, tmp_path: Path, on: str
) -> None:
    text = f"project:\n  name: p\n  input_dataset_id: lines\n  operations:{JOINS.format(on=on)}"
    tables: dict[str, Rows] = {
        "lines": [
            *ROW,
            {"k": None, "amount": None, "small": None},
            {"k": 2, "amount": None, "small": None, "_deleted": True},
        ],
        "names": [
            {"code": 1, "label": "one"},
            {"code": 2, "label": "two"},
            {"code": 2, "label": "zwei"},
            {"code": None, "label": "no"},
            {"code": None, "label": "no"},
        ],
    }
    rows, _ = run(plan_of(tmp_path, DATASETS + text), TableReader(spark, tables))
    assert [(r["k"], r["label"]) for r in sorted(rows, key=lambda r: r["k"] or 0)] == [
        (None, None),
        (1, "one"),
        (2, None),
    ]


def test_a_source_that_cannot_be_loaded_names_the_append(
    spark: SparkSession, tmp_path: Path
) -> None:
    class Broken(TableReader):
        def read(self, dataset: Dataset, *, keep_deleted: bool, with_ids: bool) -> DataFrame:
            if dataset.name == "names":
                raise RowbookError.of("DATASOURCE_006", "no data at names.parquet")
            return super().read(dataset, keep_deleted=keep_deleted, with_ids=with_ids)

    operations = """
    - seq: 30
      name: bring in
      type: append
      arguments:
        source: {dataset_id: names}
        aggregation: {group_by: [code], aggregations: [{column: k, expression: COUNT(*)}]}
    """
    text = f"project:\n  name: p\n  input_dataset_id: lines\n  operations:\n{operations}"
    dataset = DATASETS.replace(
        "{name: small,", "{name: code, type: integer}\n      - {name: small,"
    )
    diagnostic = refusal(
        lambda: run(plan_of(tmp_path, dataset + text), Broken(spark, {"lines": []}))
    )
    assert diagnostic.code == "APPEND_008"
    assert diagnostic.text == ("operation 30 'bring in': no data at names.parquet (DATASOURCE_006)")


def test_one_flipped_bit_in_a_parquet_file_is_an_error_that_names_the_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    table = tmp_path / "a table"
    spark.range(0, 1000, 1, 1).write.option("compression", "none").parquet(str(table))
    for checksum in table.glob(".*.crc"):
        checksum.unlink()
    (file,) = table.glob("*.parquet")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    with pytest.raises(Exception, match="FAILED_READ_FILE") as caught:
        spark.read.parquet(str(table)).agg({"id": "sum"}).collect()
    explained = explain(caught.value, tuple, ReadInput(), {}, "the run")
    (diagnostic,) = explained.diagnostics
    assert (diagnostic.code, diagnostic.message) == (
        "DATASOURCE_007",
        f"{file.name} cannot be read: could not verify page integrity,"
        " CRC checksum verification failed",
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] Checkpoint block rdd_12_0 not found!",
            "ENGINE_009  operation 30 'publish': rows that were kept went with an executor:"
            " Checkpoint block rdd_12_0",
        ),
        (
            "ExecutorLostFailure (executor 4 exited unrelated to the running tasks) Reason: killed",
            "ENGINE_009  operation 30 'publish': executor 4 was lost: killed",
        ),
        (
            "Job 3 cancelled because SparkContext was shut down",
            "ENGINE_011  operation 30 'publish': the cluster ended Rowbook's application:"
            " SparkContext was shut down",
        ),
    ],
)
def test_what_a_cluster_lost_is_said_with_the_operation(text: str, said: str) -> None:
    lost = explain_loss(PySparkException(text), OperationRef(30, "publish"))
    assert str(lost) == said
    assert isinstance(lost, LostRowsError) is ("BLOCK_ID" in text)


def test_only_what_spark_lost_is_explained_by_a_loss() -> None:
    with pytest.raises(RowbookError, match="ENGINE_011"), losses_explained():
        raise PySparkException("Master removed our application: FAILED")
    with pytest.raises(ValueError, match="Master removed our application"), losses_explained():
        raise ValueError("Master removed our application: FAILED")
