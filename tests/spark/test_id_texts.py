from __future__ import annotations

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from rowbook.engine.compile.row_ids import LOWER, UPPER, milliseconds
from rowbook.reference.id_hashes import uuid_text
from rowbook.spark.id_texts import IdTexts
from tests.support.small_plans import CONTEXT

MILLIS = milliseconds(CONTEXT.now)
NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=20))
def test_texts_are_those_of_the_reference(pairs: list[tuple[int, int]]) -> None:
    rows = pa.table({"a": [a for a, _ in pairs], "b": [b for _, b in pairs]}, SCHEMA)
    texts = IdTexts("id", MILLIS, "a", "b", UPPER, LOWER, None).of(rows).to_pylist()
    assert texts == [uuid_text(CONTEXT.now, a % 2**64, b % 2**64) for a, b in pairs]


SCHEMA = pa.schema([("a", pa.int64()), ("b", pa.int64())])


def test_ids_that_rows_brought_along_stay() -> None:
    rows = pa.table({"a": [1, 2], "b": [3, 4], "stored": ["mine", None]})
    first, second = IdTexts("id", MILLIS, "a", "b", UPPER, LOWER, "stored").of(rows).to_pylist()
    assert (first, second) == ("mine", uuid_text(CONTEXT.now, 2, 4))
