"""The names of expectations: what runs, waivers and scenarios know them by (EXPECT_006)."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.definitions.models.expectation import ExpectationDefinition
from rowbook.definitions.place import Place
from rowbook.planning.findings import Findings


def check_names(
    definitions: Sequence[ExpectationDefinition], place: Place, findings: Findings
) -> dict[str, Place]:
    """The place of each name."""
    places: dict[str, Place] = {}
    for i, definition in enumerate(definitions):
        at = place.at(i, "name")
        if not definition.name.strip():
            findings.add(at, "EXPECT_006", "an expectation needs a name")
        elif definition.name in places:
            where = places[definition.name].position
            message = f"expectation '{definition.name}' stands twice, first at {where}"
            findings.add(at, "EXPECT_006", message)
        else:
            places[definition.name] = at
    return places
