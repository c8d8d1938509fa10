"""System columns of rows as they enter: what those have that do not bring theirs along."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from rowbook.engine.compile.collect import collect
from rowbook.engine.compile.spark_types import spark_type
from rowbook.engine.loading.system_columns import KEPT, Origin, defaults, typed, typed_by_name
from rowbook.planning.columns import ALWAYS
from tests.sources.tables import NOW, RUN, context, dataset

GL = dataset("id string", "amount decimal(18,2)")
COLUMNS = GL.working_columns()


@pytest.mark.spark
@pytest.mark.parametrize("seq", [None, 20])
def test_a_row_says_where_it_is_from_and_who_made_it(spark: SparkSession, seq: int | None) -> None:
    given = defaults(Origin(GL, seq), context())
    frame = spark.range(1).select(*typed(given, COLUMNS))
    fields = [COLUMNS.fields[name] for name in given]
    assert [f.dataType for f in frame.schema.fields] == [spark_type(f.type) for f in fields]
    assert collect(frame, fields) == [
        {
            "_source_dataset_id": GL.id,
            "_source_table": "gl",
            "_operation_seq": seq,
            "_created_by_project_id": "project",
            "_created_by_run_id": RUN,
            "_created_at": NOW,
            "_updated_at": NOW,
            "_deleted": False,
            "_labels": "",
        }
    ]


@pytest.mark.spark
def test_every_system_column_but_the_id_has_a_default(spark: SparkSession) -> None:
    names = set(defaults(Origin(GL), context()))
    assert names == {f.name for f in ALWAYS} - {"_row_id"}
    assert names > KEPT


@pytest.mark.spark
def test_values_get_exactly_the_type_of_their_column_and_others_are_left_out(
    spark: SparkSession,
) -> None:
    given = {"amount": F.lit(7), "x": F.lit(1), "_operation_seq": F.lit(None)}
    made = typed_by_name(given, COLUMNS)
    assert list(made) == ["amount", "_operation_seq"]
    schema = spark.range(1).select(*typed(given, COLUMNS)).schema
    assert [f.dataType.simpleString() for f in schema.fields] == ["decimal(18,2)", "bigint"]
