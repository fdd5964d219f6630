"""Sentences that decline a question in plain English, told by what they speak of.

Billing, models and policies are named where an account is refused and where a question is. What decides between them is
what the sentence says no to: advice, a topic, an opinion are asked for, and an account, a plan or a key is held.
"""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.error_languages import folded, is_absent, is_of_the_call, sentences_of
from gpf_desktop.domain.patterns import regex

_SAID: Final = (
    r"(?:advice|commentary|comparisons?|consultations?|counsel|criticism|debates?|discussions?|generali[sz]ations?|"
    r"guidance|jokes?|opinions?|questions?|recommendations?|role-?play|speech|statements?|stereotypes?|stor(?:y|ies)|"
    r"subject matters?|subjects|themes?|topics?|views?)"
)
"""What is asked for, and what an answer is made of."""
_NO: Final = (
    r"(?:ban(?:ned)?|barred|blocked|declined|disabled|disallowed|filtered|forbidden|never|no longer|not|off[- ]limits|"
    r"out of bounds|outside|prohibited|refused|rejected|restricted|switched off|turned (?:away|down|off)|unwelcome)"
)
_NOT_SAID: Final = regex(
    rf"\b{_SAID}(?: (?:about|concerning|in|like|of|on|regarding) [^.!?]{{2,40}}?)? "
    rf"(?:(?:are|can|could|has been|have been|is|may|must|shall|was|were|will)\b[^.!?]{{0,20}}?\b{_NO}\b|"
    r"(?:are|ca|could|is|was|were|wo)n['’]t\b|cannot\b)(?! (?:be )?(?:provided|support))",
)
_WILL_NOT: Final = regex(
    r"\b(?:(?:can|could|did|do|does|may|must|shall|will|would|is|are|am)(?: not|n['’]t)\b|cannot\b|ca?n['’]t\b|"
    r"won['’]t\b|unable\b|declin\w+|refus\w+|not (?:able|allowed|going|permitted|willing)\b)[^.!?]{0,20}?\b(?:advise|"
    r"answer|assist|comment|compare|complete|comply|continue|debate|describe|discuss|engage|fulfill?|generate|give|"
    r"go on|help|judge|offer|process|produce|provide|rank|reply|respond|speak|talk|write)(?:e?d)?\b",
)
"""No to an act of whoever answers."""
_TOLD_NOT_TO: Final = regex(
    r"\bnot to (?:answer|comment|debate|discuss|speak|talk)\b|(?:\bnot|n['’]t) (?:comply with|conform to|live up to|"
    r"meet|respect|satisfy) [^.!?]{0,30}\b(?:guidelines?|polic(?:y|ies)|principles|rules|standards|values)\b",
)
_GOES_AGAINST: Final = regex(
    r"\b(?:content|conversation|input|message|prompt|query|question|text|topic|what (?:was|you) asked)\b[^.!?]{0,20}?\b"
    r"(?:against|breach\w*|break(?:s|ing)?|broke|conflicts? with|contraven\w*|violat\w*)\b"
    r"(?:(?!access|billing|firewall|form|length|network|rate|retry|routing|schema|size|validation)[^.!?]){0,50}"
    r"\b(?:code of conduct|guidelines?|polic(?:y|ies)|principles|rules|standards)\b"
)
"""Of what was asked, whoever made the rules: a company's own are kept by its gateway."""
_IN_PERSON: Final = regex(
    r"\A\W*refusal:|\bi(?: am|['’]m)? (?:cannot|can['’]t|not able to|unable to|won['’]t|will not) (?:answer|assist|"
    r"comment|discuss|"
    r"help|talk)\b|(?:\bnot|n['’]t|\bcannot|\bunable|declin\w+|refus\w+)[^.!?]{0,30}\b(?:opine|take (?:a )?(?:position|"
    r"sides?|stance)|weigh in)\b|\b(?:classifier|filter|guard\w*|moderat\w+|safety) (?:said|says) no\b|"
    r"\b(?:assistant|llm|model) (?:has |have )?(?:declined|refused)\b(?! (?:the |a )?connection| to (?:load|start))",
)
"""As persons speak, and no machine."""
_BECAUSE: Final = regex(
    r"\b(?:as|because|since) (?:it|this|that|the (?:message|prompt|question|text)|you)\b[^.!?]{0,15}\b(?:about|asks?|"
    r"concerns?|mentions?|refers?|targets?|touches)\b"
)
"""For what is asked."""
_BY_RULES: Final = regex(
    r"\b(?:according to|as per|based on|because of|by|due to|following|given|in line with|owing to|per|under|with)"
    r" (?!data\b)(?:(?!data\b)[\w-]+['’]?s? ){0,2}(?:code of conduct|ethic\w*|guidelines?|polic(?:y|ies)|principles|"
    r"rules|safety|standards|values)\b",
)
_RULES_SAY_NO: Final = regex(
    r"\b(?:guidelines?|polic(?:y|ies)|principles|rules|standards) (?:\w+ )?(?:bars?|disallows?|exclude\w*|forbids?|"
    r"prevents?|prohibits?|rules? out|do(?:es)?(?: not|n['’]t) (?:allow|cover|permit))\b"
    r"[^.!?]{0,30}\b(?:answers?|content|conversations?|kind|messages?|prompts?|quer(?:y|ies)|questions?|requests?|sort|"
    r"texts?|topics?)\b",
)
_OF_SPEECH: Final = regex(rf"\b{_SAID}\b(?! (?:id|length|limit|size))")
_OF_A_DOOR: Final = regex(
    r"\b(?:access|accounts?|admin\w*|api|billing|countr(?:y|ies)|credit|export|fair[- ]use|firewall|iam|ip|"
    r"keys?|licen[cs]\w*|network|organi[sz]ation\w*|payments?|plan|privacy|projects?|proxy|quota|rates?|regions?|"
    r"retention|role|routing|sanctions?|subscription|team|tenant|tier|tokens?|vpc|workspace)\b",
)
"""Of whom it is who may ask, and not of what is asked."""
_ASKED: Final = {
    *("answer", "chat", "completion", "conversation", "generation", "input", "it", "message", "output", "prompt"),
    *("query", "question", "reply", "request", "response", "text", "topic"),
}
_SMALL: Final = {
    *("a", "an", "and", "as", "because", "been", "being", "by", "categories", "category", "detected", "due", "error"),
    *("for", "has", "have", "in", "is", "no", "not", "of", "on", "our", "provider", "reason", "reasons", "sorry"),
    *("the", "this", "to", "upstream", "us", "was", "we", "were", "your"),
}
_BANNED: Final = {
    *("block", "blocked", "censored", "declined", "disallowed", "filtered", "flagged", "intercepted", "moderated"),
    *("prohibited", "quarantined", "redacted", "refusal", "refused", "rejected", "rejection", "suppressed", "withheld"),
}
_JUDGED: Final = {
    *("compliance", "content", "ethics", "filter", "guard", "guardrail", "guardrails", "guidelines", "moderation"),
    *("policies", "policy", "risk", "riskcontrol", "rules", "safety", "sensitive", "unsafe"),
    *("abuse", "adult", "discrimination", "extremism", "harassment", "harm", "harmful", "hate", "hateful", "illegal"),
    *("insult", "insults", "nudity", "political", "politics", "profanity", "racism", "religion", "religious", "sexual"),
    *("slur", "slurs", "terrorism", "toxic", "toxicity", "violence", "violent", "weapons"),
}
_WORD: Final = regex(r"[^\W\d_]+")
_OF_NO_MEANING: Final = regex(r"\b(?:bad[ _]?request(?:[ _]?error)?|invalid_request(?:_error)?|none|null|true|false)\b")
"""Kinds of errors that say no more than a status does, and what programs write for nothing."""
_MOST_WORDS: Final = 9
_LEAST_JUDGED: Final = 2


def declines(message: str, codes: Sequence[str] = (), *, of_a_question: bool) -> bool:
    """Whether *message* declines what was asked; *of_a_question*: its status says no to one call, and to no caller.

    Where it is a word or two, its *codes* are words too.
    """
    bare = (message, " ".join((*codes, message)))
    return any(_is_bare(each, of_a_question=of_a_question) for each in bare) or any(
        map(_is_declined, sentences_of(message))
    )


def _is_bare(message: str, *, of_a_question: bool) -> bool:
    """Whether it is short and says nothing but that something was blocked, and what judged it or for what.

    “Blocked.” alone may be of who asks where the status is of one that may not.
    """
    words = _WORD.findall(_OF_NO_MEANING.sub(" ", folded(message)))
    if len(words) >= _LEAST_JUDGED and all(word in _JUDGED for word in words):
        return True
    if len(words) > _MOST_WORDS or not any(word in _BANNED for word in words):
        return False
    known = all(word in _BANNED or word in _JUDGED or word in _ASKED or word in _SMALL for word in words)
    return known and (of_a_question or any(word in _JUDGED for word in words))


def _is_declined(sentence: str) -> bool:
    if _GOES_AGAINST.search(sentence):
        return True
    if is_absent(sentence):
        return False
    if _OF_A_DOOR.search(sentence) or is_of_the_call(sentence):
        # “Billing advice” is asked for.
        said = _NOT_SAID.search(sentence)
        return said is not None and not is_of_the_call(sentence) and _OF_A_DOOR.search(sentence[said.start() :]) is None
    if (
        _NOT_SAID.search(sentence)
        or _RULES_SAY_NO.search(sentence)
        or _TOLD_NOT_TO.search(sentence)
        or (_IN_PERSON.search(sentence))
    ):
        return True
    return _WILL_NOT.search(sentence) is not None and (
        any(each.search(sentence) for each in (_BY_RULES, _OF_SPEECH, _BECAUSE))
    )
