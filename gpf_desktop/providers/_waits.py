"""Whether asking again makes sense, and after how long: the retry rules of all providers as one value."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from gpf_desktop.domain.account_faults import AccountFault, account_fault, is_none_allowed
from gpf_desktop.domain.error_codes import CodeSays, meaning_of
from gpf_desktop.domain.error_languages import says_broken, says_busy, says_for_now, says_too_many
from gpf_desktop.domain.question_faults import (
    is_of_the_question,
    is_over_length,
    is_short_limit,
    is_too_large,
    speaks_of_the_question,
)
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient

_OF_A_LIMIT_TOO = re.compile(r"exceeded your current quota", re.IGNORECASE)
"""OpenAI says so of an empty account, with a code; Google of a limit per minute."""
_LASTING = frozenset({AccountFault.CREDIT, AccountFault.SHUT})
_COUNTED = frozenset({AccountFault.DAY, AccountFault.SPAN})
"""What is counted anew some time."""
_CRASHED = re.compile(
    r"\bmodel (?:has |was |is )?(?:been )?(?:crashed|(?:re-?|un)loaded)\b|channel error", re.IGNORECASE
)
"""LM Studio's words under 400; it loads the model again."""
_BUSY_WORDS = re.compile(
    r"overload|busy|capacity|too many|loading|rate[ _]limit|queue\b.{0,20}\bfull|"
    r"\b(?:[qrt]p[sm])\b.{0,20}\blimit|(?:rate|requests?) limit\b",
    re.IGNORECASE,
)
_THROTTLED: Final = re.compile(
    r"throttl|too many requests|(?:rate|requests?|\b[qrt]p[sm]) limit exceeded|\brate exceeded|"
    r"\btoo many [^.!?]{0,30}\b(?:at once|in flight|in parallel|pending)\b|\bburst (?:limit |of \d+ )?exceeded",
    re.IGNORECASE,
)
_OF_A_SERVER: Final = re.compile(
    r"(?:internal[ _-]?)?(?:server[ _-]?)?error|(?:service|server)[ _-]?unavailable(?:[ _-]?error)?|bad[ _-]?gateway|"
    r"(?:gateway|upstream)[ _-]?time[ _-]?out|internal",
    re.IGNORECASE,
)
"""Kinds of errors of a server, under whatever status a gateway passes them on."""
_OF_AN_ACCOUNT: Final = frozenset({401, 402, 403})
_CROWDED: Final = frozenset({429, 498, 503})
_HEAD: Final = 200
"""Characters: further down a server may quote the question."""
_UNITS: Final = {
    0.001: r"milliseconds?|millisekunden?|ms",
    1.0: r"seconds?|secondes?|segundos?|second[io]|secs?|sekund\w*|секунд\w*|сек|saniye|detik|giây|s|秒|초",
    60.0: r"minutes?|minutos?|minut[io]|mins?|minut\w*|минут\w*|мин|dakika|menit|phút|m|分[钟鐘]?|分|분",
    3600.0: r"hours?|heures?|horas?|or[ae]|hrs?|stunden?|uren|uur|час\w*|godzin\w*|saat|jam|giờ|h|小时|時間|시간",
}
"""Seconds of each unit, by its words."""
_UNIT: Final = rf"(?:{'|'.join(_UNITS.values())})(?![a-z])"
_AMOUNT: Final = r"\d{1,9}(?:\.\d{1,9})?"
_PART: Final = re.compile(rf"({_AMOUNT})\s*({_UNIT})", re.IGNORECASE)
# OpenAI writes 6m0s, 1.5s and 20ms; Azure 20 seconds.
_DURATION: Final = rf"(?:{_AMOUNT}\s*{_UNIT}(?:\s|,|and|und)*)+"
_SPELLED: Final = re.compile(_DURATION, re.IGNORECASE)
_WAIT_WORDS: Final = re.compile(
    rf"(?:retry|try again|wait|available|refills?|resets?)(?: (?:in|after|for))?(?: (?:about|approximately|another))? "
    rf"({_DURATION})|"
    rf"(?:等待?|稍等)\s*({_DURATION})|(?:in|nach) ({_DURATION})(?:erneut|noch ?einmal|wieder)|"
    rf"({_DURATION})(?:(?:之?后|之?後)\S{{0,3}}(?:再|重|もう一度)|후에? ?다시)",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"essay|int[eé]nt|tent[ea]|riprov|ritent|probeer|opnieuw|повтор|попроб|подожд|спробу|spróbuj|ponów|zkuste|tekrar|"
    r"dene|coba|thử|försök|prøv|"
    r"yrit|attend|patient|esper|aguard|wacht|warte",
    re.IGNORECASE,
)
_WAIT_ELSEWHERE: Final = re.compile(
    r"\b(?:dans|après|en|dentro de|después de|em|daqui a|após|tra|fra|dopo|over|na|nach|через|після|после|za|po|"
    r"dalam|setelah|sau|om|efter|etter) "
    rf"({_DURATION})|({_DURATION})(?:sonra|बाद)",
    re.IGNORECASE,
)
"""How long to wait, in languages that put it behind a word; where `_AGAIN` is said."""
_SHORT: Final = 600.0
"""Seconds: so long a limit of the day is waited for that lets calls through again one by one."""
_LONGEST = 366 * 24 * 3600.0
"""Seconds: what is longer is no wait, and no date can be made of it."""


def retry_for(
    status: int,
    headers: Mapping[str, str],
    *,
    message: str = "",
    codes: Sequence[str] = (),
    wait: float | None = None,
) -> RetryDecision:
    """The decision for an error under the HTTP *status*; *wait* is what the body states in seconds, if it does."""
    after = stated_wait(headers, message, wait)
    if after is None and status == 429:
        after = _counted_anew(headers)
    known = message if status != 429 or not (_OF_A_LIMIT_TOO.search(message) or is_short_limit(message)) else ""
    fault = account_fault(known, codes)
    if fault in _COUNTED and (after is None or after > _SHORT):
        return NoRetry(after=after)
    said = meaning_of(codes)
    if said in {CodeSays.QUESTION, CodeSays.LIMITED, CodeSays.PASSING}:
        return _of_a_code(said, status, after)
    if status == 429:
        # Who names a time means a limit, whatever the words beside it are.
        lasts = is_too_large(message) or is_none_allowed(message) or (fault in _LASTING and after is None)
        return NoRetry() if lasts else RateLimited(after=after)
    return _of_a_success(message, after) if status < 300 else _by_status(status, message, codes, after)


def _by_status(status: int, message: str, codes: Sequence[str], after: float | None) -> RetryDecision:
    # 529 is Anthropic's own status for an overloaded server, 498 Groq's for a tier that is full.
    crowded = after is not None or (status == 503 and _is_busy(message))
    if status == 498 or (status in {503, 529} and crowded):
        return RateLimited(after=after)
    # Amazon's and Alibaba's way of saying 429.
    head = message[:_HEAD]
    throttled = _THROTTLED.search(head) or says_too_many(head) or any(map(_THROTTLED.search, codes))
    # Who names a time says that it passes.
    if status < 500 and (throttled or (after is not None and not is_over_length(message))):
        return RateLimited(after=after)
    # 408, 409 (a lock that was not had in time), 424 (a model behind it broke down) and 425 pass by themselves:
    # OpenAI's and Anthropic's own clients ask again too.
    # 499 is nginx' and Google's for a call that was given up on the way.
    broken = (status >= 500 and not is_over_length(message)) or _is_broken(status, message)
    told = any(map(_OF_A_SERVER.fullmatch, codes)) and not speaks_of_the_question(message)
    passing = status in {408, 409, 425, 499} or (status == 424 and not is_of_the_question(head)) or broken or told
    return Transient() if passing else NoRetry()


def _of_a_code(said: str, status: int, after: float | None) -> RetryDecision:
    """The decision by what a code *said*, whatever the words beside it are."""
    if said == CodeSays.QUESTION:
        return NoRetry()
    crowded = said == CodeSays.LIMITED or after is not None or status in _CROWDED
    return RateLimited(after=after) if crowded else Transient()


def _of_a_success(message: str, after: float | None) -> RetryDecision:
    """The decision for an error under a status of success, which names none of its own: nobody knows what it is, and it
    may pass."""
    if after is not None or _is_busy(message):
        return RateLimited(after=after)
    return NoRetry() if is_of_the_question(message) else Transient()


def _is_broken(status: int, message: str) -> bool:
    # Of an account or a key “for now” is no matter of minutes.
    heads = [part[:_HEAD] for part in message.split(" · ")]
    said = any(map(says_broken, heads)) or (status not in _OF_AN_ACCOUNT and any(map(_is_for_now, heads)))
    return (said and not (is_of_the_question(message) or is_too_large(message))) or _CRASHED.search(message) is not None


def _is_for_now(words: str) -> bool:
    return says_for_now(words) or (says_busy(words) and not speaks_of_the_question(words))


def _is_busy(message: str) -> bool:
    return _BUSY_WORDS.search(message) is not None or says_busy(message)


def stated_wait(headers: Mapping[str, str], message: str, wait: float | None) -> float | None:
    """Seconds to wait by Retry-After (milliseconds, seconds or a date), by the body, or by its words; else None.

    Nobody is believed who asks for less than nothing or for more than a year.
    """
    stated = _stated(headers, message, wait)
    return stated if stated is not None and 0 <= stated <= _LONGEST else None


def _stated(headers: Mapping[str, str], message: str, wait: float | None) -> float | None:
    # By the server's own clock where it tells it: this machine's may be wrong.
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    # The header in milliseconds is no standard one, but the finer one where a server sends both.
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""), unit, now)
        if seconds is not None:
            return seconds
    at = _date(headers.get("retry-after", ""))
    if at is not None:
        return max(0.0, (at - now).total_seconds())
    if wait is not None:
        return wait
    words = _WAIT_WORDS.search(message) or (_WAIT_ELSEWHERE.search(message) if _AGAIN.search(message) else None)
    return None if words is None else _duration(words[words.lastindex or 1])


def _counted_anew(headers: Mapping[str, str]) -> float | None:
    """Seconds until what was used up is counted anew: of one count that is at nought, or of the only one."""
    now = datetime.now(UTC)
    stated = [headers.get("ratelimit-reset", ""), headers.get("x-ratelimit-reset-after", "")]
    stated += [
        headers.get(f"x-ratelimit-reset-{each}", "")
        for each in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{each}", "").strip() == "0"
    ]
    return max((seconds for each in stated if (seconds := _number(each, 1.0, now)) is not None), default=None)


def _number(value: str, unit: float, now: datetime) -> float | None:
    """Seconds by a header that counts them, or 1/*unit* of them, or that gives a moment in seconds since 1970."""
    value = value.strip().strip("\"'")
    if _SPELLED.fullmatch(value):
        return _duration(value)
    try:
        # Several of one name: the longest.
        number = max(float(each) for each in value.split(","))
    except ValueError:
        return None
    number /= unit
    # `float` reads “nan” and “inf” too; no comparison with a bound holds for them.
    if not 0 <= number <= 10 * now.timestamp():
        return None
    if number <= _LONGEST:
        return number
    wait = number - now.timestamp()
    # Neither a wait that anybody means nor a moment of these days: no year's wait is none.
    return max(0.0, wait) if wait > -_LONGEST else None


def _duration(spelled: str) -> float:
    return sum(float(amount) * _seconds(unit) for amount, unit in _PART.findall(spelled))


def _seconds(unit: str) -> float:
    return next(each for each, words in _UNITS.items() if re.fullmatch(words, unit, re.IGNORECASE))


def _date(value: str) -> datetime | None:
    try:
        # The second is no standard's way, and some write so.
        date = datetime.fromisoformat(value) if value[:4].isdigit() else parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    # A zone of -0000 comes out of the parser without any.
    return date if date.tzinfo else date.replace(tzinfo=UTC)
