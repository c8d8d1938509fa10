"""Rowbook from Python: a workspace with the verbs of the command line, and typed results.

    from rowbook import Workspace

    with Workspace.open("examples/close") as close:
        result = close.run("monthly_close", "2026-01", draft=True)

docs/python-api.md shows all of it. Names are imported when they are asked for.
"""

TYPE_CHECKING = False  # as type checkers take it for true, without importing typing

if TYPE_CHECKING:
    from rowbook.api.names import *  # noqa: F403
else:
    _HOMES = {
        **dict.fromkeys(("ChangedRow", "Criteria"), "rowbook.engine.compare.difference"),
        "ChainListeners": "rowbook.api.verbs.chain_verbs",
        **dict.fromkeys(("ChangedOperation", "RowEffect"), "rowbook.watch.row_effect"),
        **dict.fromkeys(
            ("Checked", "RoundEnd", "RoundStart", "RowsCompared", "RowsCounted", "RowsFailed"),
            "rowbook.watch.events",
        ),
        **dict.fromkeys(("RowsLeftOut", "ScenariosRun", "WatchEvent"), "rowbook.watch.events"),
        "Workspace": "rowbook.api.workspace",
        "completion_words": "rowbook.api.shell_words",
        "draw_chain": "rowbook.api.plan_picture",
        "draw_lineage": "rowbook.api.plan_picture",
        "draw_plan": "rowbook.api.plan_picture",
        "fetch_missing_jars": "rowbook.api.spark_jars",
        "infer": "rowbook.api.table_inference",
        "init_workspace": "rowbook.starter.creation",
        "is_listed": "rowbook.planning.columns",
        "is_system": "rowbook.planning.columns",
        "json_schema": "rowbook.api.definition_schema",
        "list_jars": "rowbook.api.spark_jars",
        "make_seal_key": "rowbook.api.verbs.seal_verbs",
        "workspace_of": "rowbook.api.path_choice",
    }
    """Where the names are that commands ask for, which do not wait for the others."""

    def __getattr__(name):
        from importlib import import_module

        is_private = name.startswith("_") and name != "__all__"
        found = {} if is_private else vars(import_module(_HOMES.get(name, "rowbook.api.names")))
        if name == "__all__":
            return sorted(each for each in found if not each.startswith("_"))
        if name not in found:
            raise AttributeError(f"module 'rowbook.api' has no attribute '{name}'")
        return found[name]
