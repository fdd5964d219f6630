"""Output files of batch jobs of OpenAI, Mistral, Anthropic and Google: a line for each request and its reply."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.documents.programs.whole_replies import said_in
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn


def is_output(record: Mapping[str, Any]) -> bool:
    reply = mapping(record.get("response"))
    of_google = "key" in record and bool({"candidates", "promptFeedback"} & reply.keys() or record.get("error"))
    of_others = "status_code" in reply or "type" in mapping(record.get("result")) or bool(record.get("error"))
    return of_google or ("custom_id" in record and of_others)


def output_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each request; those whose replies name no model, as of an error, come last: it is the others', where
    these have one. Raises `UserError` where none was answered.
    """
    failed: list[TableRow] = []
    models: set[str] = set()
    answered = False
    for row in _rows(records):
        if not row.values["model"]:
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
        result = mapping(record.get("result"))
        reply = mapping(record.get("response"))
        body = mapping(reply.get("body") or result.get("message")) or reply
        name = words(record.get("custom_id") or record.get("key"))
        yield TableRow(
            number,
            {
                "custom_id": name,
                "prompt": name,
                "model": words(body.get("model") or body.get("modelVersion")),
                "response": "",
                "error": "",
                **said_in(body),
                **({"error": error} if (error := _error(record, reply, body) or _ended_without(result)) else {}),
            },
        )


def _error(record: Mapping[str, Any], reply: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    error = mapping(record.get("error")) or mapping(body.get("error"))
    status = reply.get("status_code")
    refused = isinstance(status, int) and status >= 400
    if not error and not refused:
        return ""
    told = words(error.get("message") or error.get("code") or body or "")
    return f"{status} {told}".strip() if refused else told


def _ended_without(result: Mapping[str, Any]) -> str:
    """Why Anthropic has no message: an error, or that the job expired or was ended before it came to the request."""
    kind = words(result.get("type"))
    error = mapping(mapping(result.get("error")).get("error")) or mapping(result.get("error"))
    return "" if kind in ("", "succeeded") else words(error.get("message") or error or kind)
