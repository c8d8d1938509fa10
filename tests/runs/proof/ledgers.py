"""A workspace that closes months and sums up what it closed, without Spark."""

from __future__ import annotations

from tests.support.recorded_run import record_run
from tests.support.shell import Shell

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns:
      - {name: id, type: integer}
      - {name: entity, type: string}
      - {name: currency, type: string}
      - {name: amount, type: "decimal(18,2)"}
  natural_key_columns: [id]
---
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: currency, type: string}, {name: rate, type: "decimal(9,4)"}]
  natural_key_columns: [currency]
  resolver_id: tables
""",
    "datasources/inbox.yaml": "datasource: {name: inbox, type: csv, options: {root: data}}\n",
    "resolvers/inbox.yaml": """\
resolver:
  name: inbox
  rules:
    - name: one file a month
      data_level: month
      strategy: {type: path, datasource_id: inbox, path: "{{table_name}}/{{YYYY}}-{{MM}}.csv"}
---
resolver:
  name: tables
  rules: [{name: all, strategy: {type: table, datasource_id: inbox, table: "{{table_name}}"}}]
""",
    "projects/close.yaml": """\
project:
  name: close
  input_dataset_id: gl
  operations:
    - {seq: 5, name: drop, type: delete, selector: "amount = 0"}
    - seq: 10
      name: convert
      type: update
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.currency = fx.currency"}]
        assignments: [{column: usd, expression: "ROUND(amount * fx.rate, 2)"}]
    - seq: 20
      name: publish
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [_row_id, id, entity, usd, _period]
        register_as_dataset: closed
    - seq: 30
      name: totals
      type: aggregate
      arguments:
        group_by: [_period, entity]
        aggregations: [{column: total, expression: "SUM(usd)"}]
    - seq: 40
      name: report
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {location: {path: out/totals, format: parquet}}
        columns: [entity, total, _period]
""",
    "data/gl/2026-01.csv": """\
id,entity,currency,amount
1,DE,EUR,10.00
2,DE,USD,5.00
3,US,USD,7.00
4,US,USD,0.00
""",
    "data/gl/2026-02.csv": "id,entity,currency,amount\n5,DE,EUR,20.00\n6,US,USD,1.00\n",
    "data/gl/2026-03.csv": "id,entity,currency,amount\n7,DE,EUR,30.00\n",
    "data/rates.csv": "currency,rate\nEUR,1.1000\nUSD,1.0000\n",
}

GROUP = """\
project:
  name: group
  input_dataset_id: closed
  operations:
    - seq: 10
      name: sum up
      type: aggregate
      arguments:
        group_by: [_period]
        aggregations: [{column: total, expression: "SUM(usd)"}]
    - seq: 20
      name: report
      type: output
      selector: "total IS NOT NULL"
      arguments:
        destination: {location: {path: out/group, format: parquet}}
        columns: [total, _period]
"""


def drafts(shell: Shell, *periods: str) -> list[str]:
    """The ids of drafts of periods: nothing need be applied."""
    shell.write(FILES)
    return [record_run(shell.folder, "close", period, draft=True) for period in periods]


def closed(shell: Shell, *periods: str) -> list[str]:
    """The ids of runs of periods, of a workspace whose project is active."""
    shell.write(FILES)
    assert shell.run("apply", "--yes").code == 0
    assert shell.run("activate", "close").code == 0
    return [record_run(shell.folder, "close", period) for period in periods]
