"""Questions about so many rows that these are not replayed here."""

from __future__ import annotations

from rowbook.errors import RowbookError


class ManyRowsError(Exception):
    """More rows are needed than are replayed here; the message says of what."""


def refused(run_id: str, cause: ManyRowsError) -> RowbookError:
    """PROOF_001, for who cannot be answered otherwise."""
    message = f"run {run_id}: {cause} would have to be replayed"
    hint = "say more of what is meant, so that fewer rows are"
    return RowbookError.of("PROOF_001", message, hint=hint)
