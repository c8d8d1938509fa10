"""The order of projects that feed each other, by tables: who reads what, who registers it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.errors import Diagnostic, Position, RowbookError
from rowbook.planning.chains.project_graph import (
    ChainProject,
    DatasetRead,
    ProjectGraph,
    ProjectState,
)


def project(
    name: str, reads: str = "", registers: str = "", state: ProjectState = "active"
) -> ChainProject:
    """The place of the n-th dataset is line n of the project's file."""
    file = f"projects/{name}.yaml"
    return ChainProject(
        name,
        state,
        tuple(
            DatasetRead(each, None, Position(file, line, 1))
            for line, each in enumerate(reads.split(), start=1)
        ),
        tuple(
            (each, Position(file, line, 5)) for line, each in enumerate(registers.split(), start=10)
        ),
    )


def refusals(graph: ProjectGraph, project: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(RowbookError) as caught:
        graph.order([project])
    return caught.value.diagnostics


@pytest.mark.parametrize(
    ("rows", "wanted", "order"),
    [
        pytest.param([("a", "gl", "x")], "a", "a", id="alone"),
        pytest.param([("a", "x", ""), ("b", "gl", "x")], "a", "b a", id="its producer first"),
        pytest.param(
            [("a", "y", ""), ("b", "x", "y"), ("c", "gl", "x")], "a", "c b a", id="a chain of three"
        ),
        pytest.param(
            [("a", "y z", ""), ("b", "x", "y"), ("c", "x", "z"), ("d", "gl", "x")],
            "a",
            "d b c a",
            id="a diamond: each once",
        ),
        pytest.param(
            [("a", "x", ""), ("b", "gl", "x"), ("c", "gl", "y")], "a", "b a", id="no other project"
        ),
        pytest.param(
            [("a", "x", ""), ("b", "gl", "x"), ("c", "gl", "y")],
            "a b c",
            "b a c",
            id="independent ones too, where all are wanted",
        ),
        pytest.param([("a", "gl x", "x")], "a", "a", id="what it registers itself is no producer"),
        pytest.param(
            [("a", "x x y", ""), ("b", "gl", "x y")], "a", "b a", id="several datasets of one"
        ),
    ],
)
def test_producers_run_before_those_that_read_them(
    rows: list[tuple[str, str, str]], wanted: str, order: str
) -> None:
    graph = ProjectGraph.of(project(*row) for row in rows)
    assert graph.order(wanted.split()) == tuple(order.split())


def test_a_circle_is_refused_and_shown_with_the_place_of_each_read() -> None:
    graph = ProjectGraph.of(
        [project("a", "gl x", "z"), project("b", "y", "x"), project("c", "z", "y")]
    )
    found = refusals(graph, "a")
    assert [(d.code, str(d.position), d.message) for d in found] == [
        (
            "CHAIN_001",
            "projects/a.yaml:2:1",
            "a -> b -> c -> a: project 'a' reads dataset 'x', which project 'b' registers",
        ),
        (
            "CHAIN_001",
            "projects/b.yaml:1:1",
            "a -> b -> c -> a: project 'b' reads dataset 'y', which project 'c' registers",
        ),
        (
            "CHAIN_001",
            "projects/c.yaml:1:1",
            "a -> b -> c -> a: project 'c' reads dataset 'z', which project 'a' registers",
        ),
    ]


def test_a_circle_is_drawn_without_the_way_to_it() -> None:
    graph = ProjectGraph.of(
        [project("report", "x"), project("a", "y", "x"), project("b", "x", "y")]
    )
    found = refusals(graph, "report")
    assert [d.message.partition(":")[0] for d in found] == ["a -> b -> a", "a -> b -> a"]


def test_a_dataset_that_two_register_has_no_producer_that_could_be_known() -> None:
    graph = ProjectGraph.of([project("a", "x"), project("b", "gl", "w x"), project("c", "gl", "x")])
    found = refusals(graph, "a")
    assert [(d.code, str(d.position), d.message) for d in found] == [
        (
            "CHAIN_003",
            "projects/a.yaml:1:1",
            "dataset 'x' is registered by projects 'b' and 'c': which of them to run is not known",
        ),
        ("CHAIN_003", "projects/b.yaml:11:5", "project 'b' registers 'x'"),
        ("CHAIN_003", "projects/c.yaml:10:5", "project 'c' registers 'x'"),
    ]


def test_of_two_that_register_a_dataset_the_one_that_runs_is_the_producer() -> None:
    graph = ProjectGraph.of(
        [project("a", "x"), project("old", "gl", "x", "inactive"), project("new", "gl", "x")]
    )
    assert graph.order(["a"]) == ("new", "a")


def test_one_that_does_not_run_is_the_producer_where_no_other_is() -> None:
    graph = ProjectGraph.of([project("a", "x"), project("b", "gl", "x", "draft")])
    assert graph.producers("a") == ("b",)


@given(st.lists(st.lists(st.integers(0, 7), max_size=4), min_size=1, max_size=8), st.randoms())
def test_an_order_has_all_that_is_needed_once_and_producers_first(
    reads: list[list[int]], chance: Random
) -> None:
    """Project n registers dataset n, and reads datasets of projects before it alone."""
    rows = [
        project(f"p{n}", " ".join(f"d{each}" for each in found if each < n), f"d{n}")
        for n, found in enumerate(reads)
    ]
    chance.shuffle(rows)
    graph = ProjectGraph.of(rows)
    last = f"p{len(rows) - 1}"
    order = graph.order([last])
    needed, more = {last}, {last}
    while more:
        more = {each for name in more for each in graph.producers(name)} - needed
        needed |= more
    assert sorted(order) == sorted(needed)
    for place, name in enumerate(order):
        assert set(graph.producers(name)) <= set(order[:place])
