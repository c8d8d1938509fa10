"""Scenarios through a Spark Connect server, whose own settings are not ours: they give what the
reference engine gives."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.paths import EXAMPLE

pytestmark = [pytest.mark.spark, pytest.mark.slow]


def test_scenarios_pass_on_a_connect_endpoint(connect_url: str) -> None:
    command = [sys.executable, "-m", "rowbook", "test", "-C", str(EXAMPLE), "--format", "json"]
    done = subprocess.run(
        [*command, "--both", "--engine", connect_url],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads(done.stdout)
    assert (result["passed"], result["failed"]) == (2, 0)
