"""Lessons from a refusal: a parameter to leave out, to call otherwise or to make smaller; a system text to move.

Each is an entry of `domain.adjustments`; the call is repeated with it, and the model is asked so from then on.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final, Protocol

from gpf_desktop.domain.adjustments import SYSTEM_AS_USER, limited, limited_here, renamed

# 422 is what servers built on FastAPI say of a field that they do not take; under 500 and 501 others say the same.
_STATUSES: Final = frozenset({400, 422, 500, 501})
_REFUSES: Final = re.compile(
    r"support|unrecogni[sz]ed|unknown|deprecated|not (?:allowed|permitted|accepted)|cannot (?:both )?be|"
    r"unexpected|extra inputs|too large|invalid|should be|must be|expected an? |only the default|less than|"
    r"at most|exceed|maximum|"
    r"out of range|"
    r"leave (?:it|this) out|\bomit|\bfixed\b|do(?: not|n['’]t) (?:send|set|use)|"
    r"range of|[<≤>]|非法|不合法|不支持|取值|超过|超出|大于|上限|最大|无效|无法识别|"
    r"höchstens|maximal|unbekannt|ungültig|nicht (?:erlaubt|unterstützt)|以下|無効|サポートされて|이하|유효하지|"
    r"지원(?:되|하)지",
    re.IGNORECASE,
)
_NUMBER: Final = r"[`'\"]?(\d[\d,_]{0,14})[`'\"]?"
_LARGEST: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        (
            r"(?:less than or equal to|no (?:more|greater|larger) than|not exceed|at most|up to|≤|<=|⩽|höchstens|"
            r"maximal|nicht (?:größer|mehr) als|"
            r"不大于|小于等于|不[能得可]?超过)"
            rf"\s*{_NUMBER}"
        ),
        rf"{_NUMBER}\s*(?:以下|以内|이하|or (?:fewer|less|lower))",
        rf"between\s+{_NUMBER}\s+and\s+{_NUMBER}",
        rf"{_NUMBER}\s*[~～–]\s*{_NUMBER}",
        rf"(?:上限|最大)\D{{0,6}}{_NUMBER}",
        rf"\[\s*{_NUMBER}\s*,\s*{_NUMBER}\s*\]",
        rf"\bto\s+{_NUMBER}\s*\(inclusive\)",
        # Fireworks: above that it answers in pieces only.
        rf"tokens[`'\"]?\s*>\s*{_NUMBER}\s+(?:must|requires?)\b",
        rf"(?:maximum|max|limit|largest|upper bound)\b[^.\d]{{0,60}}?{_NUMBER}",
    )
)
# “3000 > 4096 - 1301”, “200000 > 64000, which is the maximum allowed number of output tokens”.
_DIFFERENCE: Final = re.compile(rf"{_NUMBER}\s*>\s*{_NUMBER}(?:\s*[-−–]\s*{_NUMBER})?")
_LESS_THAN: Final = re.compile(
    rf"(?:less|smaller|lower) than\s+{_NUMBER}|\bto\s+{_NUMBER}\s*\(exclusive\)", re.IGNORECASE
)
_TOGETHER: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        (
            rf"(?:context (?:length|window)|context_length)\D{{0,40}}(?P<most>{_NUMBER}).*?(?P<asked>{_NUMBER})\s+"
            r"(?:tokens\s+)?(?:in the (?:messages|prompt|input)|(?:input|prompt) tokens|of text input)"
        ),
        # Anthropic; Hugging Face's server; SambaNova.
        rf"context limit:\s*(?P<asked>{_NUMBER})\s*\+\s*{_NUMBER}\s*>\s*(?P<most>{_NUMBER})",
        rf"must be <= (?P<most>{_NUMBER})\.\s*given: (?P<asked>{_NUMBER}) `?inputs`? tokens",
        (
            rf"prompt is (?P<asked>{_NUMBER}) tokens long.*?maximum supported sequence length is (?:just )?"
            rf"(?P<most>{_NUMBER})"
        ),
    )
)
"""What question and answer may have together, and what the question has of it."""
_LIMIT_IN_WORDS: Final = re.compile(r"\bmax(?:imum)?[ _](?:(?:new|output|completion)[ _])?tokens\b", re.IGNORECASE)
"""The limit by a name that is not the one on the wire."""
_OTHER_NAME: Final = re.compile(
    r"(?:use|try|did you mean|renamed to|replaced (?:by|with)|in favou?r of|instead of it)\s+(?:the\s+)?"
    r"(?:parameter\s+|field\s+)?[`'\"“‘]?([A-Za-z_][A-Za-z0-9_]{2,40})[`'\"”’]?",
    re.IGNORECASE,
)
_NO_PARAMETER: Final = frozenset(
    {"the", "another", "other", "different", "default", "only", "again", "instead", "model"}
)
_NO_SYSTEM: Final = re.compile(
    r"(?:system|developer) (?:role|message|prompt|instruction)s?\b.{0,40}\b(?:not|n't|unsupported|disabled)\b|"
    r"(?:not|n't|un)\s?(?:support|allow|accept|enabl|permit)\w*.{0,40}\b(?:system|developer)\b.{0,3}"
    r"(?:role|message|prompt|instruction)|"
    r"only [^.]{0,20}user[^.]{0,30}assistant[^.]{0,30} (?:roles|messages)|roles must alternate user|"
    r"['\"](?:system|developer)['\"] is not one of|\bfirst message must be (?:from )?(?:the |an? )?['\"]?user\b|"
    r"does(?: not|n't) support .{0,3}(?:system|developer)\b|不支持.{0,3}system|"
    r"\bsystem\b.{0,30}(?:不支持|nicht unterstützt|サポートされて|지원(?:되|하)지)|"
    r"(?:unexpected|unknown|invalid|unsupported) (?:\w+ )?role\W{1,4}(?:system|developer)|"
    r"\broles?\b[^.]{0,20}\b(?:must|should) be (?:either )?\W?user\W{0,2} or \W?(?:assistant|model)\b|"
    r"\bvalid roles?: user, (?:assistant|model)\b",
    re.IGNORECASE,
)
_BELOW_NOTHING: Final = re.compile(r"\b(?:got|given|received|was):? ?[-−]\d")
"""What is left for an answer, as servers that take the question off the limit say it."""
_LEAST: Final = 16
"""Tokens: with fewer there is no answer, and the question was too long."""


class _Said(Protocol):
    @property
    def message(self) -> str: ...
    @property
    def code(self) -> str: ...
    @property
    def parameter(self) -> str: ...


def lesson(
    status: int,
    said: _Said,
    *,
    wire_names: Mapping[str, str],
    sent: Mapping[str, object],
    system: bool,
    required: Collection[str] = (),
) -> str:
    """The adjustment that an error teaches; empty where it teaches nothing.

    *wire_names*: wire name → ours, of what may be changed; *sent*: values by wire name; *system*: a system text was
    sent; *required*: our names of what cannot be left out.
    """
    if status not in _STATUSES:
        return ""
    if system and _NO_SYSTEM.search(said.message):
        return SYSTEM_AS_USER
    fitting = _fitting(said.message, wire_names, sent)
    # What is said of too long a question may name the token limit too; to leave that out would not shorten it.
    if fitting or "context_length" in said.code:
        return fitting
    if wire := _refused(said, wire_names):
        return _otherwise(said.message, wire, wire_names, sent.get(wire), required)
    limit = _limit(wire_names)
    most = _largest(said.message, sent.get(limit)) if limit and _LIMIT_IN_WORDS.search(said.message) else None
    return "" if most is None else limited("max_tokens", most)


def _otherwise(message: str, wire: str, wire_names: Mapping[str, str], value: object, required: Collection[str]) -> str:
    """The adjustment for *wire*, which is refused: made smaller, called otherwise, or left out; empty: none."""
    ours = wire_names[wire]
    most = _largest(message, value)
    if ours == "max_tokens" and (most < _LEAST if most is not None else _BELOW_NOTHING.search(message)):
        # The question took nearly all the room: of this article, and no reason to cut others short.
        return ""
    if most is not None:
        return limited(ours, most)
    if other := _other_name(message, wire, wire_names):
        return renamed(ours, other)
    return "" if ours in required else ours


def _refused(said: _Said, wire_names: Mapping[str, str]) -> str:
    """The wire name of the one parameter that the server will not take, empty where it names none of those sent.

    Of two that it will not take together the one named last goes: "`temperature` and `top_p` cannot both be
    specified".
    """
    if not (said.code.startswith(("unsupported", "unknown")) or _REFUSES.search(said.message)):
        # In whatever language: a name marked as one stands in a sentence about a parameter.
        marked = [wire for wire in wire_names if _is_marked(wire, said.message)]
        return marked[0] if len(marked) == 1 and wire_names[marked[0]] != "max_tokens" else ""
    # Where the server names a path, its end is the parameter.
    named = said.parameter.rpartition(".")[2]
    if named in wire_names:
        return named
    # Chinese, Japanese and Korean words stand without a space beside it; at its head a sentence has a capital.
    places = {
        max(found.start() for found in hits): wire
        for wire in wire_names
        if (hits := list(re.finditer(rf"(?ai:(?<![\w.])(?:\w+\.)?{_spelled(wire)}(?!\w))", said.message)))
    }
    return places[max(places)] if places else ""


def names_one(said: _Said, wire_names: Mapping[str, str]) -> bool:
    """Whether *said* names a parameter by a name that is no word of any text."""
    return said.parameter in wire_names or any(
        _is_marked(wire, said.message) for wire in wire_names if "_?" in _spelled(wire)
    )


def _spelled(wire: str) -> str:
    """A pattern for the name *wire*, of several words as topP or as top_p."""
    return re.sub(r"_|(?<=[a-z])(?=[A-Z])", "_?", wire)


def _is_marked(wire: str, message: str) -> bool:
    name = _spelled(wire)
    if name != wire:
        return re.search(rf"(?i:(?<!\w){name}(?!\w))", message) is not None
    # By what stands around it, or because all around is written in another script.
    marked = (
        rf"^{name}\s?:|[(`'\"“«„:=]\s?{name}\s?(?:[)`'\"”»“=:]|$)|[\u0370-\uffff]\s?{name}\b|\b{name}\s?[\u0370-\uffff]"
    )
    return re.search(marked, message) is not None


def _limit(wire_names: Mapping[str, str]) -> str:
    """The name on the wire of the limit on tokens; empty where none is sent."""
    return next((wire for wire, ours in wire_names.items() if ours == "max_tokens"), "")


def _fitting(message: str, wire_names: Mapping[str, str], sent: Mapping[str, object]) -> str:
    """A smaller limit on tokens, where question and answer together are too long."""
    wire = _limit(wire_names)
    found = next(filter(None, (each.search(message) for each in _TOGETHER)), None)
    if not wire or found is None:
        return ""
    room = _number(found["most"]) - _number(found["asked"])
    asked = _as_number(sent.get(wire))
    if not _LEAST <= room < asked:
        return ""
    # One long article is no reason to cut the answers to all others short.
    return limited("max_tokens", room) if 2 * room >= asked else limited_here("max_tokens", room)


def _largest(message: str, value: object) -> int | None:
    """The largest value that *message* allows in place of *value*."""
    now = _as_number(value)
    return next((each for each in _bounds(message) if 1 <= each < now), None)


def _bounds(message: str) -> Iterator[int]:
    for found in _DIFFERENCE.finditer(message):
        yield _number(found[2]) - (_number(found[3]) if found[3] else 0)
    for pattern in _LARGEST:
        for found in pattern.finditer(message):
            yield _number(found[found.lastindex or 1])
    for found in _LESS_THAN.finditer(message):
        yield _number(found[1] or found[2]) - 1


def _other_name(message: str, wire: str, wire_names: Mapping[str, str]) -> str:
    for found in _OTHER_NAME.finditer(message):
        name = found[1]
        if (
            name not in {wire, *wire_names}
            and name.lower() not in _NO_PARAMETER
            and ("_" in name or message[found.start(1) - 1] in "`'\"“‘")
        ):
            return name
    return ""


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text))


def _as_number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
