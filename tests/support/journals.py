"""A ledger of three journals and what is expected of it; one journal does not balance."""

from __future__ import annotations

FILES = {
    "rowbook.yaml": """\
workspace: {name: acme, default_resolver_id: files}
---
resolver:
  name: files
  rules: [{name: all, strategy: {type: path, path: "data/{{table_name}}.csv"}}]
---
dataset:
  name: gl
  main_table:
    name: gl
    columns:
      - {name: journal, type: string}
      - {name: line, type: integer}
      - {name: account, type: string}
      - {name: amount, type: "decimal(18,2)"}
  expectations:
    - name: lines are numbered once
      unique: [journal, line]
      otherwise: stop
---
project:
  name: close
  input_dataset_id: gl
  operations:
    - seq: 10
      name: reclassify
      type: update
      selector: "account = '9999'"
      arguments: {assignments: [{column: account, expression: "'4000'"}]}
    - seq: 20
      name: publish
      type: output
      arguments: {destination: {location: {path: out/closed, format: csv}}}
  expectations:
    - name: journals balance
      at: input
      by: [journal]
      that: "SUM(amount) = 0"
      otherwise: stop
    - name: reclassifying loses nothing
      at: 10
      against: {alias: start, at: input}
      that: "SUM(amount) = SUM(start.amount)"
      otherwise: stop
    - name: no suspense account
      that: "account <> '1999'"
    - name: about as many lines as last month
      measures: {lines: "COUNT(*)"}
      against: {alias: last, period: previous}
      that: "lines BETWEEN 0.8 * last.lines AND 1.25 * last.lines"
      otherwise: stop
""",
    "data/gl.csv": """\
journal,line,account,amount
J-1,1,4000,-10.00
J-1,2,1000,10.00
J-2,1,4000,-5.00
J-2,2,1999,5.00
J-3,1,4000,-7.00
J-3,2,1000,7.01
""",
}
BALANCED = FILES["data/gl.csv"].replace("7.01", "7.00")
