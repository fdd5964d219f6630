"""Requests of batch jobs, by which replies are told what they answer: what was sent stands in a file of its own.

OpenAI's (and those of its shape) have a ``body``, Anthropic's ``params``, Google's a ``request``, Amazon's a
``modelInput``; replies name their request by ``custom_id``, Google's by ``key``, Amazon's by ``recordId``.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from gpf_desktop.documents.long_json import GoOn, loaded
from gpf_desktop.documents.programs.chat_messages import content, said_by
from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.table_encodings import opened
from gpf_desktop.documents.tables import TableRow, json_objects
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.text import tr

_SENT: Final = ("body", "params", "request", "modelInput")
_TEXTS: Final = frozenset({"model", "messages", "input", "prompt", "instructions", "system", "contents"}) | {
    *("systemInstruction", "system_instruction", "inputText"),
    # What may be answered, and not how it was asked.
    *("tools", "response_format", "text"),
}
_JSON: Final = frozenset({".json", ".jsonl", ".ndjson", ".jsonlines", ".out"})
_LARGEST: Final = 2**29
"""Characters of a JSON text that is looked into; providers take jobs of a third of that."""
_STEP: Final = 500
_NAMED: Final = 4
T = TypeVar("T")
_FOUND: ContextVar[dict[Hashable, object] | None] = ContextVar("found beside", default=None)


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """A request that was sent under a name."""

    file: str
    line: int
    model: str
    told: Mapping[str, str]
    """What was asked, by the names of columns."""


def is_request(record: Mapping[str, Any]) -> bool:
    named = {"custom_id", "recordId"} & record.keys() or ("key" in record and "request" in record)
    sent = any(isinstance(record.get(name), dict) for name in _SENT)
    return bool(named) and sent and not {"response", "result", "error", "modelOutput"} & record.keys()


def name_of(record: Mapping[str, Any]) -> str:
    return words(record.get("custom_id") or record.get("key") or record.get("recordId"))


def asked_in(record: Mapping[str, Any]) -> dict[str, str]:
    """The values that the request in *record* asks, by the names of columns; empty where it holds no request."""
    sent = next((mapping(record[name]) for name in _SENT if isinstance(record.get(name), dict)), {})
    if not sent:
        return {}
    turns = _turns(sent)
    system = sent.get("system") or sent.get("instructions") or _of_google(sent, "system_instruction")
    asked = {
        **flat({name: value for name, value in sent.items() if name not in _TEXTS}),
        "prompt": said_by(turns, "user", last=True),
        "system": content(system) or said_by(turns, "system") or said_by(turns, "developer"),
    }
    before = sum(mapping(turn).get("role") == "user" for turn in turns)
    return asked | ({"turn": str(before)} if before > 1 else {})


def _turns(sent: Mapping[str, Any]) -> Sequence[Any]:
    told = next((sent[name] for name in ("messages", "input", "prompt", "inputText") if sent.get(name)), None)
    if told is None and "contents" in sent:
        contents = sent["contents"]
        listed = contents if isinstance(contents, list) else [contents]
        told = [{"role": mapping(each).get("role", "user"), "content": _parts(each)} for each in listed]
    return told if isinstance(told, list) else [{"role": "user", "content": told}]


def _of_google(sent: Mapping[str, Any], name: str) -> str:
    return _parts(sent.get(name) or sent.get("systemInstruction"))


def _parts(told: Any) -> str:
    """The text of Google's content: its parts, or itself."""
    parts = mapping(told).get("parts", told)
    listed = parts if isinstance(parts, list) else [parts]
    return "\n".join(filter(None, (words(mapping(each).get("text", "")) or _bare(each) for each in listed)))


def _bare(told: Any) -> str:
    return told if isinstance(told, str) else ""


class BatchRequests:
    """The requests of the files that are imported together."""

    def __init__(self, requests: Iterable[tuple[str, BatchRequest]] = ()) -> None:
        self._by_name: dict[str, list[BatchRequest]] = {}
        for name, request in requests:
            self._by_name.setdefault(name, []).append(request)
        every = [each for its in self._by_name.values() for each in its]
        self._files = list(dict.fromkeys(each.file for each in every))
        self._models = {each.model for each in every}

    def join(self, row: TableRow) -> TableRow:
        """*row* of a reply with what its request asked; where there is none, or several that differ, it says why not.

        The model is the one that was asked for; who answered stands beside it.
        """
        if not self._files:
            return row
        name, model = row.values["custom_id"], row.values["model"]
        found = self._by_name.get(name, [])
        # Jobs for several models often have the same names.
        found = [each for each in found if self.may_answer(model, each.model)]
        if not found:
            return replace(row, left_out=self._not_there(name, model))
        if any(each.told != found[0].told for each in found):
            places = "; ".join(tr("{file}, line {n}", file=each.file, n=each.line) for each in found[:_NAMED])
            why = tr("several requests are called “{name}”, and differ ({places})", name=name[:80], places=places)
            return replace(row, left_out=why)
        models = {each.model for each in found}
        asked = models.pop() if len(models) == 1 else ""
        return replace(row, values={**row.values, **found[0].told, "model": asked or model})

    def _not_there(self, name: str, model: str) -> str:
        files = ", ".join(self._files[:_NAMED])
        if name not in self._by_name:
            return tr("no request in {files} is called “{name}”", files=files, name=name[:80])
        return tr(
            "no request in {files} is called “{name}” and was sent to {model}",
            files=files,
            name=name[:80],
            model=model,
        )

    def may_answer(self, model: str, asked: str) -> bool:
        """Whether a reply of *model* may be one to a request for *asked*: servers name the version too, and some have
        another name for it than who asks."""
        return _is_model(asked, model) or not any(_is_model(each, model) for each in self._models)


@contextmanager
def read_once() -> Iterator[None]:
    """Files of one job are read for each other once while it lasts, however many of them there are."""
    token = _FOUND.set({})
    try:
        yield
    finally:
        _FOUND.reset(token)


def kept(what: str, files: Sequence[Path], read: Callable[[], T]) -> T:
    """The result of *read* on *files*, or its result from before within `read_once`."""
    found = _FOUND.get()
    if found is None:
        return read()
    key = (what, tuple(files))
    if key not in found:
        found[key] = read()
    return cast("T", found[key])


def asked_beside(files: Sequence[Path], go_on: GoOn) -> BatchRequests:
    """The requests in those of *files* that hold any. Raises `UserError` naming file and line."""
    return kept("requests", files, lambda: BatchRequests(chain.from_iterable(_requests(file, go_on) for file in files)))


def _requests(file: Path, go_on: GoOn) -> Iterator[tuple[str, BatchRequest]]:
    if is_request(first_record(file)):
        for line, record in job_records(file, go_on):
            model = _model_of(record)
            yield name_of(record), BatchRequest(file.name, line, model, asked_in(record))


def _model_of(record: Mapping[str, Any]) -> str:
    return next((words(mapping(record.get(name)).get("model")) for name in _SENT if record.get(name)), "")


def _is_model(asked: str, answered: str) -> bool:
    one, other = (name.lower().rpartition("/")[2] for name in (asked, answered))
    return not one or not other or other.startswith(one) or one.startswith(other)


def unanswered_rows(
    records: Iterable[tuple[int, Mapping[str, Any]]],
    path: Path,
    asked: BatchRequests,
    replies: Mapping[str, Iterable[str]],
) -> Iterator[TableRow]:
    """A missing answer for each request in *path* that has none; *replies* holds, by a request's name, whose came,
    *asked* all requests.

    Raises `UserError` where there are no replies at all.
    """
    if not replies:
        raise UserError(
            tr("{file} holds the requests of a batch job, and no answers.", file=path.name),
            tr("Choose the file of its answers too: both are read together."),
        )
    of_all = {model for its in replies.values() for model in its if model}
    for line, record in records:
        model, name = _model_of(record), name_of(record)
        if any(asked.may_answer(its, model) for its in replies.get(name, ())):
            continue
        model = model or (next(iter(of_all)) if len(of_all) == 1 else "")
        why = tr("No reply to it stands in the files.")
        ended = {"response": "", "missing": str(Missing.UNKNOWN), "error": why}
        yield TableRow(line, {"custom_id": name, "model": model, **asked_in(record), **ended})


def requests_wanted(file: str, rows: Iterable[TableRow]) -> list[str]:
    """A sentence where *rows* of a *file* are a batch job's whose names stand for what was asked, and are no questions;
    else none."""
    told = (row.values for row in rows if not row.left_out)
    named = (values.get("custom_id", "") for values in told if values.get("prompt") == values.get("custom_id"))
    if not any(name and " " not in name.strip() for name in named):
        return []
    return [tr("{file} holds no questions: the requests' names stand for them. Import the requests too.", file=file)]


def first_record(file: Path) -> Mapping[str, Any]:
    """The first object in *file*, be it read by lines or as a whole; an empty one where it has none."""
    try:
        return next((record for _, record in job_records(file, lambda: None)), {})
    except (UserError, OSError):
        # Said where its own rows are read.
        return {}


def job_records(file: Path, go_on: GoOn) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The objects in *file*, which may be JSON lines, a list, or Anthropic's ``requests``; nothing of other kinds.

    Raises `UserError` naming the file.
    """
    if file.suffix.lower() not in _JSON:
        return
    with opened(file, go_on) as text:
        listed = _listed(text.read(_LARGEST), go_on) if file.suffix.lower() == ".json" else None
        text.seek(0)
        try:
            for place, (line, record) in enumerate(listed or json_objects(text)):
                if place % _STEP == 0:
                    go_on()
                yield line, record
        except UserError as error:
            raise UserError(tr("{file}: {what}", file=file.name, what=error.what), error.remedy) from error


def _listed(text: str, go_on: GoOn) -> list[tuple[int, Mapping[str, Any]]] | None:
    """The objects of a JSON text that is read whole; None where it is none."""
    try:
        found = loaded(text, go_on)
    except (ValueError, RecursionError):
        return None
    found = found.get("requests", found) if isinstance(found, dict) else found
    return list(enumerate(map(mapping, found), start=1)) if isinstance(found, list) else None
