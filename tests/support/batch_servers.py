"""Providers' batch APIs on 127.0.0.1, strict about what they are sent, with jobs that get on as time passes.

    with BatchServer("openai") as server:
        server.endpoint                       how to reach it
        server.course = Course(ends="expired", answered=0.5)    how jobs made from now on go
        server.advance(600.0)                 ten minutes pass; jobs get on by that
        server.jobs                           as they were made: tag, requests, when

Time stands still but for `advance`. A job is queued for a minute, works for ten, and ends as its course says.
``server.fails["Socialist"] = (400, "no", "code")`` makes the questions that mention it come back as errors.
``server.on_submit`` is what becomes of the next reply to a submission: a `Reply` with a gate, a mode or a status;
``server.forgets`` makes submissions leave no job. ``server.hangs = "GET .*results"`` leaves requests that fit without a
reply, though they have their effect; ``server.hanging`` is released by each. Every message carries the key, or is
answered 401.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self

from gpf_desktop.domain.models import Endpoint, Price
from tests.support.http_server import LoopbackServer, Mode, Reply, Request
from tests.support.provider_servers import DIALECTS, KEY, MODEL
from tests.support.vendor_jobs import Course, Job


@dataclass(slots=True)
class BatchServer:
    """Closed by leaving the block."""

    name: str
    key: str = KEY
    port: int = 0
    course: Course = field(default_factory=Course)
    fails: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    on_submit: Reply | None = None
    forgets: bool = False
    hangs: str = ""
    hanging: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    jobs: list[Job] = field(default_factory=list)
    now: float = 0.0
    """Seconds since it was made."""
    made: datetime = field(default_factory=lambda: datetime.now(UTC))
    problems: list[str] = field(default_factory=list)
    """What was wrong with what was sent."""

    def __post_init__(self) -> None:
        self.http = LoopbackServer(port=self.port)
        assert self.name in _ROUTES, f"add the batch jobs of {self.name} to _ROUTES in tests/support/batch_servers.py"
        self.dialect = DIALECTS[self.name]
        self._files: dict[str, bytes] = {}
        self.route_again()

    def route_again(self) -> None:
        """Take back whatever a test routed elsewhere."""
        self.http.forget_routes()
        _ROUTES[self.name](self)

    http: LoopbackServer = field(init=False)
    dialect: Any = field(init=False)
    _files: dict[str, bytes] = field(init=False)

    @property
    def endpoint(self) -> Endpoint:
        price = Price(prompt=1.0, completion=2.0, entered=self.made.date())
        url = self.http.url(self.dialect.base_path)
        return Endpoint(provider=self.name, model=MODEL, base_url=url, price=price, key_env="GPF_TEST_KEY")

    def advance(self, seconds: float) -> None:
        self.now += seconds

    def submissions(self) -> int:
        """How often a job was asked for."""
        path = {
            "openai": "/v1/batches",
            "anthropic": "/v1/messages/batches",
            "gemini": f"/v1beta/models/{MODEL}:batchGenerateContent",
        }[self.name]
        return sum(request.method == "POST" for request in self.http.requests_for(path))

    def route(self, path: str, handler: Callable[[Request], Reply]) -> None:
        """*handler* behind a check of the headers."""

        def guarded(request: Request) -> Reply:
            wrong = self.dialect.problems(replace(request, method="GET"), self.key)
            if wrong:
                return self.refuse(401, "; ".join(wrong))
            reply = handler(request)
            if self.hangs and re.fullmatch(self.hangs, f"{request.method} {request.path}"):
                self.hanging.release()
                return replace(reply, mode=Mode.HANG)
            return reply

        self.http.route(path, guarded)

    def refuse(self, status: int, message: str) -> Reply:
        self.problems.append(message)
        error = self.dialect.error(status, message)
        return Reply.of_json(error[0] if isinstance(error, list) else error, status=status)

    def make(self, request: Request, tag: str, asked: list[tuple[str, Mapping[str, Any]]]) -> Job | Reply:
        """A new job, or what is wrong with its questions."""
        wrong = [
            f"{custom_id}: {problem}"
            for custom_id, body in asked
            for problem in self.dialect.problems(
                replace(request, method="POST", body=json.dumps(body).encode()), self.key
            )
        ]
        ids = [custom_id for custom_id, _ in asked]
        wrong += [f"bad id {name}" for name in ids if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name)]
        wrong += ["an id twice"] if len(set(ids)) != len(ids) else []
        wrong += [] if asked else ["no question"]
        if wrong:
            return self.refuse(400, "; ".join(wrong[:3]))
        name = {"openai": "batch_", "anthropic": "msgbatch_", "gemini": "batches/b"}[self.name]
        job = Job(id=f"{name}{len(self.jobs) + 1}", tag=tag, requests=asked, made=self.now, course=self.course)
        if not self.forgets:
            self.jobs.append(job)
        return job

    def submitted(self, body: object) -> Reply:
        """The reply to a submission, as the test wants it."""
        wanted, self.on_submit = self.on_submit, None
        whole = Reply.of_json(body)
        if wanted is None:
            return whole
        return replace(wanted, headers=whole.headers, body=whole.body) if wanted.status == 200 else wanted

    def job(self, vendor_id: str) -> Job | None:
        return next((job for job in self.jobs if job.id == vendor_id), None)

    def cancel(self, job: Job) -> None:
        if job.stage(self.now) in {"queued", "working"}:
            job.cancelled = self.now

    def moment(self, job: Job) -> datetime:
        return self.made + timedelta(seconds=job.made)

    def results(self, job: Job) -> list[tuple[str, int, Any]]:
        """(custom id, status, body) of each question that the job came to."""
        found: list[tuple[str, int, Any]] = []
        for number, (custom_id, body) in enumerate(job.requests[: job.done(self.now)]):
            failing = next((value for word, value in self.fails.items() if word in json.dumps(body)), None)
            if failing is not None:
                status, message, code = failing
                error = self.dialect.error(status, message, code)
                found.append((custom_id, status, error[0] if isinstance(error, list) else error))
            else:
                found.append((custom_id, 200, self.dialect.answer(f"Answer {number} is about rivers and towns.")))
        # In no particular order, as the vendors say of theirs.
        return found[::-1]

    def close(self) -> None:
        self.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _page(entries: list[Any], request: Request, cursor: str, size: int) -> tuple[list[Any], bool]:
    """*size* of *entries* behind the one that the query names."""
    after = request.query.get(cursor, [""])[0]
    ids = [entry["id"] for entry in entries]
    start = ids.index(after) + 1 if after else 0
    return entries[start : start + size], start + size < len(entries)


def _openai(server: BatchServer) -> None:
    def upload(request: Request) -> Reply:
        kind = request.headers.get("content-type", "")
        found = re.fullmatch(r"multipart/form-data; boundary=(\S+)", kind)
        if request.method != "POST" or found is None:
            return server.refuse(400, f"no form: {kind}")
        parts = request.body.split(f"--{found.group(1)}".encode())
        fields: dict[str, bytes] = {}
        for part in parts[1:-1]:
            head, _, content = part.strip(b"\r\n").partition(b"\r\n\r\n")
            named = re.search(rb'name="(\w+)"', head)
            assert named is not None
            fields[named.group(1).decode()] = content
        if fields.get("purpose") != b"batch" or "file" not in fields or parts[-1].strip() != b"--":
            return server.refuse(400, f"a bad form of {sorted(fields)}")
        name = f"file-{len(server._files) + 1}"
        server._files[name] = fields["file"]
        return Reply.of_json({"id": name, "object": "file", "purpose": "batch", "bytes": len(fields["file"])})

    def batches(request: Request) -> Reply:
        if request.method == "GET":
            page, more = _page([shown(job) for job in reversed(server.jobs)], request, "after", 2)
            return Reply.of_json({"object": "list", "data": page, "has_more": more})
        order = request.json()
        if set(order) != {"input_file_id", "endpoint", "completion_window", "metadata"}:
            return server.refuse(400, f"unknown or missing keys: {sorted(order)}")
        if order["completion_window"] != "24h" or order["endpoint"] != "/v1/chat/completions":
            return server.refuse(400, "a bad window or endpoint")
        asked: list[tuple[str, Mapping[str, Any]]] = []
        for line in map(json.loads, server._files[order["input_file_id"]].strip().splitlines()):
            if set(line) != {"custom_id", "method", "url", "body"} or line["url"] != order["endpoint"]:
                return server.refuse(400, f"a bad line: {sorted(line)}")
            asked.append((line["custom_id"], line["body"]))
        made = server.make(request, next(iter(order["metadata"].values())), asked)
        return made if isinstance(made, Reply) else server.submitted(shown(made, order["metadata"]))

    def shown(job: Job, metadata: Mapping[str, str] | None = None) -> dict[str, Any]:
        stage = job.stage(server.now)
        over = stage in {"completed", "expired", "cancelled"}
        return {
            "id": job.id,
            "object": "batch",
            "status": {"queued": "validating", "working": "in_progress"}.get(stage, stage),
            "created_at": int(server.moment(job).timestamp()),
            "errors": {"object": "list", "data": [{"code": "bad", "message": "The file is bad."}]}
            if stage == "failed"
            else None,
            "output_file_id": f"out-{job.id}" if over else None,
            "error_file_id": f"err-{job.id}" if over else None,
            "request_counts": {"total": len(job.requests), "completed": job.done(server.now), "failed": 0},
            "metadata": metadata or {"gpf_desktop_job": job.tag},
        }

    def one(request: Request) -> Reply:
        name, _, verb = request.path.removeprefix("/v1/batches/").partition("/")
        job = server.job(name)
        if job is None:
            return server.refuse(404, f"No batch {name}.")
        if verb == "cancel" and request.method == "POST":
            server.cancel(job)
        return Reply.of_json(shown(job))

    def content(request: Request) -> Reply:
        name = request.path.removeprefix("/v1/files/").removesuffix("/content")
        job = server.job(name[4:])
        assert job is not None, request.path
        lines: list[dict[str, Any]] = [
            {
                "id": "r",
                "custom_id": i,
                "response": {"status_code": s, "request_id": f"q-{i}", "body": b},
                "error": None,
            }
            for i, s, b in server.results(job)
            if (s == 200) == name.startswith("out-")
        ]
        if name.startswith("err-"):
            why = "batch_cancelled" if job.cancelled is not None else "batch_expired"
            lines += [
                {"id": "r", "custom_id": i, "response": None, "error": {"code": why, "message": "It came to its end."}}
                for i, _ in job.requests[job.done(server.now) :]
            ]
        return Reply(body="\n".join(map(json.dumps, lines)), headers={"Content-Type": "application/octet-stream"})

    server.route("/v1/files", upload)
    server.route("/v1/files/*", content)
    server.route("/v1/batches", batches)
    server.route("/v1/batches/*", one)


def _anthropic(server: BatchServer) -> None:
    def batches(request: Request) -> Reply:
        if request.method == "GET":
            page, more = _page([shown(job) for job in reversed(server.jobs)], request, "after_id", 2)
            last = page[-1]["id"] if page else None
            return Reply.of_json({"data": page, "has_more": more, "last_id": last})
        order = request.json()
        if set(order) != {"requests"} or any(set(entry) != {"custom_id", "params"} for entry in order["requests"]):
            return server.refuse(400, "unknown or missing keys")
        made = server.make(request, "", [(entry["custom_id"], entry["params"]) for entry in order["requests"]])
        return made if isinstance(made, Reply) else server.submitted(shown(made))

    def shown(job: Job) -> dict[str, Any]:
        stage, done = job.stage(server.now), job.done(server.now)
        over = stage not in {"queued", "working"}
        left = len(job.requests) - done
        good = sum(status == 200 for _, status, _ in server.results(job))
        return {
            "id": job.id,
            "type": "message_batch",
            "processing_status": "ended" if over else "in_progress",
            "created_at": server.moment(job).isoformat().replace("+00:00", "Z"),
            "request_counts": {
                "processing": 0 if over else left,
                "succeeded": good,
                "errored": done - good,
                "canceled": left if over and stage == "cancelled" else 0,
                "expired": left if over and stage != "cancelled" else 0,
            },
            "results_url": "http://elsewhere.invalid/results" if over else None,
        }

    def one(request: Request) -> Reply:
        name, _, verb = request.path.removeprefix("/v1/messages/batches/").partition("/")
        job = server.job(name)
        if job is None:
            return server.refuse(404, f"No batch {name}.")
        if verb == "cancel" and request.method == "POST":
            server.cancel(job)
        if verb != "results":
            return Reply.of_json(shown(job))
        lines = [{"custom_id": i, "result": result(s, b)} for i, s, b in server.results(job)]
        end = "canceled" if job.cancelled is not None else "expired"
        lines += [{"custom_id": i, "result": {"type": end}} for i, _ in job.requests[job.done(server.now) :]]
        return Reply(body="\n".join(map(json.dumps, lines)), headers={"Content-Type": "application/x-jsonl"})

    def result(status: int, body: Any) -> dict[str, Any]:
        return {"type": "succeeded", "message": body} if status == 200 else {"type": "errored", "error": body}

    server.route("/v1/messages/batches", batches)
    server.route("/v1/messages/batches/*", one)


def _gemini(server: BatchServer) -> None:
    def submit(request: Request) -> Reply:
        batch = request.json()["batch"]
        if set(request.json()) != {"batch"} or set(batch) != {"displayName", "inputConfig"}:
            return server.refuse(400, f"unknown or missing keys: {sorted(batch)}")
        entries = batch["inputConfig"]["requests"]["requests"]
        if any(set(entry) != {"request", "metadata"} or set(entry["metadata"]) != {"key"} for entry in entries):
            return server.refuse(400, "a bad request")
        asked = [(entry["metadata"]["key"], entry["request"]) for entry in entries]
        made = server.make(request, batch["displayName"], asked)
        return made if isinstance(made, Reply) else server.submitted(shown(made))

    def shown(job: Job) -> dict[str, Any]:
        stage, done = job.stage(server.now), job.done(server.now)
        word = {"queued": "PENDING", "working": "RUNNING", "completed": "SUCCEEDED"}.get(stage, stage.upper())
        operation: dict[str, Any] = {
            "name": job.id,
            "metadata": {
                "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
                "model": f"models/{MODEL}",
                "displayName": job.tag,
                "name": job.id,
                "state": f"BATCH_STATE_{word}",
                "batchStats": {"requestCount": str(len(job.requests)), "successfulRequestCount": str(done)},
            },
        }
        if stage == "failed":
            operation |= {"done": True, "error": {"code": 3, "message": "The file is bad."}}
        elif stage not in {"queued", "working"}:
            answers = [
                {"metadata": {"key": i}, **({"response": b} if s == 200 else {"error": b["error"]})}
                for i, s, b in server.results(job)
            ]
            operation |= {"done": True, "response": {"inlinedResponses": {"inlinedResponses": answers}}}
        return operation

    def batches(request: Request) -> Reply:
        entries = [{"id": job.id, "shown": shown(job)} for job in server.jobs]
        page, more = _page(entries, request, "pageToken", 2)
        body: dict[str, Any] = {"operations": [entry["shown"] for entry in page]}
        return Reply.of_json(body | ({"nextPageToken": page[-1]["id"]} if more else {}))

    def one(request: Request) -> Reply:
        name, _, verb = request.path.removeprefix("/v1beta/").partition(":")
        job = server.job(name)
        if job is None:
            return server.refuse(404, f"No batch {name}.")
        if verb == "cancel" and request.method == "POST":
            server.cancel(job)
            return Reply.of_json({})
        return Reply.of_json(shown(job))

    server.route(f"/v1beta/models/{MODEL}:batchGenerateContent", submit)
    server.route("/v1beta/batches", batches)
    server.route("/v1beta/batches/*", one)


_ROUTES: Mapping[str, Callable[[BatchServer], None]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _gemini,
}
