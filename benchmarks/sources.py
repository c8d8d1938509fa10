"""Reading and writing every kind of data source, by Rowbook and by hand.

    python -m benchmarks.sources                        # a million journal lines, all kinds
    python -m benchmarks.sources --kinds csv --rows 100000
    python -m benchmarks.sources --check                # do all write and read the same rows?

A table holds two months. Writing replaces the rows of one of them; the new ones are in Spark's
memory already. Reading takes one month with all its columns and throws the rows away (Spark's
`noop`); everybody reads the table that PySpark wrote. `rowbook` does what a run does for an output
and for a dataset (rowbook_tables.py), `pyspark` is in peers/pyspark_sources.py.

All contestants share one session, as `rowbook run` opens it, and take turns. Before the first turn
of a case each has done the same three times. Tables of jdbc are in a PostgreSQL server of the
benchmark's own, where `copy` is the server's COPY without Spark; after each write the table is
vacuumed.
"""

from __future__ import annotations

import argparse

from benchmarks.ledger_data import ledger_data
from benchmarks.measuring.command import begun, finished, parser
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Results, label, markdown, ratio
from benchmarks.measuring.turns import Rules
from benchmarks.measuring.warm import take_warm
from benchmarks.sources_contestants import contestants, faults, opened, reads, writes
from benchmarks.sources_task import KINDS

NAME = "sources"
ROWS = 1_000_000
CHECKED_ROWS = 20_000


def main() -> None:
    made = parser(__doc__ or "", repetitions=5, limit=600)
    made.add_argument("--rows", type=int, default=ROWS)
    made.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    made.add_argument("--check", action="store_true", help="compare what all write and read")
    options = made.parse_args()
    if options.check:
        check(options)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def check(options: argparse.Namespace) -> None:
    """Ends with an error where any contestant writes or reads other rows than it was given."""
    with opened(ledger_data(options.data, CHECKED_ROWS), options.kinds, options.data) as bench:
        for kind in bench.possible(options.kinds):
            for did, differ in faults(bench, kind).items():
                if differ:
                    raise SystemExit(f"{kind}: {did}, but not those it was given: {differ}")
                print(f"{kind}: {did}, exactly those it was given")


def _measured(options: argparse.Namespace) -> Results:
    data, results = ledger_data(options.data, options.rows), begun(NAME, options)
    rules = Rules(options.repetitions, options.limit, options.data)
    with opened(data, options.kinds, options.data) as bench:
        for kind in bench.possible(options.kinds):
            who = contestants(bench, kind)
            for what, works in {"read": reads(who), "write": writes(bench, who)}.items():
                case = f"{kind}, {what}, {options.rows:,} rows"
                take_warm(results, case, works, rules, bench.give_up)
            bench.clear(kind)
    return results


def report(results: Results) -> Report:
    """Times and their ratio for each kind and direction; of writes, what they left."""
    rows = [
        [
            *case.removesuffix(" rows").split(", "),
            *(label(results, name, case) for name in ("rowbook", "pyspark")),
            ratio(results, "rowbook", "pyspark", case),
            label(results, "copy", case),
            *(_left(results, name, case) for name in ("rowbook", "pyspark")),
        ]
        for case in results.cases()
    ]
    header = (
        *("kind", "what", "rows", "Rowbook", "PySpark by hand", "ratio"),
        *("COPY", "Rowbook wrote", "PySpark wrote"),
    )
    return Report(markdown(header, rows, texts=2))


def _left(results: Results, contestant: str, case: str) -> str:
    found = [m for m in results.of(contestant, case) if m.written_bytes is not None]
    if not found:
        return "–"
    last = found[-1]
    size = f"{(last.written_bytes or 0) / 1e6:.1f} MB"
    if last.files is None:
        return size
    return f"{size} in {last.files} file{'' if last.files == 1 else 's'}"


if __name__ == "__main__":
    main()
