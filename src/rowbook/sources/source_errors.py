"""What goes wrong with data of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rowbook.errors import RowbookError
from rowbook.planning.columns import PERIOD


class UnreachableError(OSError):
    """A place cannot be asked at present: that is not the same as nothing being there."""


class GoneError(UnreachableError):
    """The folder that a table was in is gone: removed, on a disk that will be back, or no longer
    inside what the workspace allows."""


class NotAskedError(OSError):
    """What could say what a table is was not asked, as nobody wanted that."""


class NeedsSparkError(UnreachableError):
    """A place can be written to with a session of Spark alone, and there is none."""


class ContentsChangedError(Exception):
    """The contents of a table are not those that it was to be read with; `names` differ."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = tuple(sorted(names))
        super().__init__(", ".join(self.names))


class NotPlainError(Exception):
    """Only Spark can read a table as it is to be read; the message says why."""


def output_error(label: str, why: str, hint: str | None = None) -> RowbookError:
    return RowbookError.of("OUTPUT_006", f"{label} {why}", hint=hint)


def table_exists_error(label: str) -> RowbookError:
    return output_error(label, "exists already", "use mode replace or append")


def given_up_error(label: str) -> RowbookError:
    return output_error(label, "was not written: the run was given up for dead meanwhile")


def no_period_error(label: str) -> RowbookError:
    why = f"holds rows without {PERIOD.name}: those of a period cannot be told from the others"
    hint = "write to another destination, or add the column to the existing data"
    return output_error(label, why, hint)


def input_changed(changes: Sequence[str]) -> RowbookError:
    told = ", ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")
    message = f"the input changed during the run: {told}"
    return RowbookError.of("RUN_011", message)
