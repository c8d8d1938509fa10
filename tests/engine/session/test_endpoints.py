"""Nobody waits for a master that is not there."""

from __future__ import annotations

import socket

import pytest

from rowbook.engine.session.endpoints import check_master
from rowbook.engine.session.session import EngineSettings, open_session
from rowbook.errors import RowbookError


@pytest.mark.parametrize("master", ["spark://127.0.0.1:1", "spark://127.0.0.1:1,127.0.0.1:2"])
def test_a_master_that_does_not_answer_is_said_before_spark_starts(master: str) -> None:
    with pytest.raises(RowbookError) as refused:
        open_session(EngineSettings(master=master))
    assert str(refused.value).startswith(
        f"ENGINE_011  nobody answers at {master}: [Errno 111] Connection refused"
    )


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "https://127.0.0.1:1", "127.0.0.1:1"])
def test_so_is_an_api_server_of_kubernetes(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "grpc_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RowbookError, match=f"nobody answers at k8s://{url}: "):
        check_master(f"k8s://{url}")


def test_of_several_masters_one_is_enough() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        check_master(f"spark://127.0.0.1:1,127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize("master", ["local[2]", "yarn", "local-cluster[2,1,1024]"])
def test_others_have_no_address_to_ask(master: str) -> None:
    check_master(master)
