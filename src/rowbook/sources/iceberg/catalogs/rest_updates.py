"""What a table becomes, as the steps that Iceberg's REST protocol has for it, and what must still
be so for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rowbook.sources.iceberg.table_metadata import MAIN, NO_SNAPSHOT, TableMetadata

Update = Mapping[str, Any]
_LAST_ADDED = -1


class _Numbered(NamedTuple):
    """Parts of a table that are added and then chosen by their numbers."""

    parts: str
    number: str
    chosen: str
    update: str


_STRUCTURE = (
    _Numbered("schemas", "schema-id", "current-schema-id", "schema"),
    _Numbered("partition-specs", "spec-id", "default-spec-id", "spec"),
    _Numbered("sort-orders", "order-id", "default-sort-order-id", "sort-order"),
)
_CHOOSE = {
    "schema": ("set-current-schema", "schema-id"),
    "spec": ("set-default-spec", "spec-id"),
    "sort-order": ("set-default-sort-order", "sort-order-id"),
}
_ASSERTED = {
    "assert-last-assigned-field-id": ("last-assigned-field-id", "last-column-id"),
    "assert-current-schema-id": ("current-schema-id", "current-schema-id"),
    "assert-last-assigned-partition-id": ("last-assigned-partition-id", "last-partition-id"),
    "assert-default-spec-id": ("default-spec-id", "default-spec-id"),
    "assert-default-sort-order-id": ("default-sort-order-id", "default-sort-order-id"),
}


def updates(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Update]:
    """Parts that are taken away stay."""
    return [
        *_structure(before, after),
        *(
            {"action": "add-snapshot", "snapshot": each}
            for each in _added(before, after, "snapshots", "snapshot-id")
        ),
        *(
            {"action": "set-snapshot-ref", "ref-name": name, **found}
            for name, found in (after.get("refs") or {}).items()
            if (before.get("refs") or {}).get(name) != found
        ),
        *_properties(before.get("properties") or {}, after.get("properties") or {}),
    ]


def requirements(base: TableMetadata) -> list[Update]:
    """That a snapshot built upon `base` still fits."""
    told = ((kind, *keys) for kind, keys in _ASSERTED.items())
    return [
        same_table(base),
        same_reference(base, MAIN),
        *({"type": kind, name: base.content[key]} for kind, name, key in told),
    ]


def same_table(base: TableMetadata) -> Update:
    return {"type": "assert-table-uuid", "uuid": base.content["table-uuid"]}


def same_reference(base: TableMetadata, name: str) -> Update:
    found = (base.content.get("refs") or {}).get(name) or {}
    snapshot = found.get("snapshot-id")
    if name == MAIN:
        snapshot = None if base.main == NO_SNAPSHOT else base.main
    return {"type": "assert-ref-snapshot-id", "ref": name, "snapshot-id": snapshot}


def _structure(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Update]:
    for each in _STRUCTURE:
        added = _added(before, after, each.parts, each.number)
        for part in added:
            yield {"action": f"add-{each.update}", each.update: part}
        if after[each.chosen] != before[each.chosen]:
            action, key = _CHOOSE[each.update]
            is_last = bool(added) and added[-1][each.number] == after[each.chosen]
            yield {"action": action, key: _LAST_ADDED if is_last else after[each.chosen]}


def _added(
    before: Mapping[str, Any], after: Mapping[str, Any], parts: str, number: str
) -> Sequence[Mapping[str, Any]]:
    there = {each[number] for each in before.get(parts) or ()}
    return [each for each in after.get(parts) or () if each[number] not in there]


def _properties(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Update]:
    changed = {key: value for key, value in after.items() if before.get(key) != value}
    if changed:
        yield {"action": "set-properties", "updates": changed}
