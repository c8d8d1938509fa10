"""Documents to typed definitions, with every fault of form reported at its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Generic, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rowbook.definitions.models.entity import MappingData, Model, UnknownKeys, to_data
from rowbook.definitions.models.kinds import KINDS
from rowbook.definitions.models.operations import OPERATION_TYPES, Operation
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Document, Mapping, Scalar
from rowbook.errors import Diagnostic, suggestion
from rowbook.errors.codes import CODES
from rowbook.value_class import dataclass

M = TypeVar("M", bound=Model)


@dataclass(frozen=True, slots=True)
class Entry(Generic[M]):
    """A definition and where it stands. Operations whose form is faulty are left out of the model;
    `operation_paths` says which place in the file each remaining one has, `broken_seqs` the seq of
    each that is missing (None where even that cannot be read). In a scenario, which may expect
    them, the faults of its inline project's operations are `operation_faults`."""

    model: M
    place: Place
    operation_paths: tuple[int, ...] = ()
    broken_seqs: tuple[int | None, ...] = ()
    operation_faults: tuple[Diagnostic, ...] = ()

    def operation(self, index: int) -> Place:
        return self.place.at("operations", self.operation_paths[index])


@dataclass(frozen=True, slots=True)
class LoadedDefinitions:
    kind: str | None
    entry: Entry[Any] | None
    diagnostics: tuple[Diagnostic, ...]


def load_document(document: Document) -> LoadedDefinitions:
    place = Place(document)
    root = document.root
    if not isinstance(root, Mapping) or not root.entries:
        return _not_a_definition(place, "a document is one key that names its kind, with a mapping")
    kind = root.entries[0][0].text
    if kind not in KINDS:
        near = suggestion(kind, tuple(KINDS), "kinds")
        return _not_a_definition(place, f"'{kind}' is not a kind of definition", near)
    if len(root.entries) > 1:
        second = place.at(root.entries[1][0].text)
        message = f"a document holds one definition; '{second.path[0]}' is a second key"
        hint = "indent it below the first key, or put '---' between two definitions"
        finding = Diagnostic("YAML_009", message, second.key_position, hint)
        return LoadedDefinitions(kind, None, (finding,))
    below = place.at(kind)
    if not isinstance(below.node, Mapping):
        return _not_a_definition(below, f"'{kind}:' needs a mapping below it")
    return _load(kind, below)


def _not_a_definition(place: Place, message: str, hint: str | None = None) -> LoadedDefinitions:
    return LoadedDefinitions(None, None, (place.diagnostic("YAML_009", message, hint=hint),))


def _load(kind: str, place: Place) -> LoadedDefinitions:
    data = to_data(place.node)
    project, at = (
        (data.get("project"), place.at("project")) if kind == "scenario" else (data, place)
    )
    operations = project.get("operations") if isinstance(project, MappingData) else None
    of_operations: list[Diagnostic] = []
    read: dict[int, Operation] = {}
    broken: list[int | None] = []
    if kind in ("project", "scenario") and isinstance(operations, list):
        for i, operation in enumerate(operations):
            made, found = _read_operation(operation, at.at("operations", i))
            of_operations += found
            if made is None:
                broken.append(_seq(operation))
            else:
                read[i] = made
        project["operations"] = list(read.values())
    model, found = _validate(KINDS[kind], data, place)
    if model is None:
        return LoadedDefinitions(kind, None, (*of_operations, *found))
    if kind == "scenario":
        entry = Entry(model, place, tuple(read), tuple(broken), tuple(of_operations))
        return LoadedDefinitions(kind, entry, tuple(found))
    entry = Entry(model, place, tuple(read), tuple(broken))
    return LoadedDefinitions(kind, entry, (*of_operations, *found))


def _read_operation(operation: Any, place: Place) -> tuple[Operation | None, Sequence[Diagnostic]]:
    """Each operation is read by itself, so that a faulty one does not hide the others."""
    if not isinstance(operation, MappingData):
        return None, [place.diagnostic("YAML_004", "an operation must be a mapping")]
    kind, at = operation.get("type"), place.at("type")
    if kind is None or (isinstance(kind, Scalar) and kind.text == ""):
        return None, [place.diagnostic("YAML_003", "required key 'type' is missing")]
    if not isinstance(kind, Scalar):
        return None, [at.diagnostic("PROJECT_004", "an operation's type is a word")]
    if kind.text not in OPERATION_TYPES:
        hint = suggestion(kind.text, tuple(OPERATION_TYPES), "types")
        message = f"unknown operation type '{kind.text}'"
        return None, [at.diagnostic("PROJECT_004", message, hint=hint)]
    read, found = _validate(OPERATION_TYPES[kind.text], operation, place)
    empty = list(_empty_conditions(place))
    return (None if empty else read), [*found, *empty]


def _empty_conditions(place: Place) -> Iterator[Diagnostic]:
    """A condition that was begun and left empty: taken as "all rows", a delete would delete all."""
    for path in (
        ("selector",),
        ("arguments", "source_selector"),
        ("parameters", "source_selector"),
    ):
        at = place.at(*path)
        if at.exists and isinstance(at.node, Scalar) and at.node.is_null:
            message = f"'{path[-1]}' is empty"
            hint = "write the condition, or remove the key to take all rows"
            yield Diagnostic("YAML_004", message, at.key_position, hint)


def _seq(operation: Any) -> int | None:
    seq = operation.get("seq") if isinstance(operation, MappingData) else None
    return seq.as_int() if isinstance(seq, Scalar) else None


def _validate(model: type[M], data: Any, place: Place) -> tuple[M | None, list[Diagnostic]]:
    unknown = UnknownKeys()
    result: M | None = None
    diagnostics: list[Diagnostic] = []
    try:
        result = model.model_validate(data, context=unknown)
    except ValidationError as error:
        diagnostics += [_diagnostic(details, place) for details in error.errors()]
    for key, known in unknown.found:
        position = place.document.source.position(key.start)
        hint = suggestion(key.text, known, "keys")
        diagnostics.append(Diagnostic("YAML_002", f"unknown key '{key.text}'", position, hint))
    return result, diagnostics


_WORDS = {
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "union_tag_invalid": "has an unknown type",
    "union_tag_not_found": "needs a type",
}


def _diagnostic(details: ErrorDetails, place: Place) -> Diagnostic:
    below = place.document.existing(place.path, details["loc"])
    there = Place(place.document, below)
    last = details["loc"][-1] if details["loc"] else ""
    context: dict[str, Any] = details.get("ctx") or {}
    kind = details["type"]
    if kind == "missing":
        return there.diagnostic("YAML_003", f"required key '{last}' is missing")
    name = next((str(part) for part in reversed(below) if isinstance(part, str)), "the value")
    if kind in CODES:
        message = str(context["message"])
        if message.startswith("must "):
            message = f"'{name}' {message}"
        return there.diagnostic(kind, message, hint=context.get("hint"))
    if kind == "literal_error":
        given = details["input"]
        word = given if isinstance(given, str) else ""
        message = f"'{word}' is not a value of '{name}'" if word else f"'{name}' must be a word"
        hint = suggestion(word, _allowed(context), "allowed")
        return there.diagnostic("YAML_004", message, hint=hint)
    hint = None
    if kind == "union_tag_invalid":
        hint = f"types: {str(context['expected_tags']).replace(chr(39), '').replace('type ', '')}"
    return there.diagnostic("YAML_004", f"'{name}' {_WORDS.get(kind, details['msg'])}", hint=hint)


def _allowed(context: dict[str, Any]) -> tuple[str, ...]:
    expected = str(context.get("expected", "")).replace(" or ", ", ")
    return tuple(word.strip().strip("'") for word in expected.split(","))
