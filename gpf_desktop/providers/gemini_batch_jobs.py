"""Gemini's batch mode, with the questions and the answers in the messages themselves."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import quote

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, JobStage, LostJob, NotSubmitted
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send, WireRequest
from gpf_desktop.providers import _jobs, _text
from gpf_desktop.providers._normal_form import items, mapping, text
from gpf_desktop.providers.gemini import PROVIDER as GEMINI
from gpf_desktop.providers.gemini import headers, root

_STAGES: Final = {
    "PENDING": JobStage.QUEUED,
    "SUCCEEDED": JobStage.ENDED,
    "EXPIRED": JobStage.ENDED,
    "CANCELLED": JobStage.ENDED,
    "FAILED": JobStage.FAILED,
}
_CANCELLED_CODE: Final = 1
"""google.rpc.Code of a request that was cancelled."""
_EXPIRED_CODE: Final = 4
_STATUS: Final = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 13: 500, 14: 503, 16: 401}
"""google.rpc.Code → HTTP status, as Google maps them."""


class GeminiBatchJobs(BatchJobs):
    name = "gemini"
    discount = 0.5
    most_requests = 50_000
    most_bytes = 18_000_000
    """Questions within the message: Google takes 20 MB of it."""

    async def submit(self, order: JobOrder, key: Secret | None, send: Send) -> JobReport | NotSubmitted:
        written = [
            {"request": body, "metadata": {"key": custom_id}} for custom_id, body in await _jobs.bodies(GEMINI, order)
        ]
        model = quote(order.endpoint.model.strip().removeprefix("models/"), safe="")
        request = WireRequest(
            method="POST",
            url=f"{root(order.endpoint)}/models/{model}:batchGenerateContent",
            headers=headers(key),
            json={"batch": {"displayName": order.tag, "inputConfig": {"requests": {"requests": written}}}},
        )
        made = await _jobs.exchange(request, key, send)
        return _jobs.not_submitted(made) if isinstance(made, Miss) else _report(made, key)

    async def find(self, lost: LostJob, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss | None:
        further = ""
        for _page in range(_jobs.PAGES):
            address = f"{root(endpoint)}/batches?pageSize=100{further}"
            page = await _jobs.exchange(WireRequest(method="GET", url=address, headers=headers(key)), key, send)
            if isinstance(page, Miss):
                return page
            for entry in map(mapping, items(page.get("operations"))):
                if mapping(entry.get("metadata")).get("displayName") == lost.tag:
                    return _report(entry, key)
            token = text(page.get("nextPageToken"))
            if not token:
                break
            further = f"&pageToken={quote(token, safe='')}"
        return None

    async def poll(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss:
        body = await _jobs.exchange(_look(vendor_id, endpoint, key), key, send)
        return body if isinstance(body, Miss) else _report(body, key)

    async def collect(
        self,
        report: JobReport,
        endpoint: Endpoint,
        question: Callable[[str], Question | None],
        key: Secret | None,
        send: Send,
    ) -> _jobs.Answers:
        body = await _jobs.exchange(_look(report.vendor_id, endpoint, key), key, send)
        if isinstance(body, Miss):
            raise ProviderError(body.detail)
        for entry in _answers(body):
            custom_id = text(mapping(entry.get("metadata")).get("key"))
            asked = question(custom_id)
            if asked is None:
                continue
            error = mapping(entry.get("error"))
            code = error.get("code")
            if code == _CANCELLED_CODE:
                yield custom_id, _jobs.cancelled()
            elif code == _EXPIRED_CODE:
                yield custom_id, _jobs.expired()
            elif error:
                # google.rpc.Code ends at 16: what is 400 or more is a status of HTTP already.
                status = code if isinstance(code, int) and code >= 400 else _STATUS.get(code, 500)  # type: ignore[call-overload]
                yield custom_id, await _jobs.outcome(GEMINI, asked, key, status, {"error": error})
            else:
                yield custom_id, await _jobs.outcome(GEMINI, asked, key, 200, entry.get("response"))

    async def cancel(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> Miss | None:
        # Its slash stays one: “batches/…” is a path below the root.
        address = f"{root(endpoint)}/{quote(vendor_id)}:cancel"
        answer = await _jobs.exchange(WireRequest(method="POST", url=address, headers=headers(key), json={}), key, send)
        return answer if isinstance(answer, Miss) else None


def _look(vendor_id: str, endpoint: Endpoint, key: Secret | None) -> WireRequest:
    """The job's message, which holds its answers once there are any. *vendor_id* is "batches/…"."""
    return WireRequest(
        method="GET", url=f"{root(endpoint)}/{quote(vendor_id)}", headers=headers(key), keep=_jobs.ANSWERS_CAP
    )


def _answers(body: Mapping[str, object]) -> list[Mapping[str, object]]:
    """They stand in the response, in the metadata, or in both, under a name that holds itself."""
    for holder in (body.get("response"), mapping(body.get("metadata")).get("output")):
        inlined = mapping(holder).get("inlinedResponses")
        found = items(inlined) or items(mapping(inlined).get("inlinedResponses"))
        if found:
            return [mapping(entry) for entry in found]
    return []


def _report(body: Mapping[str, object], key: Secret | None) -> JobReport:
    facts = mapping(body.get("metadata")) or body
    numbers = mapping(facts.get("batchStats"))
    requests = _number(numbers.get("requestCount"))
    stage = _STAGES.get(text(facts.get("state")).rpartition("_STATE_")[2], JobStage.WORKING)
    return JobReport(
        vendor_id=text(body.get("name")) or text(facts.get("name")),
        # A job may fail in part: the answers that it holds are collected all the same.
        stage=JobStage.ENDED if stage is JobStage.FAILED and _answers(body) else stage,
        requests=requests,
        done=_number(numbers.get("successfulRequestCount")) + _number(numbers.get("failedRequestCount")),
        detail=_text.detail(text(mapping(body.get("error")).get("message")), key),
    )


def _number(value: object) -> int:
    """Google writes 64-bit numbers as text."""
    written = str(value) if isinstance(value, int | str) else ""
    return int(written) if written.isdecimal() else 0


BATCH_JOBS = GeminiBatchJobs()
