"""An output that is registered is a dataset like any other, at once."""

from __future__ import annotations

import pytest

from tests.runs.books import CLOSE, FEBRUARY, Books

pytestmark = [pytest.mark.spark, pytest.mark.slow]

REVIEW = """\
project:
  name: review
  input_dataset_id: totals
  operations:
    - seq: 10
      name: look up
      type: update
      arguments:
        joins: [{alias: before, dataset_id: totals, on: "totals.account = before.account"}]
        assignments: [{column: doubled, expression: "total + before.total"}]
    - seq: 20
      name: add lines
      type: append
      arguments:
        source: {dataset_id: closed}
        source_selector: "ISNULL(total)"
        aggregation:
          group_by: [account]
          aggregations: [{column: total, expression: "SUM(amount)"}]
    - seq: 30
      name: publish
      type: output
      arguments: {destination: {datasource_id: lake, table: review}}
"""
REVIEWED = [
    ("4000", "12.75", "None"),
    ("4000", "25.50", "51.00"),
    ("5000", "-3.00", "None"),
    ("5000", "-6.00", "-12.00"),
]
TAKEN = """\
dataset:
  name: taken
  id: 11111111-2222-4333-8444-555555555555
  main_table: {name: taken, columns: [{name: a, type: string}]}
"""
OTHER = CLOSE.replace("name: close\n", "name: other\n").replace("closed", "taken")


def test_a_registered_output_is_input_source_and_join_of_another_project(books: Books) -> None:
    books.write({"projects/review.yaml": REVIEW})
    assert books.json("validate") == {"ok": True, "errors": [], "warnings": [], "notes": []}
    asked = ("run", "review", "--period", "2026-01", "--format", "json")
    draft = books.spawn(*asked, "--draft").json
    assert draft["outputs"][0]["rows"] == 4
    assert not (books.lake / "review").exists()
    assert books.json("activate", "review")["status"] == "active"
    books.spawn(*asked)
    rows = [(r["account"], str(r["total"]), str(r["doubled"])) for r in books.rows("review")]
    assert sorted(rows) == REVIEWED


@pytest.mark.campaign
def test_a_registration_that_fails_is_a_warning(books: Books) -> None:
    """The name belongs to another dataset in the store: the data is written all the same."""
    books.write({"datasets/taken.yaml": TAKEN, "projects/other.yaml": OTHER})
    books.do("apply", "--yes")
    books.do("activate", "other")
    result = books.spawn("run", "other", "--period", "2026-02", "--format", "json").json
    assert (result["status"], result["error"]) == ("completed", None)
    (warning,) = result["warnings"]
    assert warning.startswith("output 30 was written, but not registered as 'taken': STORE_006  ")
    label = books.show(result["run_id"])
    assert label["status"] == "completed"
    assert [(each["seq"], each["message"]) for each in label["warnings"]] == [(30, warning)]
    assert [each["dataset_version"] for each in label["outputs"]] == [None, 1]
    assert books.totals("taken", "2026-02") == FEBRUARY
    assert books.json("datasets", "show", "taken")["productions"] == []
    with books.store() as store:
        assert store.definitions.get("resolver", "taken.output") is None


@pytest.mark.campaign
def test_the_same_schema_is_the_same_version_and_another_one_breaks_who_pins_it(
    books: Books,
) -> None:
    def versions() -> tuple[list[int], list[tuple[int, str]]]:
        found = books.json("datasets", "show", "closed")
        produced = [(each["version"], each["period"]) for each in found["productions"]]
        return [each["version"] for each in found["versions"]], produced

    books.write({"projects/review.yaml": REVIEW})
    books.do("activate", "review")
    assert versions() == ([1], [(1, "2026-01")])
    books.close("2026-02")
    assert versions() == ([1], [(1, "2026-02"), (1, "2026-01")])

    narrow = "register_as_dataset: closed\n        columns: [account, total, _row_id, _period]"
    books.write({"projects/close.yaml": CLOSE.replace("register_as_dataset: closed", narrow)})
    assert books.json("activate", "close")["version"] == 2
    result = books.close("2026-02", "--format", "json").json
    assert [each["dataset_version"] for each in result["outputs"]] == [2, 1]
    assert versions()[0] == [2, 1]
    assert versions()[1][0] == (2, "2026-02")
    with books.store() as store:
        review = store.projects.get("review")
    assert review is not None
    assert review.status == "conflict"
    assert review.report is not None
    assert [each["dataset"] for each in review.report["changes"]] == ["closed"]
    refused = books.do("run", "review", "--period", "2026-02", code=4)
    assert "PROJECT_010  project 'review' is in conflict since " in refused.err
    assert "dataset 'closed' version 2: " in refused.err
