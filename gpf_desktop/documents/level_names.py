"""What names say that stand above answers, as keys, as names of sheets or columns: models, questions, or repeats."""

import re
from collections.abc import Collection
from typing import Final

MODEL: Final = "model"
QUESTION: Final = "question"
REPEAT: Final = "repeat"
RESPONSE: Final = "response"
NAME: Final = "name"
"""The column of keys that do not say what they are."""
NUMBER: Final = "number"
"""That of the place in a list, where no key is a question."""
FILE: Final = "file"
"""That of which of several files, where none of its columns says who answered."""
UPPER: Final = "upper head"
"""The column of names that stand over others, and do not say what they are."""

_MODEL: Final = re.compile(
    r"(?:[\w.-]+[/:]\s?)?(?:"
    r"(?:(?:chat)?gpt|claude|gemini|gemma|(?:\w+-)?llama|vicuna|alpaca|m(?:in|ag)?istral|(?:mix|pix)tral|(?:code|dev)stral"
    r"|qwen|qwq|deepseek|grok|cohere|jamba|(?:chat)?glm|kimi|ernie|hunyuan|minimax|olmo|nemotron|smollm|tinyllama|exaone"
    r"|gigachat|yandexgpt|teuken|internlm|baichuan|doubao|dbrx|command[\s_-]?r|o[134](?=[-_ ]|$))(?![^\W\d_])"
    # What is a word too has a number behind it.
    r"|(?:phi|nova|titan|yi|aya|sonar|falcon|granite|bloomz?|solar|palm|tulu|arctic)[\s_-]?(?:\w+[\s_-])?\d"
    r")[\w\s.:/@()+-]*"
    r"|model[\s_-]?[a-z0-9]{1,2}",
    re.IGNORECASE,
)
_OF_ANSWERS: Final = re.compile(
    r"(?:score|rating|level|token|cost|latency|time|seconds|embedding|vector|judge|label|explanation|reason|correct"
    r"|error|finish|length|words|id|version|response|answer|output|sentiment|regard|bias|toxicity)s?",
    re.IGNORECASE,
)
"""What a column holds beside a model's answers, as a word of its name."""
_REPEAT: Final = re.compile(
    r"(?:gen(?:eration)?|run|repeat|repetition|rep|sample|round|trial|try|attempt|epoch|iteration|seed|answer|response|output"
    r"|completion|antwort|runde|durchgang|durchlauf|lauf)?[\s_.#-]*\d{1,3}",
    re.IGNORECASE,
)
_WORDS: Final = 4
_MARKS: Final = ("?", "？", "؟")
_LONGEST: Final = 80


def is_model(name: str) -> bool:
    """Whether *name* is that of a model and of nothing beside its answers; ``gpt-4o score`` is no model."""
    name = name.strip()
    if len(name) > _LONGEST or not _MODEL.fullmatch(name):
        return False
    return not any(map(_OF_ANSWERS.fullmatch, re.split(r"[\s_.-]+", name)[1:]))


def level_of(names: Collection[str]) -> str:
    """What *names* that stand side by side are: `MODEL`, `QUESTION`, `REPEAT`; empty where they do not say."""
    named = [name.strip() for name in names if name.strip()]
    if not named:
        return ""
    if 2 * sum(map(is_model, named)) >= len(named):
        return MODEL
    if all(map(_REPEAT.fullmatch, named)):
        return REPEAT
    asked = sum(name.endswith(_MARKS) or len(name.split()) >= _WORDS for name in named)
    return QUESTION if 2 * asked > len(named) else ""


def levels_of(sets: Collection[Collection[str]], unknown: str, taken: Collection[str] = ()) -> list[str]:
    """The name of a column for each of *sets* of names, which lie above one another; *unknown* and a number for those
    that do not say what they are, or that are what another is or what is *taken*."""
    found: list[str] = []
    for names in sets:
        level = level_of(names)
        found.append("" if level in found or level in taken else level)
    several = found.count("") > 1
    number = 0
    for place, level in enumerate(found):
        if not level:
            number += 1
            found[place] = f"{unknown} {number}" if several else unknown
    return found
