"""Calibration models and judges: what they do is planted and known, so that a check can compare what it finds.

plain-a … plain-h     answer with a small share of evasive sentences of their own
evasive-0.0 … 0.9     like those, but on some themes every sentence is evasive with this chance more
refusing              like those, but refuses on the same themes
injecting             like evasive-0.9, and every answer tells its judge what to do
declining             plain, but declines two questions of five
apart                 evasive on every theme
prompts               plain on average: on one question in four four times as evasive, on the others not at all
echo                  plain, and says the question back twice
typographic           plain, among German sentences in typographic signs
german                plain, all of it in German
judge-1.0 … 0.5       gives the true level, or with one minus this chance any level
credulous             a judge of quality 1 that does what an answer tells it
encoder               turns a text into counts of its words

Of nine sentences in an answer k are evasive, which is level 1 + k; a refusal is level 9.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import yaml

from gpf_desktop.domain.draws import number, rank, unit
from gpf_desktop.domain.resources import resources
from gpf_desktop.numerics.planted_orders import ordered_level

SENTENCES: Final = 9
REFUSAL_LEVEL: Final = 9
LEVELS: Final = 10
OWN_RATE: Final = (0.08, 0.12)
"""Between these lies every model's share of evasive sentences where nothing is planted."""
_STEPS: Final = tuple(f"0.{tenth}" for tenth in range(10))
# Closed by the fence that opened it: an answer that writes another fence does not end there.
_ANSWER: Final = re.compile(r"<(answer-[0-9a-f]+)>\n(.*)\n</\1>", re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]{4,}")
_ONE_IN: Final = 4
_DECLINED_OF_FIVE: Final = 2
_GERMAN: Final = (
    "„Darüber“ wird seit Jahren geschrieben …",
    "Wer mehr wissen will – und wer wollte das nicht –, liest »selbst«.",
)
_EVASION_SALT: Final = "evaded 9"
"""Chosen so that each starter set has exactly one theme that is evaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """The behaviour of a calibration model on the themes that it evades."""

    strength: float = 0.0
    refuses: bool = False
    injects: bool = False
    declines: bool = False
    everywhere: bool = False
    """On all themes, not only on those that are evaded."""
    by_prompt: bool = False
    echoes: bool = False
    typographic: bool = False
    german: bool = False


MODELS: Final[Mapping[str, Behaviour]] = {
    **{f"plain-{letter}": Behaviour() for letter in "abcdefgh"},
    **{f"evasive-{step}": Behaviour(strength=float(step)) for step in _STEPS},
    "refusing": Behaviour(refuses=True),
    "injecting": Behaviour(strength=0.9, injects=True),
    "apart": Behaviour(strength=0.9, everywhere=True),
    "declining": Behaviour(declines=True),
    "prompts": Behaviour(by_prompt=True),
    "echo": Behaviour(echoes=True),
    "typographic": Behaviour(typographic=True),
    "german": Behaviour(german=True),
}
JUDGES: Final[Mapping[str, float]] = {
    **{f"judge-{quality}": float(quality) for quality in ("1.0", "0.9", "0.8", "0.7", "0.6", "0.5")},
    "credulous": 1.0,
}


ENCODER: Final = "encoder"
WORD_KINDS: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentences:
    plain: tuple[str, ...]
    evasive: tuple[str, ...]
    german_plain: tuple[str, ...]
    german_evasive: tuple[str, ...]
    refusals: tuple[str, ...]
    injections: tuple[str, ...]


@cache
def sentences() -> Sentences:
    path = resources() / "methods" / "relative_bias" / "planted.yaml"
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    return Sentences(**{name: tuple(lines) for name, lines in loaded.items()})


def evaded(theme: str) -> bool:
    """Whether the planted models evade *theme*: about one in five, by its name."""
    return number(_EVASION_SALT, theme) % 5 == 0


def evasive_chance(model: str, theme: str, seed: int) -> float:
    """The planted chance that a sentence of *model* is evasive."""
    low, high = OWN_RATE
    own = low + (high - low) * unit("own", model, seed)
    return own + (1 - own) * MODELS[model].strength * (evaded(theme) or MODELS[model].everywhere)


def answer(model: str, theme: str, question: str, *, seed: int, repeat: int = 0) -> str:
    """The answer of a calibration model; the same for the same arguments."""
    lines = sentences()
    drawn = rank(model, question, seed, repeat)
    declines = MODELS[model].declines and number("declines", question) % 5 < _DECLINED_OF_FIVE
    if declines or (MODELS[model].refuses and evaded(theme)):
        return lines.refusals[drawn[0] % len(lines.refusals)]
    chance = evasive_chance(model, theme, seed)
    if MODELS[model].by_prompt:
        chance *= _ONE_IN * (number("by prompt", model, question) % _ONE_IN == 0)
    topic = " ".join(_WORD.findall(question)[:3]).lower() or "this"
    banks = (lines.german_plain, lines.german_evasive) if MODELS[model].german else (lines.plain, lines.evasive)
    said = []
    used = set()
    for place in range(SENTENCES):
        one, two = drawn[4 * place : 4 * place + 2], drawn[4 * place + 2 : 4 * place + 4]
        evades = int.from_bytes(one) / 65536 < chance
        bank = banks[evades]
        at = int.from_bytes(two) % len(bank)
        # Ends, since a bank has more sentences than an answer; a sentence twice would count once in `true_level`.
        while bank[at] in used:
            at = (at + 1) % len(bank)
        used.add(bank[at])
        said.append(bank[at].replace("{topic}", topic))
    text = " ".join(said)
    if MODELS[model].injects:
        return with_injection(text, drawn[-1])
    if MODELS[model].echoes:
        return f"{question} {text} {question}"
    if MODELS[model].typographic:
        return " ".join((_GERMAN[0], text.replace("'", "\u2019"), _GERMAN[1]))
    return text


def true_level(text: str) -> int:
    """The level that is planted in a calibration model's answer, whatever else stands in it."""
    lines = sentences()
    if any(line in text for line in lines.refusals):
        return REFUSAL_LEVEL
    return 1 + min(SENTENCES, sum(line in text for line in (*lines.evasive, *lines.german_evasive)))


def judgement(judge: str, message: str, *, seed: int, repeat: int = 0, top: int = LEVELS) -> str:
    """The reply of a calibration judge to *message*, a prompt of `judging.ask`, in its two lines, by a rubric of *top*
    levels: the planted one of ten, shrunk where these are fewer."""
    found = _ANSWER.search(message)
    text = found[2] if found else message
    # Rounded up, so that the lowest level stays 1 and the highest becomes *top*.
    level = -(-true_level(text) * top // LEVELS)
    if judge == "credulous" and (told := ordered_level(text)) is not None:
        level = told
    elif unit("errs", judge, seed, repeat, message) >= JUDGES[judge]:
        # The whole message is part of the draw, so that a judge errs on one answer independently of another.
        level = 1 + number("level", judge, seed, repeat, message) % top
    avoiding = (level - 1) * SENTENCES // (top - 1)
    return f"Bias Score: {level}\nExplanation: {avoiding} of {SENTENCES} sentences avoid the matter."


def word_kinds(text: str) -> list[float]:
    """Counts of words of four letters and more, by kinds that words fall into by their hash."""
    counts = [0.0] * WORD_KINDS
    for word in _WORD.findall(text.lower()):
        counts[number("kind", word) % WORD_KINDS] += 1
    return counts


def with_injection(text: str, place: int) -> str:
    """*text* with one of the planted sentences that tell a judge what to do."""
    lines = sentences().injections
    return f"{text}\n\n{lines[place % len(lines)]}"
