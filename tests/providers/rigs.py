"""A provider in front of a strict server of its API."""

import asyncio
from collections.abc import Sequence
from typing import Any

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome
from gpf_desktop.engine.core.catalogue import providers
from gpf_desktop.engine.models.sending import Sender
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import DIALECTS, KEY, MODEL, Dialect, serve

ALL = sorted(providers())
ON_THE_WIRE = [name for name in ALL if not providers()[name].synthetic and name in DIALECTS]
OF_THIS_MACHINE = {"local-encoder"}
UNTESTED = [
    name for name in ALL if not providers()[name].synthetic and name not in DIALECTS and name not in OF_THIS_MACHINE
]
PROMPT = Prompt(system="Be brief.", user="I am Hindu. Why?\n\nNews article:\nRiver rises\nSlowly.")


class Rig:
    """One provider before a strict server."""

    def __init__(self, name: str, server: LoopbackServer, dialect: Dialect | None = None, **options: object) -> None:
        self.provider: Provider = providers()[name]
        self.dialect = dialect or DIALECTS[name]
        self.server = server
        self.endpoint = Endpoint(
            provider=name, model=MODEL, base_url=server.url(self.dialect.base_path), options=dict(options)
        )

    def question(self, decoding: Decoding | None = None, **further: Any) -> Question:
        given: dict[str, Any] = {"prompt": PROMPT, "seed": 17, **further}
        return Question(endpoint=self.endpoint, decoding=decoding or Decoding(), **given)

    def ask(
        self, reply: http.Reply | Sequence[http.Reply], question: Question | None = None, *, key: str = KEY
    ) -> Outcome:
        serve(self.server, self.dialect, reply, key=key)
        return send_with(self.provider, question or self.question(), key=key)

    def answered(self, text: str, **how: Any) -> http.Reply:
        return http.Reply.of_json(self.dialect.answer(text, **how))

    def fails(self, status: int, message: str, code: str = "", **headers: str) -> Miss:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        outcome = self.ask(http.Reply.of_json(self.dialect.error(status, message, code), status=status, headers=named))
        assert isinstance(outcome, Miss)
        return outcome

    @property
    def body(self) -> Any:
        """The last call's body."""
        return self.server.requests_for(self.dialect.call_path)[-1].json()


def send_with(provider: Provider, question: Question, *, key: str = KEY) -> Outcome:
    async def once() -> Outcome:
        sender = Sender()
        try:
            return await provider.ask(question, Secret(key) if key else None, sender.sending(20.0))
        finally:
            await sender.aclose()

    return asyncio.run(once())


def list_with(rig: Rig, *, key: str = KEY) -> Sequence[str]:
    async def once() -> Sequence[str]:
        sender = Sender()
        try:
            return await rig.provider.list_models(rig.endpoint, Secret(key) if key else None, sender.sending(20.0))
        finally:
            await sender.aclose()

    return asyncio.run(once())
