"""Many columns of one type are parsed as one array: with the same rows and the same faults."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from rowbook.engine.loading import text_arrays
from tests.sources.tables import csv_file, dataset, faults, load_all, place, rows_of

pytestmark = pytest.mark.spark

COLUMNS = (
    *("d decimal(9,2)", "d2 decimal(9,2)", "i integer", "f float", "b boolean"),
    *("day date", "at timestamp", "s string", "must integer!", "text string!"),
)
HEADER = "d,d2,i,f,b,day,at,s,must,text\n"
SOUND = (
    "1.50,1.5E+2,-7,0.5,TRUE,2026-01-31,2026-01-31T10:00:00Z,x,1,y\n"
    ",,,,,,,,2,empty\n"
    "-0,0E-9,0,Infinity,false,0001-01-01,2026-01-31 10:00:00,ü,3,z\n"
)
FAULTY = {
    "d": "1.505",
    "d2": "1E-3",
    "i": "1.0",
    "f": "1e999",
    "b": "yes",
    "day": "2026-02-30",
    "at": "noon",
    "s": "\ufffd",
    "must": "",
    "text": "\ufffd",
}


@pytest.mark.parametrize("least", [1, 2])
def test_rows_are_the_same_as_column_by_column(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int
) -> None:
    where, wanted = place(csv_file(tmp_path, HEADER + SOUND)), dataset(*COLUMNS)
    monkeypatch.setattr(text_arrays, "LEAST", 1000)
    one_by_one = rows_of(spark, wanted, where)
    monkeypatch.setattr(text_arrays, "LEAST", least)
    assert rows_of(spark, wanted, where) == one_by_one
    assert len(one_by_one) == 3
    assert load_all(spark, wanted, where).frame.columns == HEADER.strip().split(",")


@pytest.mark.campaign
def test_faults_are_the_same_as_column_by_column(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = HEADER.strip().split(",")
    sound = dict(zip(names, SOUND.split("\n")[0].split(","), strict=True))
    monkeypatch.setattr(text_arrays, "LEAST", 1)
    for name, text in FAULTY.items():
        line = ",".join({**sound, name: text}.values())
        where = place(csv_file(tmp_path, f"{HEADER}{line}\n", f"{name}.csv"))
        (found,) = faults(spark, dataset(*COLUMNS), where)
        assert f"column '{name}'" in found.message


def test_few_columns_of_a_type_are_parsed_one_by_one(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [f"c{i}" for i in range(text_arrays.LEAST)]
    where = place(csv_file(tmp_path, f"{','.join(names)}\n{','.join('1' for _ in names)}\n"))
    few = [*(f"{name} integer" for name in names[1:]), f"{names[0]} float"]
    for columns, is_array in ((few, False), ([f"{name} integer" for name in names], True)):
        load_all(spark, dataset(*columns), where).frame.explain()
        assert ("transform(" in capsys.readouterr().out) is is_array
