"""A figure explained: its terms gathered into lines that add up to it, and what is not in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from rowbook.expressions.types import Kind, Type
from rowbook.expressions.values import EXACT, Value
from rowbook.planning.columns import ROW_ID
from rowbook.proof.absences import AbsenceFinder, Reason
from rowbook.proof.explanation import (
    Absence,
    ContributingRow,
    Contribution,
    Explanation,
    FormulaPart,
    JoinedShare,
)
from rowbook.proof.figure import Figure, total_of
from rowbook.proof.life_story import cell_value, step_words
from rowbook.proof.replay import Replay, SourceKey, SourceRow
from rowbook.proof.rule_slices import JoinUse
from rowbook.proof.terms import ENTRY, Term, exact
from rowbook.reference.loading.load_faults import key_columns
from rowbook.reference.working_rows import seen
from rowbook.value_class import dataclass

_MORE_DIGITS = 6
"""Digits that a share without an end has beyond those of the figure."""
_MOST_PLACES = 3
_NEAR = Fraction(1, 10**9)


@dataclass(frozen=True, slots=True)
class RunLabel:
    """The run that a figure is of."""

    run_id: str
    project: str
    version: int | None
    period: str
    output: str


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """`group_by` are columns to gather contributions by, instead of the operations that made them;
    `limit` is how many rows are listed; `is_wanted` which of the rows that are not in it are of
    interest."""

    group_by: tuple[str, ...] = ()
    limit: int = 10
    is_wanted: Callable[[SourceRow], bool] = lambda _: True


def explain_figure(figure: Figure, run: RunLabel, options: ExplainOptions) -> Explanation:
    lines = _Lines(figure, options)
    terms, value = figure.terms, figure.value
    ties = _ties(terms, value)
    contributions = lines.contributions(terms, value if ties else None)
    amounts = [each.amount for each in contributions if each.amount is not None]
    total = total_of(amounts) if amounts else None
    if figure.type.is_numeric and total is None and value is not None:
        total = lines.amount(Fraction())
    twice = counted_twice(terms)
    largest = lines.largest(terms)
    return Explanation(
        run.run_id,
        run.project,
        run.version,
        run.period,
        run.output,
        figure.column,
        value,
        len(figure.numbers),
        figure.formula,
        contributions,
        total if figure.type.is_numeric else value,
        ties,
        len(twice),
        tuple(largest[: options.limit]),
        max(len(largest) - options.limit, 0),
        tuple(lines.joined(terms)),
        tuple(lines.absences()),
        tuple(
            FormulaPart(piece.formula, piece.value, lines.contributions(piece.terms, piece.value))
            for piece in figure.finder.notes.pieces
        ),
        warnings=tuple(_warnings(figure, len(twice))),
    )


def counted_twice(terms: Iterable[Term]) -> frozenset[SourceKey]:
    """The rows of sources that got into a figure on two ways: by themselves and in a total, or in
    two totals. What an append books of a row is not the row again."""
    ways: defaultdict[SourceKey, set[tuple[object, ...]]] = defaultdict(set)
    for term in terms:
        if term.amount and not any(level == ENTRY for _, level in term.path):
            for source in term.sources:
                ways[source.key].add(term.path)
    return frozenset(key for key, paths in ways.items() if len(paths) > 1)


def _ties(terms: Sequence[Term], value: Value) -> bool:
    total, wanted = sum((term.amount for term in terms), Fraction()), exact(value)
    if wanted is None:
        return not total
    if isinstance(value, float):
        return abs(total - wanted) <= _NEAR * max(Fraction(1), abs(wanted))
    return total == wanted


def _warnings(figure: Figure, twice: int) -> Iterator[str]:
    if twice:
        rows = "row is" if twice == 1 else "rows are"
        yield f"{twice:,} {rows} counted twice: in a total, and beside it or in another"
    for seq, alias in sorted(figure.finder.notes.windows):
        words = step_words(figure.replay.step_at(seq).step)
        yield f"window '{alias}' of {words} read other rows of its group"
    if figure.finder.notes.pieces:
        yield "the formula is no sum of shares: its parts are explained one by one"


@dataclass(frozen=True, slots=True)
class _Lines:
    figure: Figure
    options: ExplainOptions

    @property
    def replay(self) -> Replay:
        return self.figure.replay

    def amount(self, exactly: Fraction) -> Value:
        return amount_value(exactly, self.figure.type)

    def contributions(self, terms: Sequence[Term], value: Value) -> tuple[Contribution, ...]:
        """Where they add up to a value, what rounding for people leaves goes to the line of
        rounding."""
        groups: dict[tuple[object, ...], list[Term]] = {}
        for term in terms:
            groups.setdefault(self._group_key(term), []).append(term)
        found = [self._contribution(group) for group in groups.values()]
        found.sort(key=lambda each: (each.dataset is None, -abs(exact(each.amount) or 0)))
        wanted, shown = exact(value), Fraction()
        for each in found:
            shown += exact(each.amount) or 0
        missing = Fraction() if wanted is None or isinstance(value, float) else wanted - shown
        if missing:
            rounding = [each for each in found if each.keys.get("line") == "rounding"]
            missing += sum((exact(each.amount) or 0 for each in rounding), Fraction())
            found = [each for each in found if each not in rounding]
            if missing:
                found.append(Contribution(None, (), {"line": "rounding"}, 0, self.amount(missing)))
        return tuple(found)

    def largest(self, terms: Sequence[Term]) -> list[ContributingRow]:
        amounts: dict[SourceKey, Fraction] = {}
        rows: dict[SourceKey, Term] = {}
        shared = set[SourceKey]()
        for term in terms:
            for source in term.sources:
                rows.setdefault(source.key, term)
                if len(term.sources) == 1:
                    amounts[source.key] = amounts.get(source.key, Fraction()) + term.amount
                else:
                    shared.add(source.key)
        sources = {s.key: s for term in terms for s in term.sources}
        order = sorted(rows, key=lambda key: -abs(amounts.get(key, Fraction())))
        return [
            self._row(
                sources[key],
                rows[key],
                amounts.get(key, None if key in shared else Fraction()),
            )
            for key in order
        ]

    def joined(self, terms: Sequence[Term]) -> Iterator[JoinedShare]:
        uses: dict[tuple[str, SourceKey], list[tuple[JoinUse, Term]]] = {}
        for term in terms:
            for use in term.slice.joined:
                uses.setdefault((use.alias, use.source.key), []).append((use, term))
        shares = [self._share(alias, found) for (alias, _), found in uses.items()]
        shares.sort(key=lambda each: (each.alias, -each.rows, each.place or ""))
        yield from shares

    def absences(self) -> Iterator[Absence]:
        reasons = AbsenceFinder(self.figure).reasons(self.options.is_wanted)
        groups: dict[tuple[str, int | None], list[tuple[SourceKey, Reason]]] = {}
        for key, reason in reasons.items():
            groups.setdefault((reason.text, reason.seq), []).append((key, reason))
        order = sorted(groups.items(), key=lambda each: (-len(each[1]), each[0][0]))
        for (text, seq), found in order:
            amounts = [reason.amount for _, reason in found if exact(reason.amount) is not None]
            places = tuple(self.replay.sources[key].place for key, _ in found[:_MOST_PLACES])
            yield Absence(text, seq, len(found), total_of(amounts) if amounts else None, places)

    def _group_key(self, term: Term) -> tuple[object, ...]:
        if not term.sources:
            return (term.line,)
        made_by = () if self.options.group_by else tuple(sorted(term.slice.operations))
        return self._dataset(term), made_by, *self._keys(term).items()

    def _contribution(self, terms: Sequence[Term]) -> Contribution:
        first = terms[0]
        amount = sum((term.amount for term in terms), Fraction())
        if not first.sources:
            return Contribution(None, (), {"line": first.line}, 0, self.amount(amount))
        operations = sorted({seq for term in terms for seq in term.slice.operations})
        rows = {source.key for term in terms for source in term.sources}
        value = self.amount(amount) if self.figure.type.is_numeric else None
        return Contribution(
            self._dataset(first), tuple(operations), self._keys(first), len(rows), value
        )

    def _dataset(self, term: Term) -> str:
        return " + ".join(sorted({source.dataset.name for source in term.sources}))

    def _keys(self, term: Term) -> Mapping[str, Value]:
        return {name: self._column(term, name) for name in self.options.group_by}

    def _column(self, term: Term, name: str) -> Value:
        """Of the row that brought it, or of its sources, if they agree."""
        if term.life is not None:
            row = self.replay.row_before(term.life, term.index)
            if name in row:
                return seen(row[name])
        values = [source.values.get(name) for source in term.sources]
        return values[0] if all(value == values[0] for value in values) else None

    def _row(self, source: SourceRow, term: Term, amount: Fraction | None) -> ContributingRow:
        is_own = term.life is not None and len(term.sources) == 1
        row_id = None
        if is_own and term.life is not None:
            row_id = str(seen(self.replay.lives[term.life].row[ROW_ID]))
        names = key_columns(source.dataset, {name: name for name in source.values})
        shown = None if amount is None or not self.figure.type.is_numeric else self.amount(amount)
        values = {name: source.values[name] for name in names}
        return ContributingRow(source.place, row_id, values, shown, source.dataset.name)

    def _share(self, alias: str, found: Sequence[tuple[JoinUse, Term]]) -> JoinedShare:
        use = found[0][0]
        natural = use.dataset.definition.natural_key_columns
        names = dict.fromkeys((*natural, *sorted({each.column for each, _ in found})))
        values = {n: cell_value(use.source.values[n]) for n in names if n in use.source.values}
        terms = {id(term): term for _, term in found}.values()
        rows = {source.key for term in terms for source in term.sources}
        amount = sum((term.amount for term in terms), Fraction())
        value = self.amount(amount) if self.figure.type.is_numeric else None
        return JoinedShare(alias, use.source.place, values, len(rows), value)


def amount_value(exactly: Fraction, kind: Type) -> Value:
    """An amount as people read it: all its digits, or some more than the figure has where it has no
    end."""
    if kind.kind is Kind.FLOAT:
        return float(exactly)
    if kind.kind is Kind.INTEGER and exactly.denominator == 1:
        return int(exactly)
    rest = exactly.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    value = EXACT.divide(Decimal(exactly.numerator), Decimal(exactly.denominator))
    digits = kind.scale if kind.kind is Kind.DECIMAL else 0
    own = -int(value.as_tuple().exponent) if rest == 1 else digits + _MORE_DIGITS
    wanted = max(digits, min(own, digits + 2 * _MORE_DIGITS))
    return EXACT.quantize(value, Decimal((0, (1,), -wanted)))
