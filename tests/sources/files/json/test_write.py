"""Json lines as others read them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from tests.sources.tables import files_in, put, target
from tests.support.local_frame import local_frame
from tests.support.refusal import refusal

pytestmark = pytest.mark.spark


def test_a_row_is_an_object_in_a_line(spark: SparkSession, tmp_path: Path) -> None:
    frame = local_frame(
        spark,
        [("J1", None, "", 'é "x"\n😀', 1.5, True, 7)],
        "id string, none string, empty string, text string, f double, b boolean, n long",
    ).withColumns(
        {
            "amount": F.lit("10.50").cast("decimal(38,2)"),
            "exact": F.lit("-12345678901234567890.1234567890").cast("decimal(38,10)"),
            "day": F.lit("2026-01-31").cast("date"),
            "at": F.lit("2026-01-31T10:00:00.123456Z").cast("timestamp"),
        }
    )
    written = put(frame, target(tmp_path / "closed", "json"))
    assert (written.rows, written.files) == (1, 1)
    (file,) = files_in(tmp_path / "closed")
    assert file.suffix == ".json"
    assert file.read_text(encoding="utf-8") == (
        '{"id":"J1","none":null,"empty":"","text":"é \\"x\\"\\n😀","f":1.5,"b":true,"n":7,'
        '"amount":10.50,"exact":-12345678901234567890.1234567890,"day":"2026-01-31",'
        '"at":"2026-01-31T10:00:00.123456Z"}\n'
    )


def test_dates_are_written_as_the_options_say(spark: SparkSession, tmp_path: Path) -> None:
    frame = spark.range(1).select(
        F.lit("2026-01-31").cast("date").alias("d"),
        F.lit("2026-01-31T10:05:00Z").cast("timestamp").alias("t"),
    )
    options = {"date_format": "dd.MM.yyyy", "timestamp_format": "dd.MM.yyyy HH:mm"}
    put(frame, target(tmp_path / "closed", "json", **options))
    (file,) = files_in(tmp_path / "closed")
    assert json.loads(file.read_text()) == {"d": "31.01.2026", "t": "31.01.2026 10:05"}


def test_json_is_written_in_utf_8_alone(spark: SparkSession, tmp_path: Path) -> None:
    diagnostic = refusal(
        lambda: put(spark.range(1), target(tmp_path / "closed", "json", encoding="utf-16"))
    )
    assert diagnostic.code == "DATASOURCE_002"
    assert diagnostic.message == "data/closed: json files are written in UTF-8, not in utf-16"
    assert list(tmp_path.iterdir()) == []
