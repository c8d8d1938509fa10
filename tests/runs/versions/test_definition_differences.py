"""What changed between two versions, in words; breaking as SPEC section 1 says."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import pytest

from rowbook.definitions.loading import load_document
from rowbook.definitions.yaml.nodes import SourceText
from rowbook.definitions.yaml.reader import parse
from rowbook.expressions.types import parse_type
from rowbook.runs.versions.definition_differences import differences, is_widened


def model(text: str) -> Any:
    (document,), faults = parse(SourceText("test.yaml", dedent(text)))
    loaded = load_document(document)
    assert (faults, loaded.diagnostics) == ((), ())
    assert loaded.entry is not None
    return loaded.entry.model


def test_what_a_view_reads_is_told_and_another_dataset_breaks_who_uses_it() -> None:
    before = "dataset: {name: v, of: gl, periods: previous}"
    assert changed(before, "dataset: {name: v, of: gl, periods: {trailing: 3}, missing: warn}") == [
        ("periods 'previous' → 'trailing: 3'", False),
        ("missing 'error' → 'warn'", False),
    ]
    after = "dataset: {name: v, of: other, periods: previous, require: closed}"
    assert changed(before, after) == [
        ("of 'gl' → 'other'", True),
        ("require none → 'closed'", False),
    ]


def changed(before: str, after: str) -> list[tuple[str, bool]]:
    """The differences as (text, breaking)."""
    return [(d.text, d.breaking) for d in differences(model(before), model(after))]


DATASET = """\
dataset:
  name: gl
  id: 00000000-0000-4000-8000-000000000001
  main_table:
    name: gl
    columns:
      - {name: code, type: string}
      - {name: amount, type: "decimal(18,2)", nullable: false}
  natural_key_columns: [code]
  lookups:
    - {alias: accounts, dataset_id: accounts, on: "gl.code = accounts.code"}
  resolver_id: lake
"""
CODE = "      - {name: code, type: string}\n"
AMOUNT = '      - {name: amount, type: "decimal(18,2)", nullable: false}\n'
LOOKUP = '    - {alias: accounts, dataset_id: accounts, on: "gl.code = accounts.code"}\n'
NEXT = "      - {name: note, type: string}\n"


@pytest.mark.parametrize(
    ("old", "new", "text", "breaking"),
    [
        (AMOUNT, "", "column 'amount' removed", True),
        (AMOUNT, AMOUNT + NEXT, "column 'note' added", False),
        (
            "    name: gl\n",
            "    name: gl\n    unpivot: {columns: [USD, GBP], name: code, value: amount}\n",
            "unpivot none → (USD, GBP) as code and amount",
            True,
        ),
        (CODE + AMOUNT, AMOUNT + CODE, "columns in another order", False),
        (
            "decimal(18,2)",
            "decimal(20,2)",
            "column 'amount': type widened from decimal(18,2) to decimal(20,2)",
            False,
        ),
        (
            "decimal(18,2)",
            "decimal(16,2)",
            "column 'amount': type narrowed from decimal(18,2) to decimal(16,2)",
            True,
        ),
        (
            '"decimal(18,2)"',
            "float",
            "column 'amount': type changed from decimal(18,2) to float",
            True,
        ),
        (
            "code, type: string",
            "code, type: date",
            "column 'code': type changed from string to date",
            True,
        ),
        (
            "code, type: string",
            "code, type: string, nullable: false",
            "column 'code': nullable → not null",
            True,
        ),
        (", nullable: false", "", "column 'amount': not null → nullable", False),
        (
            "code, type: string",
            "code, type: string, source: Code",
            "column 'code': source none → 'Code'",
            False,
        ),
        (
            "code, type: string",
            "code, type: string, description: d",
            "column 'code': description changed",
            False,
        ),
        (
            '"decimal(18,2)", nullable',
            '"decimal(18,2)", format: {strip: €}, nullable',
            "column 'amount': strip none → '€'",
            False,
        ),
        ("    name: gl\n", "    name: ledger\n", "table renamed from 'gl' to 'ledger'", True),
        (
            "    name: gl\n",
            "    name: gl\n    temporal_mode: period\n",
            "temporal mode snapshot → period",
            True,
        ),
        ("  name: gl\n  id", "  name: ledger\n  id", "renamed from 'gl'", True),
        ("[code]", "[code, amount]", "natural key (code) → (code, amount)", False),
        ("  lookups:\n" + LOOKUP, "", "lookup 'accounts' removed", True),
        (
            LOOKUP,
            LOOKUP + LOOKUP.replace("alias: accounts", "alias: a2"),
            "lookup 'a2' added",
            False,
        ),
        (
            "dataset_id: accounts",
            "dataset_id: chart",
            "lookup 'accounts': dataset 'accounts' → 'chart'",
            True,
        ),
        (
            "dataset_id: accounts",
            "dataset_id: accounts, dataset_version: 2",
            "lookup 'accounts': version none → '2'",
            False,
        ),
        (
            "gl.code = accounts.code",
            "accounts.code = gl.code",
            "lookup 'accounts': condition 'gl.code = accounts.code' → 'accounts.code = gl.code'",
            False,
        ),
        ("resolver_id: lake", "resolver_id: tape", "resolver 'lake' → 'tape'", False),
        ("  resolver_id: lake\n", "", "resolver 'lake' → none", False),
        ("resolver_id: lake", "resolver_id: lake\n  status: disabled", "disabled", True),
        ("  name: gl\n", "  name: gl\n  description: books\n", "description changed", False),
        (
            "code, type: string",
            "code, type: string, nullable: true",
            "written in another way, with the same meaning",
            False,
        ),
        (
            "decimal(18,2)",
            "decimal(18, 2)",
            "written in another way, with the same meaning",
            False,
        ),
    ],
)
def test_a_change_of_a_dataset_is_told(old: str, new: str, text: str, breaking: bool) -> None:
    assert old in DATASET
    assert changed(DATASET, DATASET.replace(old, new, 1)) == [(text, breaking)]


def test_a_dataset_that_is_active_again_breaks_nobody() -> None:
    disabled = DATASET.replace("resolver_id: lake", "resolver_id: lake\n  status: disabled")
    assert changed(disabled, DATASET) == [("active again", False)]


def test_all_changes_are_told() -> None:
    after = DATASET.replace(AMOUNT, NEXT).replace("[code]", "[code, note]")
    assert changed(DATASET, after) == [
        ("column 'amount' removed", True),
        ("column 'note' added", False),
        ("natural key (code) → (code, note)", False),
    ]


@pytest.mark.parametrize(
    ("before", "after", "widened"),
    [
        ("integer", "decimal(19,0)", True),
        ("integer", "decimal(18,0)", False),
        ("integer", "decimal(24,6)", False),
        ("integer", "float", False),
        ("decimal(18,2)", "float", False),
        ("decimal(18,2)", "decimal(19,3)", True),
        ("decimal(18,2)", "decimal(18,3)", False),
        ("decimal(18,2)", "decimal(20,1)", False),
        ("decimal(18,0)", "integer", True),
        ("decimal(19,0)", "integer", False),
        ("decimal(9,2)", "integer", False),
        ("date", "timestamp", True),
        ("timestamp", "date", False),
        ("string", "date", False),
        ("float", "decimal(38,18)", False),
        ("boolean", "string", False),
        ("string", "string", True),
    ],
)
def test_a_type_is_widened_where_no_value_is_lost(before: str, after: str, widened: bool) -> None:
    one, other = parse_type(before), parse_type(after)
    assert one is not None
    assert other is not None
    assert is_widened(one, other) is widened


RESOLVER = """\
resolver:
  name: lake
  rules:
    - {name: old, when: "period.year < 2025", strategy: {type: catalog, table: a}}
    - {name: all, strategy: {type: catalog, table: b}}
"""
OLD_RULE = '    - {name: old, when: "period.year < 2025", strategy: {type: catalog, table: a}}\n'
ALL_RULE = "    - {name: all, strategy: {type: catalog, table: b}}\n"

SOURCE = """\
datasource:
  name: lake
  type: csv
  options: {root: data, header: true}
"""

CALENDAR = """\
calendar:
  name: fiscal
  levels:
    - {name: year, identifier: "FY{year}"}
    - {name: month, parent: year, identifier: "FY{year}-{n:02}"}
  rule: {type: months, start_month: 7}
  periods:
    - {identifier: FY2026-13, level: month, start: 2026-06-30, end: 2026-06-30, parent: FY2026}
"""
THIRTEENTH = (
    "    - {identifier: FY2026-13, level: month, start: 2026-06-30, end: 2026-06-30,"
    " parent: FY2026}\n"
)


@pytest.mark.parametrize(
    ("text", "old", "new", "said", "breaking"),
    [
        (RESOLVER, "  rules", "  is_default: true\n  rules", "is_default false → true", False),
        (RESOLVER, "table: a", "table: c", "rule 'old' changed", False),
        (RESOLVER, OLD_RULE, "", "rule 'old' removed", False),
        (RESOLVER, OLD_RULE + ALL_RULE, ALL_RULE + OLD_RULE, "rules in another order", False),
        (SOURCE, "csv", "parquet", "type 'csv' → 'parquet'", False),
        (SOURCE, "root: data", "root: lake", "option root 'data' → 'lake'", False),
        (SOURCE, ", header: true", "", "option header 'true' → none", False),
        (SOURCE, "csv", "csv\n  status: disabled", "disabled", True),
        (
            SOURCE,
            "csv",
            "csv\n  credential_ref: env://KEY",
            "credential_ref none → 'env://KEY'",
            False,
        ),
        (CALENDAR, "start_month: 7", "start_month: 4", "rule changed", True),
        (CALENDAR, "{n:02}", "P{n:02}", "level 'month' changed", True),
        (CALENDAR, THIRTEENTH, "", "period 'FY2026-13' removed", True),
        (CALENDAR, "start: 2026-06-30", "start: 2026-06-29", "period 'FY2026-13' changed", True),
        (
            CALENDAR,
            THIRTEENTH,
            THIRTEENTH + THIRTEENTH.replace("2026-13", "2026-14"),
            "period 'FY2026-14' added",
            False,
        ),
    ],
)
def test_a_change_of_another_kind_is_told(
    text: str, old: str, new: str, said: str, breaking: bool
) -> None:
    assert old in text
    assert changed(text, text.replace(old, new, 1)) == [(said, breaking)]
