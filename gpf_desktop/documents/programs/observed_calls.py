"""Tables of calls as Weave, LangSmith and Braintrust export them: what was given and what came, in columns each or as
JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from gpf_desktop.documents.programs.chat_messages import parsed
from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.programs.whole_replies import with_whole_replies
from gpf_desktop.documents.tables import TableRow

_OF_BRAINTRUST: Final = ("input", "output", "metadata", "scores")
_GIVEN, _GOT, _CHOICES = "inputs", "outputs", "output.choices"
_TEXT: Final = re.compile(r"output\.choices(?:\[0\]|\.0)\.message\.content")
_END: Final = re.compile(r"output\.choices(?:\[0\]|\.0)\.finish_reason")
_ASKED: Final = re.compile(r"inputs\.messages(?:\[(\d+)\]|\.(\d+))\.(role|content)")


def is_weave(values: Mapping[str, str]) -> bool:
    return any(name.startswith("inputs.") for name in values) and (
        _CHOICES in values or any(map(_TEXT.fullmatch, values))
    )


def weave_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with the answer, and what was asked, under the names that others have."""
    for row in rows:
        values = row.values
        told = {
            "model": values.get("inputs.model") or values.get("output.model", ""),
            **_said(values),
            "response": _first(values, _TEXT) or values.get(_CHOICES, ""),
            "finish": _first(values, _END),
            "served_model": values.get("output.model", ""),
        }
        rest = {name: text for name, text in values.items() if not name.startswith(("output.", "inputs.me"))}
        yield replace(row, values={**rest, **{name: text for name, text in told.items() if text or name == "response"}})


def _first(values: Mapping[str, str], name: re.Pattern[str]) -> str:
    return next((text for each, text in values.items() if name.fullmatch(each)), "")


def _said(values: Mapping[str, str]) -> dict[str, str]:
    """The messages, each in columns of its own, or all of them in one."""
    messages: dict[int, dict[str, str]] = {}
    for name, text in values.items():
        if found := _ASKED.fullmatch(name):
            messages.setdefault(int(found[1] or found[2]), {})[found[3]] = text
    by_role = {each.get("role", ""): each.get("content", "") for _, each in sorted(messages.items())}
    return {"prompt": by_role.get("user") or values.get("inputs.messages", ""), "system": by_role.get("system", "")}


def is_langsmith(values: Mapping[str, str]) -> bool:
    return all(values.get(name, "").lstrip().startswith("{") for name in (_GIVEN, _GOT))


def langsmith_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with each part of both objects in a column of its own, and whole replies as they stand."""
    for row in rows:
        both = {name: mapping(parsed(row.values.get(name, ""))) for name in (_GIVEN, _GOT)}
        rest = {name: text for name, text in row.values.items() if not both.get(name)}
        served = {"outputs.model": words(both[_GOT].get("model"))} if both[_GOT].get("model") else {}
        yield replace(row, values={**rest, **flat(with_whole_replies(both)), **served})


def is_braintrust(values: Mapping[str, str]) -> bool:
    return {*_OF_BRAINTRUST, "span_attributes"} <= values.keys()


def braintrust_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with each part of an object in a column of its own, and texts without the quotes of JSON."""
    for row in rows:
        told = {
            name: parsed(text) if (text := row.values[name])[:1] in ('"', "{", "[") else text for name in _OF_BRAINTRUST
        }
        told = {name: row.values[name] if value is None else value for name, value in told.items()}
        rest = {name: text for name, text in row.values.items() if name not in told}
        yield replace(row, values={**rest, **flat(with_whole_replies(told))})
