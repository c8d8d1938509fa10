"""Windows, as far as their form goes."""

from __future__ import annotations

from rowbook.definitions.models.operations import UpdateOperation
from rowbook.definitions.models.window import WindowDefinition
from tests.definitions.models.samples import operation, refusal


def update(window: str) -> str:
    return f"{{seq: 1, name: a, type: update, arguments: {{windows: [{window}]}}}}"


def test_a_window_has_all_rows_and_no_order_unless_it_says_so() -> None:
    written = operation(update("{alias: w, values: {n: COUNT(*)}}"))
    assert isinstance(written, UpdateOperation)
    assert written.arguments.windows == (
        WindowDefinition.model_construct(
            alias="w", by=(), selector=None, order_by=(), values={"n": "COUNT(*)"}
        ),
    )


def test_columns_of_an_order_may_begin_with_a_minus() -> None:
    written = operation(update("{alias: w, by: [a], order_by: [-b, c], values: {n: RANK()}}"))
    assert isinstance(written, UpdateOperation)
    assert written.arguments.windows[0].order_by == ("-b", "c")


def test_an_unknown_key_is_refused() -> None:
    project = f"project: {{name: p, input_dataset_id: d, operations: [{update('{alias: w, partition_by: [a]}')}]}}"  # noqa: E501
    assert refusal(project)[0] == "YAML_002"
