"""Output files of batch jobs of OpenAI, Mistral, Anthropic, Google and Amazon: a line for each request and its reply.

What was asked stands in another file (`batch_requests`); in lines of Vertex AI and Bedrock it stands beside the reply.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpf_desktop.documents.long_json import GoOn
from gpf_desktop.documents.programs.batch_requests import (
    BatchRequests,
    asked_in,
    first_record,
    job_records,
    kept,
    name_of,
)
from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.programs.whole_replies import each_choice, said_in
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn


def is_output(record: Mapping[str, Any]) -> bool:
    reply = mapping(record.get("response"))
    named = "key" in record or isinstance(record.get("request"), dict)
    of_google = named and bool({"candidates", "promptFeedback"} & reply.keys() or record.get("error"))
    of_others = "status_code" in reply or "type" in mapping(record.get("result")) or bool(record.get("error"))
    of_amazon = "recordId" in record and bool({"modelOutput", "error"} & record.keys())
    return of_google or of_amazon or ("custom_id" in record and of_others)


def replies_in(files: Sequence[Path], go_on: GoOn) -> dict[str, set[str]]:
    """The models that replied to each request, by its name; a reply that is an error often names none."""
    return kept("replies", files, lambda: _replies_in(files, go_on))


def _replies_in(files: Sequence[Path], go_on: GoOn) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for file in files:
        if is_output(first_record(file)):
            for _, record in job_records(file, go_on):
                found.setdefault(name_of(record), set()).add(_model(_body(record)))
    return found


def output_rows(records: Iterable[tuple[int, Mapping[str, Any]]], asked: BatchRequests) -> Iterator[TableRow]:
    """A row for each request, as it was *asked*; those whose replies name no model, as of an error, come last: it is
    the others', where these have one. Raises `UserError` where none was answered, of nobody knows which model.
    """
    failed: list[TableRow] = []
    models: set[str] = set()
    answered = False
    for row in map(asked.join, _rows(records)):
        if not row.values["model"] and not row.values["response"]:
            failed.append(row)
            continue
        answered = True
        models.add(row.values["model"])
        yield row
    if failed and not answered:
        raise UserError(
            trn(
                "Its one request was not answered. Line {line}: {why}",
                "None of its {n:,} requests was answered. Line {line}: {why}",
                len(failed),
                line=failed[0].line,
                why=(failed[0].values["error"] or failed[0].values.get("finish", ""))[:300],
            ),
            tr("Send them again, and import what that job gives."),
        )
    model = models.pop() if len(models) == 1 else ""
    yield from (replace(row, values={**row.values, "model": model}) for row in failed)


def _rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    for number, record in records:
        result, reply, body = mapping(record.get("result")), mapping(record.get("response")), _body(record)
        name = name_of(record)
        common = {"custom_id": name, "prompt": name, "model": _model(body), "response": "", "error": ""}
        error = _error(record, reply, body) or _ended_without(result)
        for repeat, answer in enumerate(each_choice(body)):
            told = common | asked_in(record) | said_in(answer)
            yield TableRow(
                number, told | ({"error": error} if error else {}) | ({"repeat": str(repeat)} if repeat else {})
            )


def _body(record: Mapping[str, Any]) -> Mapping[str, Any]:
    reply = mapping(record.get("response"))
    inside = reply.get("body") or mapping(record.get("result")).get("message") or record.get("modelOutput")
    return mapping(inside) or reply


def _model(body: Mapping[str, Any]) -> str:
    return words(body.get("model") or body.get("modelVersion"))


def _error(record: Mapping[str, Any], reply: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    error = mapping(record.get("error")) or mapping(body.get("error"))
    status = reply.get("status_code")
    refused = isinstance(status, int) and status >= 400
    if not error and not refused:
        return ""
    said = (error.get(name) for name in ("message", "code", "errorMessage", "errorCode"))
    told = words(next(filter(None, said), body or ""))
    return f"{status} {told}".strip() if refused else told


def _ended_without(result: Mapping[str, Any]) -> str:
    """Why Anthropic has no message: an error, or that the job expired or was ended before it came to the request."""
    kind = words(result.get("type"))
    error = mapping(mapping(result.get("error")).get("error")) or mapping(result.get("error"))
    return "" if kind in ("", "succeeded") else words(error.get("message") or error or kind)
