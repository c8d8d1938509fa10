"""Where a draft finds what the draft before it wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rowbook.runs.chains.draft_outputs import draft_outputs
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.request import request_draft
from tests.runs.chains.ledgers import FILES, make_active_ledgers, make_ledgers
from tests.support.write_files import write_files

_HERE = "<sandbox>"
_TO_TEXTS = "{datasource_id: texts, table: converted}"


def outputs(folder: Path) -> list[tuple[str, int, dict[str, Any]]]:
    with OpenWorkspace(folder) as workspace:
        request = request_draft(workspace, "convert", "2026-01")
        sandbox = f".rowbook/sandbox/{request.context.run_id}"
        found = [
            (e.kind, e.version, e.content[e.kind])
            for e in draft_outputs(request, workspace.find_store())
        ]
    for _, _, content in found:
        for rule in content.get("rules", ())[:1]:
            strategy = rule["strategy"]
            strategy["path"] = strategy["path"].replace(sandbox, _HERE)
    return found


def test_a_registered_output_is_a_dataset_in_the_sandbox(tmp_path: Path) -> None:
    dataset, source, resolver = outputs(make_ledgers(tmp_path))
    assert dataset == (
        "dataset",
        1,
        {
            "name": "converted",
            "main_table": {
                "name": "converted",
                "temporal_mode": "period",
                "columns": [
                    {"name": "account", "type": "string", "nullable": False},
                    {"name": "amount", "type": "decimal(18,2)"},
                ],
            },
            "resolver_id": "converted.output",
        },
    )
    options = {"delimiter": ";"}
    assert source == (
        "datasource",
        1,
        {"name": "converted.output", "type": "csv", "options": options},
    )
    strategy = {
        "type": "path",
        "path": f"{_HERE}/converted",
        "format": "csv",
        "datasource_id": "converted.output",
    }
    assert (resolver[0], resolver[1], resolver[2]["name"]) == ("resolver", 1, "converted.output")
    when = "period.identifier = '2026-01'"
    assert resolver[2]["rules"][0] == {
        "name": "where the draft wrote it",
        "when": when,
        "strategy": strategy,
    }


def test_other_periods_are_read_where_they_are_published(tmp_path: Path) -> None:
    _, _, resolver = outputs(make_ledgers(tmp_path))
    assert resolver[2]["rules"][1:] == [
        {
            "name": "where the output was written",
            "strategy": {"type": "table", "datasource_id": "texts", "table": "converted"},
        }
    ]


@pytest.mark.parametrize(
    ("destination", "path", "kind", "has_source"),
    [
        (_TO_TEXTS, "converted", "csv", True),
        ("{datasource_id: lake, table: 'a/{{YYYY}}'}", "a/2026", "parquet", True),
        ("{datasource_id: erp, table: books.converted}", "books.converted", "parquet", False),
        ("{location: {path: out/converted, format: json}}", "out/converted", "json", False),
        (
            "{location: {path: '{{YYYY}}/{{MM}}.csv', format: csv, options: {single_file: true}}}",
            "2026/01.csv",
            "csv",
            False,
        ),
    ],
)
def test_it_has_the_form_that_the_sandbox_gives_it(
    destination: str, path: str, kind: str, has_source: bool, tmp_path: Path
) -> None:
    make_ledgers(tmp_path)
    write_files(
        tmp_path,
        {
            "datasources/erp.yaml": "datasource: {name: erp, type: jdbc, options: {url: "
            '"jdbc:postgresql://erp:5432/books", user: rowbook}}\n',
            "projects/convert.yaml": FILES["projects/convert.yaml"].replace(_TO_TEXTS, destination),
        },
    )
    found = outputs(tmp_path)
    strategy = found[-1][2]["rules"][0]["strategy"]
    assert (strategy["path"], strategy["format"]) == (f"{_HERE}/{path}", kind)
    assert [each for each, _, _ in found] == [
        "dataset",
        *(["datasource"] if has_source else []),
        "resolver",
    ]


def test_versions_are_those_that_it_would_become(tmp_path: Path) -> None:
    make_active_ledgers(tmp_path, "convert")
    same, _, resolver = outputs(tmp_path)
    assert (same[1], resolver[1]) == (1, 2)
    text = FILES["projects/convert.yaml"].replace("[account, amount]", "[amount, account]")
    write_files(tmp_path, {"projects/convert.yaml": text})
    assert outputs(tmp_path)[0][1] == 2
