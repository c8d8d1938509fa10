"""Names for expressions from headers."""

from __future__ import annotations

import pytest

from rowbook.inference.columns.logical_names import entity_name, logical_names, table_name


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("amount", "amount"),
        ("Betrag (EUR)", "betrag_eur"),
        ("Währung", "waehrung"),
        ("Straße/Nr.", "strasse_nr"),
        ("PostingDate", "posting_date"),
        ("Montant é", "montant_e"),
        ("2026 Plan", "c_2026_plan"),
        ("Case", "case_"),
        ("_internal", "internal"),
        (" Konto ", "konto"),
        ("金額", "column_1"),
    ],
)
def test_a_header_becomes_a_name_that_expressions_take(header: str, name: str) -> None:
    assert logical_names([header]) == (name,)


def test_no_two_names_are_alike_in_any_case() -> None:
    assert logical_names(["Amount", "amount", "AMOUNT"]) == ("amount", "amount_2", "amount_3")


def test_files_give_datasets_their_names() -> None:
    assert entity_name("Hauptbuch 2026 (Köln)") == "Hauptbuch_2026_Koeln"
    assert table_name("Hauptbuch_2026") == "hauptbuch_2026"
