"""Prints what a run did and the subtotals it wrote, from the JSON of `rowbook run` and the
workspace."""

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq

root = Path(sys.argv[2])
run = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
print(f"run {run['run_id']}: {run['status']}\n")
heads = ("seq", "name", "rows_in", "matched", "added", "deleted", "rows_out")
print("{:>4}  {:<28}{:>9}{:>9}{:>7}{:>9}{:>10}".format(*heads))
for entry in run["operations"]:
    values = [entry[head] for head in heads]
    print("{:>4}  {:<28}{:>9}{:>9}{:>7}{:>9}{:>10}".format(*values))
for output in run["outputs"]:
    print(f"\nwrote {output['destination']}: {output['rows']} rows, {output['bytes']:,} bytes")
subtotals = next(o for o in run["outputs"] if o["destination"].endswith("close_subtotals"))
print("\nsubtotals, in US dollars:")
# Folders of periods are called _period=…, which pyarrow would pass over.
rows = pq.read_table(root / subtotals["destination"], ignore_prefixes=["."]).to_pylist()
for row in sorted(rows, key=lambda r: (r["account_group"], r["line_type"])):
    print(
        f"  {row['account_group']:<20}{row['line_type']:<8}"
        f"{row['subtotal_usd']:>16,}{row['line_count']:>6} lines"
    )
