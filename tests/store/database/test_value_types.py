"""Times and JSON objects survive both databases, and sort there as they do here."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from rowbook.store.database.value_types import CanonicalDocument, Instant, JsonDocument

SQLITE = sqlite.dialect()
POSTGRES = postgresql.dialect()  # type: ignore[no-untyped-call]
MOMENT = datetime(2026, 1, 31, 23, 30, tzinfo=timezone(timedelta(hours=-2)))
CONTENT: dict[str, Any] = {"b": 1, "a": {"d": "é", "c": None}}


def test_a_time_is_kept_as_utc_text_of_one_width_in_sqlite() -> None:
    kept = Instant().process_bind_param(MOMENT, SQLITE)
    assert kept == "2026-02-01T01:30:00.000000Z"
    found = Instant().process_result_value(kept, SQLITE)
    assert found == datetime(2026, 2, 1, 1, 30, tzinfo=UTC)


def test_a_time_is_kept_as_such_in_postgresql_and_comes_back_in_utc() -> None:
    kept = Instant().process_bind_param(MOMENT, POSTGRES)
    assert kept == datetime(2026, 2, 1, 1, 30, tzinfo=UTC)
    found = Instant().process_result_value(MOMENT, POSTGRES)
    assert found is not None
    assert (found, found.tzinfo) == (MOMENT, UTC)


def test_texts_of_times_sort_as_times_do() -> None:
    times = [datetime(2026, 1, 1, 0, 0, s, n, tzinfo=UTC) for s in (0, 9, 10) for n in (0, 5, 10)]
    assert sorted(times) == times
    texts = [Instant().process_bind_param(each, SQLITE) for each in times]
    assert sorted(texts) == texts


def test_a_time_without_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a time zone"):
        Instant().process_bind_param(datetime(2026, 1, 31), SQLITE)


@pytest.mark.parametrize("kind", [Instant(), JsonDocument(), CanonicalDocument()])
def test_nothing_stays_nothing(kind: sa.types.TypeDecorator[Any]) -> None:
    assert kind.process_bind_param(None, SQLITE) is None
    assert kind.process_result_value(None, SQLITE) is None


def test_a_document_keeps_the_order_of_its_keys_and_a_canonical_one_sorts_them() -> None:
    assert JsonDocument().process_bind_param(CONTENT, SQLITE) == (
        '{"b":1,"a":{"d":"\\u00e9","c":null}}'
    )
    assert CanonicalDocument().process_bind_param(CONTENT, SQLITE) == (
        '{"a":{"c":null,"d":"\\u00e9"},"b":1}'
    )


def test_documents_and_times_come_back_from_a_table_as_they_were() -> None:
    table = sa.Table("t", sa.MetaData(), sa.Column("at", Instant), sa.Column("doc", JsonDocument))
    engine = sa.create_engine("sqlite://")
    with engine.begin() as connection:
        table.create(connection)
        connection.execute(table.insert().values(at=MOMENT, doc=CONTENT))
        (row,) = connection.execute(sa.select(table))
    engine.dispose()
    assert (row.at, list(row.doc.items())) == (MOMENT, list(CONTENT.items()))
