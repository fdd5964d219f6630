"""Output files of OpenAI's batch jobs: a line for each request, its reply as the API gave it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from gpf_desktop.documents.programs.chat_messages import content, served
from gpf_desktop.documents.programs.flat_records import first_of, mapping, words
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr


def is_output(record: Mapping[str, Any]) -> bool:
    return "custom_id" in record and ("status_code" in mapping(record.get("response")) or bool(record.get("error")))


def output_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each request; those that failed come last, for their replies name no model: it is the others', where
    these have one. Raises `UserError` where none was answered.
    """
    failed: list[TableRow] = []
    models: set[str] = set()
    answered = False
    for row in _rows(records):
        if row.values["error"] and not row.values["model"]:
            failed.append(row)
            continue
        answered = True
        models.add(row.values["model"])
        yield row
    if failed and not answered:
        raise UserError(
            tr(
                "None of its {n:,} requests was answered. Line {line}: {why}",
                n=len(failed),
                line=failed[0].line,
                why=failed[0].values["error"][:300],
            ),
            tr("Send them again, and import what that job gives."),
        )
    model = models.pop() if len(models) == 1 else ""
    yield from (replace(row, values={**row.values, "model": model}) for row in failed)


def _rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    for number, record in records:
        reply = mapping(record.get("response"))
        body = mapping(reply.get("body"))
        choice = first_of(body.get("choices"))
        message = mapping(choice.get("message"))
        declined = words(message.get("refusal"))
        yield TableRow(
            number,
            {
                "custom_id": words(record.get("custom_id")),
                "prompt": words(record.get("custom_id")),
                "model": words(body.get("model")),
                "response": content(message.get("content")) or declined or _response_text(body.get("output")),
                "finish": words(choice.get("finish_reason")) or _unfinished(body),
                "refused": "yes" if declined else "",
                "error": _error(record, reply, body),
                **served(body),
            },
        )


def _response_text(output: Any) -> str:
    """The words of the messages of a reply of the API of responses."""
    parts = [each for each in output if mapping(each).get("type") == "message"] if isinstance(output, list) else []
    return "\n".join(content(each.get("content")) for each in parts)


def _unfinished(body: Mapping[str, Any]) -> str:
    return words(mapping(body.get("incomplete_details")).get("reason"))


def _error(record: Mapping[str, Any], reply: Mapping[str, Any], body: Mapping[str, Any]) -> str:
    error = mapping(record.get("error")) or mapping(body.get("error"))
    status = reply.get("status_code")
    refused = isinstance(status, int) and status >= 400
    if not error and not refused:
        return ""
    told = words(error.get("message") or error.get("code") or body or "")
    return f"{status} {told}".strip() if refused else told
