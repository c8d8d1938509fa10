"""What became of a scenario's expectations, by what an engine saw of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rowbook.expectations.judgement import judge
from rowbook.expectations.observation import Observation
from rowbook.expectations.stop_messages import stop_diagnostics
from rowbook.expressions.scope import Field
from rowbook.expressions.values import Value
from rowbook.planning.columns import ROW_ID
from rowbook.planning.expectations.expectation_plan import Expectation
from rowbook.planning.scenario_expectations.sample_fields import measure_fields, sample_fields
from rowbook.planning.scenario_expectations.scenario_plan import is_named
from rowbook.reference.outputs import WrittenTable
from rowbook.scenarios.outcome import Outcome, SampledVerdict
from rowbook.scenarios.scenario_run import ScenarioRun


def with_verdicts(
    outcome: Outcome,
    run: ScenarioRun,
    observations: Sequence[tuple[Expectation, Observation]],
    quarantine: Sequence[Mapping[str, Value]],
) -> Outcome:
    """EXPECT_101 where one stops the run that the scenario does not name: what it names is compared
    with what it says. `quarantine` are the rows of the quarantine table."""
    model, step = run.entry.model, run.plan.quarantine
    judged = tuple(
        SampledVerdict(
            judge(each, seen, run.context.moment, model.history.get(each.name)),
            _table(sample_fields(run.plan, each), _samples(seen)),
            _table(measure_fields(each), [seen.measures]),
        )
        for each, seen in observations
    )
    taken = None
    if step is not None:
        fields = tuple(step.columns.fields[name] for name in step.written)
        taken = WrittenTable(fields, tuple(quarantine))
    stops = stop_diagnostics(
        [
            found.verdict
            for found, (each, _) in zip(judged, observations, strict=True)
            if model.expect.error is not None or not _is_compared(run, each)
        ]
    )
    if stops:
        return Outcome(errors=stops, verdicts=judged, quarantined=taken)
    return replace(outcome, verdicts=judged, quarantined=taken)


def _is_compared(run: ScenarioRun, expectation: Expectation) -> bool:
    expect = run.entry.model.expect
    return expect.looks_at_all or is_named(expect, expectation)


def _samples(seen: Observation) -> list[Mapping[str, Value]]:
    return [{ROW_ID: each.row_id, **each.values} for each in seen.samples]


def _table(fields: Mapping[str, Field], rows: Sequence[Mapping[str, Value]]) -> WrittenTable:
    return WrittenTable(
        tuple(fields.values()), tuple({name: row.get(name) for name in fields} for row in rows)
    )
