"""A figure of very many rows, explained by what rows have in common that a run treated alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from rowbook.expressions.bound import Bound, columns
from rowbook.expressions.bound_text import rule_text
from rowbook.expressions.types import Type
from rowbook.expressions.values import Value
from rowbook.planning.project_plan import ProjectPlan
from rowbook.planning.steps import AggregateStep, AppendStep, DeleteStep, UpdateStep
from rowbook.proof.backward.figure_stage import FigureStage
from rowbook.proof.backward.mark_slices import MarkedRow, MarkSlice
from rowbook.proof.backward.row_patterns import FigurePatterns, LargeRow, RowPattern
from rowbook.proof.explain_figure import RunLabel, amount_value
from rowbook.proof.explanation import (
    Absence,
    ContributingRow,
    Contribution,
    Explanation,
    JoinedShare,
)
from rowbook.proof.life_story import step_words
from rowbook.proof.terms import exact
from rowbook.reference.loading.load_faults import row_place
from rowbook.reference.working_rows import text_of
from rowbook.text.visible import number as counted
from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class ManyRows:
    """What Spark found of a figure: a column of rows that `where` is TRUE for. `origin` names the
    place of the input's rows."""

    plan: ProjectPlan
    found: FigurePatterns
    column: str
    where: Bound | None
    type: Type
    origin: str

    def explanation(self, run: RunLabel, figure: Value, *, by_columns: bool) -> Explanation:
        """Of what was published; `by_columns`: contributions are gathered by what rows have in
        common, not by the operations that made them."""
        lines = tuple(self._contributions(by_columns=by_columns))
        total = sum((exact(each.amount) or Fraction() for each in lines), Fraction())
        inside = sum(each.valued for each in self._inside)
        return Explanation(
            run.run_id,
            run.project,
            run.version,
            run.period,
            run.output,
            self.column,
            figure,
            self.found.rows,
            self.formula,
            lines,
            self._amount(total),
            total == (exact(figure) or Fraction()),
            largest=tuple(map(self._large_row, self.found.largest)),
            more_rows=max(inside - len(self.found.largest), 0),
            joined=tuple(self._joined()),
            not_in=tuple(self._absences()),
        )

    @property
    def _inside(self) -> Iterator[RowPattern]:
        return (each for each in self.found.patterns if each.state == "inside")

    @property
    def _leaf(self) -> FigureStage:
        return self.found.stages[-1]

    @property
    def formula(self) -> str:
        first, *summed = self.found.stages
        if not summed:
            return f"SUM({self.column}) of {counted(self.found.rows, 'row')} of the output"
        step = summed[0].step
        assert isinstance(step, AggregateStep)
        results = {each.column: each.expression for each in step.results}
        name = next(name for _, name in columns(first.measure))
        rows = sum(each.rows for each in self._inside)
        if len(summed) > 1:
            return f"{rule_text(results[name])} by {step_words(step)}, of totals"
        return f"{rule_text(results[name])} of {counted(rows, 'row')} by {step_words(step)}"

    def _amount(self, exactly: Fraction) -> Value:
        return amount_value(exactly, self.type)

    def _row(self, pattern: RowPattern) -> MarkedRow:
        return MarkedRow(self.plan.steps, pattern.met, self._append(pattern.appended))

    def _append(self, seq: int | None) -> AppendStep | None:
        found = (each for each in self.plan.steps if each.seq == seq)
        return next((each for each in found if isinstance(each, AppendStep)), None)

    def _dataset(self, seq: int | None) -> str:
        step = self._append(seq)
        return step.source.name if step and step.source else self.plan.input.name

    def _slice(self, pattern: RowPattern) -> MarkSlice:
        """What made what a row adds, and where it is counted."""
        row, leaf = self._row(pattern), self._leaf
        seqs = (stage.step.seq for stage in self.found.stages[1:])
        found = MarkSlice(frozenset(seqs))
        if not leaf.as_one:
            found |= row.tree(leaf.measure, leaf.step.seq)
        if leaf.level is None or not isinstance(leaf.step, AggregateStep):
            names = {name for _, name in columns(self.where)} if self.where else set[str]()
            return found | row.columns(sorted(names), leaf.step.seq)
        computed = {each.column: each.expression for each in leaf.step.key_values}
        for key in leaf.level.keys:
            tree = computed.get(key)
            found |= (
                row.columns([key], leaf.step.seq) if tree is None else row.tree(tree, leaf.step.seq)
            )
        return found

    def _contributions(self, *, by_columns: bool) -> Iterator[Contribution]:
        groups: dict[tuple[object, ...], list[tuple[RowPattern, frozenset[int]]]] = {}
        for each in self._inside:
            if each.valued:
                made_by = self._slice(each).operations
                key = () if by_columns else tuple(sorted(made_by))
                keyed = (self._dataset(each.appended), key, *each.keys.items())
                groups.setdefault(keyed, []).append((each, made_by))
        found = []
        for alike in groups.values():
            first = alike[0][0]
            operations = sorted({seq for _, made_by in alike for seq in made_by})
            amount = sum((exact(each.amount) or Fraction() for each, _ in alike), Fraction())
            rows = sum(each.valued for each, _ in alike)
            dataset = self._dataset(first.appended)
            found.append(
                Contribution(dataset, tuple(operations), first.keys, rows, self._amount(amount))
            )
        found.sort(key=lambda each: -abs(exact(each.amount) or Fraction()))
        yield from found

    def _large_row(self, row: LargeRow) -> ContributingRow:
        dataset = self._dataset(row.appended)
        origin = self.origin if row.appended is None else f"dataset '{dataset}'"
        texts = {n: None if v is None else text_of(v) for n, v in row.values.items()}
        amount = self._amount(exact(row.amount) or Fraction())
        return ContributingRow(row_place(origin, texts), row.row_id, row.values, amount, dataset)

    def _joined(self) -> Iterator[JoinedShare]:
        shares: dict[tuple[object, ...], JoinedShare] = {}
        for each in self._inside:
            used = self._slice(each).joined
            for (seq, alias), values in each.joined.items():
                if (seq, alias) not in used or not each.valued:
                    continue
                key, nothing = (alias, *values.items()), self._amount(Fraction())
                before = shares.get(key) or JoinedShare(alias, None, values, 0, nothing)
                amount = (exact(before.amount) or Fraction()) + (exact(each.amount) or Fraction())
                shares[key] = replace(
                    before, rows=before.rows + each.valued, amount=self._amount(amount)
                )
        yield from sorted(shares.values(), key=lambda each: (each.alias, -each.rows))

    def _absences(self) -> Iterator[Absence]:
        found: dict[tuple[str, int | None], list[tuple[int, Value]]] = {}
        for each in self.found.patterns:
            if each.state != "inside":
                found.setdefault(self._reason(each), []).append((each.rows, each.amount))
            elif each.rows > each.valued:
                seq = None if self._leaf.level is None else self._leaf.step.seq
                found.setdefault(("its value is NULL", seq), []).append(
                    (each.rows - each.valued, None)
                )
        for (reason, seq), rows in self._not_appended():
            found.setdefault((reason, seq), []).append((rows, None))
        order = sorted(found.items(), key=lambda each: (-sum(n for n, _ in each[1]), each[0][0]))
        for (text, seq), parts in order:
            amounts = [amount for _, value in parts if (amount := exact(value)) is not None]
            total = self._amount(sum(amounts, Fraction())) if amounts else None
            yield Absence(text, seq, sum(rows for rows, _ in parts), total)

    def _not_appended(self) -> Iterator[tuple[tuple[str, int | None], int]]:
        for each in self.found.appended:
            step = self._append(each.seq)
            assert step is not None
            words = step_words(step)
            label = "added by" if step.keys is None else "in totals of"
            said = {
                f"{label} {words}": each.taken,
                f"not in the source selector of {words}": each.not_chosen,
                f"the source selector of {words} is NULL for it": each.not_known,
            }
            yield from (((text, each.seq), rows) for text, rows in said.items() if rows)

    def _reason(self, pattern: RowPattern) -> tuple[str, int | None]:
        step = self._leaf.step
        words = step_words(step)
        match pattern.state:
            case "deleted":
                return self._deletion(pattern)
            case "not known":
                return f"the condition of {words} is NULL for it", step.seq
            case "not chosen":
                return f"not chosen by {words}", step.seq
        names = sorted({name for _, name in columns(self.where)}) if self.where else []
        makers = {name: self._maker(pattern, name) for name in names}
        said = ", ".join(
            f"{name} {'as read' if maker is None else f'by {step_words(maker)}'}"
            for name, maker in makers.items()
        )
        label = "in another group" if self._leaf.level else "another row of the output"
        seq = next((maker.seq for maker in makers.values() if maker is not None), None)
        return f"{label}: {said}" if said else label, seq

    def _deletion(self, pattern: RowPattern) -> tuple[str, int | None]:
        for step in self.plan.steps:
            if isinstance(step, DeleteStep) and step.seq in pattern.met:
                return f"deleted by {step_words(step)}", step.seq
        return "its source has it as deleted", None

    def _maker(self, pattern: RowPattern, name: str) -> UpdateStep | None:
        for step in reversed(self.plan.steps):
            met = step.seq < self._leaf.step.seq and step.seq in pattern.met
            given = step.assignments if met and isinstance(step, UpdateStep) else ()
            if isinstance(step, UpdateStep) and any(each.column == name for each in given):
                return step
        return None
