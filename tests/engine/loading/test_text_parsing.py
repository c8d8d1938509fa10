"""Texts on their way into declared types: which fit, and what they become."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from rowbook.engine.loading.text_parsing import from_text
from rowbook.expressions.types import Type, parse_type
from rowbook.sources.files.text.plain_text import fit_text, fits
from rowbook.sources.files.text.value_forms import ISO, TextForm
from tests.engine import running
from tests.support.local_frame import local_frame

pytestmark = pytest.mark.spark

NO = object()
"""Stands for a value that does not fit."""

GERMAN = TextForm(",", "dd.MM.yyyy", "dd.MM.yyyy HH:mm")
JSON = TextForm(exponents=True)
SAP = TextForm(",", thousands_separator=".", negative="trailing", strip="€")
BRACKETS = TextForm(thousands_separator="'", negative="parentheses", exponents=True)
SPACED = TextForm(",", thousands_separator=" ")
LONG = Decimal("-12345678901234567890.123456789012345678")

TEXTS: list[tuple[str, TextForm, list[tuple[str, Any]]]] = [
    ("string", ISO, [("", ""), (" x ", " x "), ("é😀", "é😀"), ("NULL", "NULL")]),
    (
        "integer",
        ISO,
        [
            ("0", 0),
            ("-7", -7),
            ("+7", 7),
            ("007", 7),
            ("9223372036854775807", 2**63 - 1),
            ("-9223372036854775808", -(2**63)),
            ("0000000000000000000000000005", 5),
            ("9223372036854775808", NO),
            ("1.0", NO),
            ("1e3", NO),
            (" 1", NO),
            ("1 ", NO),
            ("1\n", NO),
            ("", NO),
            ("-", NO),
            ("1_000", NO),
            ("1,000", NO),
            ("٣", NO),
            ("0x10", NO),
            ("9" * 5000, NO),
        ],
    ),
    (
        "integer",
        JSON,
        [
            ("7", 7),
            ("1E+3", 1000),
            ("-150e-1", -15),
            ("9.223372036854775807e18", 2**63 - 1),
            ("-9.223372036854775808e18", -(2**63)),
            ("0.0e-5", 0),
            ("9.223372036854775808e18", NO),
            ("15e-1", NO),
            ("1.0", NO),
            ("1E40", NO),
        ],
    ),
    (
        "decimal(18,2)",
        ISO,
        [
            ("10", Decimal("10.00")),
            ("10.5", Decimal("10.50")),
            ("10.5000", Decimal("10.50")),
            ("-0.01", Decimal("-0.01")),
            ("+1.00", Decimal("1.00")),
            ("00010.50", Decimal("10.50")),
            ("9999999999999999.99", Decimal("9999999999999999.99")),
            ("0000009999999999999999.990000", Decimal("9999999999999999.99")),
            ("1.5E+7", Decimal("15000000.00")),
            ("15e-1", Decimal("1.50")),
            ("0E-18", Decimal("0.00")),
            ("-0", Decimal("0.00")),
            ("0.", NO),
            ("10.555", NO),
            ("0.001", NO),
            ("1.555E0", NO),
            ("1E-3", NO),
            ("1E16", NO),
            ("1E99", NO),
            ("1E999999999", NO),
            ("10000000000000000.00", NO),
            (".5", NO),
            ("5.", NO),
            ("1,5", NO),
            ("1 000.00", NO),
            ("$5", NO),
            ("NaN", NO),
            (" 5.00", NO),
            ("5.00\n", NO),
            ("٣.٥", NO),
            ("", NO),
        ],
    ),
    ("decimal(18,2)", GERMAN, [("10,50", Decimal("10.50")), ("10", Decimal("10.00"))]),
    ("decimal(18,2)", GERMAN, [("10.50", NO), ("1.000,50", NO), ("10,555", NO)]),
    (
        "decimal(18,2)",
        SAP,
        [
            ("1.234.567,89", Decimal("1234567.89")),
            ("1234,56", Decimal("1234.56")),
            ("1.234,56-", Decimal("-1234.56")),
            ("€ 1.234,5-", Decimal("-1234.50")),
            ("1.234,5 €-", Decimal("-1234.50")),
            ("1,5E+7", Decimal("15000000.00")),
            ("1.23,4", NO),
            ("1234.567", NO),
            ("-1.234,56", NO),
            ("1--", NO),
            ("1- €-", NO),
            ("1,234.56", NO),
            ("1,555", NO),
            ("€", NO),
            ("", NO),
            ("٣", NO),
            ("NaN", NO),
            ("5\n", NO),
        ],
    ),
    (
        "integer",
        BRACKETS,
        [
            ("1'234", 1234),
            ("(1’234’567)", -1234567),
            ("1E+3", 1000),
            ("(1", NO),
            ("1)", NO),
            ("-1", NO),
            ("12'34", NO),
            ("1.0", NO),
        ],
    ),
    (
        "float",
        SPACED,
        [
            ("1\u202f234\u00a0567,5", 1234567.5),
            ("-1 234", -1234.0),
            ("NaN ", NO),
            ("-Infinity", -math.inf),
            ("1 23", NO),
            (" 1", NO),
        ],
    ),
    ("decimal(2,2)", ISO, [("0.25", Decimal("0.25")), ("0", Decimal(0)), ("1", NO), ("1.00", NO)]),
    ("decimal(5,0)", ISO, [("12345", Decimal(12345)), ("5.0", Decimal(5)), ("5.5", NO)]),
    (
        "decimal(38,18)",
        ISO,
        [
            ("-12345678901234567890.123456789012345678",) * 2,
            ("0.000000000000000001",) * 2,
            ("1E-18", Decimal("0.000000000000000001")),
            ("1.2345678901234567890E+10", Decimal("12345678901.234567890000000000")),
            ("-12345678901234567890123456789012345678e-18", LONG),
            ("+0.00012e4", Decimal("1.200000000000000000")),
            ("12345678901234567890123456789012345678e-19", NO),
            ("0.000E-400", Decimal("0E-18")),
            ("0e99", Decimal("0E-18")),
            ("1.00e20", NO),
            ("10e19", NO),
            ("1E-0018", NO),
            ("99999999999999999999.999999999999999999",) * 2,
            ("100000000000000000000", NO),
            ("0.0000000000000000001", NO),
            ("1E-19", NO),
        ],
    ),
    (
        "float",
        ISO,
        [
            ("1", 1.0),
            ("-2.5", -2.5),
            ("1.5E300", 1.5e300),
            ("0.1", 0.1),
            ("4.9E-324", 5e-324),
            ("Infinity", math.inf),
            ("-Infinity", -math.inf),
            ("1E999", NO),
            ("inf", NO),
            ("1f", NO),
            ("1d", NO),
            (".5", NO),
            (" 1.0", NO),
            ("0x1p3", NO),
            ("", NO),
        ],
    ),
    ("float", GERMAN, [("2,5", 2.5), ("2.5", NO)]),
    (
        "boolean",
        ISO,
        [("true", True), ("FALSE", False), ("True", True)]
        + [(text, NO) for text in ("yes", "1", "t", "", " true", "wahr")],
    ),
    (
        "date",
        ISO,
        [
            ("2026-01-31", date(2026, 1, 31)),
            ("2024-02-29", date(2024, 2, 29)),
            ("0001-01-01", date(1, 1, 1)),
            ("1582-10-10", date(1582, 10, 10)),
            ("9999-12-31", date(9999, 12, 31)),
            ("2026-02-29", NO),
            ("0000-01-01", NO),
            ("2026-1-5", NO),
            ("31.01.2026", NO),
            ("2026-01-31T00:00:00", NO),
            ("2026-01-31 ", NO),
            ("2026-01-3 ", NO),
            ("2026-01-3T", NO),
            ("2026-1-31T", NO),
            ("12026-1-31", NO),
            ("+2026-1-31", NO),
            ("-026-01-31", NO),
            (" 026-01-31", NO),
            ("2026-01--1", NO),
            ("2026-01-é", NO),
            ("٢٠٢٦-01-31", NO),
            ("+10000-01-01", NO),
            ("-0001-01-01", NO),
            ("10000-01-01", NO),
            ("", NO),
        ],
    ),
    ("date", GERMAN, [("31.01.2026", date(2026, 1, 31)), ("29.02.2026", NO), ("2026-01-31", NO)]),
    (
        "timestamp",
        ISO,
        [
            ("2026-01-31T10:05:07Z", datetime(2026, 1, 31, 10, 5, 7, tzinfo=UTC)),
            ("2026-01-31 10:05", datetime(2026, 1, 31, 10, 5, tzinfo=UTC)),
            ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
            ("2026-01-31T10:05:07.123456+02:00", datetime(2026, 1, 31, 8, 5, 7, 123456, UTC)),
            ("1850-01-01T00:00:00Z", datetime(1850, 1, 1, tzinfo=UTC)),
            ("2026-01-31T25:00:00Z", NO),
            ("2026-01-31T10:05:60Z", NO),
            ("2026-01-31T10:05:07.1234567Z", NO),
            ("2026-02-30T10:00:00Z", NO),
            ("10:00", NO),
            ("2026-01-31T10:05:07 Europe/Berlin", NO),
            ("", NO),
        ],
    ),
    (
        "timestamp",
        GERMAN,
        [
            ("31.01.2026 10:05", datetime(2026, 1, 31, 10, 5, tzinfo=UTC)),
            ("2026-01-31T10:05:07Z", NO),
            ("31.01.2026 24:05", NO),
        ],
    ),
]
CASES = [
    (kind, form, text, Decimal(value) if kind == "decimal(38,18)" and value is text else value)
    for kind, form, cases in TEXTS
    for text, value in cases
]


def kind_of(text: str) -> Type:
    kind = parse_type(text)
    assert kind is not None
    return kind


@pytest.fixture(scope="module")
def spark(spark: SparkSession) -> Iterator[SparkSession]:
    """Computes by compiled code, as a run of many rows does."""
    with running.settings(spark, running.COMPILED) as compiling:
        yield compiling


def text_frame(spark: SparkSession, texts: list[str]) -> DataFrame:
    """Coalesced, it is read by a task: else Spark would compute the values as it makes the plan."""
    return local_frame(spark, [(text,) for text in texts], "t string").coalesce(1)


@pytest.mark.parametrize("kind", list(dict.fromkeys(kind for kind, *_ in TEXTS)))
def test_a_text_fits_its_type_exactly_or_not_at_all(spark: SparkSession, kind: str) -> None:
    for form in (ISO, GERMAN, JSON, SAP, BRACKETS, SPACED):
        cases = [(text, value) for k, f, text, value in CASES if (k, f) == (kind, form)]
        if not cases:
            continue
        numbered = [(i, text) for i, (text, _) in enumerate(cases)]
        frame = local_frame(spark, numbered, "i int, t string").coalesce(1)
        fitted = from_text(F.col("t"), kind_of(kind), form)
        misfit = fitted.isNull()
        value = F.unix_micros(fitted) if kind == "timestamp" else fitted
        found = frame.select("i", misfit.alias("misfit"), value.alias("v")).orderBy("i").collect()
        for (text, expected), row in zip(cases, found, strict=True):
            assert row.misfit is (expected is NO), (kind, text)
            if expected is not NO:
                wanted = _micros(expected) if isinstance(expected, datetime) else expected
                assert row.v == wanted, (kind, text)


def _micros(moment: datetime) -> int:
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86400 + since.seconds) * 1_000_000 + since.microseconds


@pytest.mark.parametrize(("kind", "form", "text", "expected"), CASES)
def test_python_finds_the_same_texts_unfit(
    kind: str, form: TextForm, text: str, expected: object
) -> None:
    assert fits(kind_of(kind), form)(text) is (expected is not NO)


def test_not_a_number_is_a_float(spark: SparkSession) -> None:
    fitted = from_text(F.lit("NaN"), kind_of("float"), ISO)
    (row,) = spark.range(1).select(fitted.alias("v")).collect()
    assert math.isnan(row.v)
    assert fits(kind_of("float"), ISO)("NaN")


NUMBERS = st.from_regex(r"[+-]?[0-9]{0,20}\.?[0-9]{0,20}(?:[eE][+-]?[0-9]{0,3})?", fullmatch=True)
KINDS = st.sampled_from(
    ["integer", "decimal(18,2)", "decimal(38,18)", "decimal(5,0)", "decimal(3,3)", "float"]
)


@pytest.mark.campaign
@pytest.mark.fuzz
@settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(texts=st.lists(NUMBERS, min_size=50, max_size=200), kind=KINDS)
def test_spark_and_python_agree_on_numbers(
    spark: SparkSession, texts: list[str], kind: str
) -> None:
    fitted = from_text(F.col("t"), kind_of(kind), ISO)
    frame = text_frame(spark, texts)
    for row in frame.select("t", fitted.alias("v")).collect():
        assert fits(kind_of(kind), ISO)(row.t) is (row.v is not None), row.t
        if row.v is not None and kind != "float":
            assert Decimal(row.v) == Decimal(row.t)


WRITTEN = st.from_regex(
    r"[+\-(€ ]{0,2}[0-9]{0,4}(?:[., '\u2019\u00a0\u202f][0-9]{2,4}){0,3}(?:[.,][0-9]{0,3})?"
    r"(?:[eE][+-]?[0-9]{1,2})?[+\-)€ \u00a0]{0,2}",
    fullmatch=True,
)
FORMS = st.builds(
    TextForm,
    decimal_separator=st.just(","),
    exponents=st.booleans(),
    thousands_separator=st.sampled_from([None, ".", "'", " "]),
    negative=st.sampled_from(["leading", "trailing", "parentheses"]),
    strip=st.sampled_from(["", "€", "€ "]),
)


@pytest.mark.fuzz
@settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(texts=st.lists(WRITTEN, min_size=100, max_size=300), kind=KINDS, form=FORMS)
def test_spark_and_python_agree_on_numbers_in_every_form(
    spark: SparkSession, texts: list[str], kind: str, form: TextForm
) -> None:
    to = kind_of(kind)
    frame = text_frame(spark, texts)
    for row in frame.select("t", from_text(F.col("t"), to, form).alias("v")).collect():
        assert row.v == _value(row.t, to, form), row.t


def _value(text: str, to: Type, form: TextForm) -> object:
    try:
        return fit_text(form)(text, to)
    except ValueError:
        return None
