"""The five operations and their arguments, as far as their form goes."""

from __future__ import annotations

from rowbook.definitions.models.operations import DeleteOperation, UpdateOperation
from tests.definitions.models.samples import operation, refusal


def test_null_is_an_expression_where_a_value_is_assigned() -> None:
    def update(expression: str) -> str:
        return (
            "{seq: 1, name: a, type: update, arguments:"
            f" {{assignments: [{{column: c, expression: {expression}}}]}}}}"
        )

    assert operation(update("NULL")).arguments.assignments[0].expression == "NULL"
    assert refusal(f"project: {{name: p, input_dataset_id: d, operations: [{update('')}]}}") == (
        "YAML_003",
        "required key 'expression' is missing",
    )


def test_parameters_are_arguments() -> None:
    written = operation(
        "{seq: 1, name: a, type: update, parameters: {assignments: [{column: c, expression: 1}]}}"
    )
    assert isinstance(written, UpdateOperation)
    assert written.arguments.assignments[0].column == "c"


def test_empty_arguments_may_be_left_empty() -> None:
    written = operation("{seq: 1, name: a, type: delete, arguments: }")
    assert isinstance(written, DeleteOperation)
    assert written.arguments == {}
