"""Words of errors about one question: about its length, its content and the form of its call."""

import re
from typing import Final

from gpf_desktop.domain.error_languages import folded, says_form, says_too_long, without_codes
from gpf_desktop.domain.patterns import regex

_PER_MINUTE: Final = regex(
    r"(?:/|\bper|\ba)[-_ ]?(?:min(?:ute)?|sec(?:ond)?)s?\b|每分钟|每秒|毎分|毎秒|分間|あたり|분당|초당|"
    r"\bpro (?:minute|sekunde)|(?-i:\b(?:[RT]PM|[RT]PS|QPS)\b)",
    re.IGNORECASE,
)
_TOO_LARGE: Final = regex(r"request too large for|tokens must be reduced")
_OF_THE_QUESTION: Final = regex(
    r"too (?:long|large|big|many)|context[ _](?:length|limit|size|window)|max(?:imum)? (?:context|length|input)|"
    r"token limit|"
    r"max_tokens|\blong[- ]context\b|(?:tokens|length)\b.{0,40}\bmust be (?:less|at most|no more|smaller|<)|"
    r"\b(?:input|prompt) length|\bmust have (?:at most|fewer than|less than|no more than) [\d,.]+ tokens|"
    r"\bcharacters\b|zu lang|过长|超长|字符|字数|長すぎ|トークン数|문자 수|너무 (?:길|깁)",
)
"""Of a question's length the same is said to all cells of a long article, and the next one may be short."""
_ROOM: Final = (
    r"(?:context(?! deadline)|max_?(?:imum)?[ _]?(?:input|model|prompt|seq\w*)|window|(?:input|prompt|sequence)\b)"
)
_OVER_LENGTH: Final = regex(
    rf"\b{_ROOM}[^.!?]{{0,60}}\b(?:exceed\w*|too (?:large|long|many)|(?:greater|larger|longer|more) than|overflow\w*)|"
    rf"\b(?:exceed\w*|too (?:large|long|many)|(?:greater|larger|longer|more) than|overflow\w*)\b[^!?]{{0,60}}\b{_ROOM}",
)
_OF_A_QUESTION: Final = regex(
    # What it is made of, and the form of a request, which is made anew for each.
    r"\b(?:articles?|documents?|passages?|words|messages?|prompts?|inputs?|contents?|texts?|tokens?|sequences?|quer(?:y|ies)|conversations?|multi-?turn|"
    r"turns?|roles?|body|json|schema|payload|param\w*|arguments?|fields?|properties|malformed|validation|(?:re)?format|"
    r"characters?|unicode|utf|images?|audio|multimodal|tools?|functions?|grammar|thinking|reasoning|encrypted|stop|"
    r"length|"
    r"decode|empty|values?|questions?|completions?|responses?|outputs?|assistant|(?:read|write)(?!-))\b|"
    r"\brequest\b.{0,30}\b(?:argument|formed|invalid|"
    r"size)|\b(?:bad|invalid|formed) request|\b[a-z]+_[a-z_]+\b|"
    r"\bfrage|pregunta|pergunta|domanda|вопрос|问题|質問|질문|eingabe|nachricht|\bfeld|anfrage|zeichen|\bwert\b|"
    r"schreib|\blesen\b|\btext|paramètre|requête|entrée|\bchamp\b|contenu|"
    r"écri|\blire\b|mensaje|entrada|\bcampo|parámetro|solicitud|escri|messaggi|testo|richiesta|scriv|запрос|текст|"
    r"сообщен|"
    r"параметр|напиш|pytani|treś|参数|參數|请求|輸入|输入|消息|格式|上下文|内容|リクエスト|メッセージ|入力|パラメ|"
    r"テキスト|요청|"
    r"메시지|입력|텍스트|매개",
)
_READ: Final = 4_000


def is_of_the_question(message: str) -> bool:
    """Whether *message*, an error, is of the length of one question."""
    return _OF_THE_QUESTION.search(folded(message)) is not None or says_too_long(message)


def is_over_length(message: str) -> bool:
    """Whether *message* says so beyond doubt, under whatever status: of too many tokens, and not of too many calls."""
    head = folded(message[:_READ])
    return (_OVER_LENGTH.search(head) is not None or says_too_long(head)) and not is_short_limit(message)


def is_short_limit(message: str) -> bool:
    """Whether *message* names a limit of each minute or second."""
    return _PER_MINUTE.search(message[:_READ]) is not None


def is_too_large(message: str) -> bool:
    """Whether one question takes more by itself than a minute allows; it is told so with the status of a limit."""
    return _TOO_LARGE.search(folded(message[:_READ])) is not None


def speaks_of_the_question(message: str) -> bool:
    """Whether *message*, an error that nothing else is known of, speaks of what was asked, or of the form of the call.

    This is a closed list: what speaks of neither is of whoever answers.
    """
    told = message[:_READ]
    return (
        _OF_A_QUESTION.search(without_codes(told)) is not None
        or is_of_the_question(told)
        or is_over_length(told)
        or is_too_large(told)
        or says_form(told)
    )
