"""What features cost: the same close with and without them, and comparing rows in scenarios.

    python -m benchmarks.overhead

The ledger counts for every operation how many rows it met, added and deleted. Row ids are made for
every row that is written with its `_row_id`. Expectations are looked at and all hold: ten of rows,
or two of groups, by entity and account and by journal. Outputs are published together, when all
are through, or each when it is written; beside the time stands the most that was staged at once,
and not yet published. A scenario compares the rows that came out
with those of a file: here once all rows are as expected, and once ten are not.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

from benchmarks import rowbook_side
from benchmarks.close import WARM_UP_ROWS, rowbook_close
from benchmarks.close_task import (
    OUT,
    PROJECT,
    claims_of_groups,
    claims_of_rows,
    published_workspace,
)
from benchmarks.ledger_data import PERIOD, LedgerData, ledger_data
from benchmarks.measuring.command import finished, measured, parser
from benchmarks.measuring.page import Report
from benchmarks.measuring.results import Results, label, markdown, ratio
from benchmarks.measuring.turns import Job, Turn
from benchmarks.measuring.worker import into_page_cache, timed

NAME = "overhead"
ROWS = 3_000_000
USUAL = "close, as usual"
NO_LEDGER = "close, nothing counted"
WITH_IDS = "close, _row_id written in both outputs"
WITH_CLAIMS = {
    "close, ten expectations of rows": claims_of_rows,
    "close, two expectations of groups": claims_of_groups,
}
PUBLISHED = {
    "close, published together": "together",
    "close, published as written": "as_written",
}
CLOSES = (USUAL, NO_LEDGER, WITH_IDS, *WITH_CLAIMS, *PUBLISHED)
COMPARISONS = {
    f"comparing {count:,} rows, {words}": (count, different)
    for count in (10_000, 100_000)
    for different, words in ((0, "all as expected"), (10, "ten different"))
}


def main() -> None:
    made = parser(__doc__ or "", repetitions=5, limit=600)
    made.add_argument("--rows", type=int, default=ROWS)
    options = made.parse_args()
    if options.worker:
        work(options.worker)
    else:
        finished(NAME, options, lambda: _measured(options), report)


def _measured(options: argparse.Namespace) -> Results:
    for rows in (WARM_UP_ROWS, options.rows):
        ledger_data(options.data, rows)
    job = {"rows": options.rows, "data": str(options.data)}
    closes = [Turn(name, f"{options.rows:,} rows", {"what": name, **job}) for name in CLOSES]
    compared = [Turn(name, "of a scenario", {"what": name}) for name in COMPARISONS]
    return measured(NAME, [*closes, *compared], options)


def work(job: Job) -> None:
    """The worker: one close, or one comparison."""
    what, limit = str(job["what"]), int(job["limit"])
    if what in COMPARISONS:
        rowbook_side.comparison(1_000, 10)()
        timed(rowbook_side.comparison(*COMPARISONS[what]), limit)
        return
    folder, scratch = Path(str(job["data"])), Path(tempfile.gettempdir())
    small, data = ledger_data(folder, WARM_UP_ROWS), ledger_data(folder, int(job["rows"]))
    if what in PUBLISHED:
        _publish(small, data, PUBLISHED[what], scratch, limit)
        return
    written = ("_row_id",) if what == WITH_IDS else ()
    expectations = WITH_CLAIMS[what]() if what in WITH_CLAIMS else ""
    with rowbook_side.session() as spark:

        def close(ledger: LedgerData, out: Path) -> None:
            rowbook_close(
                spark,
                ledger,
                out,
                written=written,
                expectations=expectations,
                ledger=what != NO_LEDGER,
            )

        close(small, scratch / "small")
        into_page_cache(data.folder)
        timed(lambda: close(data, scratch / "out"), limit)


def _publish(small: LedgerData, data: LedgerData, publish: str, scratch: Path, limit: int) -> None:
    with rowbook_side.session() as spark:
        for ledger, root in ((small, scratch / "small"), (data, scratch / "large")):
            root.mkdir()
            text = published_workspace(ledger.folder, publish)
            (root / "rowbook.yaml").write_text(text, encoding="utf-8")
            into_page_cache(ledger.folder)
            with rowbook_side.published(spark, root, PROJECT, PERIOD) as run:
                if ledger is small:
                    run()
                    continue
                with _StagedSpace(root / OUT) as staged:
                    timed(run, limit, lambda: staged.most)


class _StagedSpace:
    """The most bytes that stood beside the tables of a folder at once, looked at now and then."""

    def __init__(self, folder: Path) -> None:
        self.most = 0
        self._folder = folder
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> _StagedSpace:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._done.wait(0.1):
            self.most = max(self.most, sum(map(_size, self._folder.glob(".*"))))


def _size(folder: Path) -> int:
    """Of files that may go while they are looked at."""
    found = 0
    for path in folder.rglob("*.parquet"):
        with suppress(FileNotFoundError):
            found += path.stat().st_size
    return found


def report(results: Results) -> Report:
    """Times, and those of closes as a multiple of the usual one."""
    rows = [
        [
            name,
            case,
            label(results, name, case),
            ratio(results, name, USUAL, case),
            _staged(results, name, case),
        ]
        for name in results.contestants()
        for case in results.cases()
        if results.of(name, case)
    ]
    header = ("what", "on", "median (least – most)", "× usual", "staged at once")
    return Report(markdown(header, rows, texts=2))


def _staged(results: Results, name: str, case: str) -> str:
    found = [m.written_bytes for m in results.of(name, case) if m.written_bytes is not None]
    return f"{max(found) / 1e6:.1f} MB" if found else ""


if __name__ == "__main__":
    main()
