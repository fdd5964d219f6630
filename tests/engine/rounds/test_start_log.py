"""Starts of calls: durable before the call is sent, and early enough that no slot waits for them."""

from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from gpf_desktop.domain.runs import RunState
from tests.support.chat_text import answer_text
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model

pytestmark = pytest.mark.slow

IN_FLIGHT = 6
ANSWERED = 20


class Falters:
    """Answers at once `ANSWERED` times, then holds every call back."""

    def __init__(self) -> None:
        self.server = OpenAIServer(answer=self._answer)
        self._asked = 0

    def _answer(self, chat: dict[str, Any]) -> str:
        self._asked += 1
        if self._asked > ANSWERED:
            self.server.latency = 600.0
        return answer_text(chat)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def test_that_starts_recorded_early_are_few_and_withdrawn_where_they_were_not_sent(stage: Scene) -> None:
    falters = Falters()
    with falters.server as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=IN_FLIGHT)])
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(ANSWERED + IN_FLIGHT)

        def unfinished() -> int:
            return len(stage.read("SELECT cell_id FROM call WHERE finished_at IS NULL"))

        while unfinished() <= IN_FLIGHT or stage.open_audit.rounds.run(run_id).answered < ANSWERED:
            sleep(0.01)
        assert unfinished() <= IN_FLIGHT + IN_FLIGHT // 2
        stage.open_audit.rounds.stop().result(timeout=250)
        assert resting.result(timeout=250) is RunState.STOPPED
        assert len(stage.open_audit.rounds.unknown_calls(run_id)) == IN_FLIGHT, "those that were sent, no other"
        assert stage.read("SELECT count(*) FROM call") == [(ANSWERED + IN_FLIGHT,)]
        assert server.http.received == ANSWERED + IN_FLIGHT
