"""The expectations of a dataset: they hold wherever a run loads it."""

from __future__ import annotations

from rowbook.definitions.models.expectation import AgainstDefinition, PointChoice
from rowbook.definitions.place import Place
from rowbook.planning.datasets import Dataset
from rowbook.planning.definitions.lookup import DefinitionLookup
from rowbook.planning.expectations.claim import ClaimInPlace, plan_claim
from rowbook.planning.expectations.decomposition import OtherSide
from rowbook.planning.expectations.expectation_names import check_names
from rowbook.planning.expectations.expectation_plan import CheckPoint, Expectation
from rowbook.planning.expectations.other_side import dataset_named, other_rows, rows_of
from rowbook.planning.expectations.viewpoint import Viewpoint, dataset_viewpoint
from rowbook.planning.findings import Findings


def check_expectations(
    dataset: Dataset, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    """All that is wrong with them, whoever loads the dataset."""
    taking = [
        each
        for each in dataset_expectations(dataset, place, known, findings)
        if each.otherwise == "quarantine"
    ]
    names = [each.name for each in dataset.definition.expectations]
    for each in taking:
        if _leads_back(each, dataset, place, known):
            at = place.at("expectations", names.index(each.name), "otherwise")
            message = f"which rows of '{dataset.name}' are quarantined would depend on itself"
            hint = "a lookup leads back to the dataset: say otherwise: stop or warn"
            findings.add(at, "EXPECT_005", message, hint)


def _leads_back(
    expectation: Expectation, dataset: Dataset, place: Place, known: DefinitionLookup
) -> bool:
    """Whether rows are quarantined by what is known of rows that are themselves quarantined so."""
    waiting, seen = [expectation], set[str]()
    while waiting:
        for other in waiting.pop().reads:
            if other.id == dataset.id:
                return True
            if other.id not in seen:
                seen.add(other.id)
                planned = dataset_expectations(other, place, known, Findings())
                waiting += [each for each in planned if each.otherwise == "quarantine"]
    return False


def dataset_expectations(
    dataset: Dataset,
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
    point: CheckPoint | None = None,
) -> tuple[Expectation, ...]:
    """Those of a dataset whose definition stands at a place, where it is loaded. What is wrong with
    them belongs to that definition; who uses the dataset need not report it again."""
    if not dataset.definition.expectations:
        return ()
    here = dataset_viewpoint(dataset, point or CheckPoint("dataset", dataset=dataset), known)
    check_names(dataset.definition.expectations, place.at("expectations"), findings)

    def rows_at(choice: PointChoice, at: Place) -> Viewpoint | None:
        message = "a dataset has no operations to look after"
        findings.add(at, "EXPECT_004", message, "compare with a dataset, or with period: previous")
        return None

    def rows_in(definition: AgainstDefinition, at: Place) -> Viewpoint | None:
        other = dataset_named(definition, at, known, findings)
        return None if other is None else rows_of(other, known)

    def find(definition: AgainstDefinition, at: Place, keys: tuple[str, ...]) -> OtherSide | None:
        return other_rows(definition, at, keys, here, findings, rows_at, rows_in)

    planned: list[Expectation | None] = []
    for i, definition in enumerate(dataset.definition.expectations):
        at = place.at("expectations", i)
        if definition.at is not None:
            message = "the expectations of a dataset hold where it is loaded: they have no `at`"
            hint = "leave it out, or make it an expectation of a project"
            findings.add(at.at("at"), "EXPECT_004", message, hint)
        planned.append(plan_claim(ClaimInPlace(definition, at, here, dataset.name, find, findings)))
    return tuple(each for each in planned if each is not None)
