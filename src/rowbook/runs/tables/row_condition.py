"""A condition that a user gives for rows: bound, and told with the part that is wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rowbook.definitions.place import snippet
from rowbook.errors import Diagnostic, RowbookError
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.faults import Fault
from rowbook.expressions.scope import Scope
from rowbook.expressions.syntax.unbound import Span
from rowbook.expressions.types import Kind


def row_condition(text: str | None, scope: Scope) -> Bound | None:
    """All that is wrong with it is raised; SELECTOR_003 where it is no condition."""
    if text is None:
        return None
    binding = bind(text, scope)
    kind = binding.tree.type
    faults = [fault for fault in binding.faults if fault.severity == "error"]
    if not faults and kind.kind is not Kind.BOOLEAN and not kind.is_open:
        message = f"the condition gives {kind}, not true or false"
        faults.append(Fault("SELECTOR_003", message, Span(0, len(text))))
    if faults:
        raise RowbookError(*_diagnostics(faults, text))
    return binding.tree


def _diagnostics(faults: list[Fault], text: str) -> Iterator[Diagnostic]:
    for fault in faults:
        part = snippet(text, *fault.span, label="where")
        yield Diagnostic(fault.code, fault.message, hint=fault.hint, snippet=part)
