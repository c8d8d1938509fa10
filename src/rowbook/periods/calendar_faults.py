"""What is wrong with the definition of a calendar, and in which part of it."""

from __future__ import annotations

from rowbook.errors import Diagnostic
from rowbook.value_class import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class CalendarFault:
    """`path` leads to the faulty part of the definition, as keys and list places from 0:
    `("levels", 1, "identifier")`, `("rule", "start_month")`, `("periods", 0, "parent")`. Where the
    part is missing, the path names where it belongs.
    """

    path: Path
    message: str
    hint: str | None = None

    def diagnostic(self) -> Diagnostic:
        """The finding; its place in a file is the caller's to add."""
        return Diagnostic("PERIOD_003", self.message, hint=self.hint)
