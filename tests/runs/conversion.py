"""A small workspace: amounts are converted and published, then the rates are replaced."""

from __future__ import annotations

FILES = {
    "rowbook.yaml": "workspace: {name: acme, default_resolver_id: inbox}\n",
    "datasets/all.yaml": """\
dataset:
  name: gl
  main_table:
    name: gl
    temporal_mode: period
    columns: [{name: account, type: string}, {name: amount, type: "decimal(18,2)"}]
---
dataset:
  name: rates
  main_table:
    name: rates
    columns: [{name: account, type: string}, {name: rate, type: "decimal(9,4)"}]
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
    - seq: 10
      name: convert
      type: update
      arguments:
        joins: [{alias: fx, dataset_id: rates, on: "gl.account = fx.account"}]
        assignments: [{column: usd, expression: "amount * fx.rate"}]
    - seq: 20
      name: publish
      type: output
      arguments:
        destination: {location: {path: out/closed, format: parquet}}
        columns: [account, usd, _period]
    - seq: 30
      name: new rates
      type: output
      arguments:
        destination: {datasource_id: inbox, table: rates}
        columns: [account]
""",
    "data/gl/2026-01.csv": "account,amount\n4000,10.50\n",
    "data/gl/2026-02.csv": "account,amount\n4000,2.00\n",
    "data/rates.csv": "account,rate\n4000,2\n",
}

MADE_ON_THE_WAY = """\
dataset:
  name: made
  main_table: {name: made, columns: [{name: account, type: string}]}
  resolver_id: tables
---
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: make
      type: output
      arguments: {destination: {datasource_id: inbox, table: made}, columns: [account]}
    - {seq: 20, name: take, type: append, arguments: {source: {dataset_id: made}}}
"""
