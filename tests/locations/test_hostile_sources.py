"""Hostile paths, names, URLs and options: refused before anything is opened, or harmless."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.trial import BASE, Trial

OUTPUT = """\
project:
  name: trial
  input_dataset_id: gl_entries
  operations:
    - seq: 1
      name: out
      type: output
      arguments: {destination: %s}
"""

PATHS = [
    "..", "../x", "../../etc/passwd", "a/../../x", "./../x", "a/b/../../../x", "/etc/passwd",
    "/etc", "/", "//etc/passwd", "/proc/self/environ", "/dev/null", "/tmp/../etc/passwd",
    "link/x", "link", "link/../x", "deep/link/x", "file:///etc/passwd", "file:/etc/passwd",
    "FILE:///etc/passwd", "file:x", "file://localhost/etc", "s3a://bucket/key", "s3://bucket/key",
    "gs://bucket/key", "abfss://c@account.dfs/x", "hdfs://namenode/x", "http://host/x",
    "https://host/x", "ftp://host/x", "jar:file:/x!/y", "jdbc:postgresql://h/d", "data:text/csv,x",
    "javascript:alert(1)", "wasb://x/y", "viewfs:///x", "har:///x", "local:///x", "C:\\x", "C:/x",
    "a\0b", "s3a://allowed/../other/x", "s3a://allowed/%2e%2e/other", "s3a://allowed%2f..%2fother",
    "s3a://allowedx/y", "s3a://user:pw@allowed/x", ".", "", "  ", "data/..", "data/../.",
]  # fmt: skip
"""As what an output writes to. `link` leads out of the workspace; s3a://allowed may be written."""

ROOTS = [
    "..", "../other", "/etc", "/", "link", "deep/link", "file:///etc", "s3a://bucket", "a/../..",
    "hdfs://x/y", "http://169.254.169.254/latest", "//server/share", "s3a://allowed/../x",
]  # fmt: skip

URLS = [
    "jdbc:mysql://h/d?allowLoadLocalInfile=true", "jdbc:mariadb://h/d?localSocket=/tmp/x",
    "jdbc:mysql://h1,h2/d", "jdbc:mariadb:replication://h/d", "jdbc:h2:mem:x",
    "jdbc:h2:tcp://h/d;INIT=RUNSCRIPT FROM 'http://x'",
    "jdbc:sqlite:/etc/passwd", "jdbc:derby:x;create=true", "jdbc:oracle:thin:@h:1521:x",
    "postgresql://h/d", "jdbc:postgresql:d", "jdbc:postgresql:///d", "jdbc:postgresql://h",
    "jdbc:postgresql://h/", "jdbc:postgresql://h/d?socketFactory=org.x.Y",
    "jdbc:postgresql://h/d?socketFactoryArg=http://x", "jdbc:postgresql://h/d?sslfactory=a.B",
    "jdbc:postgresql://h/d?sslfactoryarg=x", "jdbc:postgresql://h/d?sslhostnameverifier=a.B",
    "jdbc:postgresql://h/d?sslpasswordcallback=a.B", "jdbc:postgresql://h/d?loggerFile=/tmp/x",
    "jdbc:postgresql://h/d?loggerLevel=TRACE", "jdbc:postgresql://h/d?sslkey=/etc/shadow",
    "jdbc:postgresql://h/d?sslcert=/x", "jdbc:postgresql://h/d?sslrootcert=/x",
    "jdbc:postgresql://h/d?authenticationPluginClassName=a.B", "jdbc:postgresql://h/d?service=x",
    "jdbc:postgresql://h/d?xmlFactoryFactory=a.B", "jdbc:postgresql://h/d?options=-c%20x=y",
    "jdbc:postgresql://h/d?user=root", "jdbc:postgresql://h/d?gssEncMode=allow",
    "jdbc:postgresql://h/d?sslmode=sometimes", "jdbc:postgresql://h/d?sslmode=disable&sslmode=allow",
    "jdbc:postgresql://h/d?connectTimeout=-1", "jdbc:postgresql://h/d?connectTimeout=9999999",
    "jdbc:postgresql://h/d?SSLMODE=require", "jdbc:postgresql://h:0/d", "jdbc:postgresql://h:99999/d",
    "jdbc:postgresql://h1,h2/d", "jdbc:postgresql://h/d#x", "jdbc:postgresql://h/d/e",
    "jdbc:postgresql://%2Ftmp/d", "jdbc:postgresql://h /d", "jdbc:postgresql://h/d\n?x=y",
    "jdbc:postgresql://h/d?x=y\nz", "jdbc:postgresql://[::g]/d", "jdbc:postgresql://h/%00",
    "jdbc:postgresql://h/%ff", "JDBC:POSTGRESQL://h/d", " jdbc:postgresql://h/d",
    "jdbc:postgresql://-h/d",
]  # fmt: skip

SECRETS = [
    "jdbc:postgresql://me:pw@h/d", "jdbc:postgresql://h/d?password=pw",
    "jdbc:postgresql://h/d?sslpassword=pw", "jdbc:postgresql://h/d?user=x&password=pw",
    "jdbc:postgresql://h/d?token=pw", "jdbc:postgresql://h/d?PASSWORD=pw",
]  # fmt: skip

TABLES = [
    "a.b.c", "", ".", "a.", ".b", "a\0b", "a\nb", "x" * 64, "é" * 40, "\u202eabc", "\x1b[31m",
    "_rowbook_outputs", "finance._rowbook_stage_1", "a\tb",
]  # fmt: skip
"""As tables of a database to write to."""

HARMLESS_TABLES = [
    'gl"; DROP TABLE gl; --', "gl'; DELETE FROM gl; --", "gl /* x */", "Robert'); --", "select",
    "gl; COPY gl TO PROGRAM 'sh'", "${x}", "{x}", "%s", "$1", "a b", "\\copy", "漢字",
]  # fmt: skip
"""They are names like others: quoted wherever they are used (see tests/sources)."""

OPTIONS = [
    ("parquet", "password: x", "DATASOURCE_003"),
    ("parquet", "secret_key: x", "DATASOURCE_003"),
    ("csv", "access_key: x", "DATASOURCE_003"),
    ("jdbc", "sslpassword: x", "DATASOURCE_003"),
    ("jdbc", "driver: org.evil.Driver", "DATASOURCE_002"),
    ("jdbc", 'query: "SELECT 1"', "DATASOURCE_002"),
    ("jdbc", 'dbtable: "(SELECT 1) x"', "DATASOURCE_002"),
    ("jdbc", 'sessionInitStatement: "DROP TABLE x"', "DATASOURCE_002"),
    ("jdbc", 'createTableOptions: "x"', "DATASOURCE_002"),
    ("jdbc", "fetch_size: 0", "DATASOURCE_002"),
    ("jdbc", 'fetch_size: "10; x"', "DATASOURCE_002"),
    ("jdbc", "batch_size: -1", "DATASOURCE_002"),
    ("jdbc", 'schema: ""', "DATASOURCE_002"),
    ("jdbc", 'schema: "a\\nb"', "DATASOURCE_002"),
    ("jdbc", 'user: "a\\0b"', "DATASOURCE_002"),
    ("jdbc", "root: data", "DATASOURCE_002"),
    ("parquet", "basePath: /etc", "DATASOURCE_002"),
    ("parquet", "compression: ../x", "DATASOURCE_002"),
    ("parquet", "files: 0", "DATASOURCE_002"),
    ("parquet", "files: 1000000", "DATASOURCE_002"),
    ("parquet", "file_size: 1", "DATASOURCE_002"),
    ("parquet", "file_size: 9999999999gb", "DATASOURCE_002"),
    ("delta", "versionAsOf: 1", "DATASOURCE_002"),
    ("delta", 'replaceWhere: "true"', "DATASOURCE_002"),
    ("orc", "url: x", "DATASOURCE_002"),
    ("iceberg", "io-impl: org.evil.FileIO", "DATASOURCE_002"),
    ("iceberg", "catalog-impl: org.evil.Catalog", "DATASOURCE_002"),
    ("iceberg", "token: x", "DATASOURCE_003"),
    ("iceberg", 'url: "jdbc:h2:mem:x;INIT=RUNSCRIPT"', "DATASOURCE_002"),
    ("iceberg", "root: data", "DATASOURCE_002"),
]

CREDENTIALS = [
    "hunter2", "env:PW", "env://", "env://A B", "env://1X", "env://A;rm", "http://vault/x", "file:",
    "vault://x", "ENV://PW", "env://PW\n",
]  # fmt: skip


REFUSALS = {
    *("DATASOURCE_003", "DATASOURCE_004", "OUTPUT_003"),
    *("YAML_003", "YAML_004", "YAML_005"),
}


@pytest.fixture
def walled(trial: Trial, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Trial:
    """With links in it that lead out."""
    outside = tmp_path_factory.mktemp("outside")
    (tmp_path / "deep").mkdir()
    for link in (tmp_path / "link", tmp_path / "deep" / "link"):
        link.symlink_to(outside)
    return trial


def base() -> str:
    return BASE.replace(
        "default_resolver_id: warehouse}",
        'default_resolver_id: warehouse, allowed_locations: ["s3a://allowed"]}',
    )


def codes(trial: Trial, text: str) -> set[str]:
    found = trial.check(text, base=base()).diagnostics
    assert all(d.position is not None for d in found)
    return {d.code for d in found if d.severity == "error"}


def quoted(text: str) -> str:
    """As YAML has it: every JSON text is one."""
    return json.dumps(text)


def test_the_tables_are_long() -> None:
    assert len({*PATHS, *ROOTS, *URLS, *SECRETS, *TABLES, *HARMLESS_TABLES}) >= 130


@pytest.mark.parametrize("path", PATHS)
def test_paths_that_lead_out_are_refused(walled: Trial, path: str) -> None:
    location = f"{{location: {{path: {quoted(path)}, format: parquet}}}}"
    found = codes(walled, OUTPUT % location)
    assert found
    assert found <= {
        "DATASOURCE_003",
        "DATASOURCE_004",
        "OUTPUT_003",
        "YAML_003",
        "YAML_004",
        "YAML_005",
    }


@pytest.mark.parametrize("path", PATHS)
def test_tables_of_files_that_lead_out_are_refused(walled: Trial, path: str) -> None:
    """From the root, which is two folders deep, some of them do not get out of the workspace."""
    found = codes(walled, OUTPUT % f"{{datasource_id: lake, table: {quoted(path)}}}")
    (walled.folder / "data" / "lake").mkdir(parents=True)
    target = (walled.folder / "data" / "lake").resolve()
    if not found:
        assert ":" not in path
        assert (target / path).resolve().is_relative_to(walled.folder.resolve())
        assert (target / path).resolve() not in (target, walled.folder.resolve())
    assert found <= REFUSALS


@pytest.mark.parametrize("root", ROOTS)
def test_roots_that_lead_out_are_refused(walled: Trial, root: str) -> None:
    text = f"datasource: {{name: s, type: parquet, options: {{root: {quoted(root)}}}}}\n"
    assert codes(walled, text) == {"DATASOURCE_004"}


@pytest.mark.parametrize("url", URLS)
def test_urls_that_mean_more_than_a_database_are_refused(trial: Trial, url: str) -> None:
    text = f"datasource: {{name: s, type: jdbc, options: {{url: {quoted(url)}}}}}\n"
    (found,) = codes(trial, text)
    assert found == ("DATASOURCE_003" if "password" in url else "DATASOURCE_002")


@pytest.mark.parametrize("url", SECRETS)
def test_urls_with_secrets_are_refused_and_not_repeated(trial: Trial, url: str) -> None:
    text = f"datasource: {{name: s, type: jdbc, options: {{url: {quoted(url)}}}}}\n"
    found = trial.check(text).diagnostics
    assert {d.code for d in found} == {"DATASOURCE_003"}
    assert all("pw" not in f"{d.message} {d.hint}" for d in found)


@pytest.mark.parametrize("table", TABLES)
def test_tables_that_are_no_names_are_refused(trial: Trial, table: str) -> None:
    found = codes(trial, OUTPUT % f"{{datasource_id: erp, table: {quoted(table)}}}")
    assert found
    assert found <= {"DATASOURCE_002", "OUTPUT_003", "YAML_003", "YAML_004", "YAML_005"}


@pytest.mark.parametrize("table", HARMLESS_TABLES)
def test_tables_with_odd_names_are_names(trial: Trial, table: str) -> None:
    assert codes(trial, OUTPUT % f"{{datasource_id: erp, table: {quoted(table)}}}") == set()


@pytest.mark.parametrize(("kind", "option", "code"), OPTIONS)
def test_options_that_reach_further_are_refused(
    trial: Trial, kind: str, option: str, code: str
) -> None:
    given = {
        "jdbc": 'url: "jdbc:postgresql://db/erp", ',
        "iceberg": "catalog: hadoop, warehouse: lake, ",
    }
    url = given.get(kind, "")
    text = f"datasource: {{name: s, type: {kind}, options: {{{url}{option}}}}}\n"
    assert codes(trial, text) == {code}


@pytest.mark.parametrize("reference", CREDENTIALS)
def test_credentials_are_named_and_never_written_out(trial: Trial, reference: str) -> None:
    text = f"datasource: {{name: s, type: csv, credential_ref: {quoted(reference)}}}\n"
    found = trial.check(text).diagnostics
    assert {d.code for d in found} == {"DATASOURCE_003"}
    assert all("hunter2" not in f"{d.message} {d.hint}" for d in found)
