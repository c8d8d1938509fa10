"""Which files a result is kept in, decided by sizes and numbers of rows alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.sources.files.listing import FileState, LocalFile
from rowbook.sources.publishing.file_layout import (
    FEW,
    ORDERED,
    SMALL,
    TINY,
    USUAL,
    FileLayout,
    NewFile,
    Part,
)

MB = 2**20


def parts(*sizes: tuple[int, int], folder: str = "t") -> list[Part]:
    """Files of (bytes, rows)."""
    return [
        Part(LocalFile(Path(f"{folder}/{i:05}"), f"{folder}/{i:05}", FileState(size, 0), {}), rows)
        for i, (size, rows) in enumerate(sizes)
    ]


def rows_in(files: list[NewFile]) -> list[int]:
    return [file.rows for file in files]


def test_a_small_result_becomes_one_file_in_each_folder() -> None:
    found = FileLayout().new_files([*parts(*[(MB, 5)] * 3), *parts((MB, 7), (MB, 1), folder="u")])
    assert rows_in(found) == [15, 8]
    assert [file.folder for file in found] == [Path("t"), Path("u")]
    assert FileLayout().new_files([*parts((MB, 5)), *parts((MB, 5), folder="u")]) == []


def test_a_large_result_keeps_the_files_that_tasks_made() -> None:
    assert FileLayout().new_files(parts(*[(TINY, 5)] * 20)) == []
    assert FileLayout().new_files(parts((USUAL * 10, 5))) == []
    assert FileLayout().new_files(parts((SMALL, 5), (1, 1), (1, 1))) == []
    assert FileLayout().new_files(parts(*[(MB, FEW // 2)] * 3)) == []


def test_a_thousand_tiny_files_become_few_of_the_usual_size() -> None:
    found = FileLayout().new_files(parts(*[(MB, 100)] * 1000))
    assert len(found) == 8
    assert all(piece.is_whole for file in found for piece in file.pieces)
    assert rows_in(found) == [12500] * 8


@pytest.mark.parametrize(
    ("wanted", "expected"), [(1, [10]), (3, [3, 3, 4]), (4, None), (20, [1] * 10)]
)
def test_a_number_of_files_is_kept_as_long_as_there_are_rows(
    wanted: int, expected: list[int] | None
) -> None:
    found = FileLayout(files=wanted).new_files(parts((MB, 4), (MB, 1), (MB, 4), (MB, 1)))
    assert (rows_in(found) or None) == expected


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ([(2 * MB, 100)], None),
        ([(MB, 100)] * 5, None),
        ([(10 * MB, 1000)], [100] * 10),
        ([(MB // 10, 10)] * 20, [100, 100]),
        ([(5 * MB, 500), (MB // 2, 50), (MB // 2, 50)], [100] * 6),
    ],
)
def test_a_size_is_kept_within_a_factor_of_two(
    sizes: list[tuple[int, int]], expected: list[int] | None
) -> None:
    found = FileLayout(file_size=MB).new_files(parts(*sizes))
    assert (rows_in(found) or None) == expected


def test_a_table_without_rows_stays_as_it_is() -> None:
    for layout in (FileLayout(), FileLayout(files=5), FileLayout(file_size=MB)):
        assert layout.new_files(parts((100, 0))) == []


@given(
    sizes=st.lists(st.tuples(st.integers(1, 50 * MB), st.integers(1, 10_000)), min_size=1),
    layout=st.one_of(
        st.builds(FileLayout, files=st.integers(1, 100)),
        st.builds(FileLayout, file_size=st.integers(2**16, 100 * MB)),
        st.just(FileLayout()),
    ),
)
def test_every_row_goes_to_one_file_and_their_order_stays(
    sizes: list[tuple[int, int]], layout: FileLayout
) -> None:
    given_parts = parts(*sizes)
    found = layout.new_files(given_parts)
    if not found:
        return
    pieces = [piece for file in found for piece in file.pieces]
    rows = [(p.part, p.first + i) for p in pieces for i in (0, p.rows - 1)]
    assert all(piece.rows > 0 for piece in pieces)
    assert sum(piece.rows for piece in pieces) == sum(part.rows for part in given_parts)
    order = [(given_parts.index(part), row) for part, row in rows]
    assert order == sorted(order)
    if layout.files:
        assert len(found) == min(layout.files, sum(part.rows for part in given_parts))


@pytest.mark.parametrize(
    ("layout", "sizes"),
    [
        (FileLayout(files=4, ordered=True), [(MB, 1), (MB, 2), (MB, 3), (MB, 4)]),
        (FileLayout(files=4, ordered=True), [(MB, 7), (MB, 3)]),
        (FileLayout(file_size=MB, ordered=True), [(MB, 9), (3 * MB, 1)]),
    ],
)
def test_ordered_rows_are_in_the_same_files_however_spark_wrote_them(
    layout: FileLayout, sizes: list[tuple[int, int]]
) -> None:
    assert rows_in(layout.new_files(parts(*sizes))) == [2, 3, 2, 3]


def test_ordered_rows_are_in_files_of_a_million_at_most() -> None:
    layout = FileLayout(ordered=True)
    assert layout.new_files(parts((10 * USUAL, ORDERED))) == []
    found = layout.new_files(parts((10 * USUAL, ORDERED), (1, 1)))
    assert rows_in(found) == [500_000, 500_001]
