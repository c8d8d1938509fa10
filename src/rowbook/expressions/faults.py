"""What can be wrong with an expression, as a place in its text."""

from __future__ import annotations

from rowbook.errors import Severity
from rowbook.expressions.syntax.unbound import Span
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding in an expression; whoever knows the file turns it into a Diagnostic."""

    code: str
    message: str
    span: Span
    hint: str | None = None
    severity: Severity = "error"
    within: str | None = None
    """The named selector whose text the span is in; None for the expression itself."""


class ExpressionError(Exception):
    def __init__(self, code: str, message: str, span: Span, hint: str | None = None) -> None:
        self.faults = (Fault(code, message, span, hint),)
        super().__init__(message)
