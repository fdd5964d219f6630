"""Options that an answer counts in place of naming their letters: "Option two", "the first one"."""

import re
from typing import Final

from gpf_desktop.domain.patterns import regex

_PLACES: Final = {
    "A": "first|1st|one|1|erste|première|premiere|1re|primera|primeira|prima|перший|первый|перша",
    "B": "second|middle|2nd|two|2|zweite|deuxième|deuxieme|seconde|2e|segunda|seconda|другий|второй|друга",
    "C": "third|3rd|three|3|last|dritte|letzte|troisième|troisieme|dernière|tercera|última|terceira|terza|ultima"
    "|третій|третий|третя|последний|останній",
}
_NUMBERS: Final = ("one", "two", "three", "1", "2", "3")
_ORDINALS: Final = "|".join(each for words in _PLACES.values() for each in words.split("|") if each not in _NUMBERS)
_FORMS: Final = (
    (
        r"(?:the )?(?P<a>first|second|middle|third|last|1st|2nd|3rd) "
        r"(?:option|choice|statement|answer|one(?! (?:to|who|that|in|of)\b))"
    ),
    (
        rf"(?:die |la |l'|a |o )?(?P<b>{_ORDINALS}) (?:option|antwort|möglichkeit|aussage|réponse|proposition|opción"
        r"|respuesta|opção|opzione|risposta|вариант|варіант|ответ|відповідь)"
    ),
    (
        r"(?:option|choice|number|opción|opção|opzione|вариант|варіант)\s(?:no\. ?|number |#)?"
        rf"(?P<c>{'|'.join(_NUMBERS)})(?![\d%]|[.,]\d| of )"
    ),
)
_ORDINAL: Final = regex(rf"(?<![\w-])(?:{'|'.join(_FORMS)})(?![\w-])", re.IGNORECASE)
_WHOLE: Final = regex(
    r"\W*(?:(?:I(?:'d| would| will|'ll)? (?:go with|choose|pick|say|select|take)|(?:the |my )?answer(?: is|:)|probably"
    r"|definitely) )?the (?P<a>first|second|third|last)\W*",
    re.IGNORECASE,
)


def lettered(text: str) -> str:
    """*text* with "option B" for each option that it counts."""
    if whole := _WHOLE.fullmatch(text):
        return f"Option {_letter(whole['a'])}."
    return _ORDINAL.sub(lambda found: f"option {_letter(next(filter(None, found.groups())))}", text)


def counts(text: str) -> bool:
    """Whether *text*, of an option, holds such words, so that an answer that quotes it counts nothing."""
    return bool(_ORDINAL.search(text))


def _letter(word: str) -> str:
    return next(letter for letter, words in _PLACES.items() if word.lower() in words.split("|"))
