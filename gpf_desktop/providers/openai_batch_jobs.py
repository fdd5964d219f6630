"""OpenAI's Batch API: a file of chat completions is uploaded, a batch made of it, its output files read."""

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Final
from urllib.parse import quote

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, JobStage, LostJob, NotSubmitted
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send, WireRequest
from gpf_desktop.providers import _jobs, _text
from gpf_desktop.providers._normal_form import count, items, mapping, text
from gpf_desktop.providers._openai_shape import headers, root
from gpf_desktop.providers.openai import PROVIDER as OPENAI

_TAG: Final = "gpf_desktop_job"
_STAGES: Final = {
    "validating": JobStage.QUEUED,
    "failed": JobStage.FAILED,
    "completed": JobStage.ENDED,
    "expired": JobStage.ENDED,
    "cancelled": JobStage.ENDED,
}
_CLOCKS_APART: Final = timedelta(minutes=10)


class OpenAIBatchJobs(BatchJobs):
    name = "openai"
    discount = 0.5
    most_requests = 50_000
    most_bytes = 100_000_000

    async def submit(self, order: JobOrder, key: Secret | None, send: Send) -> JobReport | NotSubmitted:
        written: list[Mapping[str, object]] = [
            {"custom_id": custom_id, "method": "POST", "url": "/v1/chat/completions", "body": body}
            for custom_id, body in await _jobs.bodies(OPENAI, order)
        ]
        uploaded = await _jobs.exchange(_upload(order, written, key), key, send)
        if isinstance(uploaded, Miss):
            # An uploaded file starts nothing by itself, whatever became of the reply.
            return NotSubmitted(miss=uploaded, certain=True)
        made = await _jobs.exchange(
            WireRequest(
                method="POST",
                url=_address(order.endpoint),
                headers=headers(key),
                json={
                    "input_file_id": text(uploaded.get("id")),
                    "endpoint": "/v1/chat/completions",
                    "completion_window": "24h",
                    "metadata": {_TAG: order.tag},
                },
            ),
            key,
            send,
        )
        return _jobs.not_submitted(made) if isinstance(made, Miss) else _report(made, key)

    async def find(self, lost: LostJob, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss | None:
        # `since` is by this machine's clock, `created_at` by the provider's.
        oldest = (lost.since - _CLOCKS_APART).timestamp()
        after = ""
        for _page in range(_jobs.PAGES):
            address = f"{_address(endpoint)}?limit=100{after}"
            page = await _jobs.exchange(WireRequest(method="GET", url=address, headers=headers(key)), key, send)
            if isinstance(page, Miss):
                return page
            listed = [mapping(entry) for entry in items(page.get("data"))]
            for entry in listed:
                if mapping(entry.get("metadata")).get(_TAG) == lost.tag:
                    return _report(entry, key)
            made = count(listed[-1].get("created_at")) if listed else None
            # The list begins with the newest: what follows is older than ours.
            if page.get("has_more") is not True or (made is not None and made < oldest):
                break
            after = f"&after={quote(text(listed[-1].get('id')), safe='')}"
        return None

    async def poll(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss:
        request = WireRequest(method="GET", url=_address(endpoint, vendor_id), headers=headers(key))
        body = await _jobs.exchange(request, key, send)
        return body if isinstance(body, Miss) else _report(body, key)

    async def collect(
        self,
        report: JobReport,
        endpoint: Endpoint,
        question: Callable[[str], Question | None],
        key: Secret | None,
        send: Send,
    ) -> _jobs.Answers:
        for file_id in report.results:
            address = f"{root(endpoint.base_url or OPENAI.default_base_url)}/files/{quote(file_id, safe='')}/content"
            request = WireRequest(method="GET", url=address, headers=headers(key), keep=_jobs.ANSWERS_CAP)
            for line in _jobs.lines(await _jobs.download(request, key, send)):
                asked = _jobs.known(question, line.get("custom_id"))
                if asked is None:
                    continue
                reply, error = mapping(line.get("response")), mapping(line.get("error"))
                custom_id = text(line.get("custom_id"))
                code = text(error.get("code"))
                if code == "batch_expired":
                    yield custom_id, _jobs.expired()
                elif code == "batch_cancelled":
                    yield custom_id, _jobs.cancelled()
                elif not reply:
                    yield custom_id, await _jobs.outcome(OPENAI, asked, key, 500, {"error": error})
                else:
                    status = count(reply.get("status_code")) or 200
                    request_id = text(reply.get("request_id"))
                    yield (
                        custom_id,
                        await _jobs.outcome(OPENAI, asked, key, status, reply.get("body"), request_id),
                    )

    async def cancel(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> Miss | None:
        request = WireRequest(method="POST", url=f"{_address(endpoint, vendor_id)}/cancel", headers=headers(key))
        answer = await _jobs.exchange(request, key, send)
        return answer if isinstance(answer, Miss) else None


def _address(endpoint: Endpoint, vendor_id: str = "") -> str:
    batches = f"{root(endpoint.base_url or OPENAI.default_base_url)}/batches"
    return f"{batches}/{quote(vendor_id, safe='')}" if vendor_id else batches


def _upload(order: JobOrder, written: list[Mapping[str, object]], key: Secret | None) -> WireRequest:
    """The questions as a form with one file, a question a line."""
    # The tag is drawn at random for this job, so that no question can hold the boundary.
    boundary = f"----{order.tag}"
    # JSON escapes line ends within texts: a question never takes two lines.
    file = "\n".join(json.dumps(line) for line in written)
    parts = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="purpose"\r\n\r\nbatch\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{order.tag}.jsonl"\r\n'
        f"Content-Type: application/jsonl\r\n\r\n{file}\n\r\n--{boundary}--\r\n"
    )
    return WireRequest(
        method="POST",
        url=f"{root(order.endpoint.base_url or OPENAI.default_base_url)}/files",
        headers={**headers(key), "Content-Type": f"multipart/form-data; boundary={boundary}"},
        content=parts.encode(),
    )


def _report(body: Mapping[str, object], key: Secret | None) -> JobReport:
    counts = mapping(body.get("request_counts"))
    # Questions that failed stand in a file of their own.
    files = (text(body.get("output_file_id")), text(body.get("error_file_id")))
    errors = [text(mapping(entry).get("message")) for entry in items(mapping(body.get("errors")).get("data"))]
    return JobReport(
        vendor_id=text(body.get("id")),
        stage=_STAGES.get(text(body.get("status")), JobStage.WORKING),
        requests=count(counts.get("total")) or 0,
        done=(count(counts.get("completed")) or 0) + (count(counts.get("failed")) or 0),
        detail=_text.detail(" ".join(filter(None, errors)), key),
        results=tuple(filter(None, files)),
    )


BATCH_JOBS = OpenAIBatchJobs()
