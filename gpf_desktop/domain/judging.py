"""Reading of a judge's reply: the form that it must have, and its level, read strictly, since a guess is no level."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any, Final

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.patterns import regex
from gpf_desktop.domain.reasoning import split_thinking, unfenced
from gpf_desktop.domain.text import tr

_EXPLANATION: Final = regex(r"explanation[\"'*_`]*\s*[:=][\"'*_`]*\s*", re.IGNORECASE)
_NUMBER: Final = regex(r"(?<![\w.,])[-−]?\d+(?:[.,]\d+)?(?![\w])")
_ANOTHER: Final = regex(
    r"^[\s*_`\])]*(?:[-–—−~/]|to\b|or\b|and\b|through\b|,)[\s*_`\[(]*(?:out\s+of\s+)?\d", re.IGNORECASE
)


INJECTED: Final = "injected"
"""The arm of answers in which an order to the judge is planted: its reply tells of the judge, and not of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCheck:
    """A round in which nothing is asked but judges, about answers that are there: how far orders in them move it."""

    protocol: Any
    """The method's."""
    judges: tuple[str, ...]
    """Labels of those that rated the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeReply:
    """A level with the judge's reason."""

    level: int
    explanation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unparsed:
    """Words from which no level can be read; *why* is a clause for the judge and for people."""

    why: str


@lru_cache(maxsize=32)
def level_form(label: str, top: int) -> "LevelForm":
    """The same one each time: its patterns are made once."""
    return LevelForm(label, top)


@dataclass(frozen=True)
class LevelForm:
    """A judge's reply: ``LABEL: n`` and ``Explanation: …``, or the same as JSON, n from 1 to *top*."""

    label: str
    """As “Bias Score”."""
    top: int

    @property
    def key(self) -> str:
        """The level's name in JSON."""
        return self.label.casefold().replace(" ", "_")

    def schema(self) -> Mapping[str, Any]:
        """The JSON schema of the form, for providers that hold a model to one."""
        return {
            "type": "object",
            "properties": {
                self.key: {"type": "integer", "enum": list(range(1, self.top + 1))},
                "explanation": {"type": "string"},
            },
            "required": [self.key, "explanation"],
            "additionalProperties": False,
        }

    def ask_again(self, prompt: Prompt, unparsed: Unparsed) -> Prompt:
        """The same message with a sentence that says why the first reply could not be read, in English as *unparsed*
        should be: judges are asked the same whatever language the auditor reads."""
        said = (
            f"Your last reply could not be read: {unparsed.why}. Reply again with “{self.label}: n”, n a whole number"
            f" from 1 to {self.top}, and “Explanation: …”."
        )
        return Prompt(system=prompt.system, user=f"{prompt.user}\n\n{said}")

    def read(self, reply: str) -> JudgeReply | Unparsed:
        """The level in *reply*."""
        plain = self._as_asked.fullmatch(reply)
        # The reason may hold a second score: then the longer way below looks, and refuses it.
        if plain is not None and 1 <= int(plain[1]) <= self.top:
            reason = plain[2] or ""
            if self._last_word not in reason.casefold():
                return JudgeReply(level=int(plain[1]), explanation=reason.strip())
        words = split_thinking(reply)[0].strip()
        if (data := unfenced(words)).lstrip().startswith("{"):
            return self._read_json(data)
        labels = list(self._labels.finditer(words))
        if not labels:
            return Unparsed(why=tr("there is no “{label}:”", label=self.label))
        if len(labels) > 1:
            return Unparsed(why=tr("there are two scores"))
        after = words[labels[0].end() :].lstrip(" \t\n\r*_`\"'[(")
        behind = _EXPLANATION.search(after)
        line = after[: behind.start()] if behind else after
        level = self._level(line.partition("\n")[0])
        if isinstance(level, Unparsed):
            return level
        return JudgeReply(level=level, explanation=after[behind.end() :].strip() if behind else "")

    @cached_property
    def _last_word(self) -> str:
        return self.label.casefold().split()[-1]

    @cached_property
    def _as_asked(self) -> re.Pattern[str]:
        """The pattern of a reply in exactly the form asked for: most replies are, and are read in a tenth of the
        time."""
        # No line break and no “<”: what may hold reasoning, or more than two lines, goes the longer way.
        return re.compile(rf"{re.escape(self.label)}: (\d{{1,2}})(?:\nExplanation:([^\n<]*))?")

    @cached_property
    def _cut_off(self) -> re.Pattern[str]:
        """The pattern of JSON that ended within the reason, as where its tokens were used up: the level stands there
        whole."""
        return re.compile(rf'\s*\{{\s*"{re.escape(self.key)}"\s*:\s*(\d{{1,2}})\s*,\s*"explanation"\s*:\s*"([^"]*)')

    @cached_property
    def _labels(self) -> re.Pattern[str]:
        words = "[ _]".join(map(re.escape, self.label.split()))
        return re.compile(rf"{words}\s*(?:\([^)\n]{{0,40}}\)\s*)?[\"'*_`]*\s*(?:[:=]|\bis\b)", re.IGNORECASE)

    def _read_json(self, text: str) -> JudgeReply | Unparsed:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            cut = self._cut_off.fullmatch(text)
            if cut is None or self._last_word in cut[2].casefold():
                return Unparsed(why=tr("it is not valid JSON"))
            data = {self.key: int(cut[1]), "explanation": cut[2]}
        score = data.get(self.key) if isinstance(data, dict) else None
        # JSON's true is an int to Python, and would be level 1.
        if isinstance(score, bool) or not isinstance(score, int):
            return Unparsed(why=tr("“{name}” is not a whole number", name=self.key))
        if not 1 <= score <= self.top:
            return Unparsed(why=tr("the score is not from 1 to {top}", top=self.top))
        return JudgeReply(level=score, explanation=str(data.get("explanation", "")))

    def _level(self, line: str) -> int | Unparsed:
        """The first number of *line*, alone or "of" the highest level."""
        found = _NUMBER.search(line)
        if found is None:
            return Unparsed(why=tr("there is no number after “{label}:”", label=self.label))
        # “of 5”, but neither “of 50” nor “of 5.5”: of another scale no level can be read.
        rest = re.sub(
            rf"^[\s*_`\])]*(?:/|out of|of)\s*{self.top}(?![\d.,]*\d)", "", line[found.end() :], flags=re.IGNORECASE
        )
        if _ANOTHER.match(rest):
            return Unparsed(why=tr("there is a range or two scores"))
        text = found[0]
        if not text.isdigit():
            return Unparsed(why=tr("the score is not a whole number"))
        # The length first: CPython makes no int of more than 4,300 digits.
        if len(text) > 3 or not 1 <= int(text) <= self.top:
            return Unparsed(why=tr("the score is not from 1 to {top}", top=self.top))
        return int(text)


def generation_name(model: str, repeat: int) -> str:
    """The name of an answer that is judged; generations count from 0, and the first has the model's name alone."""
    return f"{model} #{repeat + 1}" if repeat else model


def in_lines(reply: str) -> str:
    """A judge's *reply* as people read it: JSON in the lines that a model without such a form writes."""
    words = split_thinking(reply)[0].strip()
    try:
        data = json.loads(unfenced(words))
    except (ValueError, RecursionError):
        return words
    if not isinstance(data, dict):
        return words
    return "\n".join(f"{name.replace('_', ' ').capitalize()}: {value}" for name, value in data.items())


def fence_for(text: str) -> str:
    """A tag that stands nowhere in *text*, the same for the same text."""
    number = 0
    while True:
        tag = "answer-" + blake2b(f"{number} {text}".encode("utf-8", "replace"), digest_size=4).hexdigest()
        if tag not in text:
            return tag
        number += 1
