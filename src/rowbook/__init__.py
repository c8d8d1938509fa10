"""Rowbook: declarative, explainable month-end data projects on Spark.

`Workspace` is the way in from Python; `rowbook.api` has the types of all results.
"""

TYPE_CHECKING = False  # as type checkers take it for true, without 10 ms for importing typing

__all__ = ["Diagnostic", "RowbookError", "Workspace", "__version__"]

__version__ = "0.1.0"

_HOMES = {
    "Diagnostic": "rowbook.errors",
    "RowbookError": "rowbook.errors",
    "Workspace": "rowbook.api",
}
"""Where public names are; imported when they are asked for: no command waits for the others."""

if TYPE_CHECKING:
    from rowbook.api import Workspace
    from rowbook.errors import Diagnostic, RowbookError
else:

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module 'rowbook' has no attribute '{name}'")
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
