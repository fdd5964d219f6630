"""What `--verbose` prints, and that nothing is printed without it."""

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.cli.command import without
from gpf_desktop.cli.verbose import VERBOSE, log_on_standard_error
from gpf_desktop.domain.hidden_names import hide_names_while
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunState
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import scene, server_model, small_protocol

KEY = "plain-7391-juniper-cove"
"""Of no form by which a key is known, so that only leaving it out keeps it out."""


def window(_audit: Path | None) -> int:
    logging.getLogger("gpf_desktop.ui").debug("the window is up")
    return 0


def show(*arguments: str) -> int:
    return main(list(arguments), show_window=window, show_demo=window)


def test_that_the_window_logs_on_standard_error_where_it_is_asked_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert show("--verbose") == 0
    printed = capsys.readouterr()
    assert "gpf_desktop.ui: the window is up" in printed.err
    assert printed.out == ""
    assert show() == 0
    assert capsys.readouterr().err == "", "the log ends with what asked for it"


def test_that_a_command_takes_it_and_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert show("methods", "--verbose", "--json") == 0
    assert capsys.readouterr().out.startswith(("{", "["))
    assert show("methods", "--help") == 0
    assert "--verbose" in capsys.readouterr().out


def test_that_behind_two_dashes_it_is_a_name() -> None:
    assert without(VERBOSE, ["report", "--verbose", "--", "--verbose"]) == (["report", "--", "--verbose"], True)
    assert without(VERBOSE, ["--", "--verbose"]) == (["--", "--verbose"], False)


def test_that_a_line_names_nobody_while_names_are_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    log = logging.getLogger("gpf_desktop.engine")
    with log_on_standard_error(wanted=True):
        hide_names_while(lambda: True)
        log.debug("%s", "CellMissed(run_id=1, detail='gpt-9 is overloaded')")
        log.debug("%s %s: %s", "POST", "https://a.example/models/gpt-9:generate", 200)
        hide_names_while()
        log.debug("all of it")
    said = capsys.readouterr().err
    assert "gpt-9" not in said
    assert [line.partition(": ")[2] for line in said.splitlines()] == ["CellMissed …", "POST …", "all of it"]


def test_that_the_log_has_events_and_calls_and_neither_key_nor_query(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHORT", "k3y-19-jun")
    with OpenAIServer(key="k3y-19-jun") as server, log_on_standard_error(wanted=True), scene(tmp_path) as stage:
        endpoint: Endpoint = replace(server_model(server.base_url), key_env="SHORT")
        run_id = stage.plan([endpoint], protocol=small_protocol())
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
        logging.getLogger("gpf_desktop.a").debug("GET http://127.0.0.1/?api_key=%s", KEY)
    log = capsys.readouterr().err
    assert f"POST {server.base_url}/chat/completions: 200, " in log
    assert "RunRested(" in log
    assert "k3y-19-jun" not in log, "too short a value of the environment to be redacted: it is never handed over"
    assert KEY not in log
