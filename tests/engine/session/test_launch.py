from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rowbook.engine.session import launch
from rowbook.engine.session.java import find_java
from rowbook.errors import RowbookError


def test_the_module_options_are_those_of_sparks_launcher() -> None:
    (jar,) = (launch.spark_home() / "jars").glob("spark-launcher_*.jar")
    with zipfile.ZipFile(jar) as classes:
        constants = classes.read("org/apache/spark/launcher/JavaModuleOptions.class")
    said = {text.decode() for text in re.findall(rb"-(?:-|D|XX:)[\w.:/+=-]+", constants)}
    assert said - set(launch.MODULE_OPTIONS) == {
        "--add-modules=jdk.incubator.vector",
        "-XX:+IgnoreUnrecognizedVMOptions",
    }
    assert set(launch.MODULE_OPTIONS) <= said


def test_java_takes_what_the_compilers_of_many_rows_are_told() -> None:
    options = [o for o in launch.PROFILES["bulk"].options if not o.endswith("GC")]
    said = subprocess.run(
        [find_java().executable, *options, "-version"], capture_output=True, text=True, check=True
    )
    assert "1 compiler directives added" in said.stdout


def test_results_do_not_depend_on_the_machines_zone_language_or_encoding() -> None:
    options = launch.stable_options({})
    assert {
        "-Duser.timezone=UTC",
        "-Duser.language=en",
        "-Duser.country=US",
        "-Dfile.encoding=UTF-8",
    } <= set(options)
    assert "-XX:-DontCompileHugeMethods" in options


def test_the_users_java_options_and_class_path_are_kept() -> None:
    conf = {
        "spark.driver.defaultJavaOptions": "-Da=1",
        "spark.driver.extraJavaOptions": "-Db=2 '-Dc=3 4'",
        "spark.driver.extraClassPath": "/my.jar",
    }
    assert launch.stable_options(conf)[-3:] == ("-Da=1", "-Db=2", "-Dc=3 4")
    path = launch.class_path(Path("/spark"), conf, {"HADOOP_CONF_DIR": "/etc/hadoop"})
    assert path == "/my.jar:/spark/jars/*:/etc/hadoop"


@pytest.mark.parametrize(
    ("given", "heap"), [("4g", "4g"), ("512m", "512m"), ("2GB", "2g"), (" 1024 ", "1024m")]
)
def test_the_drivers_memory_is_the_heap(given: str, heap: str) -> None:
    assert launch.heap({"spark.driver.memory": given}, "bulk") == heap


@pytest.mark.parametrize(
    ("memory", "small", "bulk"),
    [
        (1 << 30, "1024m", "1024m"),
        (6 << 30, "3072m", "3072m"),
        (24 << 30, "4096m", "12288m"),
        (512 << 30, "4096m", "24576m"),
    ],
)
def test_the_heap_is_half_the_memory_within_bounds(
    monkeypatch: pytest.MonkeyPatch, memory: int, small: str, bulk: str
) -> None:
    monkeypatch.setattr(launch, "_memory", lambda: memory)
    assert launch.heap({}, "small") == small
    assert launch.heap({}, "bulk") == bulk


def test_a_memory_that_is_not_a_size_is_refused() -> None:
    with pytest.raises(RowbookError) as refused:
        launch.heap({"spark.driver.memory": "lots"}, "bulk")
    assert str(refused.value) == (
        "ENGINE_003  engine.conf sets spark.driver.memory to 'lots', which is not a size"
    )


def test_another_sparks_variables_do_not_reach_the_jvm() -> None:
    environ = {
        "HOME": "/home/me",
        "LANG": "de_DE.UTF-8",
        "SPARK_HOME": "/opt/old-spark",
        "SPARK_CONF_DIR": "/opt/old-spark/conf",
        "SPARK_LOCAL_DIRS": "/elsewhere",
        "PYSPARK_SUBMIT_ARGS": "--master yarn pyspark-shell",
        "PYSPARK_PYTHON": "/usr/bin/python2",
    }
    assert launch.environment({"spark.driver.bindAddress": "127.0.0.1"}, environ) == {
        "HOME": "/home/me",
        "LANG": "de_DE.UTF-8",
        "SPARK_HOME": str(launch.spark_home()),
        "SPARK_CONNECT_MODE": "0",
        "PYTHONSAFEPATH": "1",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }


def test_a_cluster_finds_the_drivers_address_itself() -> None:
    assert "SPARK_LOCAL_IP" not in launch.environment({"spark.master": "yarn"}, {})


def test_file_names_are_utf_8_where_the_locale_does_not_say_so() -> None:
    assert launch.environment({}, {"LANG": "C"})["LC_ALL"] == "C.UTF-8"
    assert launch.environment({}, {})["LC_ALL"] == "C.UTF-8"


def test_settings_are_written_as_java_reads_them() -> None:
    conf = {"spark.a": "plain", "spark.b": "C:\\x = y\nz", "spark.c": "größe"}
    assert launch.as_properties(conf) == (
        "spark.a=plain\nspark.b=C\\u003a\\u005cx\\u0020\\u003d\\u0020y\\u000az\nspark.c=größe\n"
    )


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({}, ["-XX:MaxNewSize=2097152k"]),
        ({"spark.driver.memory": "3g"}, ["-XX:MaxNewSize=1048576k"]),
        ({"spark.driver.memory": "600m"}, ["-XX:MaxNewSize=204800k"]),
        ({"spark.driver.extraJavaOptions": "-Da=1 -Xmn3g"}, []),
        ({"spark.driver.defaultJavaOptions": "-XX:NewRatio=1"}, []),
    ],
)
def test_new_objects_have_room_for_what_cores_are_at_work_on(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], options: list[str]
) -> None:
    monkeypatch.setattr(launch, "_memory", lambda: 24 << 30)
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    found = launch.varying_options(given, "bulk", Path("/scratch"), debug=False)
    assert [each for each in found if "NewSize" in each] == options
    small = launch.varying_options({}, "small", Path("/scratch"), debug=False)
    assert [each for each in small if "MaxNewSize" in each] == []


def test_java_takes_the_sizes_of_many_rows() -> None:
    """It says nothing of sizes that do not go together."""
    conf = {"spark.driver.memory": "1g"}
    found = launch.varying_options(conf, "bulk", Path("/scratch"), debug=False)
    options = [o for o in found if not o.endswith("GC")]
    said = subprocess.run(
        [find_java().executable, *options, "-version"], capture_output=True, text=True, check=True
    )
    assert "warning" not in (said.stdout + said.stderr).lower()
