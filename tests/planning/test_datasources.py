"""Definitions of data sources: SPEC section 7. No secrets, no paths outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.locations.boundary import Boundary
from rowbook.locations.file_options import file_size
from rowbook.planning.datasources import source_kind
from tests.support.trial import BASE, Trial


def source(options: str = "", *, kind: str = "parquet", more: str = "") -> str:
    return f"datasource: {{name: s, type: {kind}, options: {{{options}}}{more}}}\n"


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("parquet", "root: data, compression: zstd"),
        (
            "csv",
            'root: data, delimiter: ";", header: false, encoding: UTF-8, quote: "\'",'
            ' escape: "\\\\", null_text: "-", decimal_separator: ",", date_format: dd.MM.yyyy,'
            " timestamp_format: dd.MM.yyyy HH:mm, compression: gzip",
        ),
        (
            "json",
            "root: data, encoding: UTF-8, date_format: dd.MM.yyyy, files: 3,"
            " timestamp_format: yyyyMMdd HHmm, compression: bzip2",
        ),
        ("orc", "root: data, compression: zlib, file_size: 128mb"),
        ("excel", 'root: data, sheet: Chart, range: A3:F, decimal_separator: ","'),
        ("excel", "root: data, header_row: 3, date_format: dd.MM.yyyy, negative: trailing"),
        ("delta", "root: data"),
        ("iceberg", "catalog: hadoop, warehouse: lake, namespace: books.eu, compression: zstd"),
        (
            "iceberg",
            'catalog: jdbc, warehouse: lake, url: "jdbc:postgresql://db/lake", user: me, name: eu',
        ),
        ("iceberg", 'catalog: jdbc, warehouse: lake, url: "jdbc:sqlite:lake/catalog.db"'),
        (
            "iceberg",
            'catalog: rest, uri: "https://lake/api", warehouse: lake, namespace: eu'
            ", prefix: lakes/close",
        ),
        (
            "jdbc",
            'url: "jdbc:postgresql://db:5432/erp", user: reader, schema: finance, fetch_size: 1000,'
            " batch_size: 500, partition_column: id",
        ),
    ],
)
def test_options_of_each_type(kind: str, options: str, trial: Trial) -> None:
    trial.accepts(source(options, kind=kind))


def test_options_may_be_left_out(trial: Trial) -> None:
    trial.accepts("datasource: {name: s, type: csv}")


@pytest.mark.parametrize(
    ("kind", "options", "hint"),
    [
        ("csv", "delimeter: ⟦x", "did you mean 'delimiter'?"),
        ("parquet", "header: ⟦true", "options: root, compression"),
        ("delta", "files: ⟦3", "options: root, compression"),
        ("csv", "url: ⟦x", "options: root, delimiter"),
    ],
)
def test_options_of_another_type_are_refused(
    kind: str, options: str, hint: str, trial: Trial
) -> None:
    (found,) = trial.refuses(source(options, kind=kind), "DATASOURCE_002")
    assert (found.hint or "").startswith(hint)


LAKE = "catalog: hadoop, warehouse: lake"
REST = 'catalog: rest, uri: "https://lake", warehouse: lake, namespace: eu'


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ("⟦warehouse: lake", "DATASOURCE_002", "an iceberg data source needs the option 'catalog'"),
        (
            "catalog: ⟦glue, warehouse: lake",
            "DATASOURCE_002",
            "'glue' is not a catalog that is supported",
        ),
        (
            "⟦catalog: hadoop",
            "DATASOURCE_002",
            "an iceberg data source needs the option 'warehouse', the folder of its tables",
        ),
        (
            'catalog: hadoop, warehouse: ⟦"s3://bucket/lake"',
            "DATASOURCE_008",
            "a hadoop catalog cannot be in an object store: it has no way to exchange a table",
        ),
        (
            'catalog: jdbc, warehouse: lake, url: ⟦"jdbc:sqlite:s3://bucket/catalog.db"',
            "DATASOURCE_008",
            "'s3://bucket/catalog.db' is not a path of this machine",
        ),
        (
            f"{LAKE}, endpoint: ⟦https://store:9000",
            "DATASOURCE_002",
            "'endpoint' is an option of a warehouse in an object store",
        ),
        (
            f'{LAKE}, warehouse_keys: ⟦"env://KEYS"',
            "DATASOURCE_002",
            "'warehouse_keys' is an option of a warehouse in an object store",
        ),
        (
            "catalog: hadoop, warehouse: ⟦../lake",
            "DATASOURCE_004",
            "'../lake' is outside the workspace and its allowed locations",
        ),
        (
            f'{LAKE}, url: ⟦"jdbc:postgresql://db/lake"',
            "DATASOURCE_002",
            "'url' is not an option of a hadoop catalog",
        ),
        (f"{LAKE}, namespace: ⟦a/b", "DATASOURCE_002", "the namespace holds one of / \\ : `"),
        (
            f"{LAKE}, compression: ⟦brotli",
            "DATASOURCE_002",
            "'brotli' is no compression of iceberg: snappy, gzip, zstd, lz4, none",
        ),
        (
            "⟦catalog: jdbc, warehouse: lake",
            "DATASOURCE_002",
            "a catalog in a database needs the option 'url'",
        ),
        (
            'catalog: jdbc, warehouse: lake, url: ⟦"jdbc:mysql://db/lake"',
            "DATASOURCE_002",
            "'jdbc:mysql://db/lake' is not a database that is supported",
        ),
        (
            'catalog: jdbc, warehouse: lake, url: ⟦"jdbc:sqlite:/etc/catalog.db"',
            "DATASOURCE_004",
            "'/etc/catalog.db' is outside the workspace and its allowed locations",
        ),
        (
            'catalog: jdbc, warehouse: lake, url: "jdbc:postgresql://db/lake", user: ⟦""',
            "DATASOURCE_002",
            "the name in 'user' is empty",
        ),
    ],
)
def test_a_lake_has_a_catalog_and_a_folder_on_this_machine(
    options: str, code: str, message: str, trial: Trial
) -> None:
    """What lacks altogether is said at the options."""
    text = source(options, kind="iceberg").replace("{⟦", "⟦{")
    (found,) = trial.refuses(text, code)
    assert found.message == message


def test_the_secret_of_a_catalog_goes_where_the_workspace_lets_it(trial: Trial) -> None:
    url = 'catalog: jdbc, warehouse: lake, url: "jdbc:postgresql://db/lake"'
    text = source(url, kind="iceberg", more=', credential_ref: ⟦"env://LAKE"')
    (found,) = trial.refuses(text, "DATASOURCE_011")
    assert found.message == "the workspace does not let env://LAKE go to db:5432"


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            "⟦catalog: rest, warehouse: lake, namespace: eu",
            "DATASOURCE_002",
            "a rest catalog needs the option 'uri'",
        ),
        (
            '⟦catalog: rest, warehouse: lake, uri: "https://lake"',
            "DATASOURCE_002",
            "a rest catalog needs the option 'namespace'",
        ),
        (
            f"{REST}, url: ⟦x",
            "DATASOURCE_002",
            "'url' is not an option of a rest catalog",
        ),
        (
            f'{LAKE}, uri: ⟦"https://lake"',
            "DATASOURCE_002",
            "'uri' is not an option of a hadoop catalog",
        ),
        (
            f"{REST}, prefix: ⟦../x",
            "DATASOURCE_002",
            "'prefix' must be a path of letters, digits, dots, dashes and underscores",
        ),
        (
            'catalog: rest, warehouse: lake, namespace: eu, uri: ⟦"https://lake/x?y=1"',
            "DATASOURCE_002",
            "'uri' must be https://host or https://host:port, with or without a path",
        ),
        (
            'catalog: rest, warehouse: lake, namespace: eu, uri: ⟦"https://me:hunter2@lake"',
            "DATASOURCE_003",
            "option 'uri' looks like a secret",
        ),
    ],
)
def test_a_lake_may_have_a_server_for_a_catalog(
    options: str, code: str, message: str, trial: Trial
) -> None:
    text = source(options, kind="iceberg").replace("{⟦", "⟦{")
    (found,) = trial.refuses(text, code)
    assert found.message == message


def test_the_token_of_a_catalog_goes_where_the_workspace_lets_it(trial: Trial) -> None:
    text = source(REST, kind="iceberg", more=', credential_ref: ⟦"env://LAKE"')
    (found,) = trial.refuses(text, "DATASOURCE_011")
    assert found.message == "the workspace does not let env://LAKE go to lake:443"
    grant = 'workspace: {credentials: [{ref: "env://LAKE", host: "HOST"}], '
    token = ', credential_ref: "env://LAKE"'
    base = BASE.replace("workspace: {", grant.replace("HOST", "lake:443"))
    trial.accepts(source(REST, kind="iceberg", more=token), base=base)
    text = source(REST.replace('"https', '⟦"http'), kind="iceberg", more=token)
    base = BASE.replace("workspace: {", grant.replace("HOST", "lake:80"))
    (found,) = trial.refuses(text, "DATASOURCE_002", base=base)
    assert found.message == "'uri' is http: the token could be read on its way"


STORED = 'catalog: jdbc, url: "jdbc:sqlite:lake/catalog.db"'
BUCKETS = BASE.replace(
    "workspace: {",
    'workspace: {allowed_locations: ["s3://lake/books", "gs://lake"],'
    ' credentials: [{ref: "env://KEYS", host: "store:9000"}], ',
)


def test_a_lake_with_a_catalog_in_a_database_may_be_in_an_object_store(trial: Trial) -> None:
    options = (
        f'{STORED}, warehouse: "s3://lake/books/close", endpoint: "https://store:9000",'
        ' region: eu-central-1, path_style: true, warehouse_keys: "env://KEYS"'
    )
    trial.accepts(source(options, kind="iceberg"), base=BUCKETS)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ('warehouse: ⟦"s3://lake/books"', "DATASOURCE_004"),
        ('warehouse: ⟦"s3://lake/other"', "DATASOURCE_004"),
        ('warehouse: ⟦"gs://lake/books"', "DATASOURCE_008"),
        ('warehouse: "s3://lake/books/close", endpoint: ⟦"store:9000"', "DATASOURCE_002"),
        ('warehouse: "s3://lake/books/close", path_style: ⟦often', "DATASOURCE_002"),
        ('warehouse: "s3://lake/books/close", publication: ⟦pointer', "DATASOURCE_002"),
        ('warehouse: "s3://lake/books/close", warehouse_keys: ⟦"id:secret"', "DATASOURCE_003"),
        ('warehouse: "s3://lake/books/close", warehouse_keys: ⟦"env://KEYS"', "DATASOURCE_011"),
    ],
)
def test_what_a_lake_in_an_object_store_cannot_be_is_refused(
    options: str, code: str, trial: Trial
) -> None:
    trial.refuses(source(f"{STORED}, {options}", kind="iceberg"), code, base=BUCKETS)


@pytest.mark.parametrize(
    ("kind", "options", "message"),
    [
        (
            "parquet",
            "compression: ⟦zip",
            "'zip' is no compression of parquet: snappy, gzip, zstd, lz4, none",
        ),
        (
            "orc",
            "compression: ⟦gzip",
            "'gzip' is no compression of orc: snappy, zlib, zstd, lz4, none",
        ),
        ("csv", "compression: ⟦snappy", "'snappy' is no compression of csv: gzip, bzip2, none"),
        ("json", "compression: ⟦GZIP", "'GZIP' is no compression of json: gzip, bzip2, none"),
        ("csv", "files: ⟦0", "'files' must be a positive integer of at most five digits"),
        ("json", "files: ⟦many", "'files' must be a positive integer of at most five digits"),
        ("orc", "files: ⟦1.5", "'files' must be a positive integer of at most five digits"),
        ("csv", "file_size: ⟦128", "'file_size' must be a size from 64kb up, such as 128mb"),
        ("csv", "file_size: ⟦1kb", "'file_size' must be a size from 64kb up, such as 128mb"),
        ("csv", "file_size: ⟦1.5mb", "'file_size' must be a size from 64kb up, such as 128mb"),
        ("parquet", "files: 2, file_size: ⟦1mb", "'files' and 'file_size' exclude each other"),
    ],
)
def test_how_files_are_written_is_checked(
    kind: str, options: str, message: str, trial: Trial
) -> None:
    (found,) = trial.refuses(source(options, kind=kind), "DATASOURCE_002")
    assert found.message == message


@pytest.mark.parametrize(
    ("text", "expected"),
    [("64kb", 2**16), ("128mb", 2**27), ("1 GB", 2**30), ("63kb", None), ("0mb", None), ("", None)],
)
def test_sizes_of_files_are_powers_of_two(text: str, expected: int | None) -> None:
    assert file_size(text) == expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("decimal_separator: ⟦x", "'decimal_separator' is 'x', but must be '.' or ','"),
        (
            "thousands_separator: ⟦_",
            "'thousands_separator' is '_', but must be '.', ',', an apostrophe or a space",
        ),
        (
            'thousands_separator: ⟦"."',
            "'thousands_separator' is '.', and so is decimal_separator: they must differ",
        ),
        (
            'decimal_separator: ",", thousands_separator: ⟦","',
            "'thousands_separator' is ',', and so is decimal_separator: they must differ",
        ),
        ("negative: ⟦red", "'negative' is 'red', but must be leading, trailing or parentheses"),
        ('strip: ⟦"€-"', "'strip' holds '-', which a number itself may hold"),
        ('strip: ⟦""', "'strip' is '', but must be the signs that may stand around a number"),
        (
            "date_format: ⟦d.M.yy",
            "'date_format' is 'd.M.yy', but must be made of yyyy, MM, dd and punctuation",
        ),
        (
            "timestamp_format: ⟦x",
            "'timestamp_format' is 'x', but must be made of yyyy, MM, dd, HH, mm, ss, S, XXX and"
            " punctuation",
        ),
        ("header_row: ⟦0", "'header_row' must be the number of a line, of at most five digits"),
        ("header: false, header_row: ⟦2", "'header_row' is for files with a header"),
    ],
)
def test_how_values_are_written_is_checked(options: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(source(options, kind="csv"), "DATASOURCE_002")
    assert found.message == message


@pytest.mark.parametrize(
    "options",
    [
        'decimal_separator: ",", thousands_separator: ".", negative: trailing, strip: "€$"',
        'thousands_separator: "\'", negative: parentheses, strip: " "',
        'thousands_separator: " ", header_row: 3',
    ],
)
def test_numbers_may_be_written_as_accounting_systems_do(options: str, trial: Trial) -> None:
    trial.accepts(source(options, kind="csv"))


def test_a_database_has_no_root(trial: Trial) -> None:
    trial.refuses(
        source('root: ⟦data, url: "jdbc:postgresql://db/erp"', kind="jdbc"), "DATASOURCE_002"
    )


@pytest.mark.parametrize("value", ["yes", "1", '"True "'])
def test_header_is_true_or_false(value: str, trial: Trial) -> None:
    (found,) = trial.refuses(source(f"header: ⟦{value}", kind="csv"), "DATASOURCE_002")
    assert found.message == "'header' must be true or false"


def test_an_option_is_a_single_value(trial: Trial) -> None:
    (found,) = trial.refuses(source("root: ⟦[a, b]"), "YAML_004")
    assert found.message == "'root' must be a single value"


def test_an_unknown_type_is_suggested(trial: Trial) -> None:
    (found,) = trial.refuses(source(kind="⟦parket"), "YAML_004")
    assert (
        found.hint
        == "did you mean 'parquet'?  allowed: parquet, csv, json, orc, excel, delta, jdbc,"
        " iceberg"
    )


def test_a_database_needs_a_url(trial: Trial) -> None:
    trial.refuses("datasource: {name: s, type: jdbc, options: ⟦{user: x}}", "DATASOURCE_002")


@pytest.mark.parametrize("url", ["jdbc:sqlserver://db/erp", "postgresql://db/erp", "db:5432"])
def test_a_database_is_postgresql_or_mysql(url: str, trial: Trial) -> None:
    (found,) = trial.refuses(source(f'url: ⟦"{url}"', kind="jdbc"), "DATASOURCE_002")
    assert found.message == f"'{url}' is not a database that is supported"
    assert found.hint == (
        "write jdbc:postgresql://host:5432/database, or jdbc:mariadb://host:3306/database"
    )


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("jdbc:postgresql://db/erp", "jdbc"),
        ("jdbc:mysql://db/erp", "mysql"),
        ("jdbc:mariadb://db/erp?sslMode=verify-full", "mysql"),
        ("jdbc:oracle://db", "jdbc"),
    ],
)
def test_databases_are_told_apart_by_their_urls(url: str, kind: str, trial: Trial) -> None:
    model = DatasourceDefinition(name="erp", type="jdbc", options={"url": url})
    assert source_kind(model) == kind
    if url.startswith(("jdbc:m", "jdbc:p")):
        trial.accepts(source(f'url: "{url}", user: reader', kind="jdbc"))


def test_a_url_of_mysql_has_options_of_its_own(trial: Trial) -> None:
    (found,) = trial.refuses(
        source('url: ⟦"jdbc:mariadb://db/erp?sslmode=require"', kind="jdbc"), "DATASOURCE_002"
    )
    assert found.message == "'sslmode' is not an option that the url may have"
    assert found.hint == "did you mean 'sslMode'?  options: sslMode, connectTimeout"
    (found,) = trial.refuses(
        source('url: ⟦"jdbc:mysql://db/erp?useSSL=true"', kind="jdbc"), "DATASOURCE_002"
    )
    assert found.hint == "write sslMode=verify-full"


# --- secrets


SECRET = "hunter2"


@pytest.mark.parametrize(
    "text",
    [
        source(f"password: ⟦{SECRET}"),
        source(f"db_passwd: ⟦{SECRET}"),
        source(f"Secret: ⟦{SECRET}"),
        source(f"auth_token: ⟦{SECRET}"),
        source(f"api_key: ⟦{SECRET}"),
        source(f"accessKey: ⟦{SECRET}"),
        source(f"private_key: ⟦{SECRET}"),
        source(f"credentials: ⟦{SECRET}"),
        source(f'url: ⟦"jdbc:postgresql://reader:{SECRET}@db/erp"', kind="jdbc"),
        source(f'url: ⟦"jdbc:postgresql://db/erp?password={SECRET}"', kind="jdbc"),
        source(f'url: ⟦"jdbc:postgresql://db/erp?ssl=1&sslpassword={SECRET}"', kind="jdbc"),
        source(f'url: ⟦"mysql://root:{SECRET}@db/erp"', kind="jdbc"),
        source(f'root: ⟦"s3a://key:{SECRET}@bucket/data"'),
        "datasource: {name: s, type: csv, credential_ref: ⟦" + SECRET + "}",
        "resolver: {name: r, rules: [{name: a, strategy: {type: path, path: ⟦"
        f'"s3a://key:{SECRET}@bucket/a.csv"}}}}]}}',
    ],
)
def test_a_secret_is_refused_and_not_shown(text: str, trial: Trial) -> None:
    (found,) = trial.refuses(text, "DATASOURCE_003")
    shown = f"{found.message} {found.hint} {found.snippet}"
    assert SECRET not in shown


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("store", f'{{url: ⟦"postgresql://rowbook:{SECRET}@db/store"}}'),
        ("store", f'{{url: ⟦"postgresql://db/store?password={SECRET}"}}'),
        ("store", f'{{url: "postgresql://db/store", credential_ref: ⟦{SECRET}}}'),
        ("engine", f'{{remote: ⟦"sc://host:15002/;token={SECRET}"}}'),
        ("allowed_locations", f'[/mnt/lake, ⟦"s3a://key:{SECRET}@bucket"]'),
    ],
)
def test_the_workspace_holds_no_secret_either(setting: str, value: str, trial: Trial) -> None:
    text = f"workspace: {{name: acme, {setting}: {value}}}"
    (found,) = trial.check("", base=text).diagnostics
    column = text.index("⟦") + 1
    assert (found.code, str(found.position)) == ("DATASOURCE_003", f"rowbook.yaml:1:{column}")
    assert SECRET not in f"{found.message} {found.hint}"


@pytest.mark.parametrize("reference", ["env://LAKE_KEY", "file:///run/secrets/lake", "file://key"])
def test_a_credential_is_named(reference: str, trial: Trial) -> None:
    trial.accepts(source(more=f', credential_ref: "{reference}"'))


@pytest.mark.parametrize("reference", ["LAKE_KEY", "env://", "env://a b", "file://", "vault://x"])
def test_by_env_or_file(reference: str, trial: Trial) -> None:
    trial.refuses(source(more=f', credential_ref: ⟦"{reference}"'), "DATASOURCE_003")


ERP = source(
    'url: "jdbc:postgresql://erp/ledger"', kind="jdbc", more=', credential_ref: ⟦"env://ERP"'
)


def granting(entry: str) -> str:
    return BASE.replace("workspace: {", f"workspace: {{credentials: [{entry}], ", 1)


@pytest.mark.parametrize(
    "entry",
    ['{ref: env://ERP, host: "erp:5432"}', "{ref: env://ERP, host: ERP, auth: [md5, password]}"],
)
def test_a_secret_may_go_where_the_workspace_says(entry: str, trial: Trial) -> None:
    trial.accepts(ERP.replace("⟦", ""), base=granting(entry))


@pytest.mark.parametrize(
    "entry",
    [
        '{ref: env://ERP, host: "erp:5433"}',
        '{ref: env://ERP, host: "db:5432"}',
        '{ref: env://HOME, host: "erp:5432"}',
        '{ref: "file://ERP", host: "erp:5432"}',
    ],
)
def test_and_nowhere_else(entry: str, trial: Trial) -> None:
    (found,) = trial.refuses(ERP, "DATASOURCE_011", base=granting(entry))
    assert found.message == "the workspace does not let env://ERP go to erp:5432"
    assert found.hint == (
        'if it may, add to rowbook.yaml, under credentials: - {ref: "env://ERP", host: "erp:5432"}'
    )


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ('{ref: ⟦"summer2026", host: erp}', "DATASOURCE_003"),
        ('{ref: env://ERP, host: ⟦"erp/ledger"}', "WORKSPACE_005"),
        ('{ref: env://ERP, host: ⟦"erp:70000"}', "WORKSPACE_005"),
        ('{ref: env://ERP, host: erp, auth: [⟦"trust"]}', "YAML_004"),
    ],
)
def test_what_the_workspace_says_of_secrets_is_checked(entry: str, code: str, trial: Trial) -> None:
    text = f"workspace: {{name: acme, credentials: [{entry}]}}"
    (found,) = trial.check("", base=text).diagnostics
    column = text.index("⟦") + 1
    assert (found.code, str(found.position)) == (code, f"rowbook.yaml:1:{column}")


# --- roots


@pytest.mark.parametrize("root", [".", "data", "data/lake", "./data/../data", "not/there/yet"])
def test_a_root_inside_the_workspace(root: str, trial: Trial) -> None:
    trial.accepts(source(f"root: {root}"))


@pytest.mark.parametrize(
    "root",
    [
        *("..", "../other", "data/../../other", "/", "/etc", "/mnt/lake"),
        *("s3a://bucket/data", "file:///etc", "FILE:/etc", "hdfs://node/data", "C:/data"),
    ],
)
def test_a_root_outside_is_refused(root: str, trial: Trial) -> None:
    (found,) = trial.refuses(source(f'root: ⟦"{root}"'), "DATASOURCE_004")
    assert found.message == f"'{root}' is outside the workspace and its allowed locations"


ALLOWING = BASE.replace(
    "workspace: {", 'workspace: {allowed_locations: [/mnt/lake, "s3://bucket/finance"], '
)


@pytest.mark.parametrize(
    "root", ["/mnt/lake", "/mnt/lake/gl", "/mnt/x/../lake", "s3://bucket/finance/gl"]
)
def test_an_allowed_location_is_inside(root: str, trial: Trial) -> None:
    trial.accepts(source(f'root: "{root}"'), base=ALLOWING)


@pytest.mark.parametrize(
    "root",
    [
        *("/mnt/lakes", "/mnt", "/mnt/lake/..", "/mnt/lake/../other"),
        *("s3://bucket/finances", "s3a://bucket", "s3://bucket/finance/../hr"),
        *("s3://bucket/finance/%2e%2e/hr", "s3a://bucket/finance", "s3a://other/finance"),
    ],
)
def test_beside_an_allowed_location_is_outside(root: str, trial: Trial) -> None:
    trial.refuses(source(f'root: ⟦"{root}"'), "DATASOURCE_004", base=ALLOWING)


def test_links_are_followed(trial: Trial, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (trial.folder / "inside").mkdir()
    (trial.folder / "way_out").symlink_to(outside)
    (trial.folder / "way_in").symlink_to(trial.folder / "inside")
    trial.accepts(source("root: way_in/lake"))
    trial.refuses(source("root: ⟦way_out/lake"), "DATASOURCE_004")
    trial.refuses(source("root: ⟦way_in/../../x"), "DATASOURCE_004")
    base = BASE.replace("workspace: {", f"workspace: {{allowed_locations: [{outside}], ")
    trial.accepts(source("root: way_out/lake"), base=base)


def test_a_workspace_that_is_itself_a_link_is_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    boundary = Boundary(tmp_path / "link")
    assert boundary.contains("data")
    assert boundary.contains(str(tmp_path / "real" / "data"))
    assert not boundary.contains(str(tmp_path / "data"))


@pytest.mark.parametrize(
    ("path", "below", "expected"),
    [
        ("gl", "s3://bucket/finance", True),
        ("gl/2026", "s3://bucket/finance/", True),
        ("../hr", "s3://bucket/finance", False),
        ("a/../../hr", "s3://bucket/finance", False),
        ("%2e%2e/hr", "s3://bucket/finance", False),
        ("/etc/passwd", "s3://bucket/finance", False),
        ("/mnt/lake/gl", "s3://bucket/finance", True),
        ("s3a://bucket/hr", "s3://bucket/finance", False),
        ("s3://bucket/finance/gl", "data", True),
        ("../gl", "data", True),
        ("../../gl", "data", False),
        ("gl\0", "data", False),
    ],
)
def test_paths_are_taken_from_the_root_of_their_data_source(
    path: str, below: str, expected: bool, tmp_path: Path
) -> None:
    boundary = Boundary(tmp_path, ("/mnt/lake", "s3://bucket/finance"))
    assert boundary.contains(path, below) is expected


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("range: ⟦A3", "'range' must be cells such as A3:F200, or A3:F for all rows from there on"),
        ("range: ⟦F3:A9", "'range' must be cells"),
        ("range: ⟦A9:F3", "'range' must be cells"),
        ("range: ⟦A1:ZZZ9", "'range' must be cells"),
        ("header_row: ⟦0", "'header_row' must be the number of a row, from 1"),
        ("header_row: ⟦1048577", "'header_row' must be the number of a row"),
        ("range: A3:F, header_row: ⟦3", "'range' and 'header_row' exclude each other"),
        ('sheet: ⟦""', "'sheet' must be the name of a sheet"),
    ],
)
def test_options_of_sheets_are_checked(options: str, message: str, trial: Trial) -> None:
    (found,) = trial.refuses(source(options, kind="excel"), "DATASOURCE_002")
    assert found.message.startswith(message)


IN_STORE = 'root: "s3://bucket/finance"'


def test_a_store_has_options_of_its_own(trial: Trial) -> None:
    options = 'endpoint: "http://127.0.0.1:7070", region: eu-central-1, path_style: true'
    trial.accepts(source(f"{IN_STORE}, {options}, publication: pointer"), base=ALLOWING)
    trial.refuses(source('root: data, endpoint: ⟦"http://127.0.0.1"'), "DATASOURCE_002")


@pytest.mark.parametrize(
    "option",
    ['endpoint: ⟦"127.0.0.1:7070"', "region: ⟦EU", "path_style: ⟦1", "publication: ⟦rename"],
)
def test_options_of_stores_are_checked(option: str, trial: Trial) -> None:
    trial.refuses(source(f"{IN_STORE}, {option}"), "DATASOURCE_002", base=ALLOWING)


@pytest.mark.parametrize("kind", ["csv", "json", "parquet", "orc", "excel", "delta"])
def test_tables_of_every_format_may_be_in_a_store(kind: str, trial: Trial) -> None:
    trial.accepts(source(IN_STORE, kind=kind), base=ALLOWING)


def test_other_stores_are_refused(trial: Trial) -> None:
    base = BASE.replace("workspace: {", 'workspace: {allowed_locations: ["gs://bucket"], ')
    (found,) = trial.refuses(source('root: ⟦"gs://bucket/gl"'), "DATASOURCE_008", base=base)
    assert found.message == "data at gs:// cannot be read or written"
    assert "endpoint" in (found.hint or "")


IN_AZURE = "abfss://lake@acme.dfs.core.windows.net"
AZURE = BASE.replace(
    "workspace: {", f'workspace: {{allowed_locations: ["az://lake", "{IN_AZURE}"], '
)


@pytest.mark.parametrize(
    "options",
    [
        'root: "az://lake/in", account: acme',
        'root: "az://lake/in", account: acme, endpoint: "http://127.0.0.1:1", path_style: true',
        f'root: "{IN_AZURE}/in"',
    ],
)
def test_files_may_be_at_azure(options: str, trial: Trial) -> None:
    trial.accepts(source(options), base=AZURE)


@pytest.mark.parametrize(
    ("options", "kind", "code", "says"),
    [
        ('root: ⟦"az://lake"', "csv", "DATASOURCE_002", "needs the option 'account'"),
        ('root: "az://lake", account: ⟦A.B', "csv", "DATASOURCE_002", "name of a storage account"),
        ('root: "az://lake", account: acme, region: ⟦eu', "csv", "DATASOURCE_002", "not an option"),
        (
            f'root: "{IN_AZURE}", publication: ⟦pointer',
            "csv",
            "DATASOURCE_002",
            "not an option of csv",
        ),
        (f'root: ⟦"{IN_AZURE}"', "delta", "DATASOURCE_008", "Delta tables at"),
    ],
)
def test_what_azure_has_not_is_refused(
    options: str, kind: str, code: str, says: str, trial: Trial
) -> None:
    (found,) = trial.refuses(source(options, kind=kind), code, base=AZURE)
    assert says in found.message


def test_files_may_be_in_hdfs(trial: Trial) -> None:
    base = BASE.replace("workspace: {", 'workspace: {allowed_locations: ["hdfs://name:8020/in"], ')
    root = 'root: "hdfs://name:8020/in/gl"'
    trial.accepts(source(f'{root}, namenode: "http://name:9870"'), base=base)
    for text in (
        source(f"{root}, namenode: ⟦name"),
        source(f"{root}, region: ⟦eu"),
        source(root, more=", credential_ref: ⟦env://KEYS"),
    ):
        trial.refuses(text, "DATASOURCE_002", base=base)
    text = source('root: ⟦"hdfs://name:8020/in"', kind="delta")
    trial.refuses(text, "DATASOURCE_008", base=base)


def test_the_key_of_an_account_goes_where_the_workspace_lets_it(trial: Trial) -> None:
    text = source(f'root: "{IN_AZURE}"', more=", credential_ref: ⟦env://KEYS")
    (found,) = trial.refuses(text, "DATASOURCE_011", base=AZURE)
    assert found.message.endswith("go to acme.blob.core.windows.net:443")


def test_keys_go_to_a_store_that_the_workspace_names(trial: Trial) -> None:
    text = source(IN_STORE, more=", credential_ref: ⟦env://KEYS")
    (found,) = trial.refuses(text, "DATASOURCE_011", base=ALLOWING)
    assert found.message.endswith("go to s3.us-east-1.amazonaws.com:443")
    grant = 'credentials: [{ref: "env://KEYS", host: s3.us-east-1.amazonaws.com}], '
    base = ALLOWING.replace("workspace: {", "workspace: {" + grant)
    trial.accepts(text.replace("⟦", ""), base=base)
