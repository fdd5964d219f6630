"""From what a server answered to a `Reply` or a `Miss`: the rules that all providers share.

A body is brought into one form by its provider's file (`NormalReply`) and judged once (`judged`), by the tables of
`domain.endings`, `domain.account_faults` and `domain.reasoning`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.documents.plain_text import plain
from gpf_desktop.domain.account_faults import AccountFault, account_fault, without_echoes
from gpf_desktop.domain.endings import Ending, ending_of, error_status, is_block, is_of_a_guard
from gpf_desktop.domain.error_codes import CodeSays, meaning_of, says
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.fault_languages import speaks_of_no_machine
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.question_faults import is_of_the_question
from gpf_desktop.domain.reasoning import split_thinking
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.unknown_refusals import OF_A_QUESTION
from gpf_desktop.domain.wire import ANSWER_CAP, WireReply
from gpf_desktop.providers import _bodies, _errors, _other_dialects, _text
from gpf_desktop.providers._bodies import is_swollen, is_text, salvaged
from gpf_desktop.providers._lessons import lesson, names_one
from gpf_desktop.providers._normal_form import NormalReply
from gpf_desktop.providers._streams import is_stream
from gpf_desktop.providers._waits import retry_for

_WORDS_READ: Final = 4_000
_BAD_REQUEST: Final = 400
_PAGE_SHOWN: Final = 240
"""Characters of a web page: Apache says why in its second sentence."""


def finish_of(word: str, *, called: bool) -> str:
    """How an answer ended that did so with *word*, or *called* a tool in its own place, which nobody offered it."""
    return "tool_calls" if called and ending_of(word) is Ending.WHOLE else word


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The request, as far as the outcome records it."""

    sent: Mapping[str, object]
    """Parameters really sent, without messages."""
    wire_names: Mapping[str, str]
    """Name on the wire → name of ours, for those parameters that may be left out."""
    not_supported: tuple[str, ...]
    key: Secret | None
    system: bool = False
    """A system text was sent as such."""
    required: frozenset[str] = frozenset()
    """Our names of parameters without which there is no call."""


def judged(said: NormalReply, reply: WireReply, request: Request, *, salvage: str = "") -> Outcome:
    """The outcome of *said*, the body of *reply*; *salvage* as in `unreadable`."""
    if not said.answered and not said.failed:
        # Of a gateway or a framework before the server, which does not speak its dialect.
        body = _bodies.body_of(reply)
        told = _errors.error_in(body, said.request_id) or _errors.told_by_status(reply, said.request_id)
        said = told or _other_dialects.answer_in(body, said.request_id) or said
    if said.answered and not said.failed and (stated := error_status(said.text)) is not None:
        # Relays, and servers before their models, write an error in an answer's place.
        said = replace(said, message=said.text[:_WORDS_READ], status=stated or None)
    if said.failed and not said.answered:
        return complain(said, reply, request)
    if reply.status >= 300 or not said.answered:
        return unreadable(reply, request, request_id=said.request_id, salvage=salvage)
    return _concluded(said, reply, request)


def _concluded(answer: NormalReply, reply: WireReply, request: Request) -> Outcome:
    """The method's validity rules: refused, reasoning only, empty, or a reply (truncated or not)."""
    said, thought = split_thinking(_text.storable(answer.text))
    reasoning = "\n\n".join(filter(None, (_text.storable(answer.reasoning).strip(), thought)))[: _text.TEXT_CAP]
    over = len(said) > _text.TEXT_CAP
    said = said[: _text.TEXT_CAP]
    finish, request_id = _text.detail(answer.finish, request.key), _text.detail(answer.request_id, request.key)
    served = _text.served(answer.served, request.key)
    ending = Ending.BLOCKED if is_of_a_guard(said) else _ending(answer)
    account: AccountFault | None = None
    if answer.refusal or ending in (Ending.BLOCKED, Ending.FAILED) or not said.strip():
        retry: RetryDecision = NoRetry()
        if answer.refusal or ending is Ending.BLOCKED:
            reason = Missing.REFUSED
            blocked = tr("Blocked by the provider: {finish}", finish=answer.finish)
            detail = answer.refusal or answer.message or blocked
        elif ending is Ending.FAILED:
            account = account_fault(answer.message, answer.codes)
            reason, retry = Missing.HTTP_ERROR, NoRetry() if account is not None else _again(answer, reply)
            broke_off = tr("It broke off, and is asked again: “{finish}”.", finish=answer.finish)
            detail = answer.message or answer.code or broke_off
        # Some providers bill their reasoning and hand out none of it: then only a count or an empty part tells.
        elif reasoning or answer.thought or answer.usage.reasoning:
            reason, detail = Missing.REASONING_ONLY, tr("Reasoning and no answer.")
        else:
            reason, detail = Missing.EMPTY, tr("An answer without text.")
        return Miss(
            reason=reason,
            detail=_text.detail(detail, request.key),
            retry=retry,
            text=said,
            reasoning=reasoning,
            finish=finish,
            usage=answer.usage,
            request_id=request_id,
            sent=request.sent,
            not_supported=request.not_supported,
            served=served,
            account=account,
        )
    return Reply(
        text=said,
        reasoning=reasoning,
        finish=tr("{finish}, cut by this program", finish=finish) if over else finish,
        truncated=ending is Ending.CUT or over,
        usage=answer.usage,
        request_id=request_id,
        sent=request.sent,
        not_supported=request.not_supported,
        letters=answer.letters,
        served=served,
    )


def _again(broken: NormalReply, reply: WireReply) -> RetryDecision:
    """How one that broke off is asked again: more slowly where its error is of the pace."""
    wait = retry_for(broken.status or reply.status, reply.headers, message=broken.message, codes=broken.codes)
    return wait if isinstance(wait, RateLimited) else Transient()


def _ending(answer: NormalReply) -> Ending:
    if not answer.failed:
        return ending_of(answer.finish)
    # As of a bad request, where the error within an answer states no status.
    blocked = is_block(answer.status or _BAD_REQUEST, answer.message[:_WORDS_READ], answer.codes)
    return Ending.BLOCKED if blocked else Ending.FAILED


def complain(complaint: NormalReply, reply: WireReply, request: Request) -> Miss:
    """The miss for an error in an answer's place, with the server's words, the status and what asking again could
    bring; a block is a refusal."""
    # What a server writes may be megabytes: its first words decide, and its last.
    complaint = replace(complaint, message=without_echoes(complaint.message))
    status = complaint.status if reply.status < 400 and complaint.status is not None else reply.status
    learnt = lesson(
        status,
        complaint,
        wire_names=request.wire_names,
        sent=request.sent,
        system=request.system,
        required=request.required,
    )
    # “Inputs not permitted: top_p” speaks of no content.
    of_form = bool(learnt) and not says(complaint.codes, CodeSays.BLOCKED) and names_one(complaint, request.wire_names)
    if not of_form and is_block(status, complaint.message, complaint.codes):
        word = next(filter(None, (complaint.code, complaint.kind, *complaint.codes)), "")
        told = complaint.message or complaint.code
        shown = _text.detail(told, request.key)
        # Without a code only the words tell later that it was declined, wherever they stand.
        late = not word and not is_block(status, shown)
        return Miss(
            reason=Missing.REFUSED,
            status=status,
            detail=_text.detail(told, request.key, most=_WORDS_READ) if late else shown,
            finish=_text.detail(word, request.key),
            usage=complaint.usage,
            request_id=_text.detail(complaint.request_id, request.key),
            sent=request.sent,
            not_supported=request.not_supported,
        )
    retry = retry_for(status, reply.headers, message=complaint.message, codes=complaint.codes, wait=complaint.wait)
    # Who names a time, or is to be asked more slowly, has an account that works.
    account = account_fault(complaint.message, complaint.codes, status) if not learnt else None
    if isinstance(retry, RateLimited) and (status == 429 or account in (AccountFault.DAY, AccountFault.SPAN)):
        account = None
    guessed = (
        status in OF_A_QUESTION
        and not learnt
        and account is None
        and retry == NoRetry()
        and not meaning_of(complaint.codes)
        and speaks_of_no_machine(complaint.message)
        and not is_of_the_question(complaint.message)
    )
    return Miss(
        reason=Missing.REFUSED if guessed else Missing.HTTP_ERROR,
        guessed=guessed,
        status=status,
        account=account,
        detail=_text.detail(complaint.message or tr("HTTP status {status}", status=status), request.key),
        # What no waiting mends.
        retry=retry if account is None or isinstance(retry, NoRetry) else NoRetry(),
        refused_parameter=learnt,
        usage=complaint.usage,
        request_id=_text.detail(complaint.request_id, request.key),
        sent=request.sent,
        not_supported=request.not_supported,
    )


def unreadable(reply: WireReply, request: Request, *, request_id: str = "", salvage: str = "") -> Miss:
    """A body that is not what the API documents; *salvage* names the JSON field whose text is worth keeping."""
    kept = salvaged(reply.body, salvage) if reply.status < 300 and salvage else ""
    kept = split_thinking(_text.storable(kept))[0]
    swollen = reply.cut or is_swollen(reply.body)
    start = reply.body[:200].decode("utf-8", "replace").strip()
    page = plain(reply.body[:_WORDS_READ].decode("utf-8", "replace")) if start[:1] == "<" else ""
    start = start if is_text(start) else _no_text(reply)
    decision: RetryDecision = NoRetry()
    if reply.status >= 300:
        decision = retry_for(reply.status, reply.headers, message=start)
    elif _broke_off(reply):
        decision = Transient()
    account = account_fault(page or start, status=reply.status) if reply.status >= 400 else None
    return Miss(
        reason=Missing.HTTP_ERROR if reply.status >= 300 else Missing.TOO_LARGE if swollen else Missing.UNREADABLE,
        status=reply.status,
        account=account,
        detail=_text.detail(_what_is_wrong(reply, start, swollen=swollen), request.key),
        retry=decision if account is None else NoRetry(),
        text=kept[: _text.TEXT_CAP],
        request_id=_text.detail(request_id, request.key),
        sent=request.sent,
        not_supported=request.not_supported,
    )


def _what_is_wrong(reply: WireReply, start: str, *, swollen: bool) -> str:
    content_type = reply.headers.get("content-type", "").split(";")[0].strip().lower()
    if 300 <= reply.status < 400:
        return tr("It redirects elsewhere, and redirects are not followed, so that no key goes astray.")
    if content_type == "text/html" or start[:1] == "<":
        page = tr("It answers with a web page in place of an answer (HTTP status {status})", status=reply.status)
        said = plain(reply.body[:_WORDS_READ].decode("utf-8", "replace"))[:_PAGE_SHOWN]
        return f"{page}: {said}" if said else page
    if swollen and reply.status < 300:
        return _too_large(reply)
    if _broke_off(reply):
        return tr("The connection was lost in the middle of the answer.")
    if reply.status >= 400:
        words = tr("HTTP status {status}", status=reply.status)
        return f"{words}: {start}" if start.strip() else words
    first = " ".join(start.split())[:100]
    return tr("The answer cannot be read: {start}", start=first or tr("it is empty"))


def _broke_off(reply: WireReply) -> bool:
    """A stream that nobody asked for says itself where it ends: one that does not was cut off."""
    return reply.broken or (reply.status < 300 and is_stream(reply.body))


def _no_text(reply: WireReply) -> str:
    if coding := reply.headers.get("content-encoding", ""):
        return tr("bytes that are no text, packed by “{coding}”, which was not asked for", coding=coding)
    return tr("bytes that are no text")


def _too_large(reply: WireReply) -> str:
    if not reply.cut:
        return tr("The answer is too large: it has more parts than any answer of a model.")
    return tr(
        "The answer is larger than {size} MB, the most that this program reads of one answer.",
        size=ANSWER_CAP // 1_000_000,
    )


def undelivered(miss: Miss, request: Request) -> Miss:
    """A failure of the network, with what was sent."""
    return replace(
        miss,
        detail=_text.detail(miss.detail, request.key),
        sent=request.sent,
        not_supported=request.not_supported,
    )


def refusal_to_list(miss: Miss) -> ProviderError:
    """Why a model list could not be had, in a sentence."""
    match miss.status:
        case 401 | 403:
            return ProviderError(
                tr("The provider does not take this key ({detail}).", detail=miss.detail.rstrip(".")),
                tr("Check the key and its rights."),
            )
        case 404:
            return ProviderError(
                tr("There is no model list at this address ({detail}).", detail=miss.detail.rstrip(".")),
                tr("Check the address, which often ends in /v1, or type the model's name by hand."),
            )
        case _:
            return ProviderError(tr("The model list cannot be read: {detail}", detail=miss.detail))
