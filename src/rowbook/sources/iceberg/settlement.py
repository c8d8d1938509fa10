"""What became of an output of an Iceberg table: published, or never to be."""

from __future__ import annotations

from pathlib import Path

from rowbook.sources.iceberg.catalogs.catalog import OutputName
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.iceberg.staged_state import output_in, written_by
from rowbook.sources.iceberg.staging_places import all_staging, remove_empty
from rowbook.sources.iceberg.table_metadata import TableMetadata
from rowbook.sources.source import Settlement
from rowbook.sources.source_errors import GoneError
from rowbook.sources.stores.object_path import DataPath


def settle_iceberg(target: IcebergTarget, output: OutputName) -> Settlement:
    """Nothing can be published once its claim is released: what the table says then, holds."""
    check_warehouse(target)
    found = output_in(target.metadata(), output)
    if found is None:
        catalog = target.open()
        released = catalog.release(target.name, output)
        found = output_in(target.metadata(), output)
        if found is None:
            if released is not None:
                _remove(released, output)
                catalog.forget(target.name, output)
                remove_empty(released)
            return Settlement(False)
    finish_output(target, output)
    return Settlement(True, written_by(found))


def check_warehouse(target: IcebergTarget) -> None:
    """A folder that is not there may be on a disk that will be back."""
    folder = target.catalog.warehouse
    if isinstance(folder, Path) and not folder.is_dir():
        raise GoneError(f"{folder} is not there")


def table_location(target: IcebergTarget, metadata: TableMetadata | None) -> DataPath:
    """Inside of what the workspace allows, and what is written in there too."""
    place = target.catalog.place
    found = target.open().new_location(target.name) if metadata is None else metadata.location
    location = place(str(found))
    place(str(location / "metadata"))
    return location


def finish_output(target: IcebergTarget, output: OutputName) -> None:
    """Of what is published stays what its snapshot names; no more of an attempt before it."""
    metadata = target.metadata()
    snapshot = output_in(metadata, output)
    if snapshot is None:
        return
    own = target.catalog.place(str(snapshot.content["manifest-list"])).parent.parent
    target.open().forget(target.name, output)
    for each in all_staging(table_location(target, metadata), output):
        if each.folder.name == own.name:
            each.finish()
        elif each.is_open:
            each.remove()


def _remove(location: DataPath, output: OutputName) -> None:
    for each in all_staging(location, output):
        if each.is_open:
            each.remove()
