"""Data sources: where tables live."""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from rowbook.definitions.models.dataset import Status
from rowbook.definitions.models.entity import Entity
from rowbook.definitions.models.field_types import Cell, OptionalText, Word

SourceType: TypeAlias = Literal[
    "parquet", "csv", "json", "orc", "excel", "delta", "jdbc", "iceberg"
]


class DatasourceDefinition(Entity):
    """A place that holds tables: a folder of files, a database, or a lake."""

    kind: ClassVar[str] = "datasource"

    type: Annotated[SourceType, Word] = Field(
        description="The format, jdbc for a database, or iceberg for a lake."
    )
    options: dict[str, Cell] = Field(
        default_factory=dict,
        description="root for files; delimiter, header … for csv; sheet, range or header_row for"
        " excel; url, user, schema for jdbc; catalog, warehouse, namespace, url or uri for"
        " iceberg. Never a secret. A root may be s3://bucket/prefix, or az://container/prefix with"
        " the option account, or hdfs://host:8020/path.",
    )
    credential_ref: OptionalText = Field(
        None, description="Where the secret is: env://NAME or file://path. Never the secret itself."
    )
    status: Annotated[Status, Word] = Field(
        "active", description="A disabled data source is refused wherever it is used."
    )
