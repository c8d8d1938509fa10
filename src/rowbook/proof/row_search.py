"""The rows that somebody means by an id, or by values of columns: as they were read, or as they
were published."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import partial

from rowbook.errors import RowbookError, suggestion
from rowbook.expressions.values import Value
from rowbook.planning.columns import PERIOD, ROW_ID, is_listed
from rowbook.planning.datasets import Dataset
from rowbook.planning.steps import AppendStep, OutputStep
from rowbook.planning.used_datasets import used_datasets
from rowbook.proof.life_story import LifeStories, cell_value
from rowbook.proof.replay import Replay, SourceRow
from rowbook.proof.row_life import RowLife
from rowbook.reference.loading.dataset_rows import converted_rows
from rowbook.reference.loading.row_places import place_of_row
from rowbook.reference.loading.visibility import moment_of
from rowbook.reference.working_rows import text_of
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class RowQuery:
    """An id, or the beginning of one; else the values of columns, as texts."""

    row_id: str | None
    values: Mapping[str, str]

    @classmethod
    def parse(cls, text: str) -> RowQuery:
        """`column=value,…`; what has no `=` is a part of the value before it."""
        if "=" not in text:
            return cls(text, {})
        values: dict[str, str] = {}
        last = ""
        for part in text.split(","):
            name, equals, value = part.partition("=")
            if equals:
                last = name.strip()
                values[last] = value.strip()
            elif last:
                values[last] += f",{part}"
        if set(values) == {ROW_ID}:
            return cls(values[ROW_ID], {})
        return cls(None, values)

    def meets(self, row: Mapping[str, object]) -> bool:
        return bool(self.values) and all(
            name in row and is_same(text, row[name]) for name, text in self.values.items()
        )

    def is_id(self, row_id: object) -> bool:
        return self.row_id is not None and str(row_id).startswith(self.row_id)


def is_same(text: str, value: object) -> bool:
    """Whether somebody who writes a text means a value."""
    match value:
        case None:
            return text.upper() == "NULL"
        case bool():
            return text.lower() == str(value).lower()
        case int() | float() | Decimal():
            with suppress(InvalidOperation):
                return Decimal(text) == Decimal(str(value))
            return False
        case date():
            return text in (value.isoformat(), text_of(value))
    return text == value


@dataclass(frozen=True, slots=True)
class FoundLife:
    """A row that is meant: its life when it is asked for, and the row of a source that it is."""

    tell: Callable[[], RowLife]
    source: SourceRow | None = None


def find_lives(replay: Replay, query: RowQuery, dataset: str | None) -> list[FoundLife]:
    """Each of the rows that are meant: rows of the working dataset, then those of other datasets
    that became a part of such, then those that the run does not see. Rows that are only joined are
    looked for where there are no others, or where their dataset is named. USAGE_001 for a column,
    or a dataset, that there is not."""
    _check(replay, query, dataset)
    stories = LifeStories(replay)
    found: list[FoundLife] = []
    alone = set(replay.sources)
    for life in replay.lives:
        source = life.birth.members[0].source if life.birth.kind in ("read", "copy") else None
        if source is not None:
            alone.discard(source.key)
        if dataset not in (None, stories.dataset_name(life)):
            continue
        if query.is_id(life.row[ROW_ID]) or any(map(query.meets, _forms(replay, life.number))):
            found.append(FoundLife(partial(stories.story, life.number), source))

    def told(source: SourceRow) -> FoundLife:
        return FoundLife(partial(stories.source_story, source), source)

    for key, source in replay.sources.items():
        wanted = key in alone and dataset in (None, source.dataset.name)
        if wanted and query.meets(source.values):
            found.append(told(source))
    found += map(_already_told, _unread(replay, query, dataset))
    if not found or dataset is not None:
        joined = _joined_sources(replay, dataset)
        found += [told(source) for source in joined if query.meets(source.values)]
    return found


def _already_told(life: RowLife) -> FoundLife:
    return FoundLife(lambda: life)


def unknown_row(replay: Replay, query: RowQuery, dataset: str | None) -> RowLife:
    """What is said of a row that no table has which the run read."""
    name = dataset or replay.plan.input.name
    tables = [
        table.origin
        for each in used_datasets(replay.plan)
        if each.name == name
        for table in replay.tables(each).tables
    ]
    where = f"no row of {', '.join(tables)} is such" if tables else "no table was read for it"
    return RowLife(query.row_id, name, None, "not read", where)


def _forms(replay: Replay, number: int) -> Iterator[Mapping[str, object]]:
    """A row as it was read, and as outputs wrote it; one that was made, as it is in the end."""
    birth = replay.lives[number].birth
    if birth.kind in ("read", "copy") and birth.members[0].source is not None:
        yield birth.members[0].source.values
    else:
        row = replay.row_before(number, len(replay.steps))
        yield {name: cell_value(cell) for name, cell in row.items()}
    for each in replay.steps:
        if isinstance(each.step, OutputStep) and each.met(number):
            row = each.before.rows[each.places[number]]
            yield {name: cell_value(row[name]) for name in each.step.written}


def _joined_sources(replay: Replay, dataset: str | None) -> Iterator[SourceRow]:
    appended = {step.source for step in replay.plan.steps if isinstance(step, AppendStep)}
    for each in used_datasets(replay.plan):
        if each not in (*appended, replay.plan.input) and dataset in (None, each.name):
            yield from replay.source_rows(each, replay.environment.load(each))


def _unread(replay: Replay, query: RowQuery, dataset: str | None) -> Iterator[RowLife]:
    """Rows of the tables that were read, which the run does not see."""
    for each in used_datasets(replay.plan):
        if dataset not in (None, each.name):
            continue
        source = replay.tables(each)
        found = converted_rows(each, source, replay.context)
        is_input = each == replay.plan.input
        for row, _, (table, index) in found.rows:
            if not query.meets(row):
                continue
            visible = found.is_visible(row)
            if visible and (is_input or not row.get("_deleted")):
                continue
            reason = "its source has it as deleted" if visible else _filter(each, row, replay)
            place = place_of_row(each, source.tables[table], index)
            values = {name: value for name, value in row.items() if is_listed(name)}
            yield RowLife(None, each.name, place, "not read", reason, values=values)


def _filter(dataset: Dataset, row: Mapping[str, Value], replay: Replay) -> str:
    """Which of the temporal filters left a row out."""
    context = replay.context
    if dataset.definition.main_table.temporal_mode == "bitemporal":
        assert dataset.validity is not None
        first, last = (text_of(row[name]) for name in dataset.validity)
        moment = text_of(moment_of(dataset, context.as_of))
        return f"it is valid from {first} to {last}, not on {moment}"
    if dataset.period_from is not None:
        day = text_of(row[dataset.period_from])
        return f"its {dataset.period_from} {day} is not in {context.period.identifier}"
    period = text_of(row[PERIOD.name])
    return f"it is of period {period}, not of those that the run reads"


def _check(replay: Replay, query: RowQuery, dataset: str | None) -> None:
    used = used_datasets(replay.plan)
    names = [each.name for each in used]
    if dataset is not None and dataset not in names:
        hint = suggestion(dataset, names, "datasets")
        raise RowbookError.of("USAGE_001", f"the run did not read dataset '{dataset}'", hint=hint)
    last = replay.plan.steps[-1].columns if replay.plan.steps else replay.plan.columns
    known = dict.fromkeys(
        (
            *last.fields,
            *(f for each in used if dataset in (None, each.name) for f in each.readable.fields),
        )
    )
    for name in query.values:
        if name not in known:
            hint = suggestion(name, [each for each in known if is_listed(each)], "columns")
            raise RowbookError.of("USAGE_001", f"there is no column '{name}'", hint=hint)
