"""Planning `delete`."""

from __future__ import annotations

from rowbook.definitions.models.operations import DeleteOperation
from rowbook.planning.operations.context import Context, OperationPlace, used_joins
from rowbook.planning.steps import DeleteStep


def plan_delete(operation: DeleteOperation, here: OperationPlace, context: Context) -> DeleteStep:
    if operation.arguments:
        message = "a delete takes no arguments"
        context.findings.add(here.arguments, "PROJECT_006", message)
    selector = context.findings.condition(
        here.place.at("selector"), operation.selector, context.scope(here.before)
    )
    joins = used_joins(context.lookups.joins, (selector,))
    return DeleteStep(operation.seq, operation.name, selector, joins, here.before)
