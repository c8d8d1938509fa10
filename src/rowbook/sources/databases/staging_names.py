"""What the tables are called that an output's rows are staged in.

A name begins like that of no other output, and ends like that of no other attempt: what a dead
attempt asked Spark for may still be written, and shall not get in between.
"""

from __future__ import annotations

import hashlib
import secrets

from rowbook.locations.identifiers import OWN, TableName

ROW = "row"
WITNESS = -1
"""The number of a row that is there before all others; rows that are staged have numbers from 0 on.
"""


def new_stage(schema: str, run_id: str, seq: int) -> TableName:
    return TableName(schema, f"{stage_prefix(run_id, seq)}{secrets.token_hex(4)}")


def stage_prefix(run_id: str, seq: int) -> str:
    digest = hashlib.sha256(f"{run_id} {seq}".encode()).hexdigest()
    return f"{OWN}stage_{digest[:24]}_"
