"""How long a small append takes in a session that is open and warm, as the Python API keeps one.

    python -m benchmarks.latency

A project of one append, on 10,000 and 100,000 rows: all of the source, a part of it, a part summed.
Input and source have that many rows each, are read from parquet, and the result is computed in full
but not written. The project is checked and planned before: what is timed is its run alone.

The reference engine, which computes scenarios and small previews, does the same without Spark: it
reads the same files, computes in Python, and is there from the start.

Beside them stands what Spark takes for the least it can do in the same session: counting n numbers,
and reading the same two files, putting them together and throwing them away. All of these take
turns in one process, many times; the reference engine three times.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import rowbook_side
from benchmarks.close_task import definitions
from benchmarks.ledger_data import PERIOD, LedgerData, ledger_data
from benchmarks.measuring.command import finished, parser, started
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Measurement, Results, label, markdown

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "latency"
SIZES = (10_000, 100_000)
WARM_UP_TURNS = 15
TARGETS = {
    "append": {10_000: "10 ms", 100_000: "10 ms"},
    "filtered append": {10_000: "15 ms", 100_000: "20 ms"},
    "aggregated append": {10_000: "30 ms", 100_000: "50 ms"},
}
"""What was asked of an engine that keeps all data in memory, in its own process."""

_SELECTED = "        source_selector: \"entity IN ('DE01', 'FR01', 'US01')\"\n"
_SUMMED = (
    "        aggregation:\n          group_by: [entity, account_code]\n"
    '          aggregations: [{column: amount, expression: "SUM(amount)"}]\n'
)
_ARGUMENTS = {"append": "", "filtered append": _SELECTED, "aggregated append": _SELECTED + _SUMMED}
_REFERENCE = ", reference engine"
_REFERENCE_TURNS = range(-1, 3)
"""Python does not get faster by repeating: one turn to load modules, and few that count."""
_COUNTING = "Spark: count of a range"
_READING = "Spark: read both files, union"

Work = Callable[[], object]


def main() -> None:
    made = parser(__doc__ or "", repetitions=40, limit=60)
    options = made.parse_args()
    finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    """In this process: a warm session is what it is about."""
    results = started(NAME)
    with rowbook_side.session() as spark, tempfile.TemporaryDirectory() as scratch:
        for rows in SIZES:
            data = ledger_data(options.data, rows)
            works = {**_appends(spark, data, Path(scratch, str(rows))), **_floor(spark, data)}
            for number in range(-WARM_UP_TURNS, options.repetitions):
                for name, work in works.items():
                    if name.endswith(_REFERENCE) and number not in _REFERENCE_TURNS:
                        continue
                    begin = time.perf_counter()
                    work()
                    took = time.perf_counter() - begin
                    if number >= 0:
                        results.measurements.append(Measurement(name, f"{rows:,}", took))
    return results


def _appends(spark: SparkSession, data: LedgerData, root: Path) -> Mapping[str, Work]:
    root.mkdir()
    projects = "---\n".join(_project(name) for name in _ARGUMENTS)
    (root / "rowbook.yaml").write_text(definitions(data.folder) + projects, encoding="utf-8")
    asked = {name: rowbook_side.wanted(root, name.replace(" ", "_"), PERIOD) for name in _ARGUMENTS}
    on_spark = {
        name: partial(rowbook_side.run_unwritten, spark, one) for name, one in asked.items()
    }
    on_rows = {
        name + _REFERENCE: partial(rowbook_side.run_on_rows, one) for name, one in asked.items()
    }
    return on_spark | on_rows


def _project(name: str) -> str:
    return (
        f"project:\n  name: {name.replace(' ', '_')}\n  input_dataset_id: ledger\n  operations:\n"
        "    - seq: 1\n      name: add\n      type: append\n      arguments:\n"
        f"        source: {{dataset_id: ledger}}\n{_ARGUMENTS[name]}"
        "    - seq: 2\n      name: write\n      type: output\n      arguments:\n"
        "        destination: {datasource_id: lake, table: result}\n"
    )


def _floor(spark: SparkSession, data: LedgerData) -> Mapping[str, Work]:
    def read_both() -> None:
        both = [spark.read.parquet(str(data.lines)) for _ in range(2)]
        both[0].union(both[1]).write.format("noop").mode("overwrite").save()

    return {_COUNTING: lambda: spark.range(data.rows).count(), _READING: read_both}


def report(results: Results) -> Report:
    """A line for each thing that is done, a column for each size."""
    header = [
        "in a warm session",
        *(f"{case} rows, median (least – most)" for case in results.cases()),
    ]
    header.append("asked of an engine in memory")
    rows = [
        [
            name,
            *(label(results, name, case) for case in results.cases()),
            " and ".join(TARGETS[name].values()) if name in TARGETS else "",
        ]
        for name in results.contestants()
    ]
    return Report(markdown(header, rows))


if __name__ == "__main__":
    main()
