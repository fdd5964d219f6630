"""A round against a server that nobody here wrote, llmock, which refuses one call in twenty-five."""

import importlib.util
import json
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.test_command_line import gpf

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(importlib.util.find_spec("llmock") is None, reason="llmock is not installed"),
]

PLAN = """
articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"
[[sources]]
url = "sample:news"
[[models]]
provider = "openai-compatible"
model = "gpt-4o"
base_url = "http://127.0.0.1:{port}/v1"
key_env = "STRANGERS_KEY"
"""
KEY = {"STRANGERS_KEY": "sk-any"}


@pytest.fixture
def port() -> Iterator[int]:
    """Where llmock answers, refusing 4 % with 429."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        number = int(found.getsockname()[1])
    command = [sys.executable, "-m", "llmock.cli", "serve", "--host", "127.0.0.1", "--port", str(number)]
    options = ["--error-rate", "429=0.04", "--latency-ms", "20", "--log-level", "info"]
    server = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    ready = threading.Event()
    reader = threading.Thread(target=_read, args=(server, ready), name="llmock-log")
    reader.start()
    try:
        assert ready.wait(60), "llmock did not start"
        yield number
    finally:
        server.terminate()
        server.wait(250)
        reader.join()


def _read(server: "subprocess.Popen[str]", ready: threading.Event) -> None:
    """Read what it logs to the end, so that it never waits for a reader."""
    assert server.stdout is not None
    with server.stdout:
        for line in server.stdout:
            if "running on" in line:
                ready.set()


def test_that_stray_refusals_leave_no_gap_and_rest_no_one_else(port: int, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN.format(port=port))
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf", "--json", environment=KEY)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["planned"], summary["answered"], summary["bundles_scored"]) == (294, 294, 42)
