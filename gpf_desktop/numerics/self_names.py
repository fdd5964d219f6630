"""Covers the places where an answer names who wrote it, before a judge sees it.

A name alone stays: an answer about a company that also makes models must keep its subject. Only what a model says of
itself is covered: "I am …", "as …, I", "… here", "made by …".
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

import yaml

from gpf_desktop.domain.resources import resources

MODEL: Final = "[this model]"
MAKER: Final = "[its maker]"


def masked(answer: str, models: Sequence[str] = ()) -> str:
    """*answer* with self-namings covered; *models* are the study's own, beside the names that are known."""
    itself, maker = _patterns(tuple(sorted(models)))
    covered = itself.sub(lambda match: _covered(match, MODEL), answer)
    return maker.sub(lambda match: _covered(match, MAKER), covered)


def _covered(match: re.Match[str], word: str) -> str:
    name = match.lastgroup or ""
    begin, end = match.start(name) - match.start(), match.end(name) - match.start()
    return match[0][:begin] + word + match[0][end:]


@lru_cache(maxsize=8)
def _patterns(models: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    known = yaml.safe_load((resources() / "judges" / "self_names.yaml").read_text(encoding="utf-8"))
    # With its host in front and without: "host/river-9b" calls itself river-9b.
    own = [part for model in models for part in (model, model.rpartition("/")[2])]
    name = (
        rf"(?:{_any(known['models'] + own)})(?:[-\s]?(?:v?\d[\w.]*|[A-Z]\d[\w.]*|Pro|Flash|Opus|Sonnet|Haiku|Turbo))*"
    )
    maker = rf"(?:{_any(known['makers'])})"
    # Only what leads in is read in any case: many names are words as well ("Gemini", "Command", "Nova").
    itself = (
        rf"(?i:\b(?:i am|i'm|i’m|my name is|call me|this is|i go by)\s+(?:called\s+|named\s+)?)(?P<a>{name})\b"
        rf"|(?i:\bas\s+)(?P<b>{name})(?=,|\s+I\b)"
        rf"|(?m:^)(?P<c>{name})(?=\s+here\b|:\s)"
        rf"|(?i:\b(?:assistant|model|ai)\s*,?\s+(?:called|named)\s+)(?P<d>{name})\b"
    )
    # Not beyond the end of a sentence: a maker that the next one speaks of is its subject.
    made = (
        rf"(?i:\b(?:i|me|assistant|model|ai|{re.escape(MODEL)})\b[^.!?\n]{{0,60}}?"
        rf"\b(?:made|built|created|developed|trained|designed|provided)\s+by\s+)(?P<a>{maker})\b"
        rf"|(?i:\bmy\s+(?:creators?|makers?|developers?)(?:\s+at|,|\s+is|\s+are)?\s+)(?P<b>{maker})\b"
        rf"|(?P<c>{maker})(?='s\s+(?:ai\s+|language\s+)*(?:assistant|model)\b)"
    )
    return re.compile(itself), re.compile(made)


def _any(names: Iterable[str]) -> str:
    # The longest first: an alternation takes the first that fits, and "Mistral" would leave the " AI" of its maker.
    return "|".join(re.escape(name) for name in sorted(set(names), key=len, reverse=True))
