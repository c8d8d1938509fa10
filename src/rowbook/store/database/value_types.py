"""Types of columns that SQLite and PostgreSQL keep differently."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator, TypeEngine

from rowbook.store.database.json_documents import JsonObject, canonical, verbatim

ISO = "%Y-%m-%dT%H:%M:%S.%fZ"


class Instant(TypeDecorator[datetime]):
    """A point in time in UTC: `timestamptz`, in SQLite ISO text of one width, which sorts."""

    impl = sa.String
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(sa.DateTime(timezone=True))
        return dialect.type_descriptor(sa.String(27))

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """See TypeDecorator. A time without zone is refused: nobody knows which instant it is."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time of the store needs a time zone")
        moment = value.astimezone(UTC)
        return moment if dialect.name == "postgresql" else moment.strftime(ISO)

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if isinstance(value, datetime):
            return value.astimezone(UTC)
        return datetime.strptime(value, ISO).replace(tzinfo=UTC)


class JsonDocument(TypeDecorator[JsonObject]):
    """A JSON object as text, keys in the order in which they were given."""

    impl = sa.Text
    cache_ok = True
    _written = staticmethod(verbatim)

    def process_bind_param(self, value: JsonObject | None, dialect: Dialect) -> str | None:
        return None if value is None else self._written(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> JsonObject | None:
        if value is None:
            return None
        content: JsonObject = json.loads(value)
        return content


class CanonicalDocument(JsonDocument):
    """A JSON object as its canonical text: equal content is equal text."""

    cache_ok = True
    _written = staticmethod(canonical)
