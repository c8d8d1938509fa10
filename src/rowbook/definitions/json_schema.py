"""JSON Schema of definition files, from the same models that read them."""

from __future__ import annotations

from typing import Any

from rowbook.definitions.models.kinds import KINDS
from rowbook.definitions.models.operations import OPERATION_TYPES

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schema_of_kind(kind: str) -> dict[str, Any]:
    return {"$schema": _DIALECT, **_document(kind)}


def schema_of_all() -> dict[str, Any]:
    """The schema of a document of any kind: a file may hold several."""
    documents = {kind: _document(kind) for kind in KINDS}
    definitions: dict[str, Any] = {}
    for document in documents.values():
        definitions |= document.pop("$defs")
    return {
        "$schema": _DIALECT,
        "title": "Rowbook definition",
        "type": "object",
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {k: d["properties"][k] for k, d in documents.items()},
        "$defs": definitions,
    }


def _document(kind: str) -> dict[str, Any]:
    model = KINDS[kind]
    schema = model.model_json_schema(ref_template="#/$defs/{model}")
    definitions = schema.pop("$defs", {})
    definitions[model.__name__] = schema
    for name, definition in definitions.items():
        _finish(name, definition)
    return {
        "title": f"Rowbook {kind}",
        "type": "object",
        "additionalProperties": False,
        "required": [kind],
        "properties": {kind: {"$ref": f"#/$defs/{model.__name__}"}},
        "$defs": definitions,
    }


_REQUIRED: dict[str, list[str]] = {
    "TableDefinition": ["columns"],
    "ResolverDefinition": ["rules"],
    "UpdateArguments": ["assignments"],
    "AggregateArguments": ["aggregations"],
    "AppendAggregationDefinition": ["group_by", "aggregations"],
    "OutputArguments": ["destination"],
    **{m.__name__: ["name"] for m in OPERATION_TYPES.values()},
}
"""Keys that an editor asks for although the models leave them to planning, which knows the code."""


def _finish(name: str, definition: dict[str, Any]) -> None:
    for property_ in definition.get("properties", {}).values():
        property_.pop("title", None)
        _drop_null(property_)
    if more := _REQUIRED.get(name):
        definition["required"] = sorted({*definition.get("required", ()), *more})
        for key in more:
            definition["properties"][key].pop("default", None)
    if name == "DestinationDefinition":
        definition["oneOf"] = [
            {"required": ["datasource_id", "table"], "not": {"required": ["location"]}},
            {
                "required": ["location"],
                "not": {"anyOf": [{"required": ["datasource_id"]}, {"required": ["table"]}]},
            },
        ]
    if name == "AggregateArguments":
        definition["oneOf"] = [{"required": [key]} for key in ("group_by", "levels")]
        for key in ("group_by", "levels"):
            definition["properties"][key].pop("default")
    if name == "DatasetDefinition":
        definition["oneOf"] = [{"required": ["main_table"]}, {"required": ["of"]}]
    if name == "PeriodSpan":
        definition["minProperties"] = definition["maxProperties"] = 1
    if name in _ALIASED:
        _add_parameters(name, definition)
    if name == "AppendOperation":
        definition["properties"].pop("selector", None)


_ALIASED = {m.__name__ for m in OPERATION_TYPES.values()}


def _add_parameters(name: str, definition: dict[str, Any]) -> None:
    """`arguments` under its other name, one of the two, and none needed for a delete."""
    arguments = definition["properties"]["arguments"]
    definition["properties"]["parameters"] = {
        **arguments,
        "description": f"Another spelling of `arguments`. {arguments['description']}",
    }
    either = [{"required": ["arguments"]}, {"required": ["parameters"]}]
    definition["required"] = [r for r in definition["required"] if r != "arguments"]
    if name == "DeleteOperation":
        definition["not"] = {"allOf": either}
    else:
        definition["oneOf"] = either


def _drop_null(property_: dict[str, Any]) -> None:
    """A key may be left out; `null` is no value to suggest."""
    choices = [c for c in property_.get("anyOf", ()) if c != {"type": "null"}]
    if property_.get("default", ...) is None:
        del property_["default"]
    if len(choices) == 1:
        del property_["anyOf"]
        property_.update({**choices[0], **property_})
    elif choices:
        property_["anyOf"] = choices
