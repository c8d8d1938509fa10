"""Diagnostics: what is wrong, where, and what to do. The codes are in `codes`."""

from rowbook.errors.diagnostic import (
    Diagnostic,
    OperationRef,
    Position,
    RowbookError,
    Severity,
    Snippet,
    did_you_mean,
    in_order,
    listing,
    reason,
    suggestion,
)

__all__ = [
    "Diagnostic",
    "OperationRef",
    "Position",
    "RowbookError",
    "Severity",
    "Snippet",
    "did_you_mean",
    "in_order",
    "listing",
    "reason",
    "suggestion",
]
