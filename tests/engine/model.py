"""A second opinion: what the five operations mean, on lists of dicts, without Spark.

It follows the plan's steps with the plain-Python evaluator, one row at a time, in the most obvious
way. Row ids are left out: they are tested for what they promise, not for their value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rowbook.errors import RowbookError
from rowbook.expressions.bound import Bound
from rowbook.expressions.evaluate import Moment, evaluate, evaluate_aggregate
from rowbook.planning.columns import Columns
from rowbook.planning.datasets import Dataset, Join
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.run_context import RunContext
from rowbook.planning.steps import (
    AggregateStep,
    AnyStep,
    AppendStep,
    DeleteStep,
    OutputStep,
    UpdateStep,
)

Row = dict[str, Any]
Tables = Mapping[str, list[Row]]


@dataclass
class Model:
    """A run on lists of dicts; `counts` is (matched, added) by seq."""

    plan: ProjectPlan
    context: RunContext
    tables: Tables
    counts: dict[int, tuple[int, int]] = field(default_factory=dict)
    outputs: dict[int, list[Row]] = field(default_factory=dict)

    def run(self) -> list[Row]:
        rows = [self._system(row, self.plan.input, None) for row in self._read(self.plan.input)]
        rows = [self._padded(row, self.plan.columns) for row in rows]
        for step in self.plan.steps:
            rows = self._apply(step, rows)
        return rows

    def _apply(self, step: AnyStep, rows: list[Row]) -> list[Row]:
        match step:
            case UpdateStep():
                return self._update(step, rows)
            case DeleteStep():
                return self._delete(step, rows)
            case AggregateStep():
                return self._aggregate(step, rows)
            case AppendStep():
                return self._append(step, rows)
            case OutputStep():
                seen = rows if step.include_deleted else [r for r in rows if not r["_deleted"]]
                picked = [
                    r for r in seen if self._matches(step.selector, self._joined(r, step.joins))
                ]
                self.outputs[step.seq] = [self._written(r, step) for r in picked]
                return rows

    def _written(self, row: Row, step: OutputStep) -> Row:
        """A NULL `_period` is written as the run's."""
        kept = {n: row[n] for n in step.written if n != "_row_id"}
        if "_period" in kept and kept["_period"] is None:
            kept["_period"] = self.context.period.identifier
        return kept

    def _update(self, step: UpdateStep, rows: list[Row]) -> list[Row]:
        after, matched = [], 0
        for row in rows:
            new = self._padded(row, step.columns)
            if not row["_deleted"]:
                wide = self._joined(row, step.joins)
                if self._matches(step.selector, wide):
                    matched += 1
                    for result in step.assignments:
                        new[result.column] = self._value(result.expression, wide)
                    new["_updated_at"] = self.context.now
            after.append(new)
        self.counts[step.seq] = (matched, 0)
        return after

    def _delete(self, step: DeleteStep, rows: list[Row]) -> list[Row]:
        after, matched = [], 0
        for row in rows:
            hit = not row["_deleted"] and self._matches(
                step.selector, self._joined(row, step.joins)
            )
            matched += hit
            after.append({**row, "_deleted": True, "_updated_at": self.context.now} if hit else row)
        self.counts[step.seq] = (matched, 0)
        return after

    def _aggregate(self, step: AggregateStep, rows: list[Row]) -> list[Row]:
        visible = [self._joined(r, step.joins) for r in rows if not r["_deleted"]]
        picked = [wide for wide in visible if self._matches(step.selector, wide)]
        added = self._groups(step, step.keys, picked, self.plan.input)
        self.counts[step.seq] = (len(picked), len(added))
        return [self._padded(r, step.columns) for r in rows] + added

    def _append(self, step: AppendStep, rows: list[Row]) -> list[Row]:
        source = [r for r in self._read(step.source) if not r.get("_deleted")]
        wide = [self._joined(r, step.joins) for r in source]
        picked = [w for w in wide if self._matches(step.selector, w)]
        if step.keys is not None:
            added = self._groups(step, step.keys, picked, step.source)
            for row in added:
                if "_period" in step.columns.fields and "_period" not in step.keys:
                    row["_period"] = self.context.period.identifier
        else:
            added = []
            for each in picked:
                row = self._system({}, step.source, step.seq)
                for result in step.results:
                    row[result.column] = self._value(result.expression, each)
                if "_period" in step.columns.fields:
                    row["_period"] = each.get((None, "_period"), self.context.period.identifier)
                added.append(self._padded(row, step.columns))
        self.counts[step.seq] = (len(picked), len(added))
        return [self._padded(r, step.columns) for r in rows] + added

    def _groups(
        self,
        step: AggregateStep | AppendStep,
        keys: tuple[str, ...],
        picked: list[dict[tuple[str | None, str], Any]],
        origin: Dataset,
    ) -> list[Row]:
        groups: dict[tuple[Any, ...], list[dict[tuple[str | None, str], Any]]] = {}
        for wide in picked:
            groups.setdefault(tuple(wide[None, key] for key in keys), []).append(wide)
        added = []
        moment = Moment(self.context.now, self.context.period.identifier)
        for key, members in groups.items():
            row = self._system({}, origin, step.seq)
            for name, value in zip(keys, key, strict=True):
                if not name.startswith("_") or name == "_period":
                    row[name] = value
            for result in step.results:
                row[result.column] = evaluate_aggregate(result.expression, members, moment)
            added.append(self._padded(row, step.columns))
        return added

    def _joined(self, row: Row, joins: tuple[Join, ...]) -> dict[tuple[str | None, str], Any]:
        wide: dict[tuple[str | None, str], Any] = {(None, k): v for k, v in row.items()}
        for join in joins:
            candidates = [r for r in self._read(join.dataset) if not r.get("_deleted")]
            matches = []
            for other in candidates:
                both = dict(wide)
                both.update({(join.alias, k): v for k, v in other.items()})
                if self._matches(join.condition, both):
                    matches.append(other)
            if len(matches) > 1:
                raise RowbookError.of("JOIN_005", f"{join.alias} matches {len(matches)} rows")
            found = matches[0] if matches else {}
            for name in join.dataset.readable.fields:
                wide[join.alias, name] = found.get(name)
        return wide

    def _read(self, dataset: Dataset) -> list[Row]:
        return [
            {n: row.get(n) for n in self._names(dataset, row)} for row in self.tables[dataset.name]
        ]

    def _names(self, dataset: Dataset, row: Row) -> list[str]:
        names = list(dataset.readable.fields)
        return names + [n for n in row if n.startswith("_") and n not in names]

    def _system(self, row: Row, origin: Dataset, seq: int | None) -> Row:
        return {
            **row,
            "_source_dataset_id": origin.id,
            "_source_table": origin.table_name,
            "_operation_seq": seq,
            "_created_by_project_id": self.context.project_id,
            "_created_by_run_id": self.context.run_id,
            "_created_at": row.get("_created_at") or self.context.now,
            "_updated_at": row.get("_updated_at") or self.context.now,
            "_deleted": bool(row.get("_deleted")),
            "_labels": row.get("_labels") or "",
        }

    def _padded(self, row: Row, columns: Columns) -> Row:
        return {n: row.get(n) for n in columns.fields if n != "_row_id"}

    def _matches(self, selector: Bound | None, wide: dict[tuple[str | None, str], Any]) -> bool:
        return selector is None or self._value(selector, wide) is True

    def _value(self, tree: Bound, wide: dict[tuple[str | None, str], Any]) -> Any:
        return evaluate(tree, wide, Moment(self.context.now, self.context.period.identifier))
