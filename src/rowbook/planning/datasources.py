"""Checking data sources: options by type, no secrets, no paths outside."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from rowbook.definitions.models.datasource import DatasourceDefinition
from rowbook.definitions.place import Place
from rowbook.definitions.yaml.nodes import Scalar
from rowbook.errors import listing, suggestion
from rowbook.locations.catalog_uris import FORM as URI_FORM
from rowbook.locations.catalog_uris import (
    catalog_server,
    catalog_uri_fault,
    is_readable_on_the_way,
    prefix_fault,
)
from rowbook.locations.file_options import LAYOUT_OPTIONS, file_option_fault
from rowbook.locations.identifiers import lake_table_fault, name_fault, table_fault
from rowbook.locations.jdbc_urls import (
    FORM,
    POSTGRESQL,
    SQLITE,
    JdbcUrlError,
    jdbc_url,
    product_of,
)
from rowbook.locations.object_urls import (
    STORE_OPTIONS,
    ObjectUrlError,
    is_in_store,
    is_only_read,
    is_url,
    scheme_of,
    store_address,
    store_option_fault,
    store_options,
    url_fault,
)
from rowbook.locations.text_options import FORMAT_OPTIONS, format_fault
from rowbook.planning.definitions.lookup import DefinitionLookup
from rowbook.planning.findings import Findings
from rowbook.private_files import STATE

IN_STATE = f"leads into {STATE}/, where Rowbook keeps its store and drafts"
WHOLE = "is the workspace, an allowed location or a root as a whole"
NOT_WHOLE = "name a file or folder in it"
NOT_IN_STATE = f"write to a folder outside of {STATE}/"
ONLY_READ_THERE = "lies in a store where data is only read"
WRITE_TO_S3 = "write to a folder, or to s3://"
NO_DELTA_AT = "Delta tables at {} cannot be read"
NO_DELTA = "Delta tables are on disks and at s3://"
WITH_POINTER = (
    "write a delta table there, or csv, json, parquet or orc files with the option"
    " `publication: pointer`"
)
WAREHOUSE_KEYS = "warehouse_keys"
"""The option that names the keys of the bucket that Iceberg tables are in; `credential_ref` is that
of their catalog."""
_CSV = (
    *("delimiter", "quote", "escape", "encoding", "header", "header_row", "null_text"),
    *FORMAT_OPTIONS,
)
READ_OPTIONS = frozenset(_CSV)
"""Options without which a file is not read as it was written."""
ONLY_READ: Mapping[str, tuple[str, ...]] = {
    "csv": ("header_row",),
    "excel": ("range", "header_row", *FORMAT_OPTIONS),
}
"""Options that say nothing of files that are written: these begin with their header, and a workbook
holds numbers and dates as such."""
_IN_STORE = ("endpoint", "region", "path_style")
OPTIONS: Mapping[str, tuple[str, ...]] = {
    "parquet": LAYOUT_OPTIONS,
    "csv": (*_CSV, "bom", *LAYOUT_OPTIONS),
    "excel": ("sheet", "file_name", *ONLY_READ["excel"]),
    "json": ("encoding", *FORMAT_OPTIONS, *LAYOUT_OPTIONS),
    "orc": LAYOUT_OPTIONS,
    "delta": ("compression",),
    "iceberg": (
        *("catalog", "warehouse", "namespace", "compression"),
        *("url", "user", "name", "uri", "prefix"),
        *(*_IN_STORE, WAREHOUSE_KEYS),
    ),
    "jdbc": (
        *("url", "user", "schema", "staging_schema"),
        *("fetch_size", "batch_size", "partition_column"),
    ),
}
"""The options of each type, beside `root` for those that are files."""
_POINTED = ("csv", "json", "parquet", "orc")

CATALOGS: Mapping[str, tuple[str, ...]] = {
    "hadoop": (),
    "jdbc": ("url", "user", "name"),
    "rest": ("uri", "prefix"),
}
"""Kinds of catalogs of Iceberg tables, and what is said of each alone."""
_NO_CATALOG = "an iceberg data source needs the option 'catalog'"
BY_NAME = frozenset({"jdbc", "iceberg"})
"""Types whose tables are known by name: such a data source has no root, and its tables no paths."""

_SECRET = re.compile(
    r"passw|secret|token|credential|api_?key|access_?key|private_?key", re.IGNORECASE
)
_SECRET_IN_URL = re.compile(
    r"//[^/@:\s]*:[^/@\s]+@|[?&;][^?=&;]*(?:passw|pwd|secret|token)[^?=&;]*=", re.IGNORECASE
)
_LONGEST_URL = 2_000
"""No URL is longer; of a text that is, only so much is searched."""
_CREDENTIAL = re.compile(r"env://[A-Za-z_][A-Za-z0-9_]*|file://.+")
_BOOLEAN_OPTIONS = frozenset({"bom", "header", "single_file"})
_POSITIVE = re.compile(r"[1-9][0-9]{0,6}")
_POSITIVE_OPTIONS = ("fetch_size", "batch_size")
_NAME_OPTIONS = ("user", "schema", "staging_schema", "partition_column")


def check_datasource(
    model: DatasourceDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    root: tuple[str, ...] = () if model.type in BY_NAME else ("root",)
    if root and is_url(root_of(model)):
        root = ("root", *store_options(root_of(model)))
    options = place.at("options")
    check_options(model.type, model.options, options, findings, extra=root)
    if model.type == "jdbc":
        _check_database(model, options, findings)
        _check_grant(model, place.at("credential_ref"), known, findings)
    elif model.type == "iceberg":
        _check_lake(model, place, known, findings)
    elif "root" in model.options:
        _check_root(root_of(model), options.at("root"), known, findings)
        _check_store(model, place, known, findings)
    check_credential(model.credential_ref, place.at("credential_ref"), findings)


def root_of(model: DatasourceDefinition) -> str:
    """The folder of a file data source, from the workspace; left out, the workspace itself."""
    return option_text(model.options.get("root")) or "."


def source_kind(model: DatasourceDefinition) -> str:
    """The row of the registry that reads and writes its tables: databases are told apart by their
    urls."""
    product = product_of(option_text(model.options.get("url"))) if model.type == "jdbc" else None
    return model.type if product is None else product.kind


def holds_secret(url: str) -> bool:
    return _SECRET_IN_URL.search(url, 0, _LONGEST_URL) is not None


def check_credential(
    reference: str | None, place: Place, findings: Findings, key: str = "credential_ref"
) -> None:
    if reference is not None and not _CREDENTIAL.fullmatch(reference):
        message = f"{key} names where the secret is: env://NAME or file://path"
        findings.add(place, "DATASOURCE_003", message)


def check_options(
    kind: str,
    options: Mapping[str, Any],
    place: Place,
    findings: Findings,
    extra: tuple[str, ...] = (),
    among: Mapping[str, Any] | None = None,
) -> None:
    """`among` are all that hold, where `options` are a part of them."""
    known = (*extra, *OPTIONS[kind])
    texts = {name: option_text(value) for name, value in (among or options).items()}
    for name, value in options.items():
        if _SECRET.search(name) or holds_secret(option_text(value)):
            message = f"option '{name}' looks like a secret"
            findings.add(place.at(name), "DATASOURCE_003", message)
        elif name not in known:
            hint = suggestion(name, known, "options")
            message = f"'{name}' is not an option of {kind}"
            findings.add(place.at(name), "DATASOURCE_002", message, hint)
        elif name in _BOOLEAN_OPTIONS and option_text(value) not in ("true", "false"):
            findings.add(place.at(name), "DATASOURCE_002", f"'{name}' must be true or false")
        elif fault := _value_fault(kind, name, texts):
            findings.add(place.at(name), "DATASOURCE_002", fault)
        elif name == "header_row" and texts.get("header") == "false":
            message = "'header_row' is for files with a header"
            findings.add(place.at(name), "DATASOURCE_002", message)
        elif fault := format_fault(name, {"decimal_separator": ".", **texts}):
            findings.add(place.at(name), "DATASOURCE_002", f"'{name}' {fault}")


def _value_fault(kind: str, name: str, options: Mapping[str, str]) -> str | None:
    if any(name in names for names in STORE_OPTIONS.values()):
        return store_option_fault(name, options[name])
    return file_option_fault(kind, name, options[name], options)


def check_path(
    path: str, place: Place, known: DefinitionLookup, findings: Findings, below: str = "."
) -> None:
    """A path stays inside the workspace and its allowed locations, and holds no secret."""
    if holds_secret(path):
        findings.add(place, "DATASOURCE_003", "the path holds a secret")
    elif not known.boundary.contains(path, below):
        message = f"'{path}' is outside the workspace and its allowed locations"
        findings.add(place, "DATASOURCE_004", message)
    elif is_url(path) and (fault := url_fault(path)):
        findings.add(place, "DATASOURCE_008", str(fault), fault.hint)


def check_target(
    path: str,
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
    below: str = ".",
    store_fault: str | None = None,
) -> None:
    """A path to write to: inside too, never all of the workspace, of an allowed location or of a
    data source's root, and nothing that Rowbook itself keeps. `store_fault` says why it cannot be
    in an object store."""
    if known.boundary.is_whole(path, below) and not holds_secret(path):
        findings.add(place, "DATASOURCE_004", f"'{path}' {WHOLE}", NOT_WHOLE)
    elif known.boundary.is_state(path, below):
        findings.add(place, "DATASOURCE_004", f"'{path}' {IN_STATE}", NOT_IN_STATE)
    elif is_only_read(path if is_url(path) else below) and known.boundary.contains(path, below):
        message = f"'{path}' {ONLY_READ_THERE}"
        findings.add(place, "DATASOURCE_008", message, WRITE_TO_S3)
    elif store_fault and is_in_store(path, below) and known.boundary.contains(path, below):
        message = f"'{path}' lies in an object store, and {store_fault}"
        findings.add(place, "DATASOURCE_008", message, WITH_POINTER)
    else:
        check_path(path, place, known, findings, below)


def store_write_fault(kind: str, options: Mapping[str, str], *, one_file: bool) -> str | None:
    """Why an output cannot be written to an object store."""
    if kind == "delta":
        return None
    if kind not in _POINTED:
        return f"tables of type {kind} cannot be written there"
    if options.get("publication") != "pointer":
        return "files cannot be replaced there in one step"
    return "one file cannot be written there, a folder of files alone" if one_file else None


def check_table(kind: str, name: str, place: Place, findings: Findings) -> None:
    fault, of = (table_fault(name), "schema")
    if kind == "iceberg":
        fault, of = (lake_table_fault(name), "namespace")
    if fault:
        message = f"the name of the table {fault}"
        findings.add(place, "DATASOURCE_002", message, f"write name, or {of}.name")


def _check_root(root: str, place: Place, known: DefinitionLookup, findings: Findings) -> None:
    """A secret in it is reported with the other options."""
    if not holds_secret(root):
        check_path(root, place, known, findings)


def _check_store(
    model: DatasourceDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    """Which keys may go where; what is wrong with the URL or an option is reported with these."""
    reference, root = model.credential_ref, root_of(model)
    if not is_url(root) or url_fault(root):
        return
    if is_only_read(root):
        _check_read_store(model, place, findings)
    if reference is not None and not _takes_no_keys(root):
        _check_keys(reference, root, _texts(model), place.at("credential_ref"), known, findings)


def _check_keys(
    reference: str,
    url: str,
    options: Mapping[str, str],
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
) -> None:
    try:
        server = store_address(url, options).server
    except ObjectUrlError:
        return
    if _CREDENTIAL.fullmatch(reference) and not known.boundary.lets_keys_go(reference, server):
        message, hint = grant_message(reference, server), grant_hint(reference, server)
        findings.add(place, "DATASOURCE_011", message, hint)


def _check_read_store(model: DatasourceDefinition, place: Place, findings: Findings) -> None:
    """One that is only read."""
    root, options = root_of(model), place.at("options")
    if _takes_no_keys(root) and model.credential_ref is not None:
        message = "hdfs:// takes no credential: it is asked as the user who runs Rowbook"
        findings.add(place.at("credential_ref"), "DATASOURCE_002", message)
    if model.type == "delta":
        findings.add(options.at("root"), "DATASOURCE_008", NO_DELTA_AT.format(root), NO_DELTA)
    if scheme_of(root) == "az" and not option_text(model.options.get("account")):
        message = "a data source at az:// needs the option 'account', whose container it is"
        findings.add(options.at("root"), "DATASOURCE_002", message)


def _takes_no_keys(root: str) -> bool:
    return scheme_of(root) == "hdfs"


def _check_database(model: DatasourceDefinition, options: Place, findings: Findings) -> None:
    _check_url(model, options, findings)
    given = _texts(model)
    for name in _NAME_OPTIONS:
        if name in given and (fault := name_fault(given[name])):
            findings.add(options.at(name), "DATASOURCE_002", f"the name in '{name}' {fault}")
    for name in _POSITIVE_OPTIONS:
        if name in given and not _POSITIVE.fullmatch(given[name]):
            message = f"'{name}' must be a positive integer of at most seven digits"
            findings.add(options.at(name), "DATASOURCE_002", message)


def _check_url(model: DatasourceDefinition, options: Place, findings: Findings) -> None:
    url, is_lake = option_text(model.options.get("url")), model.type == "iceberg"
    if holds_secret(url):
        return
    if not url:
        what = "a catalog in a database" if is_lake else "a jdbc data source"
        findings.add(options, "DATASOURCE_002", f"{what} needs the option 'url'")
    elif (product := product_of(url)) is None or (is_lake and product != POSTGRESQL):
        message = f"'{url.split('?')[0]}' is not a database that is supported"
        form = POSTGRESQL.form if is_lake else FORM
        findings.add(options.at("url"), "DATASOURCE_002", message, form)
    else:
        try:
            jdbc_url(url)
        except JdbcUrlError as fault:
            findings.add(options.at("url"), "DATASOURCE_002", str(fault), fault.hint)


def _check_lake(
    model: DatasourceDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    """The catalog of Iceberg tables, and the folder that they are in."""
    options = place.at("options")
    given = _texts(model)
    catalog = given.get("catalog", "")
    if catalog not in CATALOGS:
        said = f"'{catalog}' is not a catalog that is supported" if catalog else _NO_CATALOG
        at = options.at("catalog") if catalog else options
        findings.add(at, "DATASOURCE_002", said, f"write {listing(tuple(CATALOGS))}")
        return
    for name in (each for names in CATALOGS.values() for each in names):
        if name in given and name not in CATALOGS[catalog]:
            message = f"'{name}' is not an option of a {catalog} catalog"
            findings.add(options.at(name), "DATASOURCE_002", message)
    if "warehouse" not in given:
        message = "an iceberg data source needs the option 'warehouse', the folder of its tables"
        findings.add(options, "DATASOURCE_002", message)
    else:
        _check_warehouse(given, options, known, findings)
    if fault := given.get("namespace") and lake_table_fault(given["namespace"]):
        findings.add(options.at("namespace"), "DATASOURCE_002", f"the namespace {fault}")
    for name in ("user", "name"):
        if name in given and (fault := name_fault(given[name])):
            findings.add(options.at(name), "DATASOURCE_002", f"the name in '{name}' {fault}")
    if catalog == "jdbc" and given.get("url", "").startswith(SQLITE):
        _check_folder(given["url"].removeprefix(SQLITE), options.at("url"), known, findings)
    elif catalog == "jdbc":
        _check_url(model, options, findings)
        _check_grant(model, place.at("credential_ref"), known, findings)
    elif catalog == "rest":
        _check_catalog_server(model, given, place, known, findings)


def _check_catalog_server(
    model: DatasourceDefinition,
    given: Mapping[str, str],
    place: Place,
    known: DefinitionLookup,
    findings: Findings,
) -> None:
    options, uri, reference = place.at("options"), given.get("uri", ""), model.credential_ref
    for name in ("uri", "namespace"):
        if not given.get(name):
            message = f"a rest catalog needs the option '{name}'"
            findings.add(options, "DATASOURCE_002", message)
    if fault := given.get("prefix") and prefix_fault(given["prefix"]):
        findings.add(options.at("prefix"), "DATASOURCE_002", fault)
    if not uri or holds_secret(uri):
        return
    if fault := catalog_uri_fault(uri):
        findings.add(options.at("uri"), "DATASOURCE_002", fault, URI_FORM)
    elif reference is not None and _CREDENTIAL.fullmatch(reference):
        if is_readable_on_the_way(uri):
            message = "'uri' is http: the token could be read on its way"
            findings.add(options.at("uri"), "DATASOURCE_002", message, "write https://…")
        server = catalog_server(uri) or uri
        if not known.boundary.lets_keys_go(reference, server):
            message, hint = grant_message(reference, server), grant_hint(reference, server)
            findings.add(place.at("credential_ref"), "DATASOURCE_011", message, hint)


def _check_warehouse(
    given: Mapping[str, str], options: Place, known: DefinitionLookup, findings: Findings
) -> None:
    warehouse, place = given["warehouse"], options.at("warehouse")
    if not is_url(warehouse):
        for name in (*_IN_STORE, WAREHOUSE_KEYS):
            if name in given:
                message = f"'{name}' is an option of a warehouse in an object store"
                findings.add(options.at(name), "DATASOURCE_002", message)
        _check_folder(warehouse, place, known, findings)
        return
    if given["catalog"] == "hadoop":
        message = "a hadoop catalog cannot be in an object store: it has no way to exchange a table"
        hint = "use a jdbc or rest catalog, whose warehouse may be there"
        findings.add(place, "DATASOURCE_008", message, hint)
        return
    check_target(warehouse, place, known, findings)
    if (keys := given.get(WAREHOUSE_KEYS)) is not None:
        at = options.at(WAREHOUSE_KEYS)
        check_credential(keys, at, findings, WAREHOUSE_KEYS)
        _check_keys(keys, warehouse, given, at, known, findings)


def _check_folder(path: str, place: Place, known: DefinitionLookup, findings: Findings) -> None:
    """Of this machine; a file or folder that tables are known by or kept in."""
    if "://" in path:
        message = f"'{path}' is not a path of this machine"
        findings.add(place, "DATASOURCE_008", message)
    else:
        check_target(path, place, known, findings)


def _check_grant(
    model: DatasourceDefinition, place: Place, known: DefinitionLookup, findings: Findings
) -> None:
    """What is wrong with the url or the reference itself is reported with these."""
    reference = model.credential_ref
    if reference is None or not _CREDENTIAL.fullmatch(reference):
        return
    try:
        url = jdbc_url(option_text(model.options.get("url")))
    except JdbcUrlError:
        return
    if known.boundary.grant(reference, url) is None:
        message, hint = grant_message(reference, url.server), grant_hint(reference, url.server)
        findings.add(place, "DATASOURCE_011", message, hint)


def grant_message(reference: str, server: str) -> str:
    return f"the workspace does not let {reference} go to {server}"


def grant_hint(reference: str, server: str) -> str:
    entry = f'- {{ref: {json.dumps(reference)}, host: "{server}"}}'
    return f"if it may, add to rowbook.yaml, under credentials: {entry}"


def _texts(model: DatasourceDefinition) -> dict[str, str]:
    return {name: option_text(value) for name, value in model.options.items()}


def option_text(value: Any) -> str:
    return value.text if isinstance(value, Scalar) else "" if value is None else str(value)
