"""Endings of answers, by the word of whoever gave them: one table for live replies, batch jobs and imported files.

What the table does not know is *failed*: half an answer under a word that nobody foresaw is no answer.
"""

import json
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.account_faults import AccountFault, account_fault, without_echoes, without_quotes
from gpf_desktop.domain.declined_questions import declines
from gpf_desktop.domain.error_codes import CodeSays, meaning_of, says
from gpf_desktop.domain.error_languages import is_of_the_service, says_blocked, sentences_of
from gpf_desktop.domain.fault_languages import names_a_machine
from gpf_desktop.domain.patterns import regex


class Ending(StrEnum):
    """The way in which an answer ended."""

    WHOLE = "whole"
    CUT = "cut"
    """It met a limit on its length; what came is an answer, marked as cut."""
    BLOCKED = "blocked"
    """Its provider, or the model's own filter, would not give it: a refusal."""
    FAILED = "failed"
    """It broke off by a fault; it is asked again and never scored."""


_WORDS: Final = {
    Ending.WHOLE: (
        # OpenAI and all who copy it, Ollama, Cohere, vLLM; Anthropic; Gemini; Inspect; Bedrock; TGI; DashScope.
        *("stop", "end_turn", "stop_sequence", "complete", "completed", "finished", "eos", "eos_token", "eot"),
        *("normal", "null", "none", "nan", "undefined", "stop_token", "end", "success", "succeeded", "user_stop"),
        *("done", "finish"),
        # llama.cpp's own; watsonx; Titan; Aleph Alpha; AI21; HyperCLOVA; exllama; YandexGPT.
        *("word", "eos_token_id", "stop_criteria", "stop_criteria_met", "stop_sequence_reached", "end_of_text"),
        *("endoftext", "end_of_turn", "end_of_sequence", "end_token", "stop_before", "stop_string", "stop_str"),
        *("stop_word", "stopped_eos", "stopped_word", "alternative_status_final", "stopped", "natural", "natural_stop"),
        # Tokens at which a template ends a turn, as local servers name them.
        *("eom", "eom_id", "eot_id", "eog", "im_end", "end_of_message", "stop_token_id", "turn_end", "model_stop"),
        # NVIDIA's TensorRT-LLM; voice servers; transformers.
        *("end_id", "stop_words", "turn_complete", "stop_strings", "stop_tokens", "stop_sequences", "eos_reached"),
    ),
    Ending.CUT: (
        *("length", "max_tokens", "max_token", "model_length", "max_output_tokens", "max_completion_tokens"),
        *("model_context_window_exceeded", "context_length_exceeded", "context_window_exceeded", "token_limit"),
        *("max_length", "limit", "max_new_tokens", "error_limit", "length_limit", "truncated", "incomplete"),
        *("maximum_tokens", "max_tokens_reached", "max_length_reached", "context", "context_length", "context_limit"),
        *("model_length_exceeded", "stopped_limit", "truncated_final", "alternative_status_truncated_final"),
        *("token_limit_reached", "output_token_limit", "output_limit", "generation_length", "num_predict"),
        *("max_output_token", "max_gen_len", "length_capped", "max_new_token", "response_length"),
        *("max_input_length", "length_limit_reached", "context_length_reached"),
        *("max_tokens_exceeded", "max_output_tokens_exceeded", "max_output_tokens_reached", "max_new_tokens_reached"),
        *("token_limit_exceeded", "length_exceeded"),
    ),
    Ending.BLOCKED: (
        *("content_filter", "content_filtered", "contentfilter", "safety", "refusal", "refused", "blocked", "block"),
        *("recitation", "prohibited_content", "blocklist", "spii", "language", "image_safety", "model_armor"),
        *("image_prohibited_content", "image_recitation", "sensitive", "moderation", "moderation_blocked"),
        *("guardrail_intervened", "guardrail", "error_toxic", "violation", "policy_violation", "content_policy"),
        *("data_inspection_failed", "content_policy_violation", "risk", "jailbreak", "censored", "filtered"),
        # GigaChat; YandexGPT; gateways with guards of their own.
        *("blacklist", "alternative_status_content_filter", "guardrails", "flagged", "moderated", "unsafe", "toxic"),
        *("content_moderation", "content_safety", "content_blocked", "safety_filter", "guardrail_violation"),
    ),
    Ending.FAILED: (
        *("error", "network_error", "insufficient_system_resource", "other", "pause_turn", "tool_use", "tool_calls"),
        *("function_call", "malformed_function_call", "unexpected_tool_call", "malformed_response", "cancelled"),
        *("canceled", "abort", "aborted", "timeout", "unload", "load", "failed", "unknown", "no_image", "interrupted"),
        *("finish_reason_unspecified", "too_many_tool_calls", "missing_thought_signature", "server_error"),
    ),
}
ENDINGS: Final = {word.replace("_", ""): ending for ending, words in _WORDS.items() for word in words}
"""By the provider's word, in lower case and without what stands between its parts: one server's max_tokens is another's
maxTokens. No word means one thing at one provider and another elsewhere, but those of `OF_DIALECT`."""
OF_DIALECT: Final = {
    # Inspect says unknown where a provider said nothing, and stop where tools were called for the last time.
    ("inspect", "unknown"): Ending.WHOLE,
    # LM Studio's words: what stopped it was the end of the model's turn, or somebody.
    ("lm-studio", "eosfound"): Ending.WHOLE,
    ("lm-studio", "stopstringfound"): Ending.WHOLE,
    ("lm-studio", "maxpredictedtokensreached"): Ending.CUT,
    ("lm-studio", "contextlengthreached"): Ending.CUT,
    ("lm-studio", "userstopped"): Ending.FAILED,
}
_BETWEEN: Final = regex(r"[\s_./<|>'\"\[\]()-]+")
_PRINTED: Final = regex(r"<([\w.]+): .{1,40}>\Z")
"""A value of an enumeration, as Python prints it: <FinishReason.STOP: 1>."""
_IN_AN_OBJECT: Final = regex(r"""\s*\{.{0,80}?["'](?:type|reason)["']\s*:\s*["'](?P<word>[\w.-]+)""", re.DOTALL)
"""The word where a server or a program keeps an object of it."""
_PREFIXES: Final = regex(r"^(?:finish|stop)reason(?!unspecified)(?=\w)")
"""gRPC's way of writing a value of an enumeration, FINISH_REASON_STOP, and Python's: StopReason.end_turn."""
_OF_CONTENT: Final = regex(
    r"safety|filter|moderat|prohibit|guard(?!ian)|sensitiv|harm(?!on)|hate(?=speech|ful|detected|$)|sexual|policy|"
    r"violat|"
    r"toxic|"
    r"unsafe|inappropriate|blocked|profan|classifier|block$|csam|nsfw|responsibleai"
)
_OF_A_FAULT: Final = regex(r"error|fail|time_?out|unavailable|exception")
"""What no table knows is a block all the same where the word speaks of content, and not of the filter's own fault."""
_OF_LENGTH: Final = regex(
    r"(?:tokens?|length|len|context(?:size|window)?|output)(?:limit|size|budget|cap)?(?:was|is)?(?:exceeded|reached|"
    r"hit|"
    r"truncated|exhausted|overflow(?:ed)?|full|spent|used(?:up)?|gone|cut(?:off)?)|max(?:imum)?\w{0,12}(?:tokens?|"
    r"length|output)(?!per)|truncated|"
    r"(?:context|length|output|tokens?)(?:cap|limit)$|limit(?:of)?(?:tokens?|length|output|context)|(?:nomore|"
    r"outof)(?:tokens?|context|length|"
    r"room|space)"
)
_OF_AN_END: Final = regex(
    r"(?=.*(?:stop|end|eo[gstm]|complete|finish|done|success))(?:stopped|stops?|ended|end|eo[gstm]|of|turn|sequence|"
    r"seq|tokens?|word|string|text|message|natural(?:ly)?|normal(?:ly)?|completed?|finished|finish|done|"
    r"success(?:fully|ful)?|hit|reached|found|criteria|model|by|on|the|id|generation|response|output|assistant|answer)+"
)
"""Made of nothing but parts that say that an answer came to its end."""
_OF_ANOTHER_LIMIT: Final = regex(r"(?<!gene)rate|quota|tool|time|(?<!token)(?<!tokens)budget|minute|day")
"""A word that speaks of a limit on the length says that it was cut; one of a limit of another kind does not."""


def _bare(word: str) -> str:
    if (inside := _IN_AN_OBJECT.match(word)) is not None:
        word = inside["word"]
    return _PREFIXES.sub("", _BETWEEN.sub("", _PRINTED.sub(r"\1", word.strip().lower())))


def is_unheard(word: str) -> bool:
    """Whether no table knows *word*, and nothing in it tells what it means."""
    said = _bare(word)
    known = not said or said in ENDINGS or _OF_A_FAULT.search(said) is not None
    return not known and _unheard(said) is Ending.FAILED


def ending_of(word: str, dialect: str = "") -> Ending:
    """The ending of an answer that its giver ended with *word*; without any word it is whole, for many servers say
    none."""
    said = _bare(word)
    if not said:
        return Ending.WHOLE
    of_one = OF_DIALECT.get((dialect, said)) or OF_DIALECT.get(("lm-studio", said)) or ENDINGS.get(said)
    return of_one or _unheard(said)


def _unheard(said: str) -> Ending:
    if _OF_AN_END.fullmatch(said):
        return Ending.WHOLE
    if _OF_A_FAULT.search(said):
        return Ending.FAILED
    if _OF_CONTENT.search(said):
        return Ending.BLOCKED
    return Ending.CUT if _OF_LENGTH.search(said) and not _OF_ANOTHER_LIMIT.search(said) else Ending.FAILED


_BLOCK_WORDS: Final = regex(
    r"PROHIBITED_CONTENT|(?:content|moderation|policy|safety)_(?:blocked|flagged|rejected|violations?)\b|"
    r"content exists risk|data.?inspection|unavailable for legal reasons|"
    r"(?:as|considered|deemed|is|was) high[ -]risk\b|(?:severe|serious|policy|content) violation|"
    r"content\b.{0,30}\bnot compliant|\b(?:hit|match\w*|on) (?:a |our |the )?(?:block|deny)-?list\b|"
    r"\b(?:against|violat\w+) (?:(?!billing|data|fair|network|rate|retry|routing)[\w.'’]+ ){1,4}"
    r"(?:guidelines?|polic(?:y|ies)|rules|terms)\b|(?:input|prompt|content|message|text|data|output)\b.{0,30} (?:was|"
    r"is|"
    r"has been|may) (?:be )?(?:flagged|blocked|filtered|(?:(?:identified|detected|classified) as )?(?:unsafe|harmful|"
    r"toxic))|(?:content|input|prompt|response|output) blocked\b|\bflagged (?:(?:this|your) (?:chat|content|input|"
    r"message|"
    r"prompt|request)\b|by (?:\w+ ){0,3}\w*(?:guard|shield|classifier)\b)|(?:blocked|filtered|flagged|rejected|refused|"
    r"stopped) (?:by|due to|because of|as a result of) (?:\w+ ){0,2}(?:content(?![- ]*(?:type|length|encoding))|"
    r"guardrail|harm|moderation|prohibited|responsible ai|safety)|(?:not|n't) pass(?:ed)? (?:\w+ ){0,3}(?:moderation|"
    r"safety)\b|\b(?:due to|because of|for) (?:\w+ )?(?:content|safety) (?:concerns?|filter\w*|polic\w+|reasons?|"
    r"restrictions?|rules)\b|(?:cannot|could not|can[’']?t) be (?:\w+ ){1,2}(?:due to|for) safety\b|"
    r"不安全|违规|違規|违法|不當內容|审核[不未]通过|未通过.{0,4}审核|内容审核(?!服务|系统|模块|接口|超时)|"
    r"换个(?:问题|话题)|"
    # Google's package where it was asked for a text: 3 is SAFETY, 4 RECITATION, 7 to 9 of lists and persons.
    r"quick accessor.{0,300}?finish_reason.{0,160}? is [34789]\b",
    re.IGNORECASE,
)
_OF_CONTENT_CODE: Final = regex(
    r"(?:answer|conversation|input|output|prompt|response)_?(?:blocked|filtered|flagged|rejected)|content_?(?:filter|"
    r"polic|moderat|"
    r"violat|block|risk|safe|secur|censor)|safety|moderat|guardrail|sensitive|unsafe|harmful|inappropriate|toxic|nsfw|"
    r"profan|csam|censor|usage_?polic|policy_?violat|responsibleai|illegaldetected"
)
_CODE_OF_A_FAULT: Final = regex(r"(?:fail\w*|time_?out|unavailable|exception|(?<!violation)(?<!violation_)error)$")
"""Codes that no table knows and that speak of content, and not of the filter's own fault."""
_BLOCK_AT_500: Final = regex(
    r"content[ _]?policy[ _]?violation|(?:input|prompt|response|output) (?:was|has been) (?:blocked|filtered|flagged)|"
    r"(?:in|out)put (?:new_)?sensitive|敏感|(?:content|moderation|policy|safety)_(?:blocked|flagged|rejected|"
    r"violations?)\b",
    re.IGNORECASE,
)
"""Under 500, where other words may be of the filter's own fault."""
_BLOCK_PASSED_ON: Final = regex(
    r"content exists risk|data.?inspection.?failed|content[ _]?policy[ _]?violation|敏感", re.IGNORECASE
)
_OF_TOKENS: Final = regex(
    r"\d[\d,.]*[ -]tokens?\b[^.!?]{0,40}\bexceed|\bexceed\w*[^.!?]{0,40}\b\d[\d,.]*[ -]tokens?\b", re.IGNORECASE
)
"""Counts of a length, by whatever guard."""
_OF_A_FILTERS_FAULT: Final = regex(r"\b(?:fail\w*|timed? ?out|unavailable|exception)\b", re.IGNORECASE)
_NO_JUDGEMENT: Final = frozenset(
    {CodeSays.LIMITED, CodeSays.PASSING, CodeSays.QUESTION, AccountFault.CREDIT, AccountFault.MODEL}
)
_PASSED_ON: Final = 502
"""A gateway's word for what the provider behind it answered."""
_NEVER: Final = frozenset({401, 402, 404, 408, 409, 413, 429})
"""Statuses of an account, an address or a limit, whatever the words."""
_DOORS: Final = (AccountFault.SHUT, AccountFault.PLACE)
_OF_A_QUESTION: Final = frozenset({400, 422})
_LEGAL_REASONS: Final = 451
_CRASHED: Final = 500
_READ: Final = 4_000


def is_block(status: int, message: str, codes: Sequence[str] = ()) -> bool:
    """Whether an error under *status* says that the content was blocked, by its *codes*, else by its words.

    What a provider will not answer is a refusal, and refusals are results: taken for errors, a provider that blocks one
    religion would show a fault of the network.
    """
    if status in _NEVER:
        return False
    # Of those above 500 gateways speak, which know no content but in the words of a provider that they pass on; 500 is
    # what some make of whatever they were told.
    coded = says(codes, CodeSays.BLOCKED)
    if status > _CRASHED:
        return _is_passed_on(status, message, coded=coded)
    if coded or any(
        _OF_CONTENT_CODE.search(code) and not _CODE_OF_A_FAULT.search(code) for code in map(str.lower, codes)
    ):
        return True
    # Whose code is of a limit, a crash, a question's length or a model's terms has not judged what it says.
    return meaning_of(codes) not in _NO_JUDGEMENT and _is_said_to_be_blocked(status, message, codes)


def _is_passed_on(status: int, message: str, *, coded: bool) -> bool:
    said = coded and not _OF_A_FILTERS_FAULT.search(message)
    told = without_quotes(message)
    judged = _BLOCK_PASSED_ON.search(message) or (says_blocked(told) and not _OF_A_FAULT.search(told.lower()))
    return said or (status == _PASSED_ON and bool(judged))


def _is_said_to_be_blocked(status: int, message: str, codes: Sequence[str]) -> bool:
    told = without_quotes(message)
    if _OF_TOKENS.search(told):
        return False
    if status == _CRASHED:
        said = says_blocked(told) and not _OF_A_FAULT.search(told.lower()) and account_fault(message) is None
        return said or _BLOCK_AT_500.search(message) is not None
    if status == _LEGAL_REASONS:
        return account_fault(message, codes) is None
    if declines(told, codes, of_a_question=status in _OF_A_QUESTION):
        return True
    # An account that is shut for what was asked before, or a door that an administrator or a firewall shut, declines no
    # question of its own accord.
    fault = account_fault(message)
    echoed = without_echoes(message)
    by = [each for each in sentences_of(echoed) if _BLOCK_WORDS.search(each)]
    # Some of them are said in more than a sentence.
    known = _BLOCK_WORDS.search(echoed) is not None and (not by or not all(map(is_of_the_service, by)))
    return (known and fault not in _DOORS) or (fault is None and says_blocked(told))


_FLAGS: Final = {
    # MiniMax', two of them; Baidu's, whose own sentence stands in the answer's place; Amazon's guardrail, the same.
    "input_sensitive": (True, "input_sensitive"),
    "output_sensitive": (True, "output_sensitive"),
    "need_clear_history": (True, "need_clear_history"),
    "amazon-bedrock-guardrailAction": ("INTERVENED", "guardrail"),
}
"""What a body says beside an answer that “stopped”, or beside none, where a filter took it."""


def flags_in(body: Mapping[str, object]) -> list[str]:
    """The filters that *body* says took its answer."""
    return [shown for name, (value, shown) in _FLAGS.items() if body.get(name) == value]


def truer_word(word: str, native: str) -> str:
    """*word* of a gateway for how an answer ended, or its maker's own, *native*, where that alone says block or cut."""
    hidden = ending_of(word) is Ending.WHOLE and ENDINGS.get(_bare(native)) in (Ending.BLOCKED, Ending.CUT)
    return native if hidden else word


_LONGEST_OF_A_GUARD: Final = 120
_OF_A_GUARD: Final = regex(
    r"\W{0,3}(?:(?:the|this|your) )?(?:\w+ )?(?:answer|input|message|output|prompt|request|response) (?:(?:was|is|"
    r"has been) )?(?:blocked|filtered|redacted|rejected|removed|withheld) by (?:\w+ ){0,4}(?:guard|guardrails?|filter|"
    r"filters|moderation|shield)\W{0,3}",
    re.IGNORECASE,
)


def is_of_a_guard(text: str) -> bool:
    """Whether *text* is nothing but the sentence that a guard puts into an answer's place."""
    return len(text) < _LONGEST_OF_A_GUARD and _OF_A_GUARD.fullmatch(text.strip()) is not None


_REASONS: Final = (
    r"(?:too many requests|bad request|unauthorized|payment required|forbidden|not found|request timeout|"
    r"internal server error|bad gateway|service unavailable|gateway time-?out|(?:client|server) error)\b"
)
"""What HTTP calls its errors: behind a number alone an answer may go on, “Error 404 is a film”."""
_NO_SENTENCE: Final = r"(?=\s*(?:$|[^\w\s]|(?:at|for|from|on|when|while|error|response|returned|status)\b))"
"""“429 Too Many Requests means that …” is what an answer says."""
_NOT_EXPLAINED: Final = r"(?!\s*[-–—:,]\s*(?:it|that|this|which) (?:is|means|says|shows|was)\b)"
_ERROR_TEXT: Final = regex(
    # Behind what programs put before it.
    r"\s*(?:\[?error\]?:?\s+(?=\w*\s*(?:request failed|rate|time|connect|http|api|status|server|\d{3}\b|"
    r"error code)))?(?:error(?: code)?|http(?: error)?(?: status)?|api error|status(?: code)?)\s*[:=]?\s*"
    rf"(?P<status>[45]\d\d)(?=\s*(?:$|[^\w\s]|{_REASONS})){_NOT_EXPLAINED}|"
    rf"\s*(?P<bare>[45]\d\d)\s+{_REASONS}{_NO_SENTENCE}|"
    r"\s*(?:\w+\.)*(?P<kind>(?:RateLimit|BadRequest|Authentication|PermissionDenied|NotFound|APIConnection|APITimeout|"
    r"InternalServer|APIStatus|ServiceUnavailable|Overloaded|Quota\w*)Error)\b\s*[:(]",
    re.IGNORECASE,
)
_FAILED: Final = regex(
    # FastChat; OpenAI's package, word for word; Python; its readers of HTTP; Amazon's; Google's, two of them; axios.
    r"\s*(?:\W{0,2}network error due to high traffic\b|"
    r"(?:error:? )?(?:request timed out|connection error)\.\s*\Z|traceback \(most recent call last\):|"
    r"https?connectionpool\(host=|(?:client|server) error '(?P<http>\d{3})\b|"
    r"an error occurred \(\w+\) when calling the \w+ operation|(?:\w+\.)+\w+(?:error|exception)\s*[:(]|"
    r"(?P<google>[45]\d\d) (?:[A-Z_]{6,}\. \{|resource has been exhausted|internal error encountered|the (?:model|"
    r"service) is|user location|api key)|curl: \(\d+\)|"
    r"(?:\[?(?:axios)?error\]?:? )?(?:request failed with status code (?P<axios>\d{3})|rate.?limit(?:ed)?(?: (?:error|"
    r"exceeded|reached|hit))?\b[^\w\s]{0,3}\s*(?:(?:please|try|retry|wait|for|\(|"
    r"\d+ ?(?:m?s|sec|min|/|[rt]pm|requests?|tokens?)\b).{0,60})?\Z)|(?:api|llm|"
    r"model) (?:call|request) failed\b|"
    # What stands before servers, and says no more.
    r"(?:upstream (?:connect error|request timeout)\b|no healthy upstream|(?:internal server error|bad gateway|"
    r"service unavailable|gateway time-?out|too many requests)\.?\s*\Z|error code: \d{3,4}\s*\Z)|"
    r"http/\d(?:\.\d)? (?P<head>[45]\d\d)\b|(?:invalid operation: )?the `response\.text` quick accessor|"
    r"(?:<!doctype html[^<>]{0,200}>\s*)?<html\b[^<>]{0,200}>\s*<head>\s*<title>(?:error )?(?P<page>[45]\d\d)\b|"
    # Of Python's packages some end otherwise, and Python's own stand alone.
    r"(?-i:(?:[a-z_]\w*\.)+[A-Z]\w+: |(?:[A-Z][a-z]+)+(?:Error|Exception)\s*[:(]))",
    re.IGNORECASE,
)
"""What programs write in an answer's place when they fail."""
_ERROR_SAID: Final = regex(r"\s*\[?(?:ERROR|Error)\]?:\s*(?P<what>[^,;.!?]{5,60})\.?\s*")
"""A short line that a program wrote; what it says of an account or a model no answer says."""
_CODE_WITHIN: Final = regex(
    # Of a body that another holds as text, marks stand behind strokes.
    r"""["'](?:code|(?:__|error_)?type|status|reason|error_?code|"
    r"block_?reason)\\*["']\s*:\s*\\*["']?(?P<code>[\w.-]{3,60})""",
    re.IGNORECASE,
)
_OF_A_PROMPT: Final = regex(r"""\bblock_?reason["']?\s*[:=]\s*["'<]?\w""", re.IGNORECASE)
"""Gemini's, whatever the word behind it: OTHER is one."""
_FINISH_WITHIN: Final = regex(r"""(?:finish|stop)_?reason["']?\s*[:=]\s*["'<]?(?P<word>[\w.]{3,60})""", re.IGNORECASE)
_HEAD: Final = 600
_NAME_WITHIN: Final = regex(r"""\\*["'][\w-]+\\*["']\s*:\s*(?:\\*["'])?""")
_END_WITHIN: Final = regex(r"""\\*["']\s*(?=[,}\]])""")
_ERROR_BODY: Final = regex(r"""\s*\[?\s*\{\s*(?:["']type["']\s*:\s*["']error["']\s*,\s*)?["']error["']\s*:\s*[{"']""")
"""The body of an error, as a provider sends it."""
_A_WORD: Final = regex(r"(?<!\w)[^\W\d_]+(?!\w)")
_WORDS_OF_A_SENTENCE: Final = 4
_WORDS_OF_A_STORY: Final = 8
_NAMES_AN_ERROR: Final = regex(r"""\s*\{.*"error"\s*:\s*"[^"]""", re.DOTALL)


def error_status(text: str) -> int | None:
    """The HTTP status where *text*, in an answer's place, is the error that a program wrote there; 0: it names none.

    None for everything else: an answer may speak of errors, but it does not begin as one.
    """
    head = text[:_HEAD]
    if (found := _ERROR_TEXT.match(head)) is not None and not _is_of_no_machine(text[found.end() : _HEAD]):
        return int(found["status"] or found["bare"] or 0)
    if (failed := _FAILED.match(head)) is not None:
        return int(next(filter(None, failed.group("http", "google", "axios", "head", "page")), 0))
    if _is_the_body_of_an_error(text):
        return 0
    said = _ERROR_SAID.fullmatch(text)
    return 0 if said is not None and account_fault(said["what"]) is not None else None


def _is_of_no_machine(rest: str) -> bool:
    """Whether the *rest* of a text is a sentence that tells of no request and no server, as behind an error it would:
    an answer may begin with the number of one."""
    enough = len(_A_WORD.findall(rest)) >= _WORDS_OF_A_STORY
    return enough and not names_a_machine(rest) and not is_block(min(_OF_A_QUESTION), rest)


def _is_the_body_of_an_error(text: str) -> bool:
    """Whether *text* is one, and not JSON that speaks of an error among other things, as an answer may."""
    if _NAMES_AN_ERROR.match(text[:_HEAD]):
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict) and isinstance(body.get("error"), str):
            return body.keys() <= _BESIDE_AN_ERROR
    return _ERROR_BODY.match(text[:_HEAD]) is not None and not _goes_on(text)


def _goes_on(text: str) -> bool:
    """Whether a sentence stands behind the JSON at the head of *text*: an answer that shows an error."""
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(text.lstrip())
    except (ValueError, RecursionError):
        return False
    return len(_A_WORD.findall(text.lstrip()[end:])) >= _WORDS_OF_A_SENTENCE


_BESIDE_AN_ERROR: Final = frozenset(
    {
        "error",
        "message",
        "code",
        "type",
        "status",
        "detail",
        "details",
        "model",
        "provider",
        "request_id",
        "timestamp",
        "path",
        "error_type",
    }
    | {
        "error_description",
        "estimated_time",
        "signin_url",
        "success",
        "ok",
        "flagged",
        "blocked",
        "stage",
        "source",
        "reason",
        "id",
        "object",
        "warnings",
        "param",
        "output",
    }
)


def codes_within(error: str) -> list[str]:
    """Codes and kinds in *error*, the body of one as text: as JSON, or as Python writes it."""
    return [found["code"] for found in _CODE_WITHIN.finditer(error[:_READ])]


def words_within(error: str) -> str:
    """*error* without the names of its fields, where it is the body of one as text: “message” is none of its words.

    What stands in a field is a sentence of its own.
    """
    return _END_WITHIN.sub(". ", _NAME_WITHIN.sub(" ", without_echoes(error)))


def is_blocked_reply(error: str) -> bool:
    """Whether *error*, a reply as text in an answer's place, says that the prompt or the answer was blocked."""
    finish = _FINISH_WITHIN.search(error[:_READ])
    return _OF_A_PROMPT.search(error[:_READ]) is not None or (
        finish is not None and ending_of(finish["word"]) is Ending.BLOCKED
    )
