"""Ctrl-C while the JVM works: the work is dropped first, then the interrupt is raised."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from rowbook.engine.session.interrupts import clean_interrupts
from tests.engine.conftest import Program

if TYPE_CHECKING:
    pass


@pytest.mark.campaign
def test_ctrl_c_cancels_the_query_and_leaves_the_session_usable(program: Program) -> None:
    with program.start(
        """
        from rowbook.engine.session.session import EngineSettings, open_session
        with open_session(EngineSettings(profile="small")) as engine:
            from pyspark.sql import functions as F
            print("ready", flush=True)
            try:
                engine.spark.range(10**13).select(F.sum(F.col("id") % 7)).collect()
            except KeyboardInterrupt:
                print("cancelled, and", engine.spark.range(3).count())
        """
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(2)
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=100) == ("cancelled, and 3\n", "")
        finally:
            process.kill()


class Former:
    """What Ctrl-C does otherwise."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def __call__(self, number: int, _: FrameType | None) -> None:
        self.seen.append(number)


class Client:
    """Stands for Py4J's: a call that Ctrl-C comes in the middle of, so many times."""

    def __init__(self, interrupts: int = 1) -> None:
        self.interrupts = interrupts
        self.cancelled = threading.Event()
        self.returned = False

    def send_command(self, command: str) -> str:
        for _ in range(self.interrupts):
            signal.raise_signal(signal.SIGINT)
        assert self.cancelled.wait(10)
        self.returned = True
        return f"{command} done"


@pytest.fixture
def former() -> Iterator[Former]:
    """A handler that notes what comes; the test's own is put back."""
    before = signal.getsignal(signal.SIGINT)
    yield Former()
    signal.signal(signal.SIGINT, before)


def test_an_interrupted_call_is_cancelled_and_returns_before_the_interrupt_is_raised(
    former: Former,
) -> None:
    client = Client()
    with clean_interrupts(client, client.cancelled.set, former):
        assert client.send_command("count") == "count done"
        assert (client.returned, former.seen) == (True, [signal.SIGINT])


def test_a_second_ctrl_c_does_not_wait(former: Former) -> None:
    client = Client(interrupts=2)
    with clean_interrupts(client, client.cancelled.set, former):
        client.send_command("count")
    assert former.seen == [signal.SIGINT], "raised within the call, and not again after it"


def test_between_calls_ctrl_c_is_what_it_was(former: Former) -> None:
    client = Client(interrupts=0)
    with clean_interrupts(client, client.cancelled.set, former):
        signal.raise_signal(signal.SIGINT)
        assert former.seen == [signal.SIGINT]


def test_afterwards_handler_and_client_are_as_before(former: Former) -> None:
    client = Client(interrupts=0)
    client.cancelled.set()
    with clean_interrupts(client, client.cancelled.set, former):
        assert signal.getsignal(signal.SIGINT) is not former
    assert [signal.getsignal(signal.SIGINT)] == [former]
    assert client.send_command("x") == "x done"
    assert "send_command" not in vars(client)
    assert former.seen == []


def test_a_call_from_another_thread_is_left_alone(former: Former) -> None:
    client = Client(interrupts=0)
    client.cancelled.set()
    said: list[str] = []
    with clean_interrupts(client, client.cancelled.set, former):
        other = threading.Thread(target=lambda: said.append(client.send_command("x")))
        other.start()
        other.join()
    assert (said, former.seen) == (["x done"], [])
