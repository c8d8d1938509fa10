"""The kinds of definitions, by the key that a document starts with."""

from __future__ import annotations

from rowbook.definitions.models.kinds import KINDS


def test_a_document_is_of_one_of_seven_kinds() -> None:
    assert list(KINDS) == [
        *("workspace", "dataset", "datasource", "resolver", "calendar", "project", "scenario")
    ]


def test_a_model_knows_its_own_kind() -> None:
    assert [getattr(model, "kind", None) for model in KINDS.values()] == list(KINDS)
