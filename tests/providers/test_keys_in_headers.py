"""A key that a server says back in the name of a request is kept nowhere, whatever became of the request."""

import json

import pytest

from tests.providers.rigs import Rig
from tests.support import http_server as http
from tests.support.http_server import LoopbackServer
from tests.support.provider_servers import KEY

HEADERS = {"openai": "x-request-id", "openai-compatible": "x-request-id", "anthropic": "request-id"}


@pytest.mark.parametrize("dialect", HEADERS)
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, ""),
        (400, json.dumps({"error": {"message": "An odd question.", "type": "invalid_request_error"}})),
        (400, json.dumps({"error": {"message": "Content Exists Risk", "type": "invalid_request_error"}})),
        (200, json.dumps({"no": "answer"})),
    ],
    ids=["answer", "error", "block", "unreadable"],
)
def test_that_a_key_in_the_name_of_a_request_is_struck_out(
    http_server: LoopbackServer, dialect: str, status: int, body: str
) -> None:
    rig = Rig(dialect, http_server)
    body = body or json.dumps(rig.dialect.answer("Rents rise."))
    outcome = rig.ask(http.Reply(body=body, status=status, headers={HEADERS[dialect]: f"r-{KEY}-7"}))
    assert outcome.request_id.startswith("r-")
    assert KEY not in outcome.request_id
