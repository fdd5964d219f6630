"""A round whose encoder is asked over a wire and that is killed midway: no text that has its vector is asked again."""

import json
import os
import signal
import sqlite3
import subprocess
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.embedding_servers import EMBEDDINGS, serve_vectors
from tests.support.http_server import LoopbackServer, Request
from tests.support.provider_servers import KEY, MODEL
from tests.support.warm_program import Program, run_program

pytestmark = pytest.mark.slow

ANSWERS = 4 * 50 * 3
HELD = 4
"""The call that is under way when the round is killed."""


def plan_of(provider: str, url: str) -> str:
    answering = "".join(
        f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "plain-{letter}"\n' for letter in "abcd"
    )
    return (
        f'method = "relative-bias"\ncontrols = {{ repeats = 3 }}\nspend_cap = 5.0\n{answering}'
        f'[[models]]\nprovider = "{provider}"\nmodel = "{MODEL}"\nrole = "embedder"\nbase_url = "{url}"\n'
        'key_env = "GPF_TEST_KEY"\nprice = { prompt = 1.0, completion = 0.0 }\nin_flight = 1\n'
    )


@pytest.mark.parametrize("name", sorted(EMBEDDINGS))
def test_that_a_killed_round_asks_no_text_again_that_has_its_vector(
    name: str, http_server: LoopbackServer, tmp_path: Path
) -> None:
    dialect, gate = EMBEDDINGS[name], http_server.gate()
    calls = serve_vectors(http_server, dialect)
    at_once = http_server._routes[dialect.call_path]

    def held(request: Request) -> object:
        return replace(at_once(request), gate=gate if len(calls) == HELD else None)

    http_server.route(dialect.call_path, held)  # type: ignore[arg-type]
    plan, audit = tmp_path / "plan.toml", tmp_path / "a.gpf"
    plan.write_text(plan_of(name, http_server.url(dialect.base_path)), encoding="utf-8")
    command = ("run", plan, "--audit", audit, "--json")
    environment = {**os.environ, "GPF_TEST_KEY": KEY}
    with Program(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        http_server.wait_for_requests(HELD)
        process.send_signal(signal.SIGKILL)
    before = [text for call in calls for text in call]
    kept = with_vector(audit)
    assert kept < set(before), "the call that was under way has left none"
    assert kept
    gate.open()
    done = run_program(*command, env=environment)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["resumed"], summary["answered"], summary["planned"]) == (True, 2 * ANSWERS, 2 * ANSWERS)
    asked = Counter(text for call in calls for text in call)
    assert kept.isdisjoint(text for call in calls[HELD:] for text in call)
    assert {text for text, times in asked.items() if times > 1} <= set(calls[HELD - 1]) | set(calls[HELD - 2])
    assert with_vector(audit) == set(asked)


def with_vector(audit: Path) -> set[str]:
    with closing(sqlite3.connect(audit)) as connection:
        found = connection.execute(
            "SELECT p.text FROM cell_vector x JOIN cell c ON c.id = x.cell_id"
            " JOIN response p ON p.cell_id = c.parent_cell_id"
        )
        return {text for (text,) in found}
