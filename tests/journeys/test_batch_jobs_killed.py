"""A round by batch jobs that is killed at every turn: submitted once, paid once, answered whole."""

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.engine.collect.source_service import SAMPLE
from tests.support.batch_servers import BatchServer
from tests.support.provider_servers import KEY, MODEL
from tests.support.warm_program import Program, run_program

PLAN = """
articles_per_source = 1
controls = "none"
spend_cap = 5.0

[[sources]]
file = "{source}"

[[models]]
provider = "{provider}"
model = "{model}"
base_url = "{url}"
key_env = "GPF_TEST_KEY"
price = {{prompt = 1.0, completion = 2.0}}
batch_jobs = true
"""
HALF_PRICE = 294 * (11 * 1.0 + 22 * 2.0) / 1e6 / 2


@pytest.fixture(params=["anthropic", "gemini", "openai"])
def server(request: pytest.FixtureRequest) -> Iterator[BatchServer]:
    with BatchServer(request.param) as made:
        yield made


@pytest.fixture
def command(server: BatchServer, tmp_path: Path) -> list[str]:
    plan = tmp_path / "plan.toml"
    url = server.endpoint.base_url
    plan.write_text(PLAN.format(source=SAMPLE, provider=server.name, model=MODEL, url=url))
    return ["run", str(plan), "--audit", str(tmp_path / "a.gpf"), "--json"]


def killed(command: list[str], when: Callable[[Program], object]) -> None:
    """Run *command* without its ``--json``, which would keep it quiet, and kill it once *when* returns."""
    with Program(command[:-1], env={**os.environ, "GPF_TEST_KEY": KEY}, stdout=subprocess.DEVNULL) as process:
        when(process)
        assert process.poll() is None
        process.send_signal(signal.SIGKILL)


def whole(command: list[str]) -> dict[str, Any]:
    done = run_program(*command, env={**os.environ, "GPF_TEST_KEY": KEY})
    assert done.returncode == 0, done.stderr
    summary: dict[str, Any] = json.loads(done.stdout)
    return summary


def rows(command: list[str], question: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(command[-2])) as connection:
        return connection.execute(question).fetchall()


def test_that_a_kill_while_a_job_is_submitted_loses_and_doubles_nothing(
    command: list[str], server: BatchServer
) -> None:
    server.hangs = r"POST .*(batches|batchGenerateContent)"
    killed(command, lambda _: server.hanging.acquire(timeout=250))
    assert rows(command, "SELECT state, vendor_id, requests FROM batch_job") == [("submitting", "", 294)]
    server.hangs = ""
    server.advance(700.0)
    summary = whole(command)
    assert summary["resumed"] is True
    assert summary["answered"] == 294
    assert summary["spent_usd"] == pytest.approx(HALF_PRICE)
    assert server.submissions() == 1
    assert rows(command, "SELECT count(*) FROM call WHERE outcome = 'outcome unknown'") == [(0,)]


def test_that_a_kill_while_a_job_is_under_way_or_looked_at_leaves_it_to_the_next_start(
    command: list[str], server: BatchServer
) -> None:
    def until_accepted(process: Program) -> None:
        assert process.stderr is not None
        told = list(takewhile(lambda line: "with the provider" not in line, process.stderr))
        assert any(f"Through batch jobs, as the plan says, {server.name}/" in line for line in told), told

    killed(command, until_accepted)
    assert rows(command, "SELECT state FROM batch_job") == [("waiting",)]
    server.hangs = r"GET .*/(batch_|msgbatch_|b)1"
    killed(command, lambda _: server.hanging.acquire(timeout=250))
    server.hangs = ""
    server.advance(700.0)
    summary = whole(command)
    assert (summary["answered"], summary["spent_usd"]) == (294, pytest.approx(HALF_PRICE))
    assert server.submissions() == 1


def test_that_a_kill_while_answers_are_collected_keeps_them_and_pays_none_twice(tmp_path: Path) -> None:
    with BatchServer("openai") as server:
        plan = tmp_path / "plan.toml"
        url = server.endpoint.base_url
        plan.write_text(PLAN.format(source=SAMPLE, provider=server.name, model=MODEL, url=url))
        command = ["run", str(plan), "--audit", str(tmp_path / "a.gpf"), "--json"]
        server.hangs = r"POST .*batches"
        killed(command, lambda _: server.hanging.acquire(timeout=250))
        server.advance(700.0)
        # Between the two files of answers: a first chunk is in the store, the rest in memory alone.
        server.hangs = r"GET .*/err-.*"
        killed(command, lambda _: server.hanging.acquire(timeout=250))
        assert rows(command, "SELECT state, count(*) FROM cell GROUP BY 1 ORDER BY 1") == [
            ("answered", 200),
            ("submitted", 94),
        ]
        server.hangs = ""
        summary = whole(command)
        assert (summary["answered"], summary["spent_usd"]) == (294, pytest.approx(HALF_PRICE))
        assert server.submissions() == 1
        assert rows(command, "SELECT count(*) FROM call") == [(294,)]
