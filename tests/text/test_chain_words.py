"""The chain as a tree of words."""

from __future__ import annotations

from rowbook.runs.chains.plan_chain import ChainPlan, PlannedLink, PlannedSupply
from rowbook.text.chain_words import chain_size, chain_tree


def link(name: str, *reads: PlannedSupply, runs: bool = True) -> PlannedLink:
    return PlannedLink(name, 1, reads, (), runs, "it is asked for", True)


LEDGER = PlannedSupply("ledger", 3, "close")
PLAN = ChainPlan(
    "report",
    "2026-01",
    (
        link("close", PlannedSupply("gl", 2, None), runs=False),
        link("totals", LEDGER),
        link("report", PlannedSupply("totals", None, "totals"), LEDGER),
    ),
)


def test_a_project_stands_below_what_it_registers_once() -> None:
    assert list(chain_tree(PLAN)) == [
        "report",
        "├─ totals, registered by totals",
        "│  └─ ledger version 3, registered by close",
        "│     └─ gl version 2",
        "└─ ledger version 3, registered by close, as above",
    ]


def test_those_that_would_run_are_counted() -> None:
    assert chain_size(PLAN) == "3 projects, of which 2 would run"
