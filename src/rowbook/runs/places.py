"""Where a run's datasets are: from a dataset through its resolver to places."""

from __future__ import annotations

from collections.abc import Sequence

from rowbook.engine.loading import accepted_periods, wanted_folders
from rowbook.errors import RowbookError
from rowbook.planning.datasets import Dataset
from rowbook.planning.known import Missing
from rowbook.planning.resolvers import resolver_for
from rowbook.planning.resolving import Located, resolve
from rowbook.runs.request import Request
from rowbook.sources.places import SourcePlace, place_of


def located(dataset: Dataset, request: Request) -> tuple[Located, ...]:
    """The places that the dataset's resolver names for the run's period."""
    known, context = request.known, request.context
    found = resolver_for(dataset, request.plan.project.resolver_overrides, known)
    if found is None or isinstance(found, Missing):
        raise RowbookError.of("RESOLVER_005", f"no resolver for dataset '{dataset.name}'")
    return resolve(dataset, context.period, context.calendar, found.model, known)


def source_places(
    dataset: Dataset, request: Request, places: Sequence[Located]
) -> list[SourcePlace]:
    """The same on this machine, with the folders of periods that are wanted."""
    folders = wanted_folders(dataset, accepted_periods(request.context, places))
    return [place_of(each, request.known, folders) for each in places]
