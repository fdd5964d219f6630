"""Log-probabilities of an answer's letters, as OpenAI's chat completions give them, and Ollama like them."""

import re
from collections.abc import Mapping
from math import isfinite
from typing import Final

from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import LetterToken
from gpf_desktop.providers._normal_form import items, mapping, text

SWITCH: Final = "logprobs"
WIDTH: Final = "top_logprobs"
_BOTH: Final = frozenset({SWITCH, WIDTH})
# “ A”, “(A” and “A.” are tokens of the letter A too.
_ONE: Final = re.compile(r"\W*[^\W_]\W*")
_MOST: Final = 64
"""Letters of one answer that are kept; of a text with more of them nobody can tell which one is the answer."""


def asked(question: Question) -> dict[str, tuple[str, object]]:
    """The parameters that ask for them, as `_calls.parameters` takes them; unset where *question* wants none."""
    wanted = question.top_logprobs > 0
    return {SWITCH: (SWITCH, True if wanted else None), WIDTH: (WIDTH, question.top_logprobs if wanted else None)}


def refused(question: Question) -> frozenset[str]:
    """Both parameters where the model refuses one of them: neither is taken without the other."""
    return _BOTH if _BOTH & question.not_supported else frozenset()


def letters(entries: object) -> tuple[LetterToken, ...] | None:
    """The letters among *entries*, ``{token, logprob, top_logprobs}`` of every token in turn; None where there are no
    entries.

    Entries that are not what the API documents are passed over: they never break an answer.
    """
    if not items(entries):
        return None
    found = [
        LetterToken(at=at, token=text(entry.get("token")), top=_top(entry))
        for at, entry in enumerate(map(mapping, items(entries)))
        if _ONE.fullmatch(text(entry.get("token")))
    ]
    # Empty, and not None, which says that no provider told.
    return tuple(found) if len(found) <= _MOST else ()


def _top(entry: Mapping[str, object]) -> dict[str, float]:
    # The token itself need not be among the likeliest ones.
    every = [*map(mapping, items(entry.get("top_logprobs"))), entry]
    told = ((text(each.get("token")), each.get("logprob")) for each in every)
    return {
        token: float(value)
        for token, value in told
        if _ONE.fullmatch(token) and isinstance(value, int | float) and isfinite(value) and value <= 0
    }
