from __future__ import annotations

from pathlib import Path

import pytest

from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.engine.session.settings import SEMANTIC_CONF, ProfileName, own_session_conf
from rowbook.errors import RowbookError


@pytest.mark.parametrize("profile", ["small", "bulk"])
def test_a_session_of_our_own_gets_every_setting_that_decides_results(profile: str) -> None:
    settings = EngineSettings(profile="small" if profile == "small" else "bulk")
    conf = own_session_conf(settings, Path("/scratch"), debug=False)
    assert {key: conf[key] for key in SEMANTIC_CONF} == {
        key: meaning.value for key, meaning in SEMANTIC_CONF.items()
    }


@pytest.mark.parametrize("key", SEMANTIC_CONF)
def test_a_setting_that_would_change_results_is_refused(key: str) -> None:
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings(conf={key: "otherwise"}))
    assert refused.value.diagnostics[0].code == "ENGINE_003"
    assert f"engine.conf sets {key} to 'otherwise'" in str(refused.value)


def test_the_refusal_says_what_it_must_be_and_why() -> None:
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings(conf={"spark.sql.ansi.enabled": "false"}))
    assert str(refused.value) == (
        "ENGINE_003  engine.conf sets spark.sql.ansi.enabled to 'false', but it must be 'true': "
        "overflow and bad casts are errors, never NULL or a wrapped number"
    )


def test_a_setting_that_is_the_engines_own_is_refused() -> None:
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings(conf={"spark.master": "yarn"}))
    assert str(refused.value) == (
        "ENGINE_003  engine.conf may not set spark.master: it is the engine's `master`"
    )


def test_the_users_settings_win_over_comfort() -> None:
    settings = EngineSettings(
        conf={"spark.ui.enabled": "true", "spark.sql.ansi.enabled": "TRUE", "spark.x": "y"}
    )
    conf = own_session_conf(settings, Path("/scratch"), debug=False)
    assert (conf["spark.ui.enabled"], conf["spark.x"]) == ("true", "y")
    assert conf["spark.sql.ansi.enabled"] == "true"


@pytest.mark.parametrize(
    ("master", "small", "bulk"),
    [("local", "1", "16"), ("local[3]", "3", "48"), ("local[2, 4]", "2", "32")],
)
def test_shuffles_follow_the_cores_of_a_local_master(master: str, small: str, bulk: str) -> None:
    key = "spark.sql.shuffle.partitions"
    one = EngineSettings(master=master, profile="small")
    assert own_session_conf(one, Path("/scratch"), debug=False)[key] == small
    two = EngineSettings(master=master, profile="bulk")
    assert own_session_conf(two, Path("/scratch"), debug=False)[key] == bulk


def test_a_local_session_listens_on_this_machine_alone() -> None:
    conf = own_session_conf(EngineSettings(), Path("/scratch"), debug=False)
    assert conf["spark.driver.host"] == conf["spark.driver.bindAddress"] == "127.0.0.1"
    assert conf["spark.local.dir"] == "/scratch"
    assert conf["spark.sql.warehouse.dir"] == "file:///scratch/warehouse"


def test_a_cluster_is_told_what_its_executors_need_and_keeps_its_own_addresses() -> None:
    conf = own_session_conf(EngineSettings(master="spark://host:7077"), Path("/s"), debug=False)
    assert conf["spark.master"] == "spark://host:7077"
    assert conf["spark.executor.defaultJavaOptions"] == (
        "-Duser.timezone=UTC -Duser.language=en -Duser.country=US -Dfile.encoding=UTF-8 "
        "-XX:-DontCompileHugeMethods"
    )
    assert conf["spark.executorEnv.LC_ALL"] == "C.UTF-8"
    assert not {"spark.driver.host", "spark.local.dir"} & set(conf)
    assert "spark.checkpoint.dir" not in conf


@pytest.mark.parametrize(
    ("profile", "shuffles", "log"), [("small", "2", "2"), ("bulk", "256", "16")]
)
def test_tasks_are_sized_on_a_cluster_too(profile: ProfileName, shuffles: str, log: str) -> None:
    settings = EngineSettings("yarn", profile=profile, extras=frozenset({"delta"}))
    conf = own_session_conf(settings, Path("/s"), debug=False)
    assert conf["spark.sql.shuffle.partitions"] == shuffles
    assert conf["spark.databricks.delta.snapshotPartitions"] == log


@pytest.mark.parametrize(
    ("folder", "known"),
    [("/mnt/a b", "file:///mnt/a%20b"), ("hdfs://name:8020/tmp/x", "hdfs://name:8020/tmp/x")],
)
def test_a_cluster_keeps_rows_in_the_checkpoint_folder(folder: str, known: str) -> None:
    settings = EngineSettings("yarn", checkpoint_dir=folder)
    assert own_session_conf(settings, Path("/s"), debug=False)["spark.checkpoint.dir"] == known
    here = EngineSettings(checkpoint_dir=folder)
    assert "spark.checkpoint.dir" not in own_session_conf(here, Path("/s"), debug=False)
