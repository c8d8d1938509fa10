"""Books whose runs last long enough to lose something in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.runs.books import CLOSE, FILES, NOW, Books
from tests.runs.processes import Ended
from tests.support.processes import wait_until

ROWS = 6_000
_PATIENCE = 600.0
STEPS = {"the first aggregate": "20  sum up", "an output": "30  publish", "the next": "40  log"}
"""What a run says as it comes to these."""

_ROLL_UP = """\
    - seq: 25
      name: by company
      type: aggregate
      selector: "total IS NOT NULL"
      arguments:
        group_by: [_period]
        aggregations: [{column: grand_total, expression: "SUM(total)"}]
    - seq: 30
"""

LASTING = CLOSE.replace("    - seq: 30\n", _ROLL_UP, 1)
REWRITING = CLOSE.replace(
    """{datasource_id: lake, table: closed}
        register_as_dataset: closed""",
    "{datasource_id: inbox, table: gl/2026-01}\n        columns: [account, amount]",
).replace("name: close\n", "name: close\n  publish: as_written\n", 1)
"""Its first output replaces what it reads: rows are kept, and cannot be computed again."""


_LINES = "".join(f"{4000 + n % 400},{n % 1_000}.{n % 100:02d}\n" for n in range(ROWS))
LEDGER = {"data/inbox/gl/2026-01.csv": f"account,amount\n{_LINES}"}


def lasting_books(
    folder: Path,
    engine: str,
    settings: str = "",
    project: str = LASTING,
    files: Mapping[str, str] = LEDGER,
) -> Books:
    """Applied and activated, to be run for January; `settings` are those of `workspace`. Executors
    that are not told otherwise cannot even open its files."""
    books = Books(folder / "bücher", engine)
    workspace = f"workspace:\n  name: acme\n  default_resolver_id: inbox\n{settings}"
    books.write(
        {
            **FILES,
            "rowbook.yaml": workspace,
            "projects/close.yaml": project,
            **files,
        }
    )
    books.do("apply", "--yes")
    books.do("activate", "close")
    return books


def run_january(
    books: Books, moment: str | None = None, do: Callable[[], None] = lambda: None, **more: str
) -> Ended:
    """A run, however long it takes; as it comes to a moment, something is done to it."""
    with books.start("run", "close", "--period", "2026-01", "--now", NOW, **more) as run:
        if moment is not None:
            said = STEPS[moment]
            wait_until(lambda: said in run.said or run.has_ended, said)
            do()
        return run.end(_PATIENCE)


def outcome(books: Books) -> dict[str, Any]:
    """What a run for January left: rows of both tables, and the ledger without times."""
    (run,) = books.runs()
    shown = books.show(run["run_id"])
    ledger = [{**each, "duration_ms": 0, "outputs": []} for each in shown["operations"]]
    return {
        "status": run["status"],
        "ledger": ledger,
        "written": [(each["destination"], each["rows"]) for each in shown["outputs"]],
        "closed": books.rows("closed"),
        "log": books.rows("log"),
        "leftovers": books.leftovers(),
    }
