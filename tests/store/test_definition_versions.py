"""Versions of definitions: changed content is the next one, unchanged content none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rowbook.errors import RowbookError
from rowbook.store import Definition, JsonObject, Store
from tests.store.forking import Forks
from tests.store.places import Place
from tests.store.samples import AT, after, completed, dataset, started
from tests.support.refusal import refusal

UUID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"


def record(store: Store, *definitions: Definition) -> list[tuple[int, bool]]:
    recorded = store.definitions.record(definitions, by="ann", at=AT)
    return [(each.version.version, each.is_new) for each in recorded]


def test_changed_content_is_the_next_version(store: Store) -> None:
    assert record(store, dataset("gl", n=1)) == [(1, True)]
    assert record(store, dataset("gl", n=2)) == [(2, True)]
    assert record(store, dataset("gl", n=1)) == [(3, True)]
    versions = store.definitions.versions("dataset", "gl")
    assert [(v.version, v.content["n"]) for v in versions] == [(1, 1), (2, 2), (3, 1)]


def test_unchanged_content_is_no_version_whatever_the_order_of_its_keys(store: Store) -> None:
    one = Definition("dataset", "d", "gl", {"a": 1, "b": {"c": "2", "d": "é"}})
    other = replace(one, content={"b": {"d": "é", "c": "2"}, "a": 1})
    record(store, one)
    assert record(store, other) == [(1, False)]
    assert len(store.definitions.versions("dataset")) == 1


def test_a_version_says_who_recorded_it_and_when(store: Store) -> None:
    store.definitions.record([dataset("gl")], by="ann", at=after(0.000001))
    found = store.definitions.get("dataset", "gl")
    assert found is not None
    assert (found.recorded_by, found.recorded_at) == ("ann", after(0.000001))
    assert found.produced_by is None
    assert len(found.content_hash) == 64


def test_a_definition_is_found_by_name_and_by_id_however_it_is_written(store: Store) -> None:
    record(store, Definition("resolver", UUID, "warehouse", {}))
    for reference in ("warehouse", UUID, UUID.upper(), f"{{{UUID}}}", UUID.replace("-", "")):
        found = store.definitions.get("resolver", reference)
        assert found is not None
        assert found.name == "warehouse"


def test_what_is_not_there_is_none(store: Store) -> None:
    record(store, dataset("gl"))
    assert store.definitions.get("dataset", "fx") is None
    assert store.definitions.get("dataset", "gl", 2) is None
    assert store.definitions.get("resolver", "gl") is None
    assert store.definitions.versions("dataset", "fx") == ()


def test_a_version_is_got_by_number_and_the_latest_without(store: Store) -> None:
    record(store, dataset("gl", n=1))
    record(store, dataset("gl", n=2))
    first, latest = (
        store.definitions.get("dataset", "gl", 1),
        store.definitions.get("dataset", "gl"),
    )
    assert first is not None
    assert latest is not None
    assert (first.content["n"], latest.content["n"]) == (1, 2)


def test_the_latest_of_a_kind_are_listed_by_name(store: Store) -> None:
    record(store, dataset("gl", n=1), dataset("fx"), Definition("calendar", "c", "fiscal", {}))
    record(store, dataset("gl", n=2))
    listed = store.definitions.latest("dataset")
    assert [(d.name, d.version) for d in listed] == [("fx", 1), ("gl", 2)]
    assert [d.name for d in store.definitions.latest("calendar")] == ["fiscal"]


def test_one_name_may_stand_for_a_dataset_and_a_resolver(store: Store) -> None:
    assert record(store, dataset("gl"), Definition("resolver", "id-gl", "gl", {})) == [
        (1, True),
        (1, True),
    ]


def test_disabling_is_a_version(store: Store) -> None:
    record(store, dataset("gl"))
    assert record(store, replace(dataset("gl"), disabled=True)) == [(2, True)]
    found = store.definitions.get("dataset", "gl")
    assert found is not None
    assert found.disabled


def test_all_are_recorded_or_none(store: Store) -> None:
    record(store, dataset("gl", n=1))
    stale = replace(dataset("fx"), based_on=7)
    with pytest.raises(RowbookError, match="STORE_005"):
        record(store, dataset("gl", n=2), stale)
    assert [v.version for v in store.definitions.versions("dataset")] == [1]


def test_a_change_that_was_compared_with_another_version_is_refused(store: Store) -> None:
    record(store, replace(dataset("gl", n=1), based_on=0))
    record(store, replace(dataset("gl", n=2), based_on=1))
    finding = refusal(lambda: record(store, replace(dataset("gl", n=3), based_on=1)))
    assert finding.code == "STORE_005"
    assert finding.message == (
        "dataset 'gl' was compared with version 1, but its latest is version 2 by ann"
    )


def test_a_change_that_somebody_else_recorded_already_is_no_matter(store: Store) -> None:
    record(store, dataset("gl", n=1))
    record(store, dataset("gl", n=2))
    assert record(store, replace(dataset("gl", n=2), based_on=1)) == [(2, False)]


def test_a_name_that_comes_with_another_id_is_refused(store: Store) -> None:
    record(store, dataset("gl"))
    finding = refusal(lambda: record(store, Definition("dataset", "other", "gl", {})))
    assert (finding.code, finding.message) == (
        "STORE_006",
        "the dataset 'gl' has the ids id-gl and other",
    )


def test_a_renamed_definition_is_the_same_one(store: Store) -> None:
    record(store, Definition("dataset", "d", "gl", {}))
    assert record(store, Definition("dataset", "d", "ledger", {})) == [(2, True)]
    assert store.definitions.get("dataset", "gl") is None
    versions = store.definitions.versions("dataset", "ledger")
    assert [(v.version, v.name) for v in versions] == [(1, "gl"), (2, "ledger")]


def test_two_may_swap_their_names(store: Store) -> None:
    record(store, Definition("dataset", "1", "a", {}), Definition("dataset", "2", "b", {}))
    record(store, Definition("dataset", "1", "b", {}), Definition("dataset", "2", "a", {}))
    assert [(d.name, d.id) for d in store.definitions.latest("dataset")] == [("a", "2"), ("b", "1")]


def test_content_may_hold_any_text(store: Store) -> None:
    content: JsonObject = {
        "name": "Größe 'x' \"y\" \\ \n \x00 \ud800 😀",
        "empty": {},
        "none": None,
    }
    record(store, Definition("dataset", "d", "odd", content))
    found = store.definitions.get("dataset", "odd")
    assert found is not None
    assert found.content == content


def test_a_number_that_json_cannot_say_is_refused(store: Store) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        record(store, dataset("gl", n=float("nan")))


def test_a_time_without_zone_is_refused(store: Store) -> None:
    with pytest.raises(Exception, match="needs a time zone"):
        store.definitions.record([dataset("gl")], by="ann", at=AT.replace(tzinfo=None))


def test_eight_processes_recording_at_once_lose_no_version(place: Place, forks: Forks) -> None:
    calls = [{"me": n, "count": 6} for n in range(8)]
    ended = forks.at_once("record_own", place, calls)
    assert [e.text for e in ended] == [""] * 8
    with place.open() as store:
        shared = store.definitions.versions("dataset", "shared")
        assert [v.version for v in shared] == list(range(1, 49))
        assert {(v.content["by"], v.content["n"]) for v in shared} == {
            (me, n) for me in range(8) for n in range(6)
        }
        for me in range(8):
            own = store.definitions.versions("dataset", f"own{me}")
            assert [(v.version, v.content["n"]) for v in own] == [(n + 1, n) for n in range(6)]


def test_a_registered_output_says_which_run_made_it(store: Store) -> None:
    lease = started(store)
    resolver = Definition("resolver", "made-by-close", "made-by-close", {"path": "out"})
    with store.writing_as(lease, at=after(1)) as writes:
        recorded = writes.register(
            [resolver, dataset("out", columns=["a"])],
            dataset_id="id-out",
            seq=4,
            data={"files": ["out/part-0"]},
        )
    assert [(r.version.kind, r.version.version, r.is_new) for r in recorded] == [
        ("resolver", 1, True),
        ("dataset", 1, True),
    ]
    found = store.definitions.get("dataset", "out")
    assert found is not None
    assert (found.produced_by, found.recorded_by) == ("r1", "ann")
    (made,) = store.definitions.productions("id-out")
    assert (made.version, made.run_id, made.seq) == (1, "r1", 4)
    assert (made.data, made.recorded_at) == ({"files": ["out/part-0"]}, after(1))


def test_the_same_schema_written_again_is_the_same_version_with_new_data(store: Store) -> None:
    for number in (1, 2):
        lease = started(store, f"r{number}", period=f"2026-0{number}")
        with store.writing_as(lease, at=after(number)) as writes:
            out = dataset("out", columns=["a"])
            writes.register([out], dataset_id="id-out", seq=4, data={"n": number})
    assert [v.produced_by for v in store.definitions.versions("dataset", "out")] == ["r1"]
    made = store.definitions.productions("id-out", version=1)
    assert [(p.run_id, p.data) for p in made] == [("r2", {"n": 2}), ("r1", {"n": 1})]
    assert store.definitions.productions("id-out", version=2) == ()
    assert store.definitions.published_periods("id-out") == {"2026-01", "2026-02"}
    assert store.definitions.published_periods("id-other") == frozenset()


def test_an_output_that_is_registered_again_by_a_resumed_run_counts_once(store: Store) -> None:
    lease = started(store)
    for number in (1, 2):
        with store.writing_as(lease, at=after(number)) as writes:
            writes.register([dataset("out")], dataset_id="id-out", seq=4, data={"n": number})
    assert [p.data for p in store.definitions.productions("id-out")] == [{"n": 2}]


def test_a_run_that_has_ended_registers_nothing(store: Store) -> None:
    lease = completed(store)
    with (
        pytest.raises(RowbookError, match="RUN_004"),
        store.writing_as(lease, at=after(1)) as writes,
    ):
        writes.register([dataset("out")], dataset_id="id-out", seq=4, data={})
    assert store.definitions.latest("dataset") == ()
