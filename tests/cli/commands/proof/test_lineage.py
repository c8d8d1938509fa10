from __future__ import annotations

import json

from tests.support.shell import Shell


def test_a_column_is_shown_with_its_sources_and_operations(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    assert shell.run("lineage", "sales_report", "--column", "gross").out.splitlines() == [
        "sales_report reads sales",
        "",
        "30 Publish the totals → reports:sales_by_customer",
        "  writes totals of 20",
        "  gross       aggregation     sales.net, sales.tax_percent  by 10, 20",
        "  which rows  filter          sales._period",
        "              group by        sales._period, sales.customer  by 20",
    ]


def test_where_a_column_goes_to(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    ended = shell.run("lineage", "sales_report", "--column", "sales.net", "--downstream")
    assert ended.out.splitlines()[2:] == [
        "sales.net goes into 2 places",
        "  sales_report 30  reports:sales_by_customer.net  aggregation  by 20",
        "  sales_report 30  reports:sales_by_customer.gross  aggregation  by 10, 20",
    ]


def test_json_has_all_of_it(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    found = json.loads(shell.run("lineage", "sales_report", "--format", "json").out)
    assert (found["project"], found["reads"]) == ("sales_report", ["sales"])
    (output,) = found["outputs"]
    assert [each["column"] for each in output["columns"]] == [
        *("customer", "invoices", "net", "gross", "_period")
    ]
    assert output["columns"][2]["sources"] == [
        {
            "dataset": "sales",
            "column": "net",
            "type": "direct",
            "kind": "aggregation",
            "operations": [20],
            "through": [],
        }
    ]
    assert [each["kind"] for each in output["births"]] == ["summary"]


def test_a_column_that_no_output_has_is_refused(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    ended = shell.run("lineage", "sales_report", "--column", "gros")
    assert ended.code == 2
    assert "no output of project 'sales_report' has a column 'gros'" in ended.err
    assert "did you mean 'gross'?" in ended.err


def test_one_direction_at_a_time_and_no_picture_of_uses(shell: Shell) -> None:
    assert shell.run("lineage", "x", "--upstream", "--downstream").code == 2
    assert shell.run("lineage", "x", "--downstream", "--format", "svg").code == 2


def test_a_plan_has_it_in_its_picture_alone(shell: Shell) -> None:
    shell.run("init", ".", "--template", "minimal")
    words = "plan", "sales_report", "--period", "2026-01", "--lineage"
    assert shell.run(*words).code == 2
    drawn = shell.run(*words, "--format", "svg").out
    assert "gross ← sales.net, sales.tax_percent" in drawn
    assert "←" not in shell.run(*words[:-1], "--format", "svg").out
