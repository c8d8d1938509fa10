"""Reading json lines: every value as text exactly as it is written, no line lost, none taken for
something it is not.

Spark's own reader would take the first of two objects in a line and the last of two equal keys. So
lines are read as text. Most lines of a file are written alike, and one regular expression takes
them apart (line_pattern.py). The others are parsed: numbers, which would pass through floats, are
marked as text before, and the parser gets the line inside an object whose end it must come to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as s

from rowbook.planning.columns import PERIOD
from rowbook.sources.files.bundles import PERIOD_OF_PLACE, Bundle, Placed, bundle
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.json import lines as json_lines
from rowbook.sources.files.json.line_pattern import (
    EMPTY,
    SEPARATOR,
    LinePattern,
    line_pattern,
)
from rowbook.sources.files.json.lines import BLANK, JsonOptions, Keys
from rowbook.sources.files.json.typed_lines import TypedLines
from rowbook.sources.files.scan import (
    period_of_place,
    scan_options,
    scan_paths,
    unreadable,
)
from rowbook.sources.files.text.content_guesses import encoding_hint
from rowbook.sources.files.text.encodings import from_latin_1, is_ascii_based, spark_charset
from rowbook.sources.files.text.value_forms import NUMBER_MARK
from rowbook.sources.files.typed_copy import TypedText
from rowbook.sources.raw import BadValue, Raw
from rowbook.sources.stores.object_path import DataPath
from rowbook.spark.causes import is_spark_failure
from rowbook.spark.column_names import column

BROKEN = "__broken"
_LINE, _CORRUPT, _ROW, _KEY = "__line", "__corrupt", "__row", "__key"
_USUAL, _CELLS, _VALUES = "__usual", "__cells", "__values"
_OBJECT, _END = "\ufdd1object", "\ufdd1end"
_MARK = NUMBER_MARK

_NUMBERS = (
    r'\G([^"0-9\-]*(?:"[^"\\]*(?:\\.[^"\\]*)*+"[^"0-9\-]*)*+)'
    r"(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?=[ \t,\]}]|\z)"
)
"""The next number outside of quotes. Groups never go back, however long the line; characters may,
as Java is faster then, but nothing that follows them can begin inside them."""

_PAIRS = r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_HALF = r"\\u[dD][89a-fA-F]"
_STRICT = {"allowSingleQuotes": "false", "allowNonNumericNumbers": "false"}


def read_json(spark: SparkSession, places: Sequence[FileTable]) -> tuple[Raw, ...]:
    """All Raws have the same columns: a key that a row lacks is NULL. The first rows of each file
    say which keys there are; all rows are asked only where these lack a column that is wanted."""
    options = JsonOptions.of(places[0].options, places[0].label)
    found = bundle(places, lambda _: None)
    files = [placed for each in found.each for placed in each.files]
    keys = json_lines.first_keys(_shown(files), options.encoding)
    wanted = places[0].wanted
    usual = line_pattern(keys.rows)
    scans = [_scan(spark, each, options, usual) for each in found.each]
    if not found.with_rows:
        scans = [scan.where(F.lit(False)) for scan in scans]
        later: Collection[str] = wanted or ()
    else:
        settled = {name for placed in files for name in placed.file.partitions}
        settled |= {PERIOD.name} if all(place.period for place in places) else set()
        later = _later_keys(zip(found.each, scans, strict=True), keys, wanted, settled)
    columns = keys.columns(wanted or (), later)
    return tuple(
        _raw(scan, each, columns, keys, options, usual)
        for each, scan in zip(found.each, scans, strict=True)
    )


def _later_keys(
    scans: Iterable[tuple[Bundle[None], DataFrame]],
    keys: Keys,
    wanted: Collection[str] | None,
    settled: Collection[str],
) -> tuple[str, ...]:
    """Of those that are wanted: a job over all rows. Those that are `settled` come from
    elsewhere."""
    among = None if wanted is None else {*wanted} - {*keys.names, *settled}
    if keys.complete or among == set():
        return ()
    found: set[str] = set()
    for each, scan in scans:
        names = scan.select(F.explode(F.map_keys(column(_ROW))).alias(_KEY))
        chosen = names if among is None else names.where(column(_KEY).isin(*among))
        try:
            found |= {row[0] for row in chosen.distinct().collect()}
        except Exception as cause:
            if not is_spark_failure(cause):
                raise
            raise unreadable(each, cause) from cause
    return tuple(sorted(found))


def _shown(files: Sequence[Placed]) -> list[tuple[DataPath, str]]:
    return [(placed.file.path, placed.name) for placed in files]


def _scan(
    spark: SparkSession, each: Bundle[None], options: JsonOptions, usual: LinePattern | None
) -> DataFrame:
    """A row has the cells of a usual line, or else the row that the parser makes of it."""
    frame = _lines(spark, each, options.encoding)
    columns = {_LINE: column(_LINE)} | {name: column(name) for name in each.partitions}
    columns |= period_of_place(each, frame.metadataColumn("_metadata"))
    rows = frame.select(*(value.alias(name) for name, value in columns.items()))
    filled = rows.where(_is_filled(column(_LINE)))
    taken = filled.select(*map(column, columns), _taken_apart(column(_LINE), usual).alias(_USUAL))
    is_usual = column(_USUAL).startswith(SEPARATOR)
    cells = F.when(is_usual, F.split(column(_USUAL), SEPARATOR))
    split = taken.select(*map(column, columns), cells.alias(_CELLS))
    row = F.when(column(_CELLS).isNull(), _parsed(column(_LINE)))
    parsed = split.select(*map(column, (*columns, _CELLS)), row.alias(_ROW))
    return parsed.select(*map(column, (*columns, _CELLS)), _whole(column(_ROW)).alias(_ROW))


def _taken_apart(line: Column, usual: LinePattern | None) -> Column:
    """The values of a usual line, each behind a separator; other lines that begin as json does stay
    as they are, the rest is NULL."""
    if usual is None:
        return F.lit(None).cast("string")
    values = F.regexp_replace(line, rf"^{usual.pattern}\z", usual.replacement)
    return F.when(line.startswith("{"), values)


def _lines(spark: SparkSession, each: Bundle[None], encoding: str) -> DataFrame:
    """The lines as text. Where the end of a line takes several bytes, the csv reader decodes whole
    files: without quotes and delimiters, a field is a line."""
    options, paths = scan_options(each), scan_paths(each)
    if is_ascii_based(encoding):
        line = s.StructType([s.StructField(_LINE, s.StringType())])
        frame = spark.read.schema(line).options(**options).text(paths)
        return frame.withColumn(_LINE, _decoded(column(_LINE), encoding))
    fields = [s.StructField(name, s.StringType()) for name in (_LINE, _CORRUPT)]
    options |= {
        "sep": "\x01",
        "quote": "",
        "escape": "",
        "encoding": spark_charset(encoding),
        "multiLine": "true",
        "mode": "PERMISSIVE",
        "columnNameOfCorruptRecord": _CORRUPT,
    }
    frame = spark.read.schema(s.StructType(fields)).options(**options).csv(paths)
    return frame.withColumn(_LINE, F.coalesce(column(_CORRUPT), column(_LINE)))


def _decoded(line: Column, encoding: str) -> Column:
    if encoding == "utf-8":
        return line
    latin = F.decode(line.cast("binary"), "ISO-8859-1")
    was, now = from_latin_1(encoding)
    return F.translate(latin, was, now) if was else latin


def _is_filled(line: Column) -> Column:
    """Whether there is more than blanks; most lines say so by their first character."""
    return line.startswith("{") | (F.trim(line, F.lit(BLANK)) != "")


def _parsed(line: Column) -> Column:
    marked = F.regexp_replace(line, _NUMBERS, f'$1"{_MARK}$2{_MARK}"')
    inside = F.concat(F.lit(f'{{"{_OBJECT}":'), marked, F.lit(f',"{_END}":true}}'))
    texts = s.MapType(s.StringType(), s.StringType())
    schema = s.StructType([s.StructField(_OBJECT, texts), s.StructField(_END, s.BooleanType())])
    return F.from_json(inside, schema, _STRICT)


def _whole(parsed: Column) -> Column:
    """NULL where the parser did not come to the end."""
    return F.when(parsed.getField(_END), parsed.getField(_OBJECT))


def _raw(
    scan: DataFrame,
    each: Bundle[None],
    columns: Collection[str],
    keys: Keys,
    options: JsonOptions,
    usual: LinePattern | None,
) -> Raw:
    """Which values are numbers, only the parser knows: it sees all lines again where that is asked
    (`marked`)."""
    in_line = usual.names if usual else ()
    read = dict.fromkeys((*in_line, *columns, PERIOD.name))
    values = {name: value for name, value in _values(read, in_line).items() if name in columns}
    values |= {name: column(name) for name in each.partitions}
    has_period = PERIOD_OF_PLACE in scan.columns
    period = column(PERIOD_OF_PLACE) if has_period else F.lit(each.place.period)
    otherwise: dict[str, str | None] = {}
    if not keys.complete and (has_period or each.place.period) and PERIOD.name not in values:
        values[PERIOD.name] = F.coalesce(_values(read, in_line)[PERIOD.name], period)
        otherwise = {PERIOD.name: None if has_period else each.place.period}
    values |= {BROKEN: column(BROKEN), _ROW: column(_ROW)}
    values |= {PERIOD_OF_PLACE: period} if has_period else {}
    parsed = F.when(column(_ROW).isNotNull(), _parsed_values(read)).alias(_VALUES)
    others = [column(name) for name in scan.columns if name not in (_LINE, _ROW)]
    marked = F.coalesce(column(_ROW), _whole(_parsed(column(_LINE)))).alias(_ROW)
    rows = scan.select(*others, parsed, _broken().alias(BROKEN), marked)
    return Raw(
        rows.select(*(value.alias(name) for name, value in values.items())),
        each.origin,
        as_text=True,
        period=None if has_period else each.place.period,
        find=_finder(_shown(each.files), options.encoding, each.partitions),
        form=options.form,
        partitions=each.partitions,
        broken=BROKEN,
        period_column=PERIOD_OF_PLACE if has_period else None,
        label_of=each.label_of,
        encoding_hint=lambda: encoding_hint(
            (placed.file.path for placed in each.files), options.encoding
        ),
        text=TypedText.of(each, TypedLines(options.encoding, otherwise)),
        row=_ROW,
        marked=lambda name: column(name) if name in each.partitions else column(_ROW)[name],
    )


def _values(names: Iterable[str], in_line: Sequence[str]) -> dict[str, Column]:
    """Values by their keys: in the cells of a usual line, behind an empty one, or among those that
    were parsed."""
    found: dict[str, Column] = {}
    for number, name in enumerate(names):
        parsed = F.get(column(_VALUES), F.lit(number))
        if name not in in_line:
            found[name] = parsed
            continue
        cell = F.get(column(_CELLS), F.lit(number + 1))
        text = F.when(cell == EMPTY, F.lit("")).when(cell != "", cell)
        found[name] = F.when(column(_CELLS).isNotNull(), text).otherwise(parsed)
    return found


def _parsed_values(names: Iterable[str]) -> Column:
    """In one array, by one expression for all of them."""
    row = column(_ROW)
    return F.transform(F.array(*map(F.lit, names)), lambda name: _unmarked(row[name]))


def _unmarked(value: Column) -> Column:
    """Numbers as they were written; those that are nested stood in quotes."""
    nested = F.replace(
        F.replace(value, F.lit(f'"{_MARK}'), F.lit("")), F.lit(f'{_MARK}"'), F.lit("")
    )
    return F.when(value.contains(_MARK), F.translate(nested, _MARK, "")).otherwise(value)


def _broken() -> Column:
    """The line where it is no object alone, a key stands twice, or a character is but half there:
    Java would write a question mark for it."""
    row, line = column(_ROW), column(_LINE)
    keys = F.map_keys(row)
    twice = F.size(keys) != F.size(F.array_distinct(keys))
    escaped = line.contains("\\ud") | line.contains("\\uD")
    half = F.when(escaped, F.regexp_replace(line, _PAIRS, "").rlike(_HALF)).otherwise(F.lit(False))
    return F.when(column(_CELLS).isNull() & (row.isNull() | twice | half), line)


def _finder(
    files: Sequence[tuple[DataPath, str]], encoding: str, partitions: Collection[str]
) -> Callable[[str, Callable[[str | None], bool], int], list[BadValue]]:
    def find(column: str, is_bad: Callable[[str | None], bool], most: int) -> list[BadValue]:
        if column in partitions:
            return []
        key = None if column == BROKEN else column
        return json_lines.find(files, encoding, key, column, is_bad, most)

    return find
