"""Collecting diagnostics while planning: expressions checked, faults put at their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from rowbook.definitions.place import Place
from rowbook.errors import Diagnostic
from rowbook.expressions.binding.binder import bind
from rowbook.expressions.bound import Bound
from rowbook.expressions.convert import unknown
from rowbook.expressions.faults import Fault
from rowbook.expressions.scope import Scope
from rowbook.expressions.types import Kind
from rowbook.value_class import dataclass

Codes = Mapping[str, str]
"""Which of an operation's own codes stands for a general one."""

NO_CODES: Codes = {}

Part: TypeAlias = tuple[int, int] | None
"""[start, end) in a scalar's text; None is all of it."""


@dataclass(slots=True)
class Findings:
    """Diagnostics in the making. `selectors` is where the project's named selectors stand: a fault
    in one of them is reported there, once."""

    selectors: Place | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _reported: set[tuple[str | None, str, tuple[int, int]]] = field(default_factory=set)

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)

    def add(
        self, place: Place, code: str, message: str, hint: str | None = None, span: Part = None
    ) -> None:
        self.diagnostics.append(place.diagnostic(code, message, hint=hint, span=span))

    def warn(self, place: Place, code: str, message: str, span: Part = None) -> None:
        self.diagnostics.append(place.diagnostic(code, message, span=span, severity="warning"))

    def expression(self, place: Place, text: str, scope: Scope, codes: Codes = NO_CODES) -> Bound:
        """Bind an expression; after errors the tree has type UNKNOWN. Where the dataset itself is
        not known, neither are its name and its lookups: an unknown table is no second error."""
        binding = bind(text, scope)
        nameless = scope.main_name is None and not scope.main.complete
        for fault in binding.faults:
            if not (nameless and fault.code == "EXPR_003"):
                self.fault(place, fault, codes)
        return binding.tree if binding.usable else unknown()

    def condition(
        self,
        place: Place,
        text: str | None,
        scope: Scope,
        codes: Codes = NO_CODES,
        not_boolean: str = "SELECTOR_003",
    ) -> Bound | None:
        if text is None:
            return None
        tree = self.expression(place, text, scope, codes)
        if tree.type.kind is not Kind.BOOLEAN and not tree.type.is_open:
            message = f"the condition gives {tree.type}, not true or false"
            self.add(place, not_boolean, message, span=(0, len(text)))
        return tree

    def fault(self, place: Place, fault: Fault, codes: Codes = NO_CODES) -> None:
        code = fault.code
        if fault.within is None or self.selectors is None:
            code = codes.get(code, code)
        else:
            place = self.selectors.at(fault.within)
            key = (fault.within, code, fault.span)
            if key in self._reported:
                return
            self._reported.add(key)
        self.diagnostics.append(
            place.diagnostic(
                code, fault.message, hint=fault.hint, span=fault.span, severity=fault.severity
            )
        )
