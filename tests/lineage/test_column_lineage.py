"""Sources of columns, as they are listed."""

from __future__ import annotations

from rowbook.lineage.column_lineage import (
    ColumnSource,
    OutputLineage,
    column_lineage,
    influences_of,
    listed,
)
from rowbook.lineage.influences import SourceColumn, at_operation, merged, read_from

FOUND = merged(
    at_operation(read_from("z", "a", "filter"), 3),
    at_operation(at_operation(read_from("b", "z"), 20), 3),
    read_from("b", "a", "aggregation"),
    read_from("a", "a", "join"),
    read_from("a", "a", "filter"),
)


def test_what_values_are_made_of_comes_first_then_names() -> None:
    assert listed(FOUND) == (
        ColumnSource("b", "a", "aggregation", ()),
        ColumnSource("b", "z", "identity", (3, 20)),
        ColumnSource("a", "a", "filter", ()),
        ColumnSource("a", "a", "join", ()),
        ColumnSource("z", "a", "filter", (3,)),
    )
    assert [each.is_direct for each in listed(FOUND)] == [True, True, False, False, False]


def test_a_list_says_all_that_it_was_made_of() -> None:
    assert influences_of(listed(FOUND)) == FOUND
    assert listed({}) == ()
    assert influences_of(()) == {}


def test_one_source_by_several_ways_has_the_operations_of_all() -> None:
    sources = (
        ColumnSource("b", "a", "filter", (1,), ("x",)),
        ColumnSource("b", "a", "filter", (2,)),
    )
    assert influences_of(sources) == {(SourceColumn("b", "a"), "filter"): {1, 2}}


def test_operations_are_listed_in_their_order() -> None:
    assert column_lineage("c", {}, {100, 20, 3}).operations == (3, 20, 100)


def test_an_output_is_called_by_its_dataset_or_its_destination() -> None:
    column = column_lineage("c", {}, ())
    output = OutputLineage(1, "write", "out/result", None, (column,), (), ())
    assert output.label == "out/result"
    assert OutputLineage(1, "write", "out/result", "result", (), (), ()).label == "result"
    assert output.column("c") is column
    assert output.column("C") is None
