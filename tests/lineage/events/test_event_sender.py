from __future__ import annotations

import threading
from collections.abc import Callable

from rowbook.errors.redaction import remember
from rowbook.lineage.events.event_sender import MOST, PATIENCE, EventSender


def waiting_for(ends: threading.Event) -> Callable[[int], None]:
    """A server that answers when somebody says so."""

    def deliver(_: int) -> None:
        ends.wait()

    return deliver


def test_events_are_delivered_in_their_order() -> None:
    found: list[int] = []
    sender = EventSender[int](lambda: found.append)
    sender.send(lambda: 1)
    sender.send(lambda: 2)
    while len(found) < 2:
        pass
    assert sender.close() is None
    assert found == [1, 2]


def test_nobody_waits_for_a_server_that_never_answered() -> None:
    ends = threading.Event()
    sender = EventSender[int](lambda: waiting_for(ends))
    sender.send(lambda: 1)
    assert sender.patience == 0
    assert sender.close() == "the server has not answered"
    ends.set()


def test_a_server_that_answered_has_a_moment_for_the_last_event() -> None:
    answered = threading.Event()
    sender = EventSender[int](lambda: lambda _: answered.set())
    sender.send(lambda: 1)
    answered.wait()
    while sender.patience == 0:
        pass
    assert sender.patience == PATIENCE
    assert sender.close() is None


def test_after_a_failure_nothing_more_is_sent() -> None:
    tries: list[int] = []

    def fail(event: int) -> None:
        tries.append(event)
        raise ConnectionError("refused")

    sender = EventSender[int](lambda: fail)
    sender.send(lambda: 1)
    while sender.patience or not tries or sender.close() != "ConnectionError: refused":
        pass
    sender.send(lambda: 2)
    assert tries == [1]
    assert sender.patience == 0


def test_a_failure_tells_no_secret() -> None:
    remember("s3cr3t-of-lineage")

    def open_delivery() -> Callable[[int], None]:
        raise ValueError("bad url http://u:s3cr3t-of-lineage@host")

    sender = EventSender[int](open_delivery)
    while (found := sender.close()) == "the server has not answered":
        pass
    assert found == "ValueError: bad url http://u:***@host"


def test_more_events_than_wait_are_dropped_and_said() -> None:
    ends = threading.Event()
    sender = EventSender[int](lambda: waiting_for(ends))
    for _ in range(MOST + 2):
        sender.send(lambda: 1)
    assert sender.close() == "more events than the server takes"
    ends.set()
