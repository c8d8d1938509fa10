"""How windows are computed: what shares a sort, what is joined, and which layers they may join."""

from __future__ import annotations

from rowbook.engine.strategy.options import Options
from rowbook.engine.strategy.stages import CheckpointStage, LayerStage, StartStage
from rowbook.planning.columns import ROW_ID
from tests.engine.strategy.deciding import APPEND, JOINED, Deciding, output
from tests.support.small_plans import delete, update


def windowed(*windows: str, value: str = "w.v", column: str = "x") -> str:
    return (
        f"type: update, arguments: {{windows: [{', '.join(windows)}],"
        f' assignments: [{{column: {column}, expression: "{value}"}}]}}'
    )


def window(by: str = "s", order: str = "", alias: str = "w", value: str = "SUM(m)") -> str:
    return f'{{alias: {alias}, by: [{by}], order_by: [{order}], values: {{v: "{value}"}}}}'


TOTAL = windowed(window())
BOTH = "w.v + u.v"


def layers(deciding: Deciding, *operations: str, **known: object) -> list[LayerStage]:
    stages = deciding.stages(*operations, **known)
    return [stage for stage in stages if isinstance(stage, LayerStage)]


def ways(deciding: Deciding, *operations: str, **known: object) -> list[list[bool]]:
    """Of each layer, which of its passes are joined."""
    found = layers(deciding, *operations, **known)
    return [[each.joined for each in layer.passes] for layer in found]


def test_values_of_whole_groups_are_joined_to_rows_that_are_cheap_to_read(
    deciding: Deciding,
) -> None:
    assert ways(deciding, TOTAL, output()) == [[True]]
    assert ways(deciding, TOTAL, output(), options=Options(window_joins=False)) == [[False]]
    assert ways(deciding, TOTAL, output(), options=Options(local_rows=True)) == [[False]]


def test_rows_that_cost_more_are_not_read_twice(deciding: Deciding) -> None:
    again = windowed(window("k"), column="m")
    assert ways(deciding, JOINED, windowed(window("c")), output()) == [[], [False]]
    assert ways(deciding, APPEND, TOTAL, output()) == [[False]]
    assert ways(deciding, again, TOTAL, output()) == [[True], [False]]
    named = windowed(window(value="COUNT(names.label)"), column="n")
    assert ways(deciding, named, output()) == [[False]]


def test_all_rows_are_never_brought_to_one_place_for_a_total(deciding: Deciding) -> None:
    assert ways(deciding, APPEND, windowed(window("")), output()) == [[True]]
    assert ways(deciding, APPEND, windowed(window("", "m")), output()) == [[False]]


def test_windows_with_the_same_keys_and_order_share_a_sort(deciding: Deciding) -> None:
    pair = windowed(window("s", "m"), window("s", "m", "u"), value=BOTH)
    (layer,) = layers(deciding, pair, output())
    assert [[w.alias for w in each.windows] for each in layer.passes] == [["w", "u"]]


def test_totals_of_groups_that_are_sorted_anyway_are_not_joined(deciding: Deciding) -> None:
    pair = windowed(window("s"), window("s", "m", "u"), value=BOTH)
    (layer,) = layers(deciding, pair, output())
    assert [(each.windows[0].alias, each.joined) for each in layer.passes] == [
        ("u", False),
        ("w", False),
    ]


def test_a_window_joins_a_layer_that_leaves_what_it_reads(deciding: Deciding) -> None:
    assert len(layers(deciding, update("c", "'x'"), TOTAL, output())) == 1
    assert len(layers(deciding, TOTAL, windowed(window(), column="y"), output())) == 1


def test_a_window_begins_a_layer_where_what_it_reads_was_given_before(deciding: Deciding) -> None:
    first, second = layers(deciding, update("m", "m + 1"), TOTAL, output())
    assert first.reasons == ()
    assert second.reasons == (
        "a projection of its own: windows of operation 2 read m of all rows, as operations before"
        " it leave them",
        "window w: the values of each s are computed in a pass of their own and joined to rows",
    )
    assert len(layers(deciding, delete("s = 'a'"), TOTAL, output())) == 2


def test_an_alias_means_one_thing_in_a_layer(deciding: Deciding) -> None:
    other = windowed(window("k"), column="y")
    join = (
        'type: update, arguments: {joins: [{alias: W, dataset_id: names, on: "t.k = W.code"}],'
        ' assignments: [{column: y, expression: "W.label"}]}'
    )
    assert len(layers(deciding, TOTAL, other, output())) == 2
    assert len(layers(deciding, TOTAL, join, output())) == 2
    assert len(layers(deciding, join, TOTAL, output())) == 2


def test_values_of_one_window_come_together_in_a_layer(deciding: Deciding) -> None:
    two = '{alias: w, by: [s], values: {v: "SUM(m)", n: "COUNT(*)"}}'
    (layer,) = layers(
        deciding, windowed(two), windowed(two, value="w.n", column="y"), output("x, y")
    )
    (each,) = layer.passes
    assert [value.column for value in each.windows[0].values] == ["v", "n"]


def test_an_order_needs_the_ids_of_rows(deciding: Deciding) -> None:
    def needed(operation: str) -> tuple[bool, frozenset[str] | None]:
        start = deciding.stages(operation, output("x"))[0]
        assert isinstance(start, StartStage)
        return start.with_ids, start.needed

    total, ordered = needed(TOTAL), needed(windowed(window("s", "-c")))
    assert total[0] is False
    assert ordered[0] is True
    assert ordered[1] is not None
    assert {"s", "c", "m", ROW_ID} <= ordered[1]


def test_a_chain_of_totals_does_not_double_for_ever(deciding: Deciding) -> None:
    chain = [windowed(window(""), column="m") for _ in range(8)]
    stages = deciding.stages(*chain, output("m"))
    kept = [i for i, stage in enumerate(stages) if isinstance(stage, CheckpointStage)]
    assert kept == [4, 9]


def test_the_stages_say_how_windows_are_computed(deciding: Deciding) -> None:
    (layer,) = layers(
        deciding,
        windowed(window(""), window("s, k", "-m, c", "u"), value=BOTH),
        output(),
    )
    assert layer.reasons == (
        "window u: rows are sorted once by s, k, then m descending, then c",
        "window w: the values of all rows are computed in a pass of their own and joined to rows",
    )
