"""How single values are read: each from its text, the way its field asks for."""

from __future__ import annotations

import re
import uuid
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from rowbook.definitions.yaml.nodes import Scalar

NAME_PATTERN = r"^[A-Za-z0-9_.\-]+$"
_NAME = re.compile(NAME_PATTERN)


def fault(code: str, message: str, hint: str | None = None) -> PydanticCustomError:
    context = {"message": message, "hint": hint}
    return PydanticCustomError(code, "{message}", context)


def _text(value: Any) -> Any:
    if not isinstance(value, Scalar):
        if isinstance(value, str):
            return value
        raise fault("YAML_004", "must be text")
    if value.is_null:
        raise fault("YAML_004", "must be text, not empty")
    return value.text


def _optional_text(value: Any) -> Any:
    return None if value is None or (isinstance(value, Scalar) and value.is_null) else _text(value)


def _expression(value: Any) -> Any:
    if isinstance(value, Scalar):
        return value.text
    if isinstance(value, str):
        return value
    raise fault(
        "YAML_004", "must be an expression", 'write it as text, in quotes: "{{active}} AND a > 0"'
    )


def _optional_expression(value: Any) -> Any:
    return None if value is None else _expression(value)


def _integer(value: Any) -> Any:
    number = value.as_int() if isinstance(value, Scalar) and value.plain else value
    if isinstance(number, bool) or not isinstance(number, int):
        raise fault("YAML_004", f"must be a whole number{_not(value)}")
    return number


def _optional_integer(value: Any) -> Any:
    return None if value is None else _integer(value)


def _boolean(value: Any) -> Any:
    truth = value.as_bool() if isinstance(value, Scalar) and value.plain else value
    if not isinstance(truth, bool):
        raise fault("YAML_004", f"must be true or false{_not(value)}")
    return truth


def _name(value: Any) -> Any:
    text = _text(value)
    if not _NAME.fullmatch(text):
        raise fault("WORKSPACE_003", f"'{text}' is not a name")
    return text


def _uuid(value: Any) -> Any:
    text = _optional_text(value)
    if text is None:
        return None
    try:
        return str(uuid.UUID(text))
    except ValueError:
        raise fault(
            "YAML_004", f"'{text}' is not a UUID", "leave id out to have it derived from the name"
        ) from None


def _raw(value: Any) -> Any:
    """A cell of a row: read later, by the column's type."""
    if value is None or isinstance(value, Scalar):
        return value
    if isinstance(value, str):
        return Scalar(value, 0, 0, "double")
    if isinstance(value, bool | int):
        return Scalar(str(value).lower(), 0, 0)
    raise fault("YAML_004", "must be a single value")


def _word(value: Any) -> Any:
    """A closed set's member, as plain text for the Literal behind it to check."""
    return value.text if isinstance(value, Scalar) else value


def _not(value: Any) -> str:
    return f", not '{value.text}'" if isinstance(value, Scalar) else ""


_STRING = {"type": "string"}
_EXPRESSION = {"type": ["string", "number", "boolean", "null"], "format": "rowbook-expression"}

Text: TypeAlias = Annotated[str, BeforeValidator(_text), WithJsonSchema(_STRING)]
OptionalText: TypeAlias = Annotated[
    str | None, BeforeValidator(_optional_text), WithJsonSchema(_STRING)
]
PeriodText: TypeAlias = Annotated[
    str, BeforeValidator(_text), WithJsonSchema({"type": ["string", "integer"]})
]
"""The identifier of a period: a year is written as a number."""
EntityName: TypeAlias = Annotated[
    str, BeforeValidator(_name), WithJsonSchema({"type": "string", "pattern": NAME_PATTERN})
]
Reference: TypeAlias = Annotated[str, BeforeValidator(_text), WithJsonSchema(_STRING)]
OptionalReference: TypeAlias = Annotated[
    str | None, BeforeValidator(_optional_text), WithJsonSchema(_STRING)
]
OptionalUuid: TypeAlias = Annotated[
    str | None, BeforeValidator(_uuid), WithJsonSchema({"type": "string", "format": "uuid"})
]
Expression: TypeAlias = Annotated[str, BeforeValidator(_expression), WithJsonSchema(_EXPRESSION)]
OptionalExpression: TypeAlias = Annotated[
    str | None, BeforeValidator(_optional_expression), WithJsonSchema(_EXPRESSION)
]
Integer: TypeAlias = Annotated[int, BeforeValidator(_integer), WithJsonSchema({"type": "integer"})]
OptionalInteger: TypeAlias = Annotated[
    int | None, BeforeValidator(_optional_integer), WithJsonSchema({"type": "integer"})
]
Version: TypeAlias = Annotated[
    int | None,
    BeforeValidator(_optional_integer),
    WithJsonSchema({"type": "integer", "minimum": 1}),
]
Boolean: TypeAlias = Annotated[bool, BeforeValidator(_boolean), WithJsonSchema({"type": "boolean"})]
Cell: TypeAlias = Annotated[
    Any, BeforeValidator(_raw), WithJsonSchema({"type": ["string", "number", "boolean", "null"]})
]
Word = BeforeValidator(_word)
"""Put beside a Literal to read it from a scalar."""
