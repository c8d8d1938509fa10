"""Text functions whose edges differ between the language and Spark."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from rowbook.expressions.bound import Call, Constant
from rowbook.expressions.scalars.texts import LONGEST_PADDED, like_regex
from rowbook.spark.markers import overflow

_MOST = 2**31 - 1


def as_int(n: Column) -> Column:
    """A 64-bit count as the 32-bit one that Spark takes; beyond it makes no difference."""
    return F.when(n > _MOST, _MOST).when(n < -_MOST, -_MOST).otherwise(n).cast("int")


def left(a: Sequence[Column], _: Call) -> Column:
    """The first n characters; none for n below 1."""
    return F.left(a[0], as_int(a[1]))


def right(a: Sequence[Column], _: Call) -> Column:
    """The last n characters; none for n below 1."""
    return F.right(a[0], as_int(a[1]))


def substring(a: Sequence[Column], _: Call) -> Column:
    """A negative start counts from the end; one before the text leaves what the length reaches."""
    if len(a) == 2:
        return F.substr(a[0], as_int(a[1]), F.lit(_MOST))
    reach = F.when(a[2] < 0, 0).when(a[2] > 2**62, 2**62).otherwise(a[2])
    end = F.length(a[0]) + (a[1] + reach)
    near = F.substr(a[0], as_int(a[1]), as_int(a[2]))
    return F.when(a[1] < -_MOST, F.left(a[0], as_int(end))).otherwise(near)


def pad(function: Callable[..., Column]) -> Callable[[Sequence[Column], Call], Column]:
    def compile_pad(a: Sequence[Column], _: Call) -> Column:
        length = F.when(a[1] > LONGEST_PADDED, overflow("a padded text")).otherwise(a[1])
        return function(a[0], as_int(length), a[2] if len(a) > 2 else F.lit(" "))

    return compile_pad


def split_part(a: Sequence[Column], _: Call) -> Column:
    """The n-th part; Spark would fail on 0 and count from the end below it."""
    present = F.split_part(a[0], a[1], as_int(a[2]))
    both = a[0].isNotNull() & a[1].isNotNull()
    return F.when(both & (a[2] < 1), F.lit("")).when(a[2] >= 1, present)


def like(a: Sequence[Column], node: Call) -> Column:
    """Spark's own LIKE tries every way to place the parts between `%`: that takes minutes on a long
    text. It is left what can be placed in one way only (`x%`, `%x`, `x%y`, `%x%`)."""
    pattern = node.arguments[1]
    if not isinstance(pattern, Constant) or not isinstance(pattern.value, str):
        return F.rlike(a[0], _regex(a[1]))
    if _SIMPLE.fullmatch(re.sub(r"\\[%_\\]", "x", pattern.value)):
        return F.like(a[0], F.lit(_sound(pattern.value)))
    return F.rlike(a[0], F.lit(rf"(?s)\A{like_regex(pattern.value)}\z"))


_SIMPLE = re.compile("[^%]*%*[^%]*|%+[^%]*%+")


def _sound(pattern: str) -> str:
    """A backslash that escapes nothing stands for itself, where Spark would fail."""
    return re.sub(r"\\([%_\\])?", lambda m: m[0] if m[1] else "\\\\", pattern)


def _regex(pattern: Column) -> Column:
    """What `like_regex` makes, of patterns that only rows know."""

    def quoted(part: Column) -> Column:
        last = F.right(part, F.lit(1))
        is_plain = (part == "%") | last.rlike(r"[A-Za-z0-9]|[^\x00-\x7F]")
        return (
            F.when(part == "_", F.lit("."))
            .when(part == r"\%", F.lit(r"\x25"))
            .when(is_plain, part)
            .otherwise(F.concat(F.lit("\\"), last))
        )

    parts = F.regexp_extract_all(pattern, F.lit(r"(?s)\\[%_\\]|."), F.lit(0))
    text = F.array_join(F.transform(parts, quoted), "")
    sought = F.regexp_replace(text, "%+([^%]+)(?=%)", "(?>.*?$1)")
    return F.concat(F.lit(r"(?s)\A"), F.regexp_replace(sought, "%+", ".*"), F.lit(r"\z"))
