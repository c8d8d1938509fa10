"""From a workspace's `engine` to what a session is opened with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.strategy.stages import Executors
from rowbook.runs.open_workspace import OpenWorkspace
from rowbook.runs.prepare.engine_settings import (
    engine_settings,
    nearby_settings,
    planned_executors,
    workspace_extras,
)
from tests.support.write_files import write_files


def settings(folder: Path, engine: str, override: str | None = None) -> tuple[str, str | None]:
    write_files(folder, {"rowbook.yaml": f"workspace: {{name: acme{engine}}}\n"})
    with OpenWorkspace(folder) as workspace:
        found = engine_settings(workspace.settings, override, profile="bulk")
    return found.master, found.remote


@pytest.mark.parametrize(
    ("engine", "override", "expected"),
    [
        ("", None, ("local[*]", None)),
        (', engine: {master: "local[2]"}', None, ("local[2]", None)),
        (', engine: {remote: "sc://host"}', None, ("local[*]", "sc://host")),
        (', engine: {remote: "sc://host"}', "local[1]", ("local[1]", None)),
        (', engine: {master: "local[2]"}', "sc://other", ("local[*]", "sc://other")),
    ],
)
def test_what_the_command_says_wins_over_the_workspace(
    engine: str, override: str | None, expected: tuple[str, str | None], tmp_path: Path
) -> None:
    assert settings(tmp_path, engine, override) == expected


def test_settings_of_spark_are_text(tmp_path: Path) -> None:
    text = "workspace: {name: acme, engine: {conf: {spark.sql.shuffle.partitions: 4}}}\n"
    write_files(tmp_path, {"rowbook.yaml": text})
    with OpenWorkspace(tmp_path) as workspace:
        found = engine_settings(workspace.settings, None, profile="small")
    assert found.conf == {"spark.sql.shuffle.partitions": "4"}


def test_what_any_run_may_need_follows_from_all_definitions(tmp_path: Path) -> None:
    jdbc = 'datasource: {name: erp, type: jdbc, options: {url: "jdbc:postgresql://db/erp"}}\n'
    files = {"rowbook.yaml": "workspace: {name: acme}\n", "datasources/erp.yaml": jdbc}
    write_files(tmp_path, files)
    with OpenWorkspace(tmp_path) as workspace:
        assert workspace_extras(workspace.files) == {"postgresql"}
    rule = "{name: all, strategy: {type: path, path: lake/gl, format: delta}}"
    write_files(tmp_path, {"resolvers/r.yaml": f"resolver: {{name: r, rules: [{rule}]}}\n"})
    with OpenWorkspace(tmp_path) as workspace:
        assert workspace_extras(workspace.files) == {"delta", "postgresql"}
    write_files(tmp_path, {"datasources/erp.yaml": jdbc.replace("postgresql", "mariadb")})
    with OpenWorkspace(tmp_path) as workspace:
        assert workspace_extras(workspace.files) == {"delta", "mysql"}
    lake = "datasource: {name: erp, type: iceberg, options: {warehouse: s3://lake/tables}}\n"
    write_files(tmp_path, {"datasources/erp.yaml": lake})
    with OpenWorkspace(tmp_path) as workspace:
        assert workspace_extras(workspace.files) == {"delta", "iceberg", "s3"}


@pytest.mark.parametrize(
    "cluster", [EngineSettings("spark://host:7077"), EngineSettings(remote="sc://host:15002")]
)
def test_few_rows_stay_on_this_machine_with_what_is_set_for_it(cluster: EngineSettings) -> None:
    conf = {"spark.driver.memory": "2g", "spark.driver.host": "closing.example"}
    near = nearby_settings(replace(cluster, conf=conf, profile="small"))
    assert near.sees_this_disk
    assert near.conf == {"spark.driver.memory": "2g"}
    assert near.profile == "small"


def test_a_local_master_is_near_enough() -> None:
    settings = EngineSettings("local[1]", conf={"spark.jars": "a.jar"})
    assert nearby_settings(settings) == settings


@pytest.mark.parametrize(
    ("settings", "executors"),
    [
        (EngineSettings(checkpoint_dir="/mnt/rows"), Executors()),
        (EngineSettings("yarn"), Executors(apart=True)),
        (EngineSettings(remote="sc://host"), Executors(apart=True)),
        (EngineSettings("yarn", checkpoint_dir="/mnt/rows"), Executors(True, True)),
    ],
)
def test_where_executors_are_is_planned_before_spark(
    settings: EngineSettings, executors: Executors
) -> None:
    assert planned_executors(settings) == executors
