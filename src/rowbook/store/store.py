"""The metadata store, opened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Literal

from rowbook.private_files import is_own
from rowbook.store.database.address import SqliteAddress
from rowbook.store.database.connections import StoreDatabase
from rowbook.store.definition_versions import DefinitionVersions
from rowbook.store.period_states import Periods
from rowbook.store.project_versions import Projects
from rowbook.store.runs.journal import Journal
from rowbook.store.runs.leases import Leases
from rowbook.store.runs.leftovers import Leftovers
from rowbook.store.runs.run_records import Lease
from rowbook.store.runs.run_registry import Runs
from rowbook.store.runs.run_writes import RunWrites
from rowbook.store.runs.table_locks import TableLocks
from rowbook.store.seals.seal_chain import Seals
from rowbook.store.seals.sealer import Sealer


class Store:
    """The truth about versions, projects, periods and runs. Every method of its parts is one
    transaction; threads may share it, a forked process opens its own."""

    def __init__(self, database: StoreDatabase, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        self.definitions = DefinitionVersions(database, sealer)
        self.projects = Projects(database, sealer)
        self.periods = Periods(database, sealer)
        self.runs = Runs(database, sealer)
        self.leases = Leases(database, sealer)
        self.seals = Seals(database, sealer)
        self.table_locks = TableLocks(database)
        self.journal = Journal(database)
        self.leftovers = Leftovers(database)

    @property
    def owner(self) -> Literal["user", "another", "unknown"]:
        """Whose it is: of who owns its file and the folder. On a server nobody can say."""
        address = self._database.address
        if not isinstance(address, SqliteAddress):
            return "unknown"
        return "user" if is_own(address.path, address.path.parent) else "another"

    @contextmanager
    def writing_as(self, lease: Lease, *, at: datetime) -> Iterator[RunWrites]:
        """The writes of the run that holds a lease, in one transaction; LeaseLostError if it does
        no longer. `at` is the time of the records. Nothing slow belongs inside: all other writers
        wait."""
        with self._database.writing("a run's record") as connection:
            writes = RunWrites(connection, self._sealer, lease, at)
            yield writes
            writes.seal()

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
