"""What is in the folder of an Iceberg table, and what Iceberg itself makes of it."""

from __future__ import annotations

from pathlib import Path

from rowbook.locations.boundary import Boundary
from rowbook.sources.iceberg.catalogs.catalog import FOLDER, CatalogAddress, local_path
from rowbook.sources.iceberg.iceberg_table import IcebergTarget
from rowbook.sources.iceberg.settlement import table_location


def lake_in(folder: Path, catalog: str) -> CatalogAddress:
    """Of tables in a folder, which need not be there."""
    options = {"warehouse": str(folder)}
    if catalog == "jdbc":
        options["url"] = f"jdbc:sqlite:{folder}/catalog.db"
    return CatalogAddress(catalog, options, None, Boundary(folder))


def staged_leftovers(target: IcebergTarget) -> list[str]:
    """Files of outputs that no snapshot of the table names the lists of, and all that only staging
    needs."""
    metadata = target.metadata()
    location = table_location(target, metadata)
    lists = () if metadata is None else (s.content["manifest-list"] for s in metadata.snapshots)
    published = {local_path(each).parent.parent for each in lists}
    return [
        str(path.relative_to(location))
        for folder in location.glob(f"{FOLDER}*")
        for path in folder.rglob("*")
        if path.is_file() and not (folder in published and path.suffix in (".avro", ".parquet"))
    ]
