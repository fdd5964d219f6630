"""Tables of calls as Weave, LangSmith, Braintrust and gateways such as Helicone export them: what was given and what
came, in columns each or as JSON."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from gpf_desktop.documents.programs.chat_messages import parsed
from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.programs.whole_replies import with_whole_replies
from gpf_desktop.documents.tables import TableRow

_OF_BRAINTRUST: Final = ("input", "output", "metadata", "scores")
_METADATA: Final = "metadata"
_BODIES: Final = (("request_body", "response_body"), ("request", "response"))
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


def is_gateway(values: Mapping[str, str]) -> bool:
    """Whether the bodies of a request and of its reply stand in cells each."""
    asked, _ = _bodies(values)
    return bool({"messages", "contents", "input", "prompt"} & asked.keys())


def _bodies(values: Mapping[str, str]) -> tuple[Mapping[str, Any], str]:
    """The request's body and the cell of the reply's; nothing where there are none."""
    for given, got in _BODIES:
        cell = values.get(given, "").lstrip()
        if values.get(got, "").lstrip()[:1] in ("{", "[") and cell.startswith("{"):
            return mapping(parsed(cell)), values[got]
    return {}, ""


def gateway_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with each part of the request in a column of its own, and the reply as the answer."""
    bodies = {name for both in _BODIES for name in both}
    for row in rows:
        asked, reply = _bodies(row.values)
        beside = {name: text for name, text in row.values.items() if name not in bodies} if asked else row.values
        yield replace(row, values={**flat(asked), **beside, **({"response": reply} if asked else {})})


def has_metadata(values: Mapping[str, str]) -> bool:
    return values.get(_METADATA, "").lstrip().startswith("{")


def metadata_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with each part of what stands as an object in the column ``metadata`` in one of its own."""
    for row in rows:
        told = mapping(parsed(row.values.get(_METADATA, "")))
        rest = {name: text for name, text in row.values.items() if name != _METADATA or not told}
        yield replace(row, values={**rest, **flat({_METADATA: told} if told else {})})
