"""JSON Schema of definition files, for editors."""

from __future__ import annotations

from typing import Any

from rowbook.definitions.json_schema import schema_of_all, schema_of_kind
from rowbook.definitions.models.kinds import KINDS
from rowbook.errors import RowbookError, suggestion


def json_schema(kind: str | None = None) -> dict[str, Any]:
    """The schema of one kind of definition (else USAGE_001), or of all kinds."""
    if kind is not None and kind not in KINDS:
        hint = suggestion(kind, tuple(KINDS), "kinds")
        raise RowbookError.of("USAGE_001", f"'{kind}' is not a kind of definition", hint=hint)
    return schema_of_all() if kind is None else schema_of_kind(kind)
