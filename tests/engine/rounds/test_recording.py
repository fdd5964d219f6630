"""What is kept of a call holds no key, wherever the server says it back."""

import asyncio

import pytest

from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.wire import KEY_MARK, WireReply, WireRequest
from gpf_desktop.engine.rounds.recording import Recorder


@pytest.mark.parametrize("key", ["sk-canary-7391-juniper-cove", "short-key-12", "ab12"])
def test_that_a_key_is_taken_out_of_everything_that_is_kept_of_a_call(key: str) -> None:
    async def send(_request: WireRequest) -> WireReply:
        headers = {
            "x-request-id": f"for-{key}",
            "x-ratelimit-remaining": key,
            "location": f"https://x.example/?key={key}",
        }
        return WireReply(status=401, headers=headers, body=f"The key {key} is wrong".encode())

    recorder = Recorder(send, Secret(key))
    request = WireRequest(
        method="POST",
        url=f"https://x.example/?key={key}",
        headers={"Authorization": f"Bearer {key}"},
        json={"said": key},
    )
    asyncio.run(recorder(request))
    kept = recorder.exchange()
    assert kept is not None
    assert kept.reply_headers == {
        "x-request-id": f"for-{KEY_MARK}",
        "x-ratelimit-remaining": KEY_MARK,
        "location": f"https://x.example/?key={KEY_MARK}",
    }
    assert kept.reply == f"The key {KEY_MARK} is wrong"
    for part in (kept.url, kept.body, *kept.headers.values()):
        assert key not in part
