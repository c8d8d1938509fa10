"""What a seal costs: runs that do nothing, in a store in a file, with seals and without.

    python -m benchmarks.seals

A run begins, starts with a snapshot of the usual size, records a ledger of twenty operations and
ends: what the store does for a run, without Spark. The same is done by a store whose sealer does
nothing, with seals, and with seals that are signed; in turns, each in a store of its own. The chain
is verified at the end.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rowbook.store import NewRun, Store, open_store, store_address, this_process
from rowbook.store.seals.sealer import Sealer, without_key
from rowbook.store.seals.signatures import new_private_key, signing_key

SNAPSHOT = {"datasets": [{"path": f"data/part-{n}.csv", "sha256": "0" * 64} for n in range(1000)]}
STEPS = {seq: {"rows_in": 1000, "rows_out": 900, "outputs": []} for seq in range(10, 210, 10)}
AT, TTL = datetime(2026, 2, 3, tzinfo=UTC), timedelta(seconds=60)


class _NoSealer(Sealer):
    def seal(self, *_: object, **__: object) -> None:
        """What a store without seals would do."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    runs = parser.parse_args().runs
    key = signing_key(new_private_key())
    with tempfile.TemporaryDirectory() as folder:
        address = {name: store_address(f"sqlite:///{name}.db", Path(folder)) for name in "abc"}
        plain = open_store(address["a"])
        stores = {
            "without seals": Store(plain._database, _NoSealer(without_key)),
            "with seals": open_store(address["b"]),
            "signed": open_store(address["c"], key=lambda: key),
        }
        spent: dict[str, list[float]] = {name: [] for name in stores}
        for number in range(runs):
            for name, store in stores.items():
                spent[name].append(_seconds(lambda s=store, n=number: _run(s, f"r{n}")))  # type: ignore[misc]
        usual = statistics.median(spent["without seals"])
        for name, seconds in spent.items():
            middle = statistics.median(seconds)
            sys.stdout.write(
                f"{name:14} {middle * 1000:6.2f} ms a run, {(middle - usual) * 1000:+6.2f} ms\n"
            )
        checked = _seconds(lambda: stores["signed"].seals.verify())
        sys.stdout.write(f"verifying {2 * runs} signed seals: {checked * 1000:.0f} ms\n")


def _run(store: Store, run_id: str) -> None:
    new = NewRun(
        *(run_id, "p1", "close", 1, False, "c1", "2026-01"),
        *("2026-01-31", AT, "cli", "local[*]", "ann"),
    )
    lease = store.leases.begin(new, this_process(), at=AT, ttl=TTL)
    with store.writing_as(lease, at=AT) as writes:
        writes.start(SNAPSHOT)
    with store.writing_as(lease, at=AT) as writes:
        for seq, entry in STEPS.items():
            writes.record_step(seq, entry)
        writes.complete({"total_ms": 1})


def _seconds(work: Callable[[], object]) -> float:
    """Processor time of this process."""
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    main()
