"""What a table becomes is told as steps, and as what must still be so."""

from __future__ import annotations

from typing import Any

from rowbook.sources.iceberg.catalogs.rest_updates import requirements, same_reference, updates
from tests.sources.iceberg.metadata_samples import metadata, snapshot, written

BASE = written(snapshot(7), properties={"kept": "1"})


def after(**changes: Any) -> dict[str, Any]:
    return {**BASE.content, **changes}


def test_nothing_that_is_as_it_was_is_told() -> None:
    assert updates(BASE.content, after()) == []


def test_an_output_is_a_snapshot_and_what_names_it() -> None:
    added, main = snapshot(8), {"snapshot-id": 8, "type": "branch", "max-ref-age-ms": 5}
    tag = {"snapshot-id": 8, "type": "tag"}
    found = updates(
        BASE.content,
        after(snapshots=[snapshot(7), added], refs={"main": main, "rowbook_run_1": tag}),
    )
    assert found == [
        {"action": "add-snapshot", "snapshot": added},
        {"action": "set-snapshot-ref", "ref-name": "main", **main},
        {"action": "set-snapshot-ref", "ref-name": "rowbook_run_1", **tag},
    ]


def test_columns_that_are_new_are_added_and_chosen_as_the_last() -> None:
    (schema,) = BASE.content["schemas"]
    wider = {**schema, "schema-id": 1}
    spec, order = {"spec-id": 1, "fields": []}, {"order-id": 1, "fields": []}
    found = updates(
        BASE.content,
        after(
            **{
                "schemas": [schema, wider],
                "current-schema-id": 1,
                "partition-specs": [*BASE.content["partition-specs"], spec],
                "default-spec-id": 1,
                "sort-orders": [*BASE.content["sort-orders"], order],
                "default-sort-order-id": 1,
            }
        ),
    )
    assert found == [
        {"action": "add-schema", "schema": wider},
        {"action": "set-current-schema", "schema-id": -1},
        {"action": "add-spec", "spec": spec},
        {"action": "set-default-spec", "spec-id": -1},
        {"action": "add-sort-order", "sort-order": order},
        {"action": "set-default-sort-order", "sort-order-id": -1},
    ]


def test_what_was_there_before_is_chosen_by_its_number() -> None:
    (schema,) = BASE.content["schemas"]
    older = metadata(
        **{"schemas": [schema, {**schema, "schema-id": 1}], "current-schema-id": 1}
    ).content
    found = updates(older, {**older, "current-schema-id": 0})
    assert found == [{"action": "set-current-schema", "schema-id": 0}]


def test_settings_that_differ_are_told_alone() -> None:
    found = updates(BASE.content, after(properties={"kept": "1", "new": "2"}))
    assert found == [{"action": "set-properties", "updates": {"new": "2"}}]


def test_a_snapshot_fits_upon_what_it_was_built_upon() -> None:
    assert requirements(BASE) == [
        {"type": "assert-table-uuid", "uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1"},
        {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": 7},
        {"type": "assert-last-assigned-field-id", "last-assigned-field-id": 3},
        {"type": "assert-current-schema-id", "current-schema-id": 0},
        {"type": "assert-last-assigned-partition-id", "last-assigned-partition-id": 1000},
        {"type": "assert-default-spec-id", "default-spec-id": 0},
        {"type": "assert-default-sort-order-id", "default-sort-order-id": 0},
    ]
    none = {"type": "assert-ref-snapshot-id", "ref": "main", "snapshot-id": None}
    assert same_reference(metadata(), "main") == none
