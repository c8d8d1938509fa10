"""What a session is set to for a run."""

from __future__ import annotations

import pytest

from rowbook.engine.session.settings import EngineSettings
from rowbook.engine.session.sizing import (
    FEW,
    FEW_ROWS,
    SETTING,
    SMALL,
    Volume,
    run_conf,
    shuffle_partitions,
)

MIB = 2**20
TWO = EngineSettings("local[2]")


@pytest.mark.parametrize(
    ("input_bytes", "cores", "tasks"),
    [
        (0, 2, 2),
        (10_000, 2, 2),
        (10_000, 64, 64),
        (125 * MIB, 2, 10),
        (1_250 * MIB, 2, 98),
        (1_250 * MIB, 200, 200),
        (10**13, 2, 8_192),
    ],
)
def test_tasks_grow_with_the_input(input_bytes: int, cores: int, tasks: int) -> None:
    assert shuffle_partitions(input_bytes, cores) == tasks


@pytest.mark.parametrize(
    ("engine", "cores"),
    [
        (EngineSettings("local[3]"), 3),
        (EngineSettings("local"), 1),
        (EngineSettings("spark://master:7077"), 16),
        (EngineSettings(remote="sc://host:15002"), 16),
    ],
)
def test_cores_are_those_of_the_master(engine: EngineSettings, cores: int) -> None:
    assert engine.cores == cores


@pytest.mark.parametrize(
    ("sizes", "is_small"),
    [
        ([], True),
        ([SMALL - 1, 1], True),
        ([SMALL, 1], False),
        ([10, 0], False),
    ],
    ids=["nothing", "little", "much", "nobody knows"],
)
def test_a_run_is_small_where_all_that_it_reads_is_known_to_be_little(
    sizes: list[int], is_small: bool
) -> None:
    volume = Volume.of(sizes)
    assert volume.is_small is is_small
    assert volume.profile == ("small" if is_small else "bulk")


def test_much_data_gets_tasks_by_its_size() -> None:
    assert run_conf(Volume(125 * MIB), TWO) == {SETTING: "10"}


def test_few_rows_get_one_task_and_no_compiled_code() -> None:
    assert run_conf(Volume(10_000), TWO) == FEW_ROWS
    assert FEW_ROWS["spark.sql.codegen.wholeStage"] == "false"


def test_rows_that_are_not_few_are_computed_by_compiled_code() -> None:
    assert run_conf(Volume(FEW), TWO) == FEW_ROWS
    assert run_conf(Volume(FEW + 1), TWO) == {SETTING: "2"}
    assert run_conf(Volume(0, is_known=False), TWO) == {SETTING: "2"}


def test_elsewhere_few_rows_are_computed_as_many_are() -> None:
    assert run_conf(Volume(10_000), EngineSettings("spark://master:7077")) == {SETTING: "16"}


def test_what_the_workspace_sets_stays() -> None:
    given = {SETTING: "7", "spark.sql.adaptive.enabled": "true"}
    engine = EngineSettings("local[2]", conf=given)
    assert run_conf(Volume(125 * MIB), engine) == {}
    few = run_conf(Volume(10_000), engine)
    assert few == {key: value for key, value in FEW_ROWS.items() if key not in given}
