"""A strict OpenAI-compatible chat server on 127.0.0.1, for tests, and as a program for benchmarks.

    with OpenAIServer(models=["small"], key="k") as server:      # or the fixture ``openai_server`` (no key)
        server.base_url                       "http://127.0.0.1:49152/v1"
        server.fail(r"Buddhist", times=2)     the next two chats that mention it answer 500; see ``fail``
        server.answered, server.chats         accepted chats as a count, and as their parsed requests

    python -m tests.support.openai_server --port 0 --latency 0.05 --requests-per-minute 600 --refuse 503=0.04
    (prints its base URL and serves until it is interrupted or terminated)

GET /v1/models and POST /v1/chat/completions; GET /stats tells ``{"received", "answered", "refused"}``; GET /allow/600
changes the requests a minute that it allows, 0 being none. It answers 400
to an unknown key, a null, a wrong type, or both limits at once; 401 without the right key where one is set; 404 for a
model it has not; 429 with Retry-After over its rate; all in OpenAI's error body. Answers are those of
``tests.support.chat_text``: they depend on model, messages, seed and temperature alone.
"""

import argparse
import itertools
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from tests.support.chat_text import answer_text
from tests.support.http_server import Gate, LoopbackServer, Mode, Reply, Request

_NUMBER = (int, float)
_KEYS: dict[str, type | tuple[type, ...]] = {
    "model": str,
    "messages": list,
    "temperature": _NUMBER,
    "top_p": _NUMBER,
    "max_tokens": int,
    "max_completion_tokens": int,
    "seed": int,
    "stop": (str, list),
    "reasoning_effort": str,
    "user": str,
}


@dataclass(slots=True)
class _Failure:
    pattern: re.Pattern[str]
    reply: Reply
    left: float


class OpenAIServer:
    """Serves from construction until ``close``; see the module's docstring."""

    def __init__(
        self,
        *,
        models: Sequence[str] = ("some-model",),
        key: str = "",
        latency: float = 0.0,
        requests_per_minute: float | None = None,
        not_supported: Sequence[str] = (),
        answer: Callable[[dict[str, Any]], str] | None = None,
        gate: bool = False,
        record: bool = True,
        cached: float = 0.0,
        port: int = 0,
        refuse: tuple[int, float] | None = None,
        objects: Callable[[dict[str, Any]], tuple[int, str] | None] | None = None,
        says: Callable[[int], dict[str, Any]] = lambda _answered: {},
    ) -> None:
        """*not_supported* names parameters that answer 400 ``unsupported_parameter``; *answer* replaces the text.

        With *gate*, chats wait until ``server.gate.open()``. Without *record*, ``chats`` stays empty. *cached* is the
        share of prompt tokens that usage calls cached. *refuse* is a status and the share of chats that are refused
        with it at random, a 429 with a Retry-After of a second. *objects* gives status and message of what it refuses.
        *says* is what its nth answer says beside the text: another model, a fingerprint; None takes a field away.
        """
        self.latency = latency
        self.chats: list[dict[str, Any]] = []
        self.answered = 0
        self.refused: Counter[int] = Counter()
        self.http = LoopbackServer(port=port, record=record)
        self.gate: Gate | None = self.http.gate() if gate else None
        self._models = tuple(models)
        self._cached = cached
        self._key = key
        self._not_supported = frozenset(not_supported)
        self._answer = answer or answer_text
        self._failures: list[_Failure] = []
        self._record = record
        self._quota: _Bucket | None = None
        self._refused_anyhow = refuse
        self._objects = objects
        self._says = says
        self._bucket = _Bucket(requests_per_minute) if requests_per_minute is not None else None
        self._numbers = itertools.count(1)
        self.http.route("/v1/models", self._list_models)
        self.http.route("/v1/chat/completions", self._chat)
        self.http.route("/stats", self._stats)
        self.http.route("/allow/*", self._allow)

    @property
    def base_url(self) -> str:
        return self.http.url("/v1")

    def fail(
        self,
        pattern: str,
        *,
        status: int = 500,
        mode: Mode = Mode.PLAIN,
        times: float = float("inf"),
        retry_after: float | None = None,
        code: str = "",
        reply: Reply | None = None,
    ) -> None:
        """Answer chats whose last message matches *pattern* with an error, or with *reply*, *times* times.

        Without a *code* the error has one that fits its *status*.
        """
        if reply is None:
            headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
            kind = "invalid_request_error" if status == 400 else "server_error"
            body = _error_body("planned failure", kind=kind, code=code or kind)
            reply = Reply.of_json(body, status=status, headers=headers)
            reply = Reply(status=status, headers=reply.headers, body=reply.body, mode=mode)
        self._failures.append(_Failure(re.compile(pattern), reply, times))

    def fail_no_more(self) -> None:
        """Forget every planned failure."""
        self._failures.clear()

    def tell_quota(self, requests: int, seconds: float) -> None:
        """Allow *requests* at once, full again after *seconds*; each answer tells what is left, a 429 tells no time."""
        self._quota = _Bucket(60 * requests / seconds, size=requests)

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stats(self, _request: Request) -> Reply:
        refused = {str(status): count for status, count in self.refused.items()}
        return Reply.of_json({"received": self.http.received, "answered": self.answered, "refused": refused})

    def _allow(self, request: Request) -> Reply:
        self._bucket = _Bucket(float(request.path.rpartition("/")[2]))
        return Reply.of_json({})

    def _list_models(self, request: Request) -> Reply:
        if (denied := self._denied(request)) is not None:
            return denied
        data = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in self._models]
        return Reply.of_json({"object": "list", "data": data})

    def _denied(self, request: Request) -> Reply | None:
        if not self._key or request.headers.get("authorization") == f"Bearer {self._key}":
            return None
        return self._refuse(401, "Incorrect API key provided.", code="invalid_api_key")

    def _refuse(
        self, status: int, message: str, *, code: str, param: str | None = None, retry_after: float | None = None
    ) -> Reply:
        self.refused[status] += 1
        kind = "rate_limit_error" if status == 429 else "invalid_request_error"
        headers = {} if retry_after is None else {"Retry-After": f"{retry_after:.3f}"}
        body = _error_body(message, kind=kind, code=code, param=param)
        return Reply.of_json(body, status=status, headers=headers)

    def _chat(self, request: Request) -> Reply:
        if request.method != "POST":
            return self._refuse(405, "Only POST is allowed here.", code="method_not_allowed")
        if (denied := self._denied(request)) is not None:
            return denied
        if self._refused_anyhow is not None and random.random() < self._refused_anyhow[1]:
            status = self._refused_anyhow[0]
            after = 1.0 if status == 429 else None
            return self._refuse(status, "Refused at random.", code="rate_limit_exceeded", retry_after=after)
        if self._bucket is not None and (wait := self._bucket.take()) > 0:
            return self._refuse(429, "Rate limit reached.", code="rate_limit_exceeded", retry_after=wait)
        if self._quota is not None and self._quota.take() > 0:
            return self._refuse(429, "Quota used up.", code="rate_limit_exceeded")
        if request.headers.get("content-type", "").split(";")[0] != "application/json":
            return self._refuse(415, "The body must be application/json.", code="unsupported_media_type")
        try:
            chat = request.json()
        except ValueError:
            return self._refuse(400, "The body is not JSON.", code="invalid_json")
        if (problem := _problem(chat, self._not_supported)) is not None:
            return self._refuse(400, problem.message, code=problem.code, param=problem.param)
        if self._objects is not None and (objection := self._objects(chat)) is not None:
            return self._refuse(objection[0], objection[1], code="")
        if chat["model"] not in self._models:
            return self._refuse(404, f"The model {chat['model']!r} does not exist.", code="model_not_found")
        for failure in self._failures:
            if failure.left > 0 and failure.pattern.search(chat["messages"][-1]["content"]):
                failure.left -= 1
                self.refused[failure.reply.status] += 1
                return failure.reply
        self.answered += 1
        if self._record:
            self.chats.append(chat)
        told = {} if self._quota is None else self._quota.headers()
        reply = Reply.of_json(self._completion(chat), headers={"x-request-id": f"req-{next(self._numbers)}", **told})
        return Reply(headers=reply.headers, body=reply.body, delay=self.latency, gate=self.gate)

    def _completion(self, chat: dict[str, Any]) -> dict[str, Any]:
        words = self._answer(chat).split(" ")
        limit = chat.get("max_completion_tokens", chat.get("max_tokens", len(words)))
        prompt = sum(len(message["content"].split()) for message in chat["messages"])
        spent = min(limit, len(words))
        whole = {
            "id": f"chatcmpl-{next(self._numbers)}",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": chat["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": " ".join(words[:limit]), "refusal": None},
                    "finish_reason": "length" if spent < len(words) else "stop",
                }
            ],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": spent,
                "total_tokens": prompt + spent,
                "prompt_tokens_details": {"cached_tokens": int(self._cached * prompt)},
            },
            **self._says(self.answered),
        }
        return {name: value for name, value in whole.items() if value is not None}


class _Bucket:
    """As many requests a minute as allowed, with a burst of *size*, or of one second's worth."""

    def __init__(self, per_minute: float, *, size: float | None = None) -> None:
        self._rate = per_minute / 60
        self._size = size or max(1.0, self._rate)
        self._tokens = self._size
        self._at = time.monotonic()

    def take(self) -> float:
        """0 where the request may pass, else the seconds until one may."""
        now = time.monotonic()
        self._tokens = min(self._size, self._tokens + (now - self._at) * self._rate)
        self._at = now
        if not self._rate:
            return 1.0
        if self._tokens >= 1:
            self._tokens -= 1
            return 0.0
        return (1 - self._tokens) / self._rate

    def headers(self) -> dict[str, str]:
        """What OpenAI's servers say of it."""
        return {
            "x-ratelimit-limit-requests": f"{self._size:.0f}",
            "x-ratelimit-remaining-requests": f"{int(self._tokens)}",
            "x-ratelimit-reset-requests": f"{1000 * (self._size - self._tokens) / self._rate:.0f}ms",
        }


@dataclass(frozen=True, slots=True)
class _Problem:
    message: str
    code: str
    param: str | None = None


def _problem(chat: Any, not_supported: frozenset[str]) -> _Problem | None:
    """What a strict server objects to in *chat*, or None."""
    if not isinstance(chat, dict):
        return _Problem("The body is not an object.", "invalid_type")
    for name, value in chat.items():
        if name not in _KEYS:
            return _Problem(f"Unrecognized request argument supplied: {name}", "unknown_parameter", name)
        if not isinstance(value, _KEYS[name]) or isinstance(value, bool):
            return _Problem(f"Invalid type for '{name}'.", "invalid_type", name)
        if name in not_supported:
            message = f"Unsupported parameter: '{name}' is not supported with this model."
            return _Problem(message, "unsupported_parameter", name)
    for name in ("model", "messages"):
        if not chat.get(name):
            return _Problem(f"Missing required parameter: '{name}'.", "missing_required_parameter", name)
    if "max_tokens" in chat and "max_completion_tokens" in chat:
        return _Problem("Setting 'max_tokens' and 'max_completion_tokens' at once is not supported.", "invalid_value")
    for message in chat["messages"]:
        good = isinstance(message, dict) and set(message) == {"role", "content"}
        if (
            not good
            or message["role"] not in {"system", "user", "assistant"}
            or not isinstance(message["content"], str)
        ):
            return _Problem("Invalid value for 'messages'.", "invalid_value", "messages")
    return None


def _error_body(message: str, *, kind: str, code: str, param: str | None = None) -> dict[str, Any]:
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.support.openai_server", description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--models", default="some-model", help="names, separated by commas")
    parser.add_argument("--key", default="", help="the key that requests must carry")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--requests-per-minute", type=float)
    parser.add_argument("--refuse", default="", help="a status and the share of chats refused with it, as 429=0.04")
    chosen = parser.parse_args(arguments)
    status, _, share = chosen.refuse.partition("=")
    server = OpenAIServer(
        port=chosen.port,
        refuse=(int(status), float(share)) if share else None,
        models=chosen.models.split(","),
        key=chosen.key,
        latency=chosen.latency,
        requests_per_minute=chosen.requests_per_minute,
        record=False,
    )
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with server:
        print(server.base_url, flush=True)
        stop.wait()


if __name__ == "__main__":
    main()
