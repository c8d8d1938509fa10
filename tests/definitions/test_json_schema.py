"""The JSON Schema that editors get says the same as the loader."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rowbook.definitions.json_schema import schema_of_all, schema_of_kind
from rowbook.definitions.loading import load_document
from rowbook.definitions.models.kinds import KINDS
from rowbook.definitions.workspace_files import FOLDERS
from rowbook.definitions.yaml.nodes import Document, Mapping, Node, Scalar, Sequence, SourceText
from rowbook.definitions.yaml.reader import parse
from tests.definitions.yaml.samples import document_of
from tests.support.paths import EXAMPLE

ALL = Draft202012Validator(schema_of_all())


def as_json(node: Node) -> Any:
    """What an editor sees: YAML 1.2's core schema."""
    match node:
        case Mapping():
            return {key.text: as_json(value) for key, value in node.entries}
        case Sequence():
            return [as_json(item) for item in node.items]
        case Scalar():
            return _value(node)


def _value(scalar: Scalar) -> Any:
    if scalar.is_null:
        return None
    if (truth := scalar.as_bool()) is not None:
        return truth
    if (number := scalar.as_int()) is not None:
        return number
    return float(scalar.text) if scalar.is_number else scalar.text


def errors_of(document: Document) -> list[str]:
    """What both schemas, that of its kind and that of all, say against a document."""
    data = as_json(document.root)
    (kind,) = data
    validators = (ALL, Draft202012Validator(schema_of_kind(kind)))
    return [error.message for validator in validators for error in validator.iter_errors(data)]


def properties(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every property of every definition, with its name."""
    for name, definition in schema["$defs"].items():
        for key, value in definition.get("properties", {}).items():
            yield f"{name}.{key}", value


# --- the schema itself


@pytest.mark.parametrize("kind", list(KINDS))
def test_the_schema_of_each_kind_is_a_schema(kind: str) -> None:
    schema = schema_of_kind(kind)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == [kind]


def test_the_schema_of_all_is_a_schema() -> None:
    schema = schema_of_all()
    Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]) == list(KINDS)


def test_every_property_says_what_it_is() -> None:
    schema = schema_of_all()

    def described(property_: dict[str, Any]) -> bool:
        target = property_.get("$ref", "").rpartition("/")[2]
        return bool(
            property_.get("description") or schema["$defs"].get(target, {}).get("description")
        )

    assert [name for name, each in properties(schema) if not described(each)] == []


def test_every_definition_says_what_it_is_and_is_closed() -> None:
    definitions = schema_of_all()["$defs"]
    assert [name for name, each in definitions.items() if not each.get("description")] == []
    assert [n for n, each in definitions.items() if each["additionalProperties"] is not False] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("TableDefinition.temporal_mode", ["period", "bitemporal"]),
        ("DatasetDefinition.status", ["active", "disabled"]),
        (
            "DatasourceDefinition.type",
            ["parquet", "csv", "json", "orc", "excel", "delta", "jdbc", "iceberg"],
        ),
        ("DatasourceDefinition.status", ["active", "disabled"]),
        ("PathStrategy.format", ["parquet", "csv", "json", "orc", "excel", "delta"]),
        ("LocationDefinition.format", ["parquet", "csv", "json", "orc", "excel", "delta"]),
        ("OutputArguments.mode", ["replace", "append", "error_if_exists"]),
        ("WeeksRuleDefinition.pattern", ["4-4-5", "4-5-4", "5-4-4"]),
        ("Matching.mode", ["exact", "subset"]),
    ],
)
def test_closed_sets_are_listed(name: str, words: list[str]) -> None:
    assert dict(properties(schema_of_all()))[name]["enum"] == words


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("UpdateOperation.type", "update"),
        ("AggregateOperation.type", "aggregate"),
        ("AppendOperation.type", "append"),
        ("DeleteOperation.type", "delete"),
        ("OutputOperation.type", "output"),
        ("PathStrategy.type", "path"),
        ("TableStrategy.type", "table"),
        ("CatalogStrategy.type", "catalog"),
        ("MonthsRuleDefinition.type", "months"),
        ("WeeksRuleDefinition.type", "weeks"),
    ],
)
def test_types_are_constant(name: str, word: str) -> None:
    assert dict(properties(schema_of_all()))[name]["const"] == word


def test_nothing_suggests_null_or_a_value_that_is_refused() -> None:
    every = dict(properties(schema_of_all()))
    assert [n for n, each in every.items() if "default" in each and each["default"] is None] == []
    assert [
        n for n, each in every.items() if each.get("minItems") and each.get("default") == []
    ] == []
    assert "default" not in every["UpdateOperation.name"]


# --- the example


def example_files() -> list[Path]:
    folders = (*FOLDERS, "scenarios")
    found = [path for folder in folders for path in sorted((EXAMPLE / folder).glob("*.yaml"))]
    return [EXAMPLE / "rowbook.yaml", *found]


@pytest.mark.parametrize("path", example_files(), ids=lambda path: path.name)
def test_the_example_fits(path: Path) -> None:
    documents, findings = parse(SourceText(path.name, path.read_text(encoding="utf-8")))
    assert findings == ()
    assert [errors_of(document) for document in documents] == [[]] * len(documents)


# --- documents that both accept


PROJECT = "project: {{name: p, input_dataset_id: d, operations: [{}]}}"
DATASET = "dataset: {{name: d, main_table: {{name: t, columns: [{}]}}}}"
RESOLVER = "resolver: {{name: r, rules: [{{name: a, strategy: {}}}]}}"
SCENARIO = 'scenario: {{name: s, period: "2026-01", project: p, {}}}'

VALID = [
    "workspace: {name: acme}",
    'workspace: {name: acme, description: x, engine: {master: "local[2]", conf: {a: 1, b: true}}}',
    "workspace: {name: acme, store: {url: x, credential_ref: env://X}, allowed_locations: [/a]}",
    'workspace: {name: acme, credentials: [{ref: env://X, host: "h:1", auth: [md5, password]}]}',
    "workspace: {name: acme, default_resolver_id: r, engine: {remote: sc://host}}",
    DATASET.format("{name: a, type: string}"),
    DATASET.format('{name: a, type: "decimal(18, 2)", nullable: false, source: "A b"}'),
    DATASET.format("{name: a, type: decimal, description: x}"),
    "dataset: {name: d, id: 550e8400-e29b-41d4-a716-446655440000, version: 2, status: disabled,"
    " resolver_id: r, natural_key_columns: [a], description: x, main_table: {name: t,"
    " temporal_mode: period, columns: [{name: a, type: date}]}, lookups: [{alias: l,"
    " dataset_id: e, dataset_version: 3, on: t.a = l.a}]}",
    "datasource: {name: s, type: csv}",
    'datasource: {name: s, type: jdbc, options: {url: x, fetch_size: 10}, credential_ref: "env://X",'
    " status: active, description: x}",
    RESOLVER.format("{type: path, path: a.csv}"),
    RESOLVER.format("{type: path, datasource_id: s, path: a, format: delta}"),
    RESOLVER.format("{type: table, datasource_id: s, table: t}"),
    RESOLVER.format("{type: catalog, table: t}"),
    "resolver: {name: r, is_default: true, rules: [{name: a, description: x, when: TRUE,"
    " data_level: month, strategy: {type: catalog, table: t}}]}",
    'calendar: {name: c, levels: [{name: year, identifier: "{year}"}], rule: {type: months}}',
    'calendar: {name: c, levels: [{name: year, identifier: "{year}"}, {name: month, parent: year,'
    " identifier: x}], rule: {type: weeks, pattern: 4-4-5, start: 2025-12-29}, periods:"
    " [{identifier: 2026, level: year, start: 2026-01-01, end: 2026-12-31, parent: x}]}",
    "project: {name: p, input_dataset_id: d}",
    "project: {name: p, input_dataset_id: d, input_dataset_version: 3, calendar_id: c, owner: me,"
    ' selectors: {a: "b > 1"}, resolver_overrides: {d: r}, operations: []}',
    PROJECT.format("{seq: 1, name: a, type: delete}"),
    PROJECT.format("{seq: 1, name: a, type: delete, arguments: {}}"),
    PROJECT.format("{seq: 1, id: op-1, name: a, description: x, type: delete, selector: a > 0}"),
    PROJECT.format(
        "{seq: 1, name: a, type: update, arguments: {joins: [{alias: j, dataset_id: e,"
        " dataset_version: 1, on: a = j.a}], assignments: [{column: c, expression: 1}]}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: update, parameters:"
        " {assignments: [{column: c, expression: null}]}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: update, arguments: {assignments: [{column: c, expression: 1.50}]}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: aggregate, arguments: {group_by: [x],"
        " aggregations: [{column: c, expression: COUNT(*)}]}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: aggregate, arguments: {levels: [{name: x, group_by: [a,"
        " {column: b, expression: LEFT(c)}]}, {name: y, group_by: []}],"
        " aggregations: [{column: c, expression: COUNT(*)}],"
        " assignments: [{column: d, expression: LEVEL()}]}}"
    ),
    PROJECT.format("{seq: 1, name: a, type: append, arguments: {source: {dataset_id: e}}}"),
    PROJECT.format(
        "{seq: 1, name: a, type: append, parameters: {source: {dataset_id: e, dataset_version: 2},"
        " source_selector: TRUE, aggregation: {group_by: [x], aggregations:"
        " [{column: c, expression: COUNT(*)}]}}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: output, arguments: {destination: {datasource_id: s, table: t},"
        " columns: [a], include_deleted: true, register_as_dataset: x, mode: append}}"
    ),
    PROJECT.format(
        "{seq: 1, name: a, type: output, arguments: {destination: {location: {path: x,"
        " format: csv, options: {header: false}}}}}"
    ),
    SCENARIO.format("expect: {working: {rows: []}}"),
    "scenario: {name: s, period: 2026, as_of: 2026-01-15, now: x, description: x, project: p,"
    " input: {d: {rows: [{a: 1, b: x, c: null, d: 1.50, e: true}]}, e: {file: x.csv}}, expect:"
    " {outputs: {o: {columns: [a], rows: [{a: 1}]}}, ledger: [{seq: 1, matched: 1}]},"
    " match: {mode: subset, order: true, tolerance: {a: 0.01}, ignore: [b]}}",
    SCENARIO.format("expect: {error: {code: EXPR_002, contains: x}}"),
    "scenario: {name: s, period: x, project: {input_dataset_id: d, operations:"
    " [{seq: 1, name: a, type: delete}]}, datasets: [{name: d, main_table: {name: t,"
    " columns: [{name: a, type: string}]}}], expect: {working: {file: x.csv}}}",
]


@pytest.mark.parametrize("text", VALID)
def test_a_valid_document_is_valid_to_both(text: str) -> None:
    document = document_of(text)
    loaded = load_document(document)
    assert loaded.diagnostics == ()
    assert loaded.entry is not None
    assert errors_of(document) == []


# --- mistakes that both refuse


MISTAKES = [
    ("an unknown key", "workspace: {name: acme, stroe: {}}"),
    ("a missing key", "workspace: {}"),
    ("a list for a text", "workspace: {name: [acme]}"),
    ("a text for a list", "workspace: {name: acme, allowed_locations: /a}"),
    ("a secret for no server", "workspace: {name: acme, credentials: [{ref: env://X}]}"),
    ("a name with a blank", "workspace: {name: ac me}"),
    ("an unknown type of column in a dataset's form", DATASET.format("{name: a, type: [string]}")),
    ("a text for a boolean", DATASET.format("{name: a, type: string, nullable: maybe}")),
    ("a column without type", DATASET.format("{name: a}")),
    ("an unknown mode", "dataset: {name: d, main_table: {name: t, temporal_mode: snapshot,"
     " columns: [{name: a, type: string}]}}"),
    ("a text for a version", "dataset: {name: d, version: two, main_table: {name: t, columns:"
     " [{name: a, type: string}]}}"),
    ("a lookup without condition", "dataset: {name: d, main_table: {name: t, columns: [{name: a,"
     " type: string}]}, lookups: [{alias: l, dataset_id: e}]}"),
    ("an unknown type of data source", "datasource: {name: s, type: xls}"),
    ("a list as option", "datasource: {name: s, type: csv, options: {root: [a]}}"),
    ("an unknown strategy", RESOLVER.format("{type: file, path: a}")),
    ("a strategy without type", RESOLVER.format("{path: a}")),
    ("a path strategy with a table", RESOLVER.format("{type: path, table: a}")),
    ("a table strategy without data source", RESOLVER.format("{type: table, table: a}")),
    ("an unknown rule", "calendar: {name: c, rule: {type: days}}"),
    ("an unknown pattern", "calendar: {name: c, rule: {type: weeks, pattern: 4-4-4, start: x}}"),
    ("a project without input", "project: {name: p}"),
    ("an unknown operation", PROJECT.format("{seq: 1, name: a, type: upsert}")),
    ("an operation without type", PROJECT.format("{seq: 1, name: a}")),
    ("an operation without seq", PROJECT.format("{name: a, type: delete}")),
    ("a quoted seq", PROJECT.format('{seq: "1", name: a, type: delete}')),
    ("a misspelled selector", PROJECT.format("{seq: 1, name: a, type: delete, selecter: x}")),
    ("a list as selector", PROJECT.format("{seq: 1, name: a, type: delete, selector: [x]}")),
    ("an assignment without expression", PROJECT.format("{seq: 1, name: a, type: update,"
     " arguments: {assignments: [{column: c}]}}")),
    ("an append without source", PROJECT.format("{seq: 1, name: a, type: append, arguments: {}}")),
    ("an append without arguments", PROJECT.format("{seq: 1, name: a, type: append}")),
    ("arguments under both names", PROJECT.format("{seq: 1, name: a, type: append, arguments:"
     " {source: {dataset_id: e}}, parameters: {source: {dataset_id: e}}}")),
    ("an unknown output mode", PROJECT.format("{seq: 1, name: a, type: output, arguments:"
     " {destination: {location: {path: x}}, mode: overwrite}}")),
    ("an unknown format", PROJECT.format("{seq: 1, name: a, type: output, arguments:"
     " {destination: {location: {path: x, format: xls}}}}")),
    ("a scenario without expectation", "scenario: {name: s, period: x, project: p}"),
    ("a list as project", "scenario: {name: s, period: x, project: [p], expect: {}}"),
    ("rows that are no mappings", SCENARIO.format("input: {d: {rows: [1]}}, expect: {}")),
    ("an expected error without code", SCENARIO.format("expect: {error: {contains: x}}")),
    ("an unknown way to match", SCENARIO.format("expect: {}, match: {mode: exakt}")),
]  # fmt: skip


@pytest.mark.parametrize("text", [text for _, text in MISTAKES], ids=[what for what, _ in MISTAKES])
def test_a_mistake_of_form_is_one_to_both(text: str) -> None:
    document = document_of(text)
    assert load_document(document).diagnostics
    assert errors_of(document)


PLANNED = [
    ("no assignments", "{seq: 1, name: a, type: update, arguments: {}}"),
    ("an update without arguments", "{seq: 1, name: a, type: update}"),
    ("empty assignments", "{seq: 1, name: a, type: update, arguments: {assignments: []}}"),
    ("empty keys", "{seq: 1, name: a, type: aggregate, arguments: {group_by: [],"
     " aggregations: [{column: c, expression: COUNT(*)}]}}"),
    ("no aggregations", "{seq: 1, name: a, type: aggregate, arguments: {group_by: [a]}}"),
    ("an aggregate without arguments", "{seq: 1, name: a, type: aggregate}"),
    ("a selector on an append", "{seq: 1, name: a, type: append, selector: TRUE,"
     " arguments: {source: {dataset_id: e}}}"),
    ("arguments on a delete", "{seq: 1, name: a, type: delete, arguments: {selector: TRUE}}"),
    ("no name", "{seq: 1, type: delete}"),
    ("an empty name", '{seq: 1, name: "", type: delete}'),
    ("seq 0", "{seq: 0, name: a, type: delete}"),
    ("no destination", "{seq: 1, name: a, type: output, arguments: {}}"),
    ("an output without arguments", "{seq: 1, name: a, type: output}"),
    ("an empty destination", "{seq: 1, name: a, type: output, arguments: {destination: {}}}"),
    ("half a destination", "{seq: 1, name: a, type: output, arguments:"
     " {destination: {datasource_id: s}}}"),
    ("both destinations", "{seq: 1, name: a, type: output, arguments: {destination:"
     " {datasource_id: s, table: t, location: {path: x}}}}"),
    ("a table and a location", "{seq: 1, name: a, type: output, arguments: {destination:"
     " {table: t, location: {path: x}}}}"),
    ("no columns", "{seq: 1, name: a, type: output, arguments: {destination:"
     " {location: {path: x}}, columns: []}}"),
]  # fmt: skip
"""The loader leaves these to planning, which has codes of its own for them (tests/planning)."""


@pytest.mark.parametrize("text", [text for _, text in PLANNED], ids=[what for what, _ in PLANNED])
def test_what_planning_refuses_an_editor_marks_too(text: str) -> None:
    document = document_of(PROJECT.format(text))
    assert load_document(document).diagnostics == ()
    assert errors_of(document)


@pytest.mark.parametrize(
    "text",
    [
        DATASET.format(""),
        "dataset: {name: d, main_table: {name: t}}",
        DATASET.format("{name: a, type: text}"),
        DATASET.format('{name: a, type: "decimal(18)"}'),
        "resolver: {name: r, rules: []}",
        "resolver: {name: r}",
    ],
)
def test_also_in_datasets_and_resolvers(text: str) -> None:
    document = document_of(text)
    assert load_document(document).diagnostics == ()
    assert errors_of(document)
