"""Replies of providers that stand whole in an answer's cell: as JSON, as Python writes it, or as its objects print.

What was said is the answer; how it ended and what went wrong is told as in columns of its own.
"""

import ast
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from gpf_desktop.documents.column_names import RESPONSE
from gpf_desktop.documents.programs.chat_messages import parsed, plain, served
from gpf_desktop.documents.programs.error_bodies import error_told
from gpf_desktop.documents.programs.flat_records import first_of, mapping, words
from gpf_desktop.domain.endings import flags_in, truer_word
from gpf_desktop.domain.reasoning import FIELDS, is_of_reasoning, unfenced
from gpf_desktop.domain.responses import Missing

Told = dict[str, str]
"""Cells ``response``, ``finish``, ``refused``, ``error``, ``missing`` and who answered; those that say something."""

_SHOWN: Final = 200
_STREAM: Final = re.compile(r"(?:event: \S{1,60}\s+)?data: ?\{|\{\"model\": ?\"[^\n]{0,2000}\"done\": ?false\b")
"""Events, or the beginning of Ollama's lines, as they came over the wire."""
_SPACE: Final = re.compile(r"\s*")
_LONGEST: Final = 4_000_000
_SAID: Final = frozenset({"text", "output_text", "input_text"})
_OF_TOOLS: Final = re.compile(r"tool|call|function")
_QUOTED: Final = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_PRINTED: Final = re.compile(
    r"\[?(?:\w+\.)*(?:ChatCompletion|ChatCompletionMessage|Choice|AIMessage|AIMessageChunk|Message|TextBlock|"
    rf"ModelResponse|ChatResult|ChatGeneration|LLMResult|GenerateContentResponse|GenerationResponse|Response)\(\w+=|"
    rf"content={_QUOTED} \w+="
)
"""How objects of OpenAI's, Anthropic's, LangChain's and LiteLLM's packages print."""
_TEXT_PRINTED: Final = re.compile(rf"\b(?:content|text)={_QUOTED}", re.DOTALL)
_REFUSAL_PRINTED: Final = re.compile(rf"\brefusal={_QUOTED}", re.DOTALL)
_FINISH_PRINTED: Final = re.compile(r"""\b(?:finish|stop)_reason['"]?\s*[=:]\s*['"](\w+)['"]""")
_OWN_TEXTS: Final = (
    "text",
    "generated_text",
    "generation",
    "outputText",
    "completion",
    "content",
    "answer",
    "response",
    "result",
)
_FINISHES: Final = (
    *("finish_reason", "finishReason", "stop_reason", "stopReason", "completionReason", "done_reason"),
    # Tencent's; llama.cpp's own.
    *("FinishReason", "stop_type"),
)
_BESIDE_TEXTS: Final = frozenset(
    {
        *_FINISHES,
        "generation_id",
        "meta_info",
        "response_metadata",
        "additional_kwargs",
        "usage",
        "usage_metadata",
        "source_nodes",
    }
    | {"tokens_predicted", "conversation_id", "message_id", "need_clear_history", "outputText"}
)
"""What a reply has beside its text, and an answer in JSON has not."""
_WELL: Final = (0, "0", 200, "200")
"""What some gateways call success where errors have a code."""
_ENVELOPES: Final = (
    "response",
    "body",
    "result",
    "message",
    "data",
    "reply",
    "completion",
    "raw_response",
    "raw",
    "Response",
)
_TOLD_WHOLE: Final = ('"choices"', '"candidates"', '"model"')
"""Names in replies that hold several answers or say who gave them."""
_KEPT_IN: Final = frozenset({"response", *RESPONSE})
_DEEPEST: Final = 3
_NO_TEXT: Final = re.compile(
    r"<[\w.]+ object at 0x\w+>|<(?:async_)?(?:coroutine|generator) object .{0,200}>|\[object \w+\]|"
    r"<Response \[(?P<status>\d{3})\]>"
)
"""What stands for an object where its text was meant."""


def reply_in(cell: str) -> Told:
    """The values told by a *cell* that holds a whole reply; none for any other: an answer may be JSON of its own."""
    text = cell.strip()
    if (thing := _NO_TEXT.fullmatch(text)) is not None:
        failed = (thing["status"] or "")[:1] in ("4", "5")
        return {"error": f"HTTP {thing['status']}"} if failed else {"missing": str(Missing.UNREADABLE), "error": text}
    if text[:1] == "`":
        text = unfenced(text)
    if streamed := _streamed(text):
        return streamed
    if _PRINTED.match(text):
        return _printed(text)
    if text[:1] not in ("{", "[", '"') or len(text) > _LONGEST:
        return {}
    told = parsed(text)
    if isinstance(told, str):
        # Written as JSON twice.
        return reply_in(told) if told[:1] in ("{", "[") else {}
    return _of_list(told) if isinstance(told, list) else said_in(mapping(told))


def _streamed(text: str) -> Told:
    """The values told by Ollama's lines together, as they came over the wire; a stream of events is unreadable; nothing
    for any other text."""
    each, whole = _objects(text) if '"done"' in text else ([], True)
    first = each[0] if each else {}
    said_here = isinstance(first.get("message"), dict) or isinstance(first.get("response"), str)
    if not (said_here and isinstance(first.get("model"), str) and isinstance(first.get("done"), bool)):
        return _unreadable(text) if _STREAM.match(text) else {}
    if error := each[-1].get("error"):
        return {"response": "", "error": words(error)}
    # The last one alone ends an answer: without it the rest is lacking, and behind it stands another one's.
    if not whole or [one.get("done") is True for one in each] != [*(False for _ in each[1:]), True]:
        return _unreadable(text)
    said = [mapping(one.get("message")) or {**one, "content": one.get("response")} for one in each]
    joined = {kind: "".join(words(one.get(kind)) for one in said) for kind in ("content", "thinking")}
    return said_in({**each[-1], "message": {**mapping(each[-1].get("message")), **joined}})


def _objects(text: str) -> tuple[list[dict[str, Any]], bool]:
    """The JSON objects at the beginning of *text*, and whether they are all of it."""
    found: list[dict[str, Any]] = []
    decoder, at = json.JSONDecoder(), 0
    while at < len(text) <= _LONGEST:
        try:
            one, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return found, False
        if not isinstance(one, dict):
            return found, False
        found.append(one)
        space = _SPACE.match(text, end)
        at = space.end() if space else end
    return found, True


def _unreadable(text: str) -> Told:
    return {"response": "", "missing": str(Missing.UNREADABLE), "error": text[:_SHOWN]}


def with_whole_replies(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """*record* with each of its objects that is a provider's whole reply as the JSON that `reply_in` reads."""
    return {
        name: words(value) if name.strip().lower() in _KEPT_IN and isinstance(value, dict) and said_in(value) else value
        for name, value in record.items()
    }


def each_choice(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """*body* once for each answer in it, in the order of their numbers, where its request was to have several."""
    for name in ("choices", "candidates"):
        its = [mapping(each) for each in _list(body.get(name))]
        if len(its) > 1 and all(its):
            its.sort(key=lambda each: index if isinstance(index := each.get("index"), int) else 0)
            return [{**body, name: [each]} for each in its]
    return [body]


def whole_reply(values: Mapping[str, str]) -> tuple[str, Mapping[str, Any]]:
    """The column among the *values* of a row that holds a whole reply, and the reply; empty where none does."""
    for name, text in values.items():
        if name in _KEPT_IN and text[:1] == "{" and len(text) <= _LONGEST and any(mark in text for mark in _TOLD_WHOLE):
            body = mapping(parsed(text))
            if said_in(body):
                return name, body
    return "", {}


def said_in(body: Mapping[str, Any], depth: int = 0) -> Told:
    """The values told by the *body* of a reply, in whichever dialect; none where it is no reply."""
    if (error := error_told(body)) and not isinstance(body.get("choices"), list):
        return {"response": "", "error": error}
    read = next((read for fits, read in _SHAPES if fits(body)), None)
    if read is None:
        return _enveloped(body, depth)
    told = read(body) | _fault(body)
    if not told.get("response") and _thought_tokens(body):
        told.setdefault("missing", str(Missing.REASONING_ONLY))
    who = served(body)
    return {name: text for name, text in {**who, **told}.items() if text or name == "response"}


def _enveloped(body: Mapping[str, Any], depth: int) -> Told:
    """The values told by a *body* that is a line of a batch job, or is in an envelope of a gateway or a provider."""
    inside = next((mapping(body[name]) for name in _ENVELOPES if isinstance(body.get(name), dict)), {})
    if depth == _DEEPEST or not inside:
        return {}
    if inside.keys() == {"type"} and "custom_id" in body:
        # Anthropic's, of a question that the job did not come to.
        why = Missing.TIMED_OUT if inside["type"] == "expired" else Missing.NOT_RUN
        return {"response": "", "missing": str(why), "error": words(inside["type"])}
    return said_in(inside, depth + 1)


def _finish(told: Mapping[str, Any]) -> str:
    """The word for how it ended, by any of its names; some put it into an object."""
    ends = next((told[name] for name in _FINISHES if told.get(name)), "")
    return words(mapping(ends).get("type") or mapping(ends).get("reason") or ends)


def _fault(body: Mapping[str, Any]) -> Told:
    """An error beside an answer, and what a filter did."""
    error = body.get("error")
    if flags_in(body):
        return {"refused": "yes"}
    if not error or mapping(error).get("code") in _WELL:
        return {}
    return {"error": words(error), "missing": str(Missing.HTTP_ERROR)}


def _thought_tokens(body: Mapping[str, Any]) -> bool:
    usage, counts = mapping(body.get("usage")), mapping(body.get("usageMetadata"))
    details = mapping(usage.get("completion_tokens_details") or usage.get("output_tokens_details"))
    return bool(details.get("reasoning_tokens") or counts.get("thoughtsTokenCount"))


def _told(text: str, thought: str = "", finish: Any = "") -> Told:
    # As models write it themselves, so that it is taken off by the same rule.
    before = f"<think>{thought}</think>" if thought else ""
    return {"response": before + text, "finish": words(finish)}


def _parts(content: Any) -> tuple[str, str]:
    """Text and reasoning of a message's content: a text, or parts with a kind; Gemini and Amazon name none."""
    if not isinstance(content, list):
        return words(content), ""
    parts = [{"text": each} if isinstance(each, str) else mapping(each) for each in content]
    thoughts = [each for each in parts if is_of_reasoning(each.get("type")) or each.get("thought") is True]
    texts = [each for each in parts if each not in thoughts and not _OF_TOOLS.search(words(each.get("type")))]
    thinking = "\n\n".join(words(each.get("thinking") or each.get("text") or "…") for each in thoughts)
    return "".join(words(mapping(each.get("text")).get("value") or each.get("text")) for each in texts), thinking


def _message(message: Mapping[str, Any], finish: Any = "") -> Told:
    text, thought = _parts(message.get("content", message.get("parts")))
    beside = next((message[name] for name in FIELDS if message.get(name)), "")
    beside = beside or _parts([*_list(message.get("reasoning_details")), *_list(message.get("thinking_blocks"))])[1]
    declined = words(message.get("refusal"))
    told = _told(text or declined, thought or words(beside), finish)
    return {**told, "refused": "yes" if declined else ""}


def _chat(body: Mapping[str, Any]) -> Told:
    choices = [mapping(each) for each in body["choices"]]
    choice = next((each for each in choices if each.get("index") == 0), choices[0] if choices else {})
    message = mapping(choice.get("message"))
    finish = truer_word(_finish(choice), words(choice.get("native_finish_reason")))
    told = _message(message or {"content": choice.get("text") or choice.get("messages")}, finish)
    error = choice.get("error") or message.get("error")
    return told | ({"error": words(error)} if error else {})


def _gemini(body: Mapping[str, Any]) -> Told:
    candidate = first_of(body.get("candidates"))
    feedback = mapping(body.get("promptFeedback") or body.get("prompt_feedback"))
    said = _message(mapping(candidate.get("content")))["response"]
    ratings = [*_list(feedback.get("safetyRatings")), *_list([] if said else candidate.get("safetyRatings"))]
    found = any(mapping(each).get("blocked") is True for each in ratings)
    blocked = words(feedback.get("blockReason") or feedback.get("block_reason")) or ("blocked" if found else "")
    finish = candidate.get("finishReason") or candidate.get("finish_reason") or blocked
    return _message(mapping(candidate.get("content")), finish) | ({"refused": "yes"} if blocked else {})


def _responses(body: Mapping[str, Any]) -> Told:
    parts = [part for each in body["output"] for part in _list(mapping(each).get("content"))]
    declined = "".join(words(mapping(part).get("refusal")) for part in parts)
    finish = mapping(body.get("incomplete_details")).get("reason") or body.get("status")
    return {**_told(_parts(parts)[0] or declined, finish=finish), "refused": "yes" if declined else ""}


def _amazon(body: Mapping[str, Any]) -> Told:
    return _message(mapping(body["output"]["message"]), body.get("stopReason"))


def _flat(body: Mapping[str, Any]) -> Told:
    """A text in a field of its own, beside what only replies have."""
    text = next(body[name] for name in _OWN_TEXTS if isinstance(body.get(name), str))
    within = (body, *(mapping(body.get(name)) for name in ("response_metadata", "details", "meta_info")))
    finish = next(filter(None, map(_finish, within)), "")
    cut = body.get("stopped_limit") is True or body.get("is_truncated") is True
    # Watsonx says what its filters found in a question that it did not answer.
    blocked = not text and any(body["moderations"].values()) if isinstance(body.get("moderations"), dict) else False
    return {**_told(text, finish="length" if cut else finish), "refused": "yes" if blocked else ""}


def _is_flat(body: Mapping[str, Any]) -> bool:
    # Models answer with details and events too: of Hugging Face's server and of Dify they are told by what they hold.
    beside = "finish_reason" in mapping(body.get("details")) or str(body.get("event")).endswith("message")
    marked = beside or bool(_BESIDE_TEXTS & body.keys())
    return marked and any(isinstance(body.get(name), str) for name in _OWN_TEXTS)


def _predicted(body: Mapping[str, Any]) -> Told:
    first = first_of(body["predictions"])
    blocked = mapping(first.get("safetyAttributes")).get("blocked") is True
    candidate = first_of(first.get("candidates"))
    text = next((each[name] for each in (first, candidate) for name in ("content", "text") if each.get(name)), "")
    return {**_told(words(text)), "refused": "yes" if blocked else ""}


def _alternative(body: Mapping[str, Any]) -> Told:
    """YandexGPT's first, and AI21's."""
    first = first_of(body.get("alternatives") or body.get("completions"))
    message = mapping(first.get("message") or first.get("data"))
    return _told(words(message.get("text")), finish=_finish(first) or first.get("status"))


def _capitals(body: Mapping[str, Any]) -> Told:
    """Tencent's, whose names begin with capitals."""
    first = first_of(body["Choices"])
    message = {name.lower(): value for name, value in mapping(first.get("Message")).items()}
    return _message(message, _finish(first))


def _pieces(body: Mapping[str, Any]) -> Told:
    return _told("".join(map(words, body["output"])), finish=body["status"])


def _generated(body: Mapping[str, Any]) -> Told:
    first = body["generations"][0]
    one = first_of(first) if isinstance(first, list) else mapping(first)
    return _told(words(one.get("text")), finish=_finish(mapping(one.get("generation_info"))) or _finish(one))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _of_list(told: list[Any]) -> Told:
    each = [plain(one) for one in told]
    if each and all("role" in one and ("content" in one or "parts" in one) for one in each):
        own = [one for one in each if one["role"] in ("assistant", "model", "ai")] or each[-1:] * (len(each) == 1)
        return _message(own[-1]) if own else {}
    if (name := _part_of_a_reply(each)) is not None:
        return said_in({name: told})
    if len(told) != 1:
        return {}
    if isinstance(text := each[0].get("generated_text"), str | list):
        return _of_list(text) if isinstance(text, list) else _told(text)
    if isinstance(inner := told[0], list) and len(inner) == 1 and isinstance(inner[0], str):
        # lm-evaluation-harness: one text of one request.
        return _told(inner[0])
    # Amazon's results; and Google puts some errors into a list of one.
    return said_in(each[0]) if {"outputText", "error"} & each[0].keys() else {}


def _part_of_a_reply(each: Sequence[Mapping[str, Any]]) -> str | None:
    """The field of a reply that holds such a list: tables of other programs keep it in a column of its own."""
    marks = {"message": "choices", "finish_reason": "choices", "finishReason": "candidates"}
    found = next((name for mark, name in marks.items() if each and all(mark in one for one in each)), None)
    if any(one.get("type") == "message" for one in each):
        return "output"
    parts = bool(each) and all(one.get("type") in _SAID or is_of_reasoning(one.get("type")) for one in each)
    return "content" if parts else found


def _has(name: str, kind: type) -> Callable[[Mapping[str, Any]], bool]:
    return lambda body: isinstance(body.get(name), kind)


def _all(*conditions: Callable[[Mapping[str, Any]], bool]) -> Callable[[Mapping[str, Any]], bool]:
    return lambda body: all(condition(body) for condition in conditions)


_SHAPES: Final[Iterable[tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any]], Told]]]] = (
    (_all(_has("choices", list), lambda body: all(isinstance(each, dict) for each in body["choices"])), _chat),
    (lambda body: bool({"candidates", "promptFeedback", "prompt_feedback", "usageMetadata"} & body.keys()), _gemini),
    (
        _all(
            _has("output", list),
            lambda body: (
                body.get("object") == "response"
                or any(mapping(each).get("type") == "message" for each in body["output"])
            ),
        ),
        _responses,
    ),
    (lambda body: isinstance(mapping(body.get("output")).get("message"), dict), _amazon),
    (lambda body: _is_flat(first_of(body.get("results"))), lambda body: _flat(first_of(body["results"]))),
    (lambda body: bool(first_of(body.get("predictions"))), _predicted),
    (
        lambda body: (
            "text" in mapping(first_of(body.get("alternatives")).get("message"))
            or "text" in mapping(first_of(body.get("completions")).get("data"))
        ),
        _alternative,
    ),
    (_has("Choices", list), _capitals),
    (
        _all(_has("output", list), _has("status", str), lambda body: all(isinstance(x, str) for x in body["output"])),
        _pieces,
    ),
    (
        lambda body: bool({"choices", "text"} & mapping(body.get("output")).keys()),
        lambda body: said_in(mapping(body["output"])) or _told(words(body["output"].get("text"))),
    ),
    (_all(_has("kwargs", dict), lambda body: "lc" in body), lambda body: said_in(body["kwargs"])),
    (lambda body: bool(_list(body.get("generations"))), _generated),
    (lambda body: bool(_list(body.get("messages"))), lambda body: _of_list(body["messages"])),
    (
        _all(_has("message", dict), lambda body: bool({"done", *_FINISHES} & body.keys())),
        lambda body: _message(body["message"], _finish(body)),
    ),
    (
        _all(_has("message", dict), lambda body: {"role", "content"} <= body["message"].keys()),
        lambda body: _message(body["message"], _finish(body["message"])),
    ),
    (
        _all(_has("response", str), _has("done", bool)),
        lambda body: _told(body["response"], words(body.get("thinking")), body.get("done_reason")),
    ),
    (
        lambda body: "role" in body and ("content" in body or "parts" in body),
        lambda body: _message(body, body.get("stop_reason")),
    ),
    (
        _all(_has("content", list), lambda body: "stop_reason" in body or body.keys() == {"content"}),
        lambda body: _message(body, body.get("stop_reason")),
    ),
    (lambda body: _is_flat(body) or body.keys() == {"generated_text"}, _flat),
    (_has("error", dict), lambda _: {"response": ""}),
    (lambda body: "id" in body and body.get("choices", 0) is None, lambda _: {"response": ""}),
    (
        lambda body: body.get("object") == "error",
        lambda body: {"response": "", "error": json.dumps(dict(body), default=str)},
    ),
)
"""What tells the dialects apart, and how each is read; the first that fits."""


def _printed(text: str) -> Told:
    texts = [_literal(found[1]) for found in _TEXT_PRINTED.finditer(text)]
    declined = _REFUSAL_PRINTED.search(text)
    finish = _FINISH_PRINTED.search(text)
    # Of several blocks each has its text; other classes have one, and further down what they were made of.
    said = "".join(texts) if "TextBlock(" in text else next(iter(texts), "")
    if not said and finish is None and declined is None:
        return _unreadable(text)
    told = {"response": said or (_literal(declined[1]) if declined else ""), "finish": finish[1] if finish else ""}
    return told | ({"refused": "yes"} if declined else {})


def _literal(quoted: str) -> str:
    try:
        return str(ast.literal_eval(quoted))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return quoted[1:-1]
