"""An audit of somebody else's names a variable of this machine and a server of its own: nothing is sent there."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.model_tests import StepState
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.rounds.plans import load_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.storage import endpoints
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol
from tests.support.warm_program import run_program

CANARY = "canary-token-5521-heron"
VARIABLE = "GPF_TEST_CANARY"


@pytest.fixture
def thief() -> Iterator[OpenAIServer]:
    with OpenAIServer() as opened:
        yield opened


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setenv(VARIABLE, CANARY)
    with scene(tmp_path) as opened:
        yield opened


def stolen(server: OpenAIServer) -> list[str]:
    return [f"{request.path} {request.headers}" for request in server.http.requests if CANARY in f"{request.headers}"]


def redirected(audit: Path, server: OpenAIServer) -> None:
    """Let every open round of *audit* ask *server*, with the variable as its key."""
    with closing(sqlite3.connect(audit)) as connection:
        ((text,),) = connection.execute("SELECT DISTINCT endpoint FROM run_model").fetchall()
        endpoint = replace(endpoints.from_json(text), base_url=server.base_url, key_env=VARIABLE)
        connection.execute("UPDATE run_model SET endpoint = ?", (endpoints.as_json(endpoint),))
        connection.commit()


def test_that_a_plan_does_not_resume_a_round_that_asks_another_server(
    tmp_path: Path, openai_server: OpenAIServer, thief: OpenAIServer
) -> None:
    path, audit = tmp_path / "plan.toml", tmp_path / "a.gpf"
    news = resources() / "news" / "sample.rss"
    path.write_text(
        f'protocol = "GPF-LiveNews-v1"\ncontrols = "none"\n[[sources]]\nfile = "{news}"\n'
        f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nbase_url = "{openai_server.base_url}"\n'
    )
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(audit)
        assert plan_round(open_audit, load_plan(path), beside=tmp_path).run_id is not None
    redirected(audit, thief)
    environment = {**os.environ, VARIABLE: CANARY}
    done = run_program("run", path, "--audit", audit, env=environment)
    assert done.returncode == 2
    assert "asks other models or addresses than its plan names" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(thief.http.requests) == []


def test_that_an_open_round_in_the_window_sends_no_variable_before_it_is_confirmed(
    stage: Scene, thief: OpenAIServer
) -> None:
    run_id = stage.plan([server_model(thief.base_url)], protocol=small_protocol())
    path = stage.open_audit.path
    stage.engine.close_audit()
    redirected(path, thief)
    rounds = stage.engine.open(path).rounds
    with pytest.raises(UserError, match=f"{VARIABLE} sent to {thief.base_url}"):
        rounds.start(run_id).result(timeout=250)
    assert list(thief.http.requests) == []
    stage.engine.keys.confirm(replace(server_model(thief.base_url), key_env=VARIABLE))
    assert rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    assert stolen(thief), "what is confirmed is sent"


def test_that_testing_and_listing_an_audit_s_model_sends_no_variable(stage: Scene, thief: OpenAIServer) -> None:
    endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=thief.base_url, key_env=VARIABLE)
    service = stage.open_audit.models
    test = service.test(endpoint, decoding=Decoding()).result(timeout=250)
    assert test.steps[0].state is StepState.PASSED
    service.list_models(endpoint).result(timeout=250)
    assert len(list(thief.http.requests)) > 1
    assert stolen(thief) == []
    service.confirm_variable(endpoint).result(timeout=250)
    service.list_models(endpoint).result(timeout=250)
    assert len(stolen(thief)) == 1
