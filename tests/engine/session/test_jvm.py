"""A JVM of our own: it says why it does not start, and ends with the process that started it."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from rowbook.engine.session.java import find_java
from rowbook.engine.session.jvm import Jvm, JvmError, cause_in
from rowbook.engine.session.scratch import sweep
from tests.engine.conftest import Program


@pytest.mark.parametrize(
    ("conf", "message"),
    [
        (
            {"spark.master": "local", "spark.driver.extraJavaOptions": "-Xnonsense"},
            "ENGINE_002  Spark's JVM did not start: Unrecognized option: -Xnonsense "
            "Error: Could not create the Java Virtual Machine.",
        ),
        (
            {"spark.master": "nonsense"},
            "ENGINE_002  Spark's JVM did not start: "
            "Master must either be yarn or start with spark, k8s, or local",
        ),
    ],
    ids=["by Java", "by Spark"],
)
@pytest.mark.slow
def test_a_jvm_that_does_not_start_says_why_in_one_sentence(
    conf: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(JvmError) as refused:
        Jvm.start(find_java(), conf, profile="small", scratch=tmp_path)
    assert str(refused.value) == message
    assert len(refused.value.log) > 1


def test_the_jvm_is_deaf_to_ctrl_c_and_dies_with_a_killed_parent(program: Program) -> None:
    """Until then it holds the lock of their scratch folder, which nobody else removes."""
    with program.start(
        """
        import time
        from rowbook.engine.session.session import EngineSettings, open_session
        with open_session(EngineSettings(profile="small")) as engine:
            print("ready", flush=True)
            time.sleep(300)
        """
    ) as parent:
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline() == "ready\n"
            (jvm,) = children(parent.pid)
            assert os.getpgid(jvm) == jvm
            assert os.getpgid(parent.pid) != jvm
            (scratch,) = program.temporary.glob("rowbook-*")
            handles = Path(f"/proc/{jvm}/fd").iterdir()
            assert scratch / ".lock" in [handle.readlink() for handle in handles]
        finally:
            parent.send_signal(signal.SIGKILL)
    limit = time.monotonic() + 60
    while Path(f"/proc/{jvm}").exists():
        assert time.monotonic() < limit, "the JVM outlives its parent"
        time.sleep(0.1)
    assert scratch.exists()
    sweep(program.temporary)
    assert not scratch.exists()


@pytest.mark.campaign
def test_a_session_whose_jvm_died_closes_quietly_and_another_can_follow(
    program: Program,
) -> None:
    said, complained = program.run(
        """
        import os, signal
        from pathlib import Path
        from rowbook.engine.session.session import EngineSettings, open_session

        with open_session(EngineSettings(profile="small")) as engine:
            threads = Path("/proc/self/task").iterdir()
            (jvm,) = [int(n) for t in threads for n in (t / "children").read_text().split()]
            os.kill(jvm, signal.SIGKILL)
            try:
                engine.spark.range(3).count()
            except Exception:
                print("lost")
        with open_session(EngineSettings(profile="small")) as engine:
            print(engine.spark.range(3).count())
        """
    )
    assert (said, complained) == ("lost\n3\n", "")


def children(pid: int) -> list[int]:
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        (
            ("at a.B", "java.lang.IllegalStateException: no disk", "java.io.IOException: x"),
            "no disk",
        ),
        (('Exception in thread "main" org.apache.spark.SparkException: no master',), "no master"),
        ((": java.lang.OutOfMemoryError: Java heap space",), "Java heap space"),
        (
            ("Unrecognized option: -Xx", " Error: no JVM", "third"),
            "Unrecognized option: -Xx Error: no JVM",
        ),
        ((), ""),
    ],
)
def test_the_cause_is_what_the_first_exception_says(lines: tuple[str, ...], cause: str) -> None:
    assert cause_in(lines) == cause
