from __future__ import annotations

import pytest

from rowbook.sources import registry
from rowbook.sources.files.file_table import FileTable
from rowbook.sources.files.object_listing import list_objects
from tests.sources.stores.buckets import Bucket


def test_objects_count_as_files_do(bucket: Bucket) -> None:
    bucket.put(
        {
            "gl/a.csv": "x",
            "gl/country=DE/b.csv": "x",
            "gl/_period=2026-01/c.csv": "x",
            "gl/_temporary/d.csv": "x",
            "gl/.hidden.csv": "x",
            "gl/readme.txt": "x",
            "gl/part-0": "x",
        }
    )
    found = list_objects(bucket.path("gl"), "csv").files
    assert {file.relative: dict(file.partitions) for file in found} == {
        "_period=2026-01/c.csv": {"_period": "2026-01"},
        "a.csv": {},
        "country=DE/b.csv": {"country": "DE"},
        "part-0": {},
    }


def test_a_table_may_be_one_object(bucket: Bucket) -> None:
    bucket.put({"in/gl.csv": "account\n4000\n"})
    (file,) = list_objects(bucket.path("in/gl.csv"), "csv").files
    assert (file.relative, file.size) == ("", 13)


def test_where_there_is_nothing_nothing_is_found(bucket: Bucket) -> None:
    bucket.put({"gl2/a.csv": "x"})
    with pytest.raises(FileNotFoundError):
        list_objects(bucket.path("gl"), "csv")


def test_a_hundred_footers_are_read_once_each_and_the_place_is_listed_once(
    bucket: Bucket,
) -> None:
    import io

    import pyarrow as pa
    from pyarrow import parquet as pq

    made = io.BytesIO()
    pq.write_table(pa.table({"account": [str(n) for n in range(50_000)]}), made)
    bucket.put({f"gl/{number:03}.parquet": made.getvalue() for number in range(100)})
    before = len(bucket.server.requests())
    listing = list_objects(bucket.path("gl"), "parquet")
    table = FileTable("parquet", bucket.path("gl"), label="gl", found=listing)
    for _ in range(2):
        assert registry.columns(table) == ("account",)
        assert registry.count_plain(table, 10**9) == 5_000_000
        assert len(registry.contents(table.pin())) == 100
    asked = [what for what, _ in bucket.server.requests()[before:]]
    assert (asked.count("ListObjectsV2"), asked.count("GetObject")) == (1, 100)
