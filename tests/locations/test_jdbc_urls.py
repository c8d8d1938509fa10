"""URLs of databases: what they may say, and that nothing else reaches a driver."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rowbook.locations.jdbc_urls import MYSQL, JdbcUrl, JdbcUrlError, jdbc_url
from tests.planning.test_datasources import source
from tests.support.trial import Trial, output, project

START = "jdbc:postgresql://"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("db/erp", JdbcUrl("db", 5432, "erp")),
        ("db.acme.com:6432/erp", JdbcUrl("db.acme.com", 6432, "erp")),
        ("10.0.0.1/erp", JdbcUrl("10.0.0.1", 5432, "erp")),
        ("[2001:db8::1]:6432/erp", JdbcUrl("2001:db8::1", 6432, "erp")),
        ("db/erp?", JdbcUrl("db", 5432, "erp")),
        ("db/month%20end", JdbcUrl("db", 5432, "month end")),
        ("db/b%C3%BCcher", JdbcUrl("db", 5432, "bücher")),
        ("db/a%2Fb%3Fc%26d", JdbcUrl("db", 5432, "a/b?c&d")),
        (
            "db/erp?sslmode=verify-full&connectTimeout=5&ApplicationName=month%20end",
            JdbcUrl(
                *("db", 5432, "erp"),
                {"sslmode": "verify-full", "connectTimeout": "5", "ApplicationName": "month end"},
            ),
        ),
        ("db/erp?tcpKeepAlive=false", JdbcUrl("db", 5432, "erp", {"tcpKeepAlive": "false"})),
    ],
)
def test_a_url_names_a_server_a_database_and_options(url: str, expected: JdbcUrl) -> None:
    assert jdbc_url(START + url) == expected
    again = jdbc_url(expected.for_jdbc())
    assert (again.host, again.port, again.database) == (
        expected.host,
        expected.port,
        expected.database,
    )


@pytest.mark.parametrize("scheme", ["jdbc:mariadb://", "jdbc:mysql://"])
def test_mysql_and_mariadb_are_one_product(scheme: str) -> None:
    found = jdbc_url(f"{scheme}db/erp?sslMode=trust")
    assert found == JdbcUrl("db", 3306, "erp", {"sslMode": "trust"}, MYSQL)
    assert found.option("sslMode") == "trust"
    assert found.option("connectTimeout") == "10000"


@pytest.mark.parametrize(
    "more",
    [
        *("sslMode=off", "serverSslCert=/etc/passwd", "allowLocalInfile=true", "permitMysqlScheme"),
        *("sessionVariables=x", "initSql=x", "socketFactory=x", "credentialType=x", "pool=true"),
        *(
            "autocommit=false",
            "restrictedAuth=dialog",
            "connectTimeout=1",
            "trustStore=x",
            "user=x",
        ),
    ],
)
def test_a_url_of_mysql_has_nothing_else(more: str) -> None:
    with pytest.raises(JdbcUrlError):
        jdbc_url(f"jdbc:mariadb://db/erp?{more}")


@pytest.mark.parametrize("host", ["a,b", "(host=a)", "address=(host=a)", "a:1:2", "a%2Cb", "u@a"])
def test_a_url_of_mysql_has_one_host(host: str) -> None:
    with pytest.raises(JdbcUrlError):
        jdbc_url(f"jdbc:mysql://{host}/erp")


def test_both_clients_are_told_the_same() -> None:
    url = jdbc_url(f"{START}[::1]/a%2Fb?sslmode=require&tcpKeepAlive=false")
    assert url.for_jdbc(reWriteBatchedInserts="true") == (
        "jdbc:postgresql://[::1]:5432/a%2Fb?sslmode=require&connectTimeout=10&tcpKeepAlive=false"
        "&ApplicationName=rowbook&reWriteBatchedInserts=true"
    )
    assert url.for_libpq() == {
        "host": "::1",
        "port": "5432",
        "dbname": "a/b",
        "sslmode": "require",
        "connect_timeout": "10",
        "keepalives": "0",
        "application_name": "rowbook",
    }
    assert url.label == "[::1]:5432/a/b"


HOSTILE = [
    "",
    "/erp",
    "db",
    "db/",
    ":5432/erp",
    "db:0/erp",
    "db:65536/erp",
    "db:x/erp",
    "-db/erp",
    "db,evil/erp",
    "db:5432,evil:5432/erp",
    "ann@db/erp",
    "/var/run/postgresql/erp",
    "%2Fvar%2Frun/erp",
    "@abstract/erp",
    "d b/erp",
    "db\n/erp",
    "db\t/erp",
    "db\0/erp",
    "dß/erp",
    "[::1/erp",
    "[zz]/erp",
    "[::1%25eth0]/erp",
    "a" * 300 + "/erp",
    "db/erp/more",
    "db/erp;x=1",
    "db/erp#x",
    "db/a b",
    "db/a+b",
    "db/a%0Ab",
    "db/a%00b",
    "db/a%FFb",
    "db/a%2",
    "db/" + "x" * 64,
    "db/erp?x",
    "db/erp?=1",
    "db/erp?&",
    "db/erp?sslmode=disable&",
    "db/erp?sslmode=disable&sslmode=require",
    "db/erp?sslmode=",
    "db/erp?sslmode=off",
    "db/erp?sslmode=disable;socketFactory=x",
    "db/erp?sslmode=disable%26socketFactory=x",
    "db/erp?ssl%6Dode=disable",
    "db/erp?connectTimeout=0",
    "db/erp?connectTimeout=-1",
    "db/erp?connectTimeout=99999",
    "db/erp?ApplicationName=a%0Ab",
    "db/erp?ApplicationName=",
    "db/erp?a=1?sslmode=disable",
    *(
        f"db/erp?{name}=x"
        for name in (
            *("socketFactory", "socketFactoryArg", "sslfactory", "sslfactoryarg", "sslhostname"),
            *("sslhostnameverifier", "sslpasswordcallback", "authenticationPluginClassName"),
            *("loggerFile", "loggerLevel", "xmlFactoryFactory", "service", "options", "sslkey"),
            *("sslcert", "sslrootcert", "localSocketAddress", "kerberosServerName", "jaasLogin"),
            *("gsslib", "user", "currentSchema", "readOnly", "targetServerType", "host"),
            *("PGHOST", "PGPORT", "PGDBNAME", "queryMode", "preferQueryMode", "ssl", "unixSocket"),
        )
    ),
]


@pytest.mark.parametrize("url", [pytest.param(url, id=repr(url)[:50]) for url in HOSTILE])
def test_anything_else_is_refused(url: str) -> None:
    with pytest.raises(JdbcUrlError) as refused:
        jdbc_url(START + url)
    assert "evil" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        *("", "jdbc:postgresql:erp", "jdbc:postgresql:/erp", "JDBC:postgresql://db/erp"),
        *(" jdbc:postgresql://db/erp", "jdbc:jdbc:postgresql://db/erp", "jdbc:h2:mem:x"),
        *("postgresql://db/erp", "jdbc:postgresql%3A//db/erp", "jdbc:oracle://db/erp"),
    ],
)
def test_another_scheme_is_refused(url: str) -> None:
    with pytest.raises(JdbcUrlError):
        jdbc_url(url)


@pytest.mark.fuzz
@given(st.text(alphabet="abAZ09_.-~%/?#&=;:@[]+ \n\0ü{}'\"\\", max_size=60))
def test_what_is_accepted_says_the_same_when_it_is_written_anew(text: str) -> None:
    try:
        url = jdbc_url(START + text)
    except JdbcUrlError:
        return
    written = url.for_jdbc()
    again = jdbc_url(written)
    assert (again.host, again.port, again.database) == (url.host, url.port, url.database)
    assert written.isascii()
    assert written.isprintable()
    assert set(url.for_libpq()) == {
        *("host", "port", "dbname", "sslmode", "connect_timeout", "keepalives"),
        "application_name",
    }
    assert not url.host.startswith(("/", "@"))


# --- in definitions


@pytest.mark.parametrize(
    ("options", "message", "hint"),
    [
        (
            'url: ⟦"jdbc:postgresql://db/erp?sslfactory=x"',
            "'sslfactory' is not an option that the url may have",
            "options: sslmode",
        ),
        (
            'url: ⟦"jdbc:postgresql://db/erp?user=ann"',
            "'user' is not an option that the url may have",
            "name the user with the option 'user'",
        ),
        (
            'url: ⟦"jdbc:postgresql:///erp"',
            "the url must name one host, by its name or address, and maybe a port",
            "write jdbc:postgresql://host:5432/database",
        ),
        (
            'url: "jdbc:postgresql://db/erp", schema: ⟦""',
            "the name in 'schema' is empty",
            None,
        ),
        (
            f'url: "jdbc:postgresql://db/erp", staging_schema: ⟦{"x" * 64}',
            "the name in 'staging_schema' is longer than 63 bytes",
            None,
        ),
        *(
            (
                f'url: "jdbc:postgresql://db/erp", {name}: ⟦{value}',
                f"'{name}' must be a positive integer of at most seven digits",
                None,
            )
            for name in ("fetch_size", "batch_size")
            for value in ("0", "-1", "1.5", "many", "12345678", "1e3")
        ),
    ],
)
def test_a_data_source_says_what_is_wrong_with_its_options(
    options: str, message: str, hint: str | None, trial: Trial
) -> None:
    (found,) = trial.refuses(source(options, kind="jdbc"), "DATASOURCE_002")
    assert found.message == message
    assert hint is None or hint in (found.hint or "")


def test_a_data_source_may_name_a_schema_for_staging(trial: Trial) -> None:
    trial.accepts(
        source('url: "jdbc:postgresql://db/erp", staging_schema: rowbook_stage', kind="jdbc")
    )


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ("a.b.c", "has more parts than a schema and a name"),
        ("finance.", "has a part that is empty"),
        ('"a\\nb"', "holds a character that cannot be shown"),
        ("_rowbook_outputs", "begins with _rowbook_, as Rowbook's own tables do"),
    ],
)
def test_an_output_names_a_table_of_a_database(table: str, fault: str, trial: Trial) -> None:
    to = f"{{datasource_id: erp, table: ⟦{table}}}"
    (found,) = trial.refuses(project(output(to=to)), "DATASOURCE_002")
    assert found.message == f"the name of the table {fault}"
