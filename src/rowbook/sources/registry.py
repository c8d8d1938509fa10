"""The kinds of data sources: whatever a table or a target is, its kind knows how.

Each function does what the method of the same name in Source says. A module is imported where it is
used: what one kind needs slows nobody else down.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from rowbook.definitions.models.datasource import DatasourceDefinition, SourceType
from rowbook.definitions.models.operations import DestinationDefinition
from rowbook.errors import RowbookError, reason
from rowbook.locations.boundary import Boundary
from rowbook.planning.datasources import source_kind
from rowbook.planning.definitions.lookup import DefinitionLookup, Missing
from rowbook.planning.resolution.locate import ResolvedLocation
from rowbook.sources.addresses import TableAddress, TargetAddress
from rowbook.sources.content_folder import ContentFolder
from rowbook.sources.contents import Content, Evidence, Keeping, Recall
from rowbook.sources.raw import Raw
from rowbook.sources.source import (
    BegunOutput,
    Extra,
    PlainSample,
    Publishing,
    Settlement,
    Source,
    SourceTable,
    StagedOutput,
    TableLayout,
    Target,
    Trace,
    WriteRequest,
    WriteResult,
)
from rowbook.sources.source_errors import UnreachableError, output_error

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rowbook.reference.loading.dataset_rows import PlainTable
    from rowbook.sources.databases.table_sample import TableSample
    from rowbook.sources.plain_output import PlainOutput


@dataclass(frozen=True, slots=True)
class SourceKind:
    """`source` is a class, as module:name; `extras` are the jars that Spark needs; `is_server`: its
    tables are known to a server, which is asked over a network; `asks_spark`: what they are, a
    session alone can say."""

    source: str
    extras: frozenset[Extra] = frozenset()
    is_server: bool = False
    asks_spark: bool = False


POINTER = "pointer"
"""The kind of what is written to an object store as files; they are read as those of their
format."""
DELTA_STORE = "delta_store"
"""The kind of what is written to a Delta table in an object store; it is read as delta."""
_FILES = SourceKind("rowbook.sources.files.source:FileSource")
KINDS: dict[str, SourceKind] = {
    "csv": _FILES,
    "excel": _FILES,
    "json": _FILES,
    "orc": _FILES,
    "parquet": _FILES,
    POINTER: SourceKind("rowbook.sources.pointer.source:PointerSource", is_server=True),
    "delta": SourceKind("rowbook.sources.delta.source:DeltaSource", frozenset({"delta"})),
    DELTA_STORE: SourceKind(
        "rowbook.sources.delta.store_source:DeltaStoreSource",
        frozenset({"delta", "s3"}),
        is_server=True,
    ),
    "iceberg": SourceKind(
        "rowbook.sources.iceberg.source:IcebergSource", frozenset({"iceberg"}), is_server=True
    ),
    "catalog": SourceKind(
        "rowbook.sources.spark_catalog.source:CatalogSource", is_server=True, asks_spark=True
    ),
    "jdbc": SourceKind(
        "rowbook.sources.postgres.source:PostgresSource", frozenset({"postgresql"}), is_server=True
    ),
    "mysql": SourceKind(
        "rowbook.sources.mysql.source:MysqlSource", frozenset({"mysql"}), is_server=True
    ),
}
"""By the format, the type of data source, or the strategy without one, that definitions name; a
data source of type jdbc has the kind of the database that its url names (`source_kind`)."""

_FILE_KINDS = (kind for kind, row in KINDS.items() if row is _FILES)
_IN_STORE = {**dict.fromkeys(_FILE_KINDS, POINTER), "delta": DELTA_STORE}
"""Kinds of what is written to an object store, by that of what is read there."""


def table_at(
    location: ResolvedLocation,
    definitions: DefinitionLookup,
    only: Mapping[str, Collection[str]] | None = None,
    version: int | None = None,
    wanted: Collection[str] | None = None,
) -> SourceTable:
    """`<root>/<table>` of files is a folder or one file with the type's ending."""
    return find_table(table_address(location, definitions, only, version, wanted))


def find_table(address: TableAddress) -> SourceTable:
    return _of_kind(address.kind).table_at(address)


def table_address(
    location: ResolvedLocation,
    definitions: DefinitionLookup,
    only: Mapping[str, Collection[str]] | None = None,
    version: int | None = None,
    wanted: Collection[str] | None = None,
) -> TableAddress:
    source = _datasource(location.datasource, definitions)
    kind = location.format or location.strategy
    if source is not None and source.type == "jdbc":
        kind = source_kind(source)
    boundary = definitions.boundary
    return TableAddress(kind, location, source, boundary, only or {}, version, wanted)


def target_at(destination: DestinationDefinition, definitions: DefinitionLookup) -> Target:
    location, source = destination.location, None
    if location is None:
        source = _datasource(destination.datasource_id or "", definitions)
    kind = location.format if location else source_kind(source) if source else ""
    address = TargetAddress(kind, destination, source, definitions.boundary)
    if address.is_in_store:
        kind = _IN_STORE.get(kind, kind)
    return _of_kind(kind).target_at(address)


def target_from_json(recorded: Mapping[str, Any], boundary: Boundary) -> Target:
    return _of_kind(recorded["kind"]).target_from_json(recorded, boundary)


def table_of(target: Target) -> SourceTable:
    return _source(target).table_of(target)


def existing(target: Target) -> SourceTable:
    return _source(target).existing(target)


def columns(table: SourceTable) -> tuple[str, ...]:
    return _source(table).columns(table)


def contents(table: SourceTable) -> tuple[Content, ...]:
    return _source(table).contents(table)


def layout(table: SourceTable) -> TableLayout:
    return _source(table).layout(table)


def pin(
    table: SourceTable,
    contents: Sequence[Content] | None = None,
    keeping: Keeping | None = None,
) -> SourceTable:
    return _source(table).pin(table, contents, keeping)


def fingerprint(table: SourceTable) -> tuple[Content, ...]:
    return _source(table).fingerprint(table)


def keep_contents(
    table: SourceTable, contents: Sequence[Content], folder: ContentFolder
) -> tuple[Content, ...]:
    return _source(table).keep_contents(table, contents, folder)


def recall(address: TableAddress, contents: Sequence[Content], evidence: Evidence) -> Recall:
    return _of_kind(address.kind).recall(address, contents, evidence)


def check(table: SourceTable) -> None:
    _source(table).check(table)


def without_ids(table: SourceTable) -> SourceTable:
    return _source(table).without_ids(table)


def read(
    spark: SparkSession, tables: Sequence[SourceTable], resources: ExitStack
) -> tuple[Raw, ...]:
    return tuple(
        raw for group in _alike(tables) for raw in _source(group[0]).read(spark, group, resources)
    )


def count_plain(table: SourceTable, most: int) -> int:
    return _source(table).count_plain(table, most)


def read_plain(tables: Sequence[SourceTable]) -> tuple[PlainTable, ...]:
    return tuple(plain for group in _alike(tables) for plain in _source(group[0]).read_plain(group))


def sample_plain(table: SourceTable, most: int) -> PlainSample:
    return _source(table).sample_plain(table, most)


def sample_table(
    source: DatasourceDefinition, table: str, boundary: Boundary, most: int
) -> TableSample:
    return _of_kind(source_kind(source)).sample_table(source, table, boundary, most)


def column_hint(table: SourceTable, missing: Collection[str]) -> str | None:
    return _source(table).column_hint(table, missing)


def write(frame: DataFrame, target: Target, order: WriteRequest) -> WriteResult:
    return _written(target, lambda source: source.write(frame, target, order))


def stage(frame: DataFrame, target: Target, order: WriteRequest) -> StagedOutput:
    return _written(target, lambda source: source.stage(frame, target, order))


def stage_plain(output: PlainOutput, target: Target, order: WriteRequest) -> StagedOutput | None:
    return _written(target, lambda source: source.stage_plain(output, target, order))


def write_plain(
    output: PlainOutput,
    target: Target,
    order: WriteRequest,
    spark: Callable[[], SparkSession] | None,
) -> WriteResult | None:
    return _written(target, lambda source: source.write_plain(output, target, order, spark))


def can_begin(target: Target) -> bool:
    return _source(target).can_begin(target)


def begin(target: Target, order: WriteRequest, columns: Sequence[str]) -> BegunOutput:
    return _written(target, lambda source: source.begin(target, order, columns))


def write_refusal(target: Target, error: Exception) -> RowbookError | None:
    """Where rows that passed could not be written; None where that is not what failed."""
    why = _refusal(error)
    return None if why is None else output_error(target.label, f"cannot be written: {why}")


def publish(staged: Sequence[StagedOutput], publishing: Publishing) -> tuple[WriteResult, ...]:
    target = staged[0].target
    return _written(target, lambda source: source.publish(staged, publishing))


def publication_steps(
    staged: Sequence[StagedOutput],
) -> tuple[tuple[StagedOutput, ...], ...]:
    """Outputs of a run, those together that are published in one step."""
    steps: dict[object, list[StagedOutput]] = {}
    for each in staged:
        key = _source(each.target).publication_key(each.target)
        steps.setdefault(each.seq if key is None else (each.target.kind, key), []).append(each)
    return tuple(map(tuple, steps.values()))


def staged_from_json(
    recorded: Mapping[str, Any], boundary: Boundary, run_id: str, seq: int
) -> StagedOutput:
    target = target_from_json(recorded["target"], boundary)
    return StagedOutput.from_json(recorded, target, run_id, seq)


def damage(staged: StagedOutput) -> str | None:
    try:
        return _source(staged.target).damage(staged)
    except UnreachableError:
        raise
    except OSError as cause:
        raise UnreachableError(reason(cause)) from cause


def discard(staged: StagedOutput) -> None:
    _source(staged.target).discard(staged)


_Left = TypeVar("_Left")


def _written(target: Target, do: Callable[[Source[SourceTable, Target]], _Left]) -> _Left:
    try:
        return do(_source(target))
    except (RowbookError, UnreachableError):
        raise
    except Exception as error:
        if refusal := write_refusal(target, error):
            raise refusal from error
        raise


def settle(target: Target, run_id: str, seq: int) -> Settlement:
    try:
        return _source(target).settle(target, run_id, seq)
    except UnreachableError:
        raise
    except OSError as cause:
        raise UnreachableError(reason(cause)) from cause


def trace(
    target: Target,
    run_id: str,
    seq: int,
    columns: Collection[str],
    periods: Collection[str] | None = None,
) -> Trace | None:
    return _source(target).trace(target, run_id, seq, columns, periods)


def earlier_states(
    target: Target,
    run_id: str,
    seq: int,
    columns: Collection[str],
    periods: Collection[str] | None = None,
) -> tuple[Trace, ...]:
    return _source(target).earlier_states(target, run_id, seq, columns, periods)


def remove_states(target: Target, before: datetime) -> tuple[tuple[str, int], ...]:
    return _source(target).remove_states(target, before)


def overlaps(target: Target, table: SourceTable) -> bool:
    alike = KINDS[target.kind].source == KINDS[table.kind].source
    return alike and _source(target).overlaps(target, table)


def is_server(of: SourceTable | Target) -> bool:
    return KINDS[of.kind].is_server


def asks_spark(kind: str) -> bool:
    return kind in KINDS and KINDS[kind].asks_spark


def check_credential(of: SourceTable | Target) -> None:
    _source(of).check_credential(of)


def extras(of: SourceTable | Target) -> frozenset[Extra]:
    return extras_of_kind(of.kind) | _source(of).extras(of)


def extras_of_kind(kind: str | None) -> frozenset[Extra]:
    return KINDS[kind].extras if kind in KINDS else frozenset()


def _alike(tables: Sequence[SourceTable]) -> Collection[list[SourceTable]]:
    """Tables that one source reads."""
    groups: dict[str, list[SourceTable]] = {}
    for table in tables:
        groups.setdefault(KINDS[table.kind].source, []).append(table)
    return groups.values()


def _refusal(error: Exception) -> str | None:
    """What the operating system said, to us or to Spark."""
    from rowbook.sources.publishing.disk_errors import disk_failure

    return reason(error) if isinstance(error, OSError) else disk_failure(error)


def _datasource(
    reference: str | None, definitions: DefinitionLookup
) -> DatasourceDefinition | None:
    found = definitions.datasource(reference) if reference is not None else None
    if isinstance(found, Missing):
        code = "DATASOURCE_005" if found.reason == "disabled" else "DATASOURCE_001"
        raise RowbookError.of(code, found.message, hint=found.hint)
    return found.model if found else None


def _source(of: SourceTable | Target) -> Source[SourceTable, Target]:
    return _of_kind(of.kind)


def _of_kind(kind: str) -> Source[SourceTable, Target]:
    if kind not in KINDS:
        *names, last = get_args(SourceType)
        raise RowbookError.of(
            "DATASOURCE_008",
            f"data of type {kind} cannot be read or written",
            hint=f"use {', '.join(names)} or {last}",
        )
    module, _, name = KINDS[kind].source.partition(":")
    found: Source[SourceTable, Target] = getattr(importlib.import_module(module), name)()
    return found
