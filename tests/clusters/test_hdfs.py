"""Runs whose ledger is in HDFS: read by WebHDFS, and by Spark itself."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from rowbook.engine.session.launch import spark_home
from tests.clusters.lasting_books import LEDGER, lasting_books, outcome, run_january
from tests.clusters.test_yarn import SETTINGS
from tests.runs.books import FILES, Books
from tests.support.hadoop_clusters import HadoopClusters

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.spark,
    pytest.mark.slow,
    pytest.mark.timeout(1200),
]
(_TEXT,) = LEDGER.values()
_numbers = itertools.count(1)


@pytest.fixture
def folder(hadoop: HadoopClusters) -> str:
    """A folder of HDFS with the ledger of January, below what SETTINGS allow."""
    path = f"/rowbook/in-{next(_numbers)}"
    hadoop.put(f"{path}/gl/2026-01.csv", _TEXT)
    return path


def books_on(engine: str, hadoop: HadoopClusters, folder: str, place: Path) -> Books:
    local = "datasource: {name: inbox, type: csv, options: {root: data/inbox}}"
    there = (
        f'datasource: {{name: inbox, type: csv, options: {{root: "{hadoop.hdfs}{folder}",'
        f' namenode: "{hadoop.namenode}"}}}}'
    )
    sources = FILES["datasources/files.yaml"]
    assert local in sources
    files = {"datasources/files.yaml": sources.replace(local, there)}
    settings = SETTINGS.format(hdfs=hadoop.hdfs, jars=spark_home() / "jars")
    if engine != "yarn":
        settings = settings.partition("  engine:")[0]
    return lasting_books(place, engine, settings, files=files)


@pytest.mark.parametrize("engine", ["yarn", "local[2]"])
def test_the_rows_are_those_of_a_local_run(
    engine: str, hadoop: HadoopClusters, folder: str, local: dict[str, Any], tmp_path: Path
) -> None:
    """Executors elsewhere read the file system; beside Rowbook Spark reads a copy."""
    books = books_on(engine, hadoop, folder, tmp_path)
    ended = run_january(books, HADOOP_CONF_DIR=str(hadoop.conf))
    assert ended.code == 0, ended.err
    assert outcome(books) == local


@pytest.mark.parametrize("engine", ["yarn", "local[2]"])
def test_a_file_that_is_replaced_during_a_run_fails_it(
    engine: str, hadoop: HadoopClusters, folder: str, tmp_path: Path
) -> None:
    books = books_on(engine, hadoop, folder, tmp_path)

    def replace() -> None:
        hadoop.put(f"{folder}/gl/2026-01.csv", "account,amount\n1,1.00\n")

    ended = run_january(books, "the first aggregate", replace, HADOOP_CONF_DIR=str(hadoop.conf))
    assert ended.code == 3, ended.out + ended.err
    assert "RUN_011" in ended.out + ended.err
    assert f"{hadoop.hdfs}{folder}/gl/2026-01.csv" in ended.out + ended.err
    assert books.rows("closed") == books.rows("log") == []


def test_what_is_there_is_planned_without_spark(
    hadoop: HadoopClusters, folder: str, tmp_path: Path
) -> None:
    books = books_on("local[2]", hadoop, folder, tmp_path)
    plan = books.do("plan", "close", "--period", "2026-01")
    assert f"{hadoop.hdfs}{folder}/gl/2026-01.csv" in plan.out
    assert f"1 file, {len(_TEXT):,} bytes" in plan.out
