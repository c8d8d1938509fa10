"""Rows of other periods, without Spark: exactly the periods that are said, and those that lack."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.errors import RowbookError
from rowbook.periods import GREGORIAN
from rowbook.planning.datasets import Dataset, typed
from rowbook.planning.definitions.lookup import Version
from rowbook.planning.resolution.read_periods import read_periods
from rowbook.reference.loading.dataset_rows import PlainTable, SourceTables, load, no_rows
from tests.support.small_plans import CONTEXT
from tests.support.trial import Trial

VIEWS = """\
dataset: {name: ytd, of: gl, periods: year_to_date}
---
dataset: {name: now, of: gl}
---
dataset: {name: ever, of: gl, periods: all}
---
dataset: {name: quiet, of: gl, periods: previous, missing: warn}
---
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: n, type: integer}, {name: _deleted, type: boolean}]
"""
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Dataset]:
    known = Trial(Path(tmp_path_factory.mktemp("views"))).accepts(VIEWS).known
    found = {name: known.dataset(name, None) for name in ("ytd", "now", "ever", "quiet")}
    return {name: typed(each) for name, each in found.items() if isinstance(each, Version)}


def loaded(view: Dataset, rows: Rows, period: str, *, expect: bool = False) -> Counter[Any]:
    own = GREGORIAN.parse(period)
    context = replace(CONTEXT, period=own, as_of=own.end)
    periods = read_periods(view, context).identifiers
    table = PlainTable(("n", "_deleted", "_period"), rows, "a list")
    expected = {each: (each,) for each in periods} if expect else {}
    source = SourceTables((table,), periods, expected)
    found = load(view, source, context, keep_deleted=False)
    return Counter((row["n"], row["_period"]) for row in found.rows)


_PERIODS = ["2025-12", *(f"2026-{month:02}" for month in range(1, 13)), "2027-01"]
_ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "n": st.integers(0, 3),
            "_deleted": st.booleans(),
            "_period": st.sampled_from(_PERIODS),
        }
    ),
    max_size=30,
)


@given(rows=_ROWS, month=st.integers(2, 12))
def test_a_year_to_date_is_that_of_the_month_before_and_the_month(
    views: dict[str, Dataset], rows: Rows, month: int
) -> None:
    before, now = f"2026-{month - 1:02}", f"2026-{month:02}"
    until_now = loaded(views["ytd"], rows, now)
    assert until_now == loaded(views["ytd"], rows, before) + loaded(views["now"], rows, now)


@given(rows=_ROWS)
def test_all_periods_are_the_years_to_date_of_their_last_months(
    views: dict[str, Dataset], rows: Rows
) -> None:
    years = (loaded(views["ytd"], rows, last) for last in ("2025-12", "2026-12", "2027-12"))
    assert loaded(views["ever"], rows, "2026-05") == sum(years, Counter())


def test_a_row_without_a_period_is_of_none(views: dict[str, Dataset]) -> None:
    rows: Rows = [{"n": 1, "_period": None}, {"n": 2, "_period": "2020-01"}]
    assert loaded(views["ever"], rows, "2026-05") == {(2, "2020-01"): 1}


def test_a_period_of_deleted_rows_has_data_and_one_of_none_has_not(
    views: dict[str, Dataset],
) -> None:
    rows = [
        {"n": 1, "_period": "2026-01", "_deleted": True},
        {"n": 2, "_period": "2026-03", "_deleted": False},
    ]
    with pytest.raises(RowbookError, match=r"DATASET_019.*no data of 'gl' for 2026-02$"):
        loaded(views["ytd"], rows, "2026-03", expect=True)
    assert loaded(views["quiet"], rows, "2026-03", expect=True) == {}


def test_where_nothing_is_there_are_the_columns(views: dict[str, Dataset]) -> None:
    view = views["quiet"]
    source = SourceTables((no_rows(view),), ("2025-12",), {"2025-12": ("2025-12",)})
    found = load(view, source, CONTEXT, keep_deleted=True)
    assert (list(found.fields), list(found.rows)) == (["n", "_deleted", "_period"], [])
    assert found.absent == ("2025-12",)
