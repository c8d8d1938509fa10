"""The recipe of a whole close, against figures that are computed here without Rowbook: to the
cent, with pools, keys and months drawn by chance."""

from __future__ import annotations

import csv
import random
import shutil
from collections import defaultdict
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from pyspark.sql import SparkSession

from rowbook import Workspace
from tests.support.paths import ROOT

RECIPE = ROOT / "examples" / "recipes" / "full_close"
POOLS = ("FACILITIES", "IT", "HR")
CENTERS = tuple((f"C{n}", ("DE", "US", "FR")[n % 3]) for n in range(7))
TYPES = ("staff", "rent", "energy", "licences")
MONTHS = (*(f"2025-{n:02}" for n in range(1, 13)), "2026-01", "2026-02")


class Line(NamedTuple):
    month: str
    entity: str
    center: str
    kind: str
    cents: int


class Key(NamedTuple):
    month: str
    pool: str
    center: str
    entity: str
    units: int


def drawn(seed: int) -> tuple[list[Line], list[Key], list[Line]]:
    pick = random.Random(seed)
    lines, keys, budget = [], [], []
    for month in MONTHS:
        for center, entity in (*((pool, "DE") for pool in POOLS), *CENTERS):
            kinds = pick.sample(TYPES, 3)
            lines += [Line(month, entity, center, k, pick.randint(-999, 99_999)) for k in kinds]
        for n, pool in enumerate(POOLS):
            users = [*((later, "DE") for later in POOLS[n + 1 :]), *CENTERS]
            units = [pick.choice((0, 1, 1, 2, 3, 7)) for _ in users]
            if not any(units):
                units[-1] = 1
            keys += [Key(month, pool, *user, n) for user, n in zip(users, units, strict=True)]
        budget += [
            Line(month, e, c, pick.choice(TYPES), pick.randint(0, 9_999)) for c, e in CENTERS
        ]
    return lines, keys, budget


def parts(cents: int, keys: list[Key]) -> Iterator[tuple[Key, int]]:
    """Rounded half up; what is left goes to the largest units, of equal ones by name."""
    whole = sum(key.units for key in keys)
    shares = [Fraction(abs(cents) * key.units, whole) for key in keys]
    found = [
        int(Decimal(s.numerator * 10 // s.denominator).scaleb(-1).quantize(0, ROUND_HALF_UP))
        for s in shares
    ]
    order = sorted(range(len(keys)), key=lambda i: (-keys[i].units, keys[i].center))
    missing = abs(cents) - sum(found)
    for i in order[: abs(missing)]:
        found[i] += 1 if missing > 0 else -1
    for key, part in zip(keys, found, strict=True):
        yield key, part if cents > 0 else -part


def closed(lines: list[Line], keys: list[Key]) -> list[Line]:
    for pool in POOLS:
        sent = [line for line in lines if line.center == pool]
        lines = [line for line in lines if line.center != pool]
        for line in sent:
            users = [key for key in keys if (key.month, key.pool) == (line.month, pool)]
            for key, cents in parts(line.cents, users):
                lines.append(Line(line.month, key.entity, key.center, line.kind, cents))
    return lines


Figures = dict[tuple[str | None, ...], tuple[int, int, int, int]]


def expected(lines: list[Line], budget: list[Line], month: str) -> Figures:
    """Actual, budget, last month and year to date in cents, by level and keys."""
    before = MONTHS[MONTHS.index(month) - 1]
    found: dict[tuple[str | None, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for is_budget, line in (*((False, x) for x in lines), *((True, x) for x in budget)):
        counts = (
            not is_budget and line.month == month,
            is_budget and line.month == month,
            not is_budget and line.month == before,
            not is_budget and month[:4] == line.month[:4] and line.month <= month,
        )
        for key in (
            ("cost center", line.entity, line.center, line.kind),
            ("entity", line.entity, None, line.kind),
            ("group", None, None, None),
        ):
            for n, does in enumerate(counts):
                found[key][n] += does * line.cents
    return {key: (a, b, c, d) for key, (a, b, c, d) in found.items() if any((a, b, c, d))}


def write(folder: Path, name: str, header: str, rows: list[Line] | list[Key]) -> None:
    for path in (folder / "data" / name).iterdir():
        path.unlink()
    for month in MONTHS:
        with (folder / "data" / name / f"{month}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(header.split(","))
            for row in rows:
                if row.month == month:
                    *texts, last = row[1:]
                    amount = Decimal(last).scaleb(-2) if isinstance(row, Line) else last
                    writer.writerow([*texts, amount])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(RECIPE, tmp_path / "books"))


def test_the_recipe_is_short() -> None:
    project = (RECIPE / "projects" / "full_close.yaml").read_text(encoding="utf-8")
    assert len(project.splitlines()) <= 120


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("number", "month"),
    [
        pytest.param(1, "2025-12", marks=pytest.mark.campaign),
        (2, "2026-01"),
        (3, "2026-02"),
    ],
)
def test_every_figure_is_the_one_that_is_computed_otherwise(
    number: int, month: str, folder: Path, spark: SparkSession
) -> None:
    lines, keys, budget = drawn(number)
    write(folder, "ledger", "entity,cost_center,cost_type,amount", lines)
    write(folder, "keys", "pool,cost_center,entity,units", keys)
    write(folder, "budget", "entity,cost_center,cost_type,amount", budget)
    since = MONTHS[max(0, MONTHS.index(month) - 12)]
    right = expected(closed([x for x in lines if since <= x.month <= month], keys), budget, month)
    with Workspace.open(folder, spark=spark) as workspace:
        run = workspace.run("full_close", month, draft=True)
        rows = workspace.output_rows(run.run_id, output="totals", limit=10_000).found.rows
    columns = ("actual", "budget", "last_month", "year_to_date")
    found: Figures = {}
    for row in rows:
        a, b, c, d = (int(row[name] * 100) for name in columns)
        assert row["over_budget"] == row["actual"] - row["budget"]
        assert row["change"] == row["actual"] - row["last_month"]
        if any((a, b, c, d)):
            found[row["level"], row["entity"], row["cost_center"], row["cost_type"]] = a, b, c, d
    assert found == right
