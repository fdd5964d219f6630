"""Anthropic's Message Batches. A batch bears no name of ours, so that a lost one is told by its time and its size."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, JobStage, LostJob, NotSubmitted
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send, WireRequest
from gpf_desktop.providers import _jobs
from gpf_desktop.providers._normal_form import count, items, mapping, text
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers.anthropic import PROVIDER as ANTHROPIC
from gpf_desktop.providers.anthropic import AnthropicOptions, headers, root

_STATUS: Final = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""A failed request's line has no HTTP status; its error's type stands for one."""
_CLOCKS_APART: Final = timedelta(minutes=10)


class AnthropicBatchJobs(BatchJobs):
    name = "anthropic"
    discount = 0.5
    most_requests = 100_000
    most_bytes = 200_000_000

    async def submit(self, order: JobOrder, key: Secret | None, send: Send) -> JobReport | NotSubmitted:
        written = [{"custom_id": custom_id, "params": body} for custom_id, body in await _jobs.bodies(ANTHROPIC, order)]
        request = _request("POST", order.endpoint, key, json={"requests": written})
        made = await _jobs.exchange(request, key, send)
        return _jobs.not_submitted(made) if isinstance(made, Miss) else _report(made)

    async def find(self, lost: LostJob, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss | None:
        # `since` is by this machine's clock, `created_at` by the provider's.
        oldest = lost.since - _CLOCKS_APART
        found: JobReport | None = None
        after = ""
        for _page in range(_jobs.PAGES):
            page = await _jobs.exchange(_request("GET", endpoint, key, f"?limit=100{after}"), key, send)
            if isinstance(page, Miss):
                return page
            for entry in map(mapping, items(page.get("data"))):
                made, report = _moment(entry.get("created_at")), _report(entry)
                if made is not None and made < oldest:
                    return found
                if report.requests == lost.requests and report.vendor_id not in lost.known:
                    # Newest first: the last that fits is the first one made after ours was sent.
                    found = report
            if page.get("has_more") is not True:
                break
            after = f"&after_id={quote(text(page.get('last_id')), safe='')}"
        return found

    async def poll(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss:
        body = await _jobs.exchange(_request("GET", endpoint, key, f"/{quote(vendor_id, safe='')}"), key, send)
        return body if isinstance(body, Miss) else _report(body)

    async def collect(
        self,
        report: JobReport,
        endpoint: Endpoint,
        question: Callable[[str], Question | None],
        key: Secret | None,
        send: Send,
    ) -> _jobs.Answers:
        # Not the address in `results_url`: the key goes to no host that an answer names.
        request = _request("GET", endpoint, key, f"/{quote(report.vendor_id, safe='')}/results", keep=_jobs.ANSWERS_CAP)
        for line in _jobs.lines(await _jobs.download(request, key, send)):
            asked = _jobs.known(question, line.get("custom_id"))
            if asked is None:
                continue
            custom_id, result = text(line.get("custom_id")), mapping(line.get("result"))
            match text(result.get("type")):
                case "succeeded":
                    yield custom_id, await _jobs.outcome(ANTHROPIC, asked, key, 200, result.get("message"))
                case "expired":
                    yield custom_id, _jobs.expired()
                case "canceled":
                    yield custom_id, _jobs.cancelled()
                case _:
                    error = mapping(result.get("error"))
                    kind = text(mapping(error.get("error")).get("type")) or text(error.get("type"))
                    # As it comes in the envelope of an error reply or bare, it is brought into the shape that a live
                    # reply has.
                    body = error if "error" in error else {"error": error}
                    yield custom_id, await _jobs.outcome(ANTHROPIC, asked, key, _STATUS.get(kind, 500), body)

    async def cancel(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> Miss | None:
        request = _request("POST", endpoint, key, f"/{quote(vendor_id, safe='')}/cancel")
        answer = await _jobs.exchange(request, key, send)
        return answer if isinstance(answer, Miss) else None


def _request(
    method: str,
    endpoint: Endpoint,
    key: Secret | None,
    behind: str = "",
    *,
    json: Mapping[str, object] | None = None,
    keep: int | None = None,
) -> WireRequest:
    return WireRequest(
        method=method,
        url=f"{root(endpoint)}/v1/messages/batches{behind}",
        headers=headers(chosen(AnthropicOptions, endpoint), key),
        json=json,
        keep=keep,
    )


def _report(body: Mapping[str, object]) -> JobReport:
    counts = mapping(body.get("request_counts"))
    # The API leaves all four at 0 until the whole batch has ended; until then every request counts as processing.
    ended = sum(count(counts.get(name)) or 0 for name in ("succeeded", "errored", "canceled", "expired"))
    over = text(body.get("processing_status")) == "ended"
    return JobReport(
        vendor_id=text(body.get("id")),
        stage=JobStage.ENDED if over else JobStage.WORKING,
        requests=ended + (count(counts.get("processing")) or 0),
        done=ended,
    )


def _moment(value: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text(value))
    except ValueError:
        return None
    return moment if moment.tzinfo else None


BATCH_JOBS = AnthropicBatchJobs()
