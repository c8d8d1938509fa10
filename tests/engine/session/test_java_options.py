"""No setting takes away what is the same on every machine."""

from __future__ import annotations

import pytest

from rowbook.engine.session.java_options import check_java_options, executor_conf
from rowbook.errors import RowbookError

EXTRA = "spark.executor.extraJavaOptions"


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        (EXTRA, "-Duser.timezone=Europe/Berlin", "-Duser.timezone=UTC"),
        (EXTRA, "-Xss4m '-Duser.language=de'", "-Duser.language=en"),
        (EXTRA, "-Duser.language.format=de", "-Duser.language.format=en"),
        (EXTRA, "-Duser.variant=POSIX", "-Duser.variant="),
        ("spark.executor.defaultJavaOptions", "-Dfile.encoding=Cp1252", "-Dfile.encoding=UTF-8"),
        ("spark.driver.extraJavaOptions", "-Dfile.encoding", "-Dfile.encoding=UTF-8"),
        ("spark.driver.defaultJavaOptions", "-Duser.country=DE", "-Duser.country=US"),
        ("spark.executorEnv._JAVA_OPTIONS", "-Duser.timezone=CET", "-Duser.timezone=UTC"),
        ("spark.executorEnv.LC_ALL", "de_DE.ISO-8859-1", "C.UTF-8"),
    ],
)
def test_another_time_zone_language_or_encoding_is_refused(
    key: str, value: str, wanted: str
) -> None:
    with pytest.raises(RowbookError) as refused:
        check_java_options({key: value})
    (said,) = refused.value.diagnostics
    assert said.code == "ENGINE_003"
    assert said.message.startswith(f"engine.conf sets {key} to ")
    assert f"but it must be '{wanted}': results must not depend on a machine's" in said.message


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (EXTRA, "-Xss4m -Duser.timezone=UTC -Dfile.encoding=utf8 -Duser.timezones=CET"),
        (EXTRA, "-Dmy.user.timezone=CET"),
        ("spark.app.name", "-Duser.timezone=CET"),
        ("spark.executorEnv.LC_ALL", "C.UTF-8"),
        ("spark.executorEnv.LANG", "de_DE.UTF-8"),
    ],
)
def test_what_changes_nothing_is_taken(key: str, value: str) -> None:
    check_java_options({key: value})


def test_a_quote_without_an_end_is_said() -> None:
    with pytest.raises(RowbookError, match=f"{EXTRA}: No closing quotation"):
        check_java_options({EXTRA: "-Da='b"})


def test_executors_get_ours_before_the_users() -> None:
    conf = executor_conf({"spark.executor.defaultJavaOptions": "-Xss4m"})
    assert conf == {
        "spark.executor.defaultJavaOptions": "-Duser.timezone=UTC -Duser.language=en"
        " -Duser.country=US -Dfile.encoding=UTF-8 -XX:-DontCompileHugeMethods -Xss4m",
        "spark.executorEnv.LC_ALL": "C.UTF-8",
    }
