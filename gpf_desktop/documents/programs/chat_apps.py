"""Conversations that people had in chat apps: exports of ChatGPT, Claude, Gemini (Takeout), AI Studio, Grok, DeepSeek,
Open WebUI, LibreChat and LM Studio, and pasted transcripts.

An app is not the API: it has a system prompt, memories and tools of its own, and says little or nothing of its model.
Each row says which app it was, as who answered and in the model's name.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gpf_desktop.documents.plain_text import plain
from gpf_desktop.documents.programs.chat_messages import content
from gpf_desktop.documents.programs.flat_records import first_of, mapping, words
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.imports import (
    AI_STUDIO,
    CHATGPT_APP,
    CLAUDE_APP,
    DEEPSEEK_APP,
    GEMINI_APP,
    GROK_APP,
    LIBRECHAT,
    LM_STUDIO,
    OPEN_WEBUI,
    TRANSCRIPT,
)

_USER, _ASSISTANT, _SYSTEM = "user", "assistant", "system"
_GEMINI: Final = ("gemini", "bard")
_ASKED: Final = re.compile(r"^(?:Prompted|Asked)\s+", re.IGNORECASE)
_BLOCK_END: Final = re.compile(r"<\s*(?:br\s*/?|/p|/li|/h[1-6]|/tr|/pre)\s*>", re.IGNORECASE)
_DETAILS: Final = re.compile(
    r"<details\b[^>]*\btype=\"(?:reasoning|tool_calls|code_interpreter)\".*?</details>", re.DOTALL
)
"""What Open WebUI folds away before an answer: thoughts, and calls of tools."""
_SPEAKERS: Final = {
    _USER: ("user", "you", "you said", "human", "me", "prompt", "question", "q"),
    _ASSISTANT: (
        *("assistant", "ai", "bot", "model", "answer", "a", "chatgpt", "chatgpt said", "gpt", "claude", "gemini"),
        *("gemini said", "copilot", "copilot said", "meta ai", "deepseek", "grok", "mistral"),
    ),
    _SYSTEM: ("system",),
}
_SPEAKS: Final = {name: role for role, names in _SPEAKERS.items() for name in names}
_LABEL: Final = re.compile(r"^[ \t>*#_]*([A-Za-z][A-Za-z ]{0,20}?)[ \t*_]*[:：][ \t*_]*(.*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message."""

    role: str
    text: str
    model: str = ""
    at: str = ""


def is_conversation(record: Any) -> bool:
    return _reader(record) is not None


def conversation_rows(records: Iterable[tuple[int, Any]]) -> Iterator[TableRow]:
    """A row for each answer of each conversation; what was asked again, there or in another one, is numbered."""
    asked: Counter[tuple[str, str]] = Counter()
    for number, record in records:
        read = _reader(record)
        for row in read(record) if read else ():
            yield TableRow(number, numbered(row, asked))


def _reader(record: Any) -> Any:
    told = mapping(record)
    first, nodes = first_of(told.get("messages")), mapping(told.get("mapping"))
    named = f"{words(told.get('header'))} {words(told.get('products'))}".lower()
    shapes: tuple[tuple[bool, Any], ...] = (
        (any("fragments" in mapping(mapping(node).get("message")) for node in nodes.values()), _deepseek),
        (isinstance(told.get("mapping"), dict), _chatgpt),
        (isinstance(told.get("chat_messages"), list), _claude),
        (isinstance(mapping(mapping(told.get("chat")).get("history")).get("messages"), dict), _open_webui),
        ("isCreatedByUser" in first, _librechat),
        (isinstance(first.get("versions"), list), _lm_studio),
        (isinstance(mapping(told.get("chunkedPrompt")).get("chunks"), list), _ai_studio),
        (_is_grok(first_of(told.get("conversations"))), _groks),
        ("title" in told and any(name in named for name in _GEMINI), _gemini),
    )
    return next((read for fits, read in shapes if fits), None)


def _chatgpt(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The whole tree of messages, of which the app shows one path: what was asked again lies beside it."""
    default = words(record.get("default_model_slug"))
    said = _of_tree(record["mapping"], lambda node: _of_node(node, default), parent="parent", children="children")
    yield from answers_of(said, CHATGPT_APP, record.get("title"))


def _open_webui(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A tree too: several models may have answered the same question beside each other."""
    chat = mapping(record["chat"])
    said = _of_tree(chat["history"]["messages"], _of_message, parent="parentId", children="childrenIds")
    yield from answers_of(said, OPEN_WEBUI, record.get("title") or chat.get("title"))


def _of_message(node: Mapping[str, Any]) -> ChatMessage | None:
    role = words(node.get("role"))
    if role not in _SPEAKERS:
        return None
    text = _DETAILS.sub("", content(node.get("content"))).strip()
    return ChatMessage(role=role, text=text, model=words(node.get("model")), at=words(node.get("timestamp")))


def _of_tree(
    told: Mapping[str, Any], said_by: Callable[[Mapping[str, Any]], ChatMessage | None], *, parent: str, children: str
) -> list[tuple[str, str, ChatMessage | None]]:
    """The messages as `answers_of` takes them; *parent* and *children* are the fields that tell who is whose."""
    nodes = {name: mapping(node) for name, node in told.items()}
    waiting = [(name, "") for name, node in reversed(nodes.items()) if node.get(parent) not in nodes]
    seen: set[str] = set()
    said: list[tuple[str, str, ChatMessage | None]] = []
    while waiting:
        name, before = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        said.append((name, before, said_by(nodes[name])))
        if isinstance(its := nodes[name].get(children), list):
            waiting += [(each, name) for each in reversed(its) if isinstance(each, str) and each in nodes]
    return said


def _of_node(node: Mapping[str, Any], default: str) -> ChatMessage | None:
    """The words of a message that somebody saw; None for what has none: thoughts, tools, hidden context."""
    message, its = mapping(node.get("message")), mapping(mapping(node.get("message")).get("content"))
    role = words(mapping(message.get("author")).get("role"))
    kind = its.get("content_type")
    if kind == "user_editable_context":
        return ChatMessage(role=_SYSTEM, text=words(its.get("user_instructions")))
    if kind not in ("text", "multimodal_text") or message.get("weight") == 0 or role not in _SPEAKERS:
        return None
    if message.get("recipient", "all") != "all" or message.get("channel") == "commentary":
        return None
    parts = its.get("parts")
    text = "\n".join(part for part in parts if isinstance(part, str) and part) if isinstance(parts, list) else ""
    slug = words(mapping(message.get("metadata")).get("model_slug")) or default
    return ChatMessage(role=role, text=text, model=slug, at=words(message.get("create_time")))


def _claude(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    said = []
    for message in map(mapping, record["chat_messages"]):
        role = {"human": _USER, "assistant": _ASSISTANT}.get(words(message.get("sender")))
        if role:
            text = content(message.get("content")) or words(message.get("text"))
            said.append(ChatMessage(role=role, text=text, at=words(message.get("created_at"))))
    yield from answers_of(in_line(said), CLAUDE_APP, record.get("name"))


def _librechat(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A list of messages that name the one before, or a tree of such."""
    nodes: dict[str, dict[str, Any]] = {}
    waiting = [mapping(each) for each in reversed(record["messages"])]
    while waiting:
        node = waiting.pop()
        waiting += map(mapping, reversed(node.get("children") or ()))
        nodes[words(node.get("messageId")) or str(len(nodes))] = {**node, "children": []}
    for name, node in nodes.items():
        mapping(nodes.get(words(node.get("parentMessageId")))).get("children", []).append(name)
    model = words(mapping(record.get("options")).get("model"))

    def said_by(node: Mapping[str, Any]) -> ChatMessage | None:
        if node.get("error"):
            return None
        role = _USER if node.get("isCreatedByUser") else _ASSISTANT
        text = words(node.get("text")) or content(node.get("content"))
        return ChatMessage(
            role=role, text=text, model=words(node.get("model")) or model, at=words(node.get("createdAt"))
        )

    said = _of_tree(nodes, said_by, parent="parentMessageId", children="children")
    yield from answers_of(said, LIBRECHAT, record.get("title"))


def _lm_studio(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A list of messages, each in the versions that were asked for again; the chosen one is what the next goes on."""
    said: list[tuple[str, str, ChatMessage | None]] = [
        ("", "", ChatMessage(role=_SYSTEM, text=words(record.get("systemPrompt")))),
    ]
    before = ""
    for place, message in enumerate(map(mapping, record["messages"])):
        versions = [mapping(each) for each in message.get("versions") or ()]
        said += [(f"{place}.{number}", before, _of_version(each)) for number, each in enumerate(versions)]
        before = f"{place}.{message.get('currentlySelected', 0)}"
    yield from answers_of(said, LM_STUDIO, record.get("name"))


def _of_version(version: Mapping[str, Any]) -> ChatMessage | None:
    steps = [mapping(each) for each in version.get("steps") or ()]
    # Thoughts are blocks of a style of their own.
    own = [each for each in steps if each.get("type") == "contentBlock" and not mapping(each.get("style"))]
    text = "\n\n".join(filter(None, (content(each.get("content")) for each in own))) or content(version.get("content"))
    role = words(version.get("role"))
    model = words(mapping(version.get("senderInfo")).get("senderName"))
    return ChatMessage(role=role, text=text, model=model) if role in _SPEAKERS else None


def _gemini(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """An entry of *My Activity*: one question, with its answer as HTML; entries without one are no conversation."""
    items = record.get("safeHtmlItem")
    answers = [words(mapping(item).get("html")) for item in items] if isinstance(items, list) else []
    if answers:
        asked = ChatMessage(role=_USER, text=_ASKED.sub("", words(record.get("title"))))
        answer = ChatMessage(role=_ASSISTANT, text="\n".join(map(_text_of, answers)), at=words(record.get("time")))
        yield from answers_of(in_line([asked, answer]), GEMINI_APP, None)


def _deepseek(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A tree like ChatGPT's, whose messages are in fragments: requests, thoughts and answers."""
    said = _of_tree(record["mapping"], _of_fragments, parent="parent", children="children")
    yield from answers_of(said, DEEPSEEK_APP, record.get("title"))


def _of_fragments(node: Mapping[str, Any]) -> ChatMessage | None:
    message = mapping(node.get("message"))
    parts = [mapping(each) for each in message.get("fragments") or ()]
    for kind, role in (("REQUEST", _USER), ("RESPONSE", _ASSISTANT)):
        if text := "\n\n".join(words(each.get("content")) for each in parts if each.get("type") == kind):
            return ChatMessage(
                role=role, text=text, model=words(message.get("model")), at=words(message.get("inserted_at"))
            )
    return None


def _ai_studio(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    told = mapping(record.get("systemInstruction"))
    system = words(told.get("text")) or "\n".join(words(mapping(part).get("text")) for part in told.get("parts") or ())
    model = words(mapping(record.get("runSettings")).get("model")).removeprefix("models/")
    said = [ChatMessage(role=_SYSTEM, text=system)]
    for chunk in map(mapping, record["chunkedPrompt"]["chunks"]):
        role = {"user": _USER, "model": _ASSISTANT}.get(words(chunk.get("role")))
        if role and chunk.get("isThought") is not True:
            said.append(
                ChatMessage(role=role, text=words(chunk.get("text")), model=model, at=words(chunk.get("createTime")))
            )
    yield from answers_of(in_line(said), AI_STUDIO, None)


def _is_grok(record: Mapping[str, Any]) -> bool:
    return isinstance(first_of(record.get("responses")).get("response"), dict)


def _groks(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """All chats of an export, which has lists of other things beside them."""
    for each in filter(_is_grok, map(mapping, record["conversations"])):
        yield from _grok(each)


def _grok(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """A list of messages that name the one before, where they do; else each comes after the last."""
    nodes: dict[str, dict[str, Any]] = {}
    last = ""
    for each in record["responses"]:
        node = mapping(mapping(each).get("response"))
        name = words(node.get("_id")) or str(len(nodes))
        before = words(node.get("parent_response_id")) if "parent_response_id" in node else last
        nodes[name] = {**node, "before": before, "after": []}
        last = name
    for name, node in nodes.items():
        mapping(nodes.get(node["before"])).get("after", []).append(name)
    said = _of_tree(nodes, _of_grok, parent="before", children="after")
    yield from answers_of(said, GROK_APP, mapping(record.get("conversation")).get("title"))


def _of_grok(node: Mapping[str, Any]) -> ChatMessage | None:
    role = role_of(words(node.get("sender")))
    return ChatMessage(role=role, text=words(node.get("message")), model=words(node.get("model"))) if role else None


def _text_of(markup: str) -> str:
    lines = [plain(line) for line in _BLOCK_END.sub("\n", markup).split("\n")]
    return "\n".join(lines).strip()


def role_of(speaker: str) -> str:
    """The role of who is called *speaker*; empty where nobody is known by that name."""
    return _SPEAKS.get(" ".join(speaker.lower().split()), "")


def is_transcript(text: str) -> bool:
    """Whether *text* begins with a line that says who speaks, and somebody answers."""
    roles = [role for role, _ in _turns(text)]
    return roles[:1] in ([_USER], [_SYSTEM]) and _ASSISTANT in roles


def transcript_rows(text: str) -> Iterator[TableRow]:
    """A row for each answer of a pasted conversation (“User: … Assistant: …”)."""
    said = [ChatMessage(role=role, text=told) for role, told in _turns(text)]
    asked: Counter[tuple[str, str]] = Counter()
    for number, row in enumerate(answers_of(in_line(said), TRANSCRIPT, None), start=1):
        yield TableRow(number, numbered(row, asked))


def numbered(row: dict[str, str], asked: Counter[tuple[str, str]]) -> dict[str, str]:
    question = row["model"], row["prompt"]
    asked[question] += 1
    return {**row, "repeat": str(asked[question] - 1)}


def _turns(text: str) -> list[tuple[str, str]]:
    """(role, words) of each turn."""
    turns: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        label = _LABEL.match(line)
        role = role_of(label[1]) if label else ""
        if label and role:
            turns.append((role, [label[2]]))
        elif turns:
            turns[-1][1].append(line)
        elif line.strip():
            return []
    return [(role, "\n".join(lines).strip()) for role, lines in turns]


def in_line(said: Sequence[ChatMessage]) -> list[tuple[str, str, ChatMessage | None]]:
    """The messages as `answers_of` takes them: each after the one before."""
    return [(str(number), str(number - 1), one) for number, one in enumerate(said)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Standing:
    """The state of a conversation up to a message."""

    system: str = ""
    turn: int = 0
    asked: str = ""
    answer: tuple[ChatMessage, ...] = ()
    """Parts of the answer that stands last; empty where a question does."""


def answers_of(said: Sequence[tuple[str, str, ChatMessage | None]], app: str, title: Any) -> Iterator[dict[str, str]]:
    """A row for each answer of messages (name, the one before it, what it says; None: nothing), those before first.

    Parts of one answer are joined, and so are parts of one question.
    """
    goes_on = {before for _, before, one in said if one is None or one.role == _ASSISTANT}
    standing: dict[str, _Standing] = {}
    for name, before, one in said:
        at = standing[name] = _after(standing.get(before, _Standing()), one)
        if at.answer and name not in goes_on:
            slug = next((each.model for each in reversed(at.answer) if each.model), "")
            yield {
                "model": f"{slug} ({app})" if slug else app,
                "prompt": at.asked,
                "response": "\n\n".join(each.text for each in at.answer),
                "system": at.system,
                "served_host": app,
                "served_model": slug,
                "turn": str(at.turn),
                "conversation": words(title),
                "answered_at": at.answer[-1].at,
            }


def _after(before: _Standing, one: ChatMessage | None) -> _Standing:
    if one is None or not one.text:
        return before
    match one.role:
        case "system":
            return replace(before, system=one.text)
        case "user" if before.answer or not before.turn:
            return replace(before, turn=before.turn + 1, asked=one.text, answer=())
        case "user":
            return replace(before, asked=f"{before.asked}\n\n{one.text}")
        case _:
            return replace(before, answer=(*before.answer, one)) if before.turn else before
