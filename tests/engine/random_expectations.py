"""Expectations of random projects and their datasets, of every form and at every point."""

from __future__ import annotations

import random
import re

from tests.engine.random_expressions import Maker

_KEYS = ("s", "k", "b", "d", "f")
_MEASURES = ("SUM(m)", "COUNT(*)", "MAX_AGG(d)", "COUNT(w)", "SUM(i)", "AVG(r)", "SUM(f)")
_CLAIMS = {
    "SUM(m)": "SUM(m) >= 0",
    "COUNT(*)": "COUNT(*) BETWEEN 1 AND 3",
    "MAX_AGG(d)": "MAX_AGG(d) > DATE('2026-01-31')",
    "COUNT(w)": "COUNT(w) = COUNT(*)",
    "SUM(i)": "SUM(i * 1024) > 5",
    "AVG(r)": "AVG(r) < 1.5",
    "SUM(f)": "SUM(f) <> 1.5",
}
_COMPARED = {
    "SUM(m)": "SUM(m) = SUM(o.m)",
    "COUNT(*)": "COUNT(*) >= COUNT(o.w)",
    "SUM(i)": "SUM(i) <= SUM(o.i) + 5",
}
_OF_DATASETS = {
    "extra": ("that: 'm IS NOT NULL'", "unique: [s, k]", "by: [s], that: 'SUM(m) >= 0'"),
    "names": ("that: \"label = 'one' OR rate > 0\"", "that: 'COUNT(*) > 2'"),
}


def with_expectations(project: str, pick: random.Random, maker: Maker) -> str:
    """The project, now and then with expectations; they take rows out of it where they may."""
    if pick.random() < 0.5:
        return project
    seqs = [int(seq) for seq in re.findall(r"- seq: (\d+)", project)]
    outputs = [int(seq) for seq in re.findall(r"- seq: (\d+)\n.*\n      type: output", project)]
    made = [_expectation(n, pick, maker, seqs, outputs) for n in range(pick.randint(1, 5))]
    lines = ["  quarantine: {location: {path: quarantine}}", "  expectations:", *made]
    return project.replace("  operations:\n", "\n".join((*lines, "  operations:\n")), 1)


def with_dataset_expectations(workspace: str, pick: random.Random) -> str:
    """The datasets, now and then with expectations where they are loaded."""
    for name, claims in _OF_DATASETS.items():
        if pick.random() < 0.3:
            claim = pick.choice(claims)
            otherwise = "warn" if "COUNT" in claim else pick.choice(("warn", "quarantine"))
            said = f"{{name: of {name}, {claim}, otherwise: {otherwise}}}"
            opening = f"dataset:\n  name: {name}\n"
            workspace = workspace.replace(opening, f"{opening}  expectations: [{said}]\n")
    return workspace


def _expectation(
    number: int, pick: random.Random, maker: Maker, seqs: list[int], outputs: list[int]
) -> str:
    point = pick.choice(("input", "end", *map(str, seqs), *(f"{{output: {o}}}" for o in outputs)))
    said = [f"name: claim {number}", f"at: {point}"]
    form = pick.choice(("row", "row", "row", "unique", "group", "group", "all", "compared"))
    takes = form in ("row", "unique", "group") and (point == "input" or point.isdigit())
    if pick.random() < 0.4:
        said.append(f"selector: {_quoted(_condition(pick, maker))}")
    match form:
        case "row":
            said.append(f"that: {_quoted(_condition(pick, maker))}")
        case "unique":
            said.append(f"unique: [{', '.join(pick.sample(_KEYS, 2))}]")
        case "group":
            said.append(f"by: [{', '.join(pick.sample(_KEYS, pick.randint(1, 2)))}]")
            said.append(f"that: {_quoted(_CLAIMS[pick.choice(_MEASURES)])}")
        case "all":
            said.append(f"that: {_quoted(_CLAIMS[pick.choice(_MEASURES)])}")
        case "compared":
            other = pick.choice(("at: input", "at: end", "dataset_id: extra"))
            said.append(f"against: {{alias: o, {other}}}")
            if pick.random() < 0.6:
                said.append(f"by: [{pick.choice(_KEYS[:3])}]")
            said.append(f"that: {_quoted(pick.choice(list(_COMPARED.values())))}")
    if takes and pick.random() < 0.5:
        said.append("otherwise: quarantine")
        if pick.random() < 0.3:
            said.append(f"whole: [{pick.choice(_KEYS[:3])}]")
        if form == "row" and pick.random() < 0.3:
            said.append("tolerate: {rows: 2, share: 0.5}")
    elif pick.random() < 0.2:
        said.append("include_deleted: true")
    return f"    - {{{', '.join(said)}}}"


def _condition(pick: random.Random, maker: Maker) -> str:
    condition = maker.make("bool", 2)
    if pick.random() < 0.2:
        return f"names.label = 'one' OR {condition}"
    return "i * 1024 > 5" if pick.random() < 0.1 else condition


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
