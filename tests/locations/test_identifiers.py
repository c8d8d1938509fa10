"""Names in a database: taken to the letter."""

from __future__ import annotations

import pytest

from rowbook.locations.identifiers import TableName, name_fault, table_fault, table_name


def test_a_table_is_in_the_schema_it_names_or_the_usual_one() -> None:
    assert table_name("gl", "public") == TableName("public", "gl")
    assert table_name("fin.GL entries", "public") == TableName("fin", "GL entries")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("a\nb", "holds a character that cannot be shown"),
        ("é" * 32, "is longer than 63 bytes"),
        ("fin.", "has a part that is empty"),
        ("a.b.c", "has more parts than a schema and a name"),
        ("fin._rowbook_marks", "begins with _rowbook_, as Rowbook's own tables do"),
    ],
)
def test_what_is_no_table(text: str, fault: str) -> None:
    assert table_fault(text) == fault
    with pytest.raises(ValueError, match="^" + fault.replace(".", r"\.")):
        table_name(text, "public")


@pytest.mark.parametrize("name", ["gl", "a b", '"; DROP', "é" * 31, "x" * 63, "_rowbook_x"])
def test_odd_names_are_names(name: str) -> None:
    assert name_fault(name) is None


def test_a_schema_may_begin_like_rowbooks_own_tables() -> None:
    assert table_fault("_rowbook_x.gl") is None
