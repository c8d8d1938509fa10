from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, replace

import pytest

from rowbook.value_class import dataclass


@dataclass(frozen=True, slots=True)
class Amount:
    value: int
    currency: str = "EUR"
    labels: list[str] = field(default_factory=list)
    note: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
    length: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "length", self.end - self.start)


@dataclass(frozen=True, slots=True)
class NamedSpan(Span):
    name: str = "whole"


@dataclass(frozen=True, slots=True)
class Nothing:
    pass


def test_a_value_is_made_by_position_by_name_and_from_defaults() -> None:
    assert Amount(3) == Amount(value=3, currency="EUR", labels=[])
    assert Amount(3, "USD").currency == "USD"


def test_each_value_has_a_default_of_its_own() -> None:
    Amount(1).labels.append("seen")
    assert Amount(1).labels == []


def test_a_missing_field_is_named() -> None:
    with pytest.raises(TypeError, match=r"Amount\.__init__\(\) missing .* 'value'"):
        Amount()  # type: ignore[call-arg]


def test_values_are_equal_by_the_fields_that_are_compared() -> None:
    assert Amount(1, note="a") == Amount(1, note="b")
    assert Amount(1) != Amount(2)
    assert Amount(1).__eq__(1) is NotImplemented
    assert Span(0, 1) != NamedSpan(0, 1)
    assert Nothing() == Nothing()


def test_equal_values_have_one_hash() -> None:
    assert len({Span(0, 2), Span(0, 2), Span(1, 2)}) == 2
    assert hash(Nothing()) == hash(Nothing())


def test_a_value_cannot_be_changed() -> None:
    span = Span(0, 2)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'end'"):
        span.end = 3  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'end'"):
        del span.end


def test_a_value_is_printed_with_its_fields() -> None:
    assert repr(Amount(1, note="hidden")) == "Amount(value=1, currency='EUR', labels=[])"


def test_fields_follow_from_fields_and_from_the_class_above() -> None:
    named = NamedSpan(1, 4, "part")
    assert (named.length, named.name) == (3, "part")


def test_a_value_is_a_dataclass_for_all_who_ask() -> None:
    assert [each.name for each in dataclasses.fields(Span)] == ["start", "end", "length"]
    assert dataclasses.asdict(Span(0, 2)) == {"start": 0, "end": 2, "length": 2}
    assert replace(Amount(1), value=2) == Amount(2)
    match Span(0, 2):
        case Span(start, end):
            assert (start, end) == (0, 2)


def test_values_can_be_copied_and_pickled() -> None:
    for value in (Amount(1, labels=["a"]), NamedSpan(0, 3)):
        assert copy.deepcopy(value) == value
        assert pickle.loads(pickle.dumps(value)) == value


def test_what_is_not_frozen_can_be_changed_and_has_no_hash() -> None:
    @dataclass(slots=True)
    class Counter:
        count: int = 0

    counter = Counter()
    counter.count += 1
    assert counter == Counter(1)
    assert copy.copy(counter) == counter
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_other_options_are_left_to_the_standard_decorator() -> None:
    @dataclass(frozen=True, order=True)
    class Ranked:
        rank: int

    assert Ranked(1) < Ranked(2)


def test_a_field_that_only_the_standard_decorator_knows_is_refused() -> None:
    with pytest.raises(TypeError, match=r"needs dataclasses\.dataclass"):

        @dataclass(frozen=True, slots=True)
        class Keyword:
            rank: int = field(kw_only=True)
