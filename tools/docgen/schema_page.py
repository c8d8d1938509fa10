"""docs/schema.md: the keys of every kind of definition, from the JSON Schema of the models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from docgen.markdown import code, generated_from, page, prose, sentence, slug, table
from rowbook.definitions.json_schema import schema_of_all
from rowbook.definitions.models.field_types import NAME_PATTERN
from rowbook.definitions.models.kinds import KINDS
from rowbook.planning.datasources import BY_NAME, OPTIONS

Schema: TypeAlias = Mapping[str, Any]

_INTRODUCTION = """\
A workspace is a folder with a `rowbook.yaml`. Its definitions are YAML files in `datasets/`,
`datasources/`, `resolvers/`, `calendars/`, `projects/` and `scenarios/`. A file may hold several
documents with `---` between them. Each document has one key that names its kind, and below it the
keys of this page.

- An unknown key is an error. A key without a value counts as left out.
- A key that ends in `_id` takes the name or the id of another definition.
- An *expression* is text in [the expression language](functions.md); put it in quotes.
- *text* may be written without quotes where YAML allows it. Files are YAML 1.2: `on` and `no` are
  text, not truth values.
- A *truth value* is `true` or `false`. A *value* is text, a number, a truth value or `null`.

`rowbook schema` prints the same as JSON Schema, for editors that complete and check YAML."""

_KIND_FILES = {
    "workspace": "`rowbook.yaml`",
    **{kind: f"`{kind}s/*.yaml`" for kind in KINDS if kind != "workspace"},
}
_FIRST_KEYS = ("seq", "name", "type")


def schema_page() -> str:
    """The page."""
    models: Mapping[str, Schema] = schema_of_all()["$defs"]
    sections = _Sections(models)
    rows = [
        (f"[{kind}](#{kind})", _KIND_FILES[kind], prose(models[model.__name__]["description"]))
        for kind, model in KINDS.items()
    ]
    return page(
        generated_from("the models of src/rowbook/definitions"),
        "# Definitions, key by key",
        _INTRODUCTION,
        table(("kind", "in", "what it is"), rows),
        *(part for kind, model in KINDS.items() for part in sections.kind(kind, model.__name__)),
    )


@dataclass(frozen=True, slots=True)
class _Sections:
    """Sections in the making: each model gets one, where it is first used."""

    models: Mapping[str, Schema]
    anchors: dict[str, str] = field(default_factory=dict)

    def kind(self, kind: str, model: str) -> Iterator[str]:
        """The section of a kind, and those of the models below it."""
        yield from self._section(model, f"## {kind}", kind, ())
        if kind == "datasource":
            yield "### Options of a data source"
            yield table(("type", "options"), _option_rows())

    def _section(
        self, model: str, heading: str, owner: str, path: tuple[str, ...]
    ) -> Iterator[str]:
        self.anchors[model] = slug(heading.lstrip("# "))
        definition = self.models[model]
        keys = _ordered(definition["properties"])
        below = [
            (name, *self._place(name, owner, (*path, key)))
            for key, property_ in keys.items()
            for name in _references(property_)
            if name not in self.anchors
        ]
        for name, title, _, _ in below:
            self.anchors.setdefault(name, slug(title))
        yield heading
        yield sentence(definition["description"])
        required = self._required(definition)
        rows = [self._row(key, p, key in required) for key, p in keys.items()]
        yield table(("key", "type", "required", "default", "description"), rows)
        written: set[str] = set()
        for name, title, new_owner, new_path in below:
            if name not in written:
                written.add(name)
                yield from self._section(name, f"### {title}", new_owner, new_path)

    def _place(
        self, model: str, owner: str, path: tuple[str, ...]
    ) -> tuple[str, str, tuple[str, ...]]:
        """The heading of a model, and what its own keys are named after."""
        title = f"{code('.'.join(path))} of {owner}"
        word = self.models[model]["properties"].get("type", {}).get("const")
        if word is None:
            return title, owner, path
        return f"{title}: {word}", word, ()

    def _row(self, key: str, property_: Schema, required: bool) -> tuple[str, ...]:
        default = "" if required else _default(property_)
        said = property_.get("description")
        if said is None and "$ref" in property_:
            said = self.models[_name(property_["$ref"])]["description"]
        cells = self._type(property_), "yes" if required else "", default, prose(said or "")
        return code(key), *cells

    def _type(self, schema: Schema, s: str = "") -> str:
        """In words; `s` is the ending of the plural."""
        match schema:
            case {"$ref": ref}:
                return self._link(_name(ref), s)
            case {"oneOf": choices}:
                return _either([self._type(choice, s) for choice in choices])
            case {"items": items}:
                return f"list{s} of {self._type(items, 's')}"
            case {"additionalProperties": values}:
                return f"mapping{s} of names to {self._type(values, 's')}"
            case {"const": word}:
                return code(word)
            case {"anyOf": [{"enum": _}, *_]}:
                return "[column type](functions.md#types)"
            case {"enum": words}:
                return _either([code(word) for word in words])
            case {"maxProperties": 0}:
                return "empty mapping"
        return _word(schema) + s

    def _link(self, model: str, s: str) -> str:
        word = self.models[model]["properties"].get("type", {}).get("const")
        return f"[{word or f'mapping{s}'}](#{self.anchors[model]})"

    def _required(self, definition: Schema) -> set[str]:
        """The keys that are asked for; of two spellings the first. `arguments` are asked for where
        they must hold something."""
        either = [choice["required"] for choice in definition.get("anyOf", ())]
        keys = {*definition.get("required", ()), *(either[0] if either else ())}
        arguments = definition["properties"].get("arguments", {}).get("$ref")
        if arguments and self.models[_name(arguments)].get("required"):
            keys.add("arguments")
        return keys


_WORDS = {"string": "text", "integer": "whole number", "boolean": "truth value"}


def _word(schema: Schema) -> str:
    """A single value in words."""
    match schema:
        case {"format": "rowbook-expression"}:
            return "expression"
        case {"format": "uuid"}:
            return "UUID"
        case {"pattern": pattern} if pattern == NAME_PATTERN:
            return "name"
        case {"type": list()}:
            return "value"
        case {"type": word}:
            return _WORDS[word]
    raise ValueError(f"no words for {dict(schema)}")


def _either(words: list[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _option_rows() -> list[tuple[str, str]]:
    """The options of each type; those that are files have a root."""
    return [
        (code(kind), " ".join(code(o) for o in (*(() if kind in BY_NAME else ("root",)), *options)))
        for kind, options in OPTIONS.items()
    ]


def _name(ref: str) -> str:
    return ref.rpartition("/")[2]


def _references(schema: Schema) -> Iterator[str]:
    """The models a key's value may be made of."""
    if "$ref" in schema:
        yield _name(schema["$ref"])
    for part in (*schema.get("oneOf", ()), schema.get("items"), schema.get("additionalProperties")):
        if isinstance(part, Mapping):
            yield from _references(part)


def _ordered(properties: Mapping[str, Schema]) -> dict[str, Schema]:
    """What names a definition comes first."""
    first = {key: properties[key] for key in _FIRST_KEYS if key in properties}
    return {**first, **properties}


def _default(property_: Schema) -> str:
    default = property_.get("default")
    if default is None or default == []:
        return ""
    return code(default if isinstance(default, str) else json.dumps(default))
