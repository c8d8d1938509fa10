"""Spark and plain Python have the same evidence of the same rows."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rowbook.engine.compile.local_frames import frame_of
from rowbook.expressions import types as t
from rowbook.expressions.scope import Field
from rowbook.reference.evidence.row_evidence import row_evidence
from rowbook.spark.evidence_metrics import evidence_metrics, evidence_of, frame_evidence
from rowbook.spark.observed_metrics import ObservedMetrics

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

FIELDS = (
    Field("a text", t.STRING),
    Field("whole", t.INTEGER),
    Field("short", t.decimal(18, 2)),
    Field("long", t.decimal(38, 6)),
    Field("share", t.FLOAT),
    Field("is`quoted", t.BOOLEAN),
    Field("day", t.DATE),
    Field("moment", t.TIMESTAMP),
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
CELLS: tuple[st.SearchStrategy[Any], ...] = (
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(-(10**18) + 1, 10**18 - 1).map(lambda n: Decimal(n).scaleb(-2)),
    st.integers(-(10**30), 10**30).map(lambda n: Decimal(n).scaleb(-6)),
    st.floats(-1e12, 1e12),
    st.booleans(),
    st.dates(date(1700, 1, 1), date(2200, 1, 1)),
    st.integers(0, 4 * 10**15).map(lambda n: EPOCH + timedelta(microseconds=n)),
)
ROWS = st.lists(st.tuples(*(st.none() | cell for cell in CELLS)), max_size=8)


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(ROWS)
def test_both_engines_have_the_same_evidence(spark: SparkSession, rows: Any) -> None:
    given_rows = [dict(zip((f.name for f in FIELDS), row, strict=True)) for row in rows]
    expected = row_evidence(given_rows, FIELDS)
    found = frame_evidence(frame_of(spark, given_rows, FIELDS), FIELDS)
    assert not expected.differences(found)
    assert (found.sums, found.columns) == (expected.sums, expected.columns)


def test_it_is_observed_by_the_job_that_writes(spark: SparkSession, tmp_path: Any) -> None:
    fields = (Field("id", t.INTEGER),)
    observed = ObservedMetrics(spark.range(100).repartition(3), evidence_metrics(fields))
    observed.frame.write.parquet(str(tmp_path / "t"))
    found = observed.found()
    assert found is not None
    expected = row_evidence([{"id": n} for n in range(100)], fields)
    assert evidence_of(found, fields) == expected
    assert expected.totals[0].sum == 4950
