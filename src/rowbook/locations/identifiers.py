"""Names in a database: taken to the letter, quoted wherever they are used."""

from __future__ import annotations

from rowbook.value_class import dataclass

_LONGEST = 63
"""Bytes; PostgreSQL would cut a longer name, and mean another thing by it."""
OWN = "_rowbook_"
"""How the names of Rowbook's own tables begin."""


@dataclass(frozen=True, slots=True)
class TableName:
    schema: str
    name: str


def name_fault(name: str) -> str | None:
    """What is wrong with a name, as the end of a sentence; None where nothing is."""
    if not name:
        return "is empty"
    if not name.isprintable():
        return "holds a character that cannot be shown"
    if len(name.encode()) > _LONGEST:
        return f"is longer than {_LONGEST} bytes"
    return None


def table_name(text: str, schema: str) -> TableName:
    """A table by `name`, which is in `schema`, or by `schema.name`; ValueError says what is wrong.
    No part can be quoted: a dot always stands between two."""
    parts = text.split(".")
    if len(parts) > 2:
        raise ValueError("has more parts than a schema and a name")
    for part in parts:
        if fault := name_fault(part):
            raise ValueError(fault if len(parts) == 1 else f"has a part that {fault}")
    if parts[-1].startswith(OWN):
        raise ValueError(f"begins with {OWN}, as Rowbook's own tables do")
    return TableName(parts[0] if len(parts) == 2 else schema, parts[-1])


def lake_table_fault(text: str) -> str | None:
    """What is wrong with the name of an Iceberg table, `namespace.name`: its parts may be folders,
    and a namespace may have several."""
    for part in text.split("."):
        fault = name_fault(part)
        if fault is None and any(each in part for each in "/\\:`"):
            fault = "holds one of / \\ : `"
        if fault is None and part.startswith(OWN):
            fault = f"begins with {OWN}, as Rowbook's own tables do"
        if fault is not None:
            return fault if part == text else f"has a part that {fault}"
    return None


def catalog_table_fault(text: str) -> str | None:
    """What is wrong with the name of a table of Spark's catalog, `catalog.schema.name`."""
    for part in text.split("."):
        fault = "is empty" if not part else None
        if "`" in part or not part.isprintable():
            fault = "holds a character that no name of Spark's may have"
        if fault is not None:
            return fault if part == text else f"has a part that {fault}"
    return None


def table_fault(text: str) -> str | None:
    try:
        table_name(text, "public")
    except ValueError as fault:
        return str(fault)
    return None
