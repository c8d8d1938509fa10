"""Which columns tell rows apart."""

from __future__ import annotations

from rowbook.inference.columns.key_search import KeyHashes, key_columns


def _keys(**columns: list[object]) -> tuple[tuple[str, ...], ...]:
    hashes = KeyHashes(len(columns))
    hashes.add(list(columns.values()))
    kinds = {int: "integer", str: "string", float: "decimal(18,2)"}
    names = [(name, i, kinds[type(v[0])]) for i, (name, v) in enumerate(columns.items())]
    return hashes.find(key_columns(names)).keys


def test_one_column_is_enough_and_those_that_are_called_so_come_first() -> None:
    assert _keys(note=["a", "b", "c"], doc_id=[1, 2, 3]) == (("doc_id",), ("note",))


def test_two_columns_where_none_is_unique() -> None:
    assert _keys(journal=["a", "a", "b"], line=[1, 2, 1], unit=["x", "x", "x"]) == (
        ("journal", "line"),
    )


def test_three_columns_at_most() -> None:
    two = [1, 1, 1, 1, 2, 2, 2, 2], [1, 1, 2, 2, 1, 1, 2, 2], [1, 2, 1, 2, 1, 2, 1, 2]
    a, b, c = (list[object](each) for each in two)
    assert _keys(a=a, b=b, c=c) == (("a", "b", "c"),)
    assert _keys(a=a, b=b) == ()


def test_amounts_are_no_keys() -> None:
    assert _keys(amount=[1.5, 2.5, 3.5]) == ()


def test_rows_that_are_alike_have_no_key() -> None:
    assert _keys(a=["x", "x"], b=[1, 1]) == ()


def test_a_date_alone_is_chance() -> None:
    hashes = KeyHashes(1)
    hashes.add([["2026-01-01", "2026-01-02"]])
    assert hashes.find(key_columns([("posted", 0, "date")])).keys == ()
