"""Templates of strategies: which placeholders there are, and what a period makes of them."""

from __future__ import annotations

import pytest

from tests.support.trial import Trial


def resolver(strategy: str) -> str:
    return f"resolver: {{name: r, rules: [{{name: a, strategy: {{{strategy}}}}}]}}\n"


@pytest.mark.parametrize(
    "name",
    [
        *("YYYY", "YY", "MM", "DD", "QQ", "Q", "WW"),
        *("identifier", "table_name", "dataset_name", " MM "),
    ],
)
def test_placeholders(name: str, trial: Trial) -> None:
    trial.accepts(resolver(f'type: path, path: "data/{{{{{name}}}}}.csv"'))


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("data/⟦{{YYY}}.csv", "unknown placeholder 'YYY'"),
        ("data/⟦{{yyyy}}.csv", "unknown placeholder 'yyyy'"),
        ("data/⟦{{}}.csv", "unknown placeholder ''"),
        ("data/⟦{MM}.csv", "a placeholder is written {{name}}"),
        ("data/⟦{{MM.csv", "a placeholder is written {{name}}"),
    ],
)
def test_unknown_placeholders(path: str, message: str, trial: Trial) -> None:
    text = resolver(f'type: path, path: "{path}"')
    codes = ["RESOLVER_002"] * (2 if "{MM}" in path else 1)
    text = text.replace("MM}.csv", "MM⟦}.csv") if len(codes) == 2 else text
    found = trial.refuses(text, *codes)
    assert found[0].message == message


def test_placeholders_of_tables_are_checked_too(trial: Trial) -> None:
    (found,) = trial.refuses(resolver('type: catalog, table: "finance.⟦{{table}}"'), "RESOLVER_002")
    assert found.hint is not None
    assert found.hint.startswith("did you mean 'table_name'?")
