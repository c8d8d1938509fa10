"""The workspace's files as definitions: which resolver is the default, what the store adds."""

from __future__ import annotations

from rowbook.planning.definitions.lookup import Missing
from tests.support.trial import BASE, NO_DEFAULT, Trial, delete, project

RESOLVER = (
    "resolver: {name: r, is_default: ⟦true, rules: [{name: a, strategy:"
    ' {type: table, datasource_id: lake, table: "{{table_name}}"}}]}\n'
)


def test_is_default_marks_the_default(trial: Trial) -> None:
    base = NO_DEFAULT.replace("  name: warehouse\n", "  name: warehouse\n  is_default: true\n")
    trial.plan(project(delete("posted")), base=base)


def test_default_resolver_id_wins_over_is_default(trial: Trial) -> None:
    checked = trial.accepts(RESOLVER)
    default = checked.known.default_resolver()
    assert default is not None
    assert not isinstance(default, Missing)
    assert default.model.name == "warehouse"


def test_two_defaults_are_unclear(trial: Trial) -> None:
    base = NO_DEFAULT.replace("  name: warehouse\n", "  name: warehouse\n  is_default: true\n")
    (found,) = trial.refuses(RESOLVER, "WORKSPACE_004", base=base)
    assert found.message == "resolvers 'warehouse' and 'r' are both the default"


def test_a_default_that_does_not_exist_is_reported_once(trial: Trial) -> None:
    base = BASE.replace("default_resolver_id: warehouse", "default_resolver_id: warehous")
    checked = trial.check(project(delete("posted")), base=base)
    codes = [(d.code, str(d.position)) for d in checked.diagnostics]
    assert codes == [("WORKSPACE_004", "rowbook.yaml:1:46")]
