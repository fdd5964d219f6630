"""Takes the names of concepts out of texts, so that a feature reads what is said of a concept and not its name.

A name is a concept, a keyword, what a branch puts for it, or another word for it (`other_names.yaml`). Each is found in
any case and spelling (typographic signs, accents composed or not, spaces and hyphens), with the endings of plurals,
adjectives and inhabitants, and `MASK` stands in its place: one word for a name of one word or of many, so that texts
that differ by the concept alone become one text. "The" and "an" before a name go with it.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import yaml

from gpf_desktop.domain.resources import resources
from gpf_desktop.methods.saged.benchmark import BenchmarkRow

MASK: Final = "Xyz"
"""Written as a name is: in capitals VADER would read it louder, and a lexicon has none such."""
_SHORT: Final = 3
"""Words up to this length take no endings, and in capitals are not looked for in small letters: US is not us."""
_ENDS: Final = (
    r"(?:e?s|e?n|ese|(?:i?s)?ch(?:e[nmrs]?)?|ais(?:e|es)?|ain(?:e|es|s)?|ien(?:ne|nes|s)?|an[oa]s?|ens[ei]s?)?"
)
"""Of plurals and adjectives in the languages of Western Europe, in small letters too."""
_ENDS_OF_NAMES: Final = r"(?:i?ans?|ish|er(?:s|in|innen)?|ic|i|is|ites?|m[ae]n|wom[ae]n)?"
"""Only behind a capital: Malian is of Mali, and malicious is not."""
_ENDS_OF_STEM: Final = r"(?:i?ans?|ish|ese|ic|i[sc]?ch(?:e[nmrs]?)?|ien(?:ne|nes|s)?|an[oa]s?|[yi]?e?s)"
_APOSTROPHES: Final = r"['’‘ʼ`´＇]"
_HYPHENS: Final = r"[-‐‑‒–—―]"
_BETWEEN: Final = rf"(?:[\s*_\u00ad\u200b-\u200d\u2060]|{_HYPHENS})+"
"""The words of a name: blanks of all kinds, a line's end, hyphens, marks of emphasis."""
_BEFORE: Final = r"(?<![^\W_])"
_BEHIND: Final = r"(?![^\W_])"
_MARKS: Final = r"[\u0300-\u036f]*"
_ARTICLE: Final = rf"(?:{_BEFORE}(?:[Tt]he|THE)\s+|{_BEFORE}([Aa])n\s+)?"
_WORD: Final = re.compile(r"[^\W_]+(?:[’'-][^\W_]+)*")
_FUNCTION_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        """a an the and or of in on at to for by with from as is are was were has have had be been its it they their
        de la le les des du der die das und et el los las y""",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptNames:
    """The names of a benchmark's concepts."""

    whole: tuple[str, ...] = ()
    """Looked for in any case, with endings."""
    words: tuple[str, ...] = ()
    """Words that branches put for each other, looked for as they are written: New of New Delhi, and not new."""

    def __bool__(self) -> bool:
        return bool(self.whole or self.words)

    @property
    def data(self) -> dict[str, list[str]]:
        """The names as an item keeps them."""
        return {"whole": [*self.whole], "words": [*self.words]}

    @classmethod
    def read(cls, data: Any) -> "ConceptNames":
        return cls(whole=tuple(map(str, data["whole"])), words=tuple(map(str, data["words"])))


def names_of(rows: Iterable[BenchmarkRow]) -> ConceptNames:
    """Every name of the concepts that *rows* are about."""
    rows = tuple(rows)
    roots: dict[str, list[BenchmarkRow]] = {}
    for row in rows:
        roots.setdefault(row.root, []).append(row)
    words = {
        word
        for of_root in roots.values()
        for word in _put_for_each_other(
            {row.concept: f"{row.prompt}\n{row.baseline}" for row in of_root}, any(row.branch for row in of_root)
        )
    }
    return _names((name for row in rows for name in (row.concept, row.keyword) if name), words)


def names_in(baselines: Mapping[str, str]) -> ConceptNames:
    """The names, like those of `names_of`, by the *baselines* of one root alone, by concept."""
    return _names(baselines, _put_for_each_other(baselines, branched=False))


def masked(texts: Sequence[str], names: ConceptNames) -> list[str]:
    """*texts* with all of *names* masked."""
    if not names:
        return list(texts)
    found = _pattern(names)
    return [found.sub(_mask, text) for text in texts]


def _mask(match: re.Match[str]) -> str:
    return f"{match[1]} {MASK}" if match[1] else MASK


def _names(whole: Iterable[str], words: Iterable[str]) -> ConceptNames:
    others = _other_names()
    plain = [" ".join(name.split()) for name in dict.fromkeys(whole)]
    every = {word for name in plain if name for word in (name, *others.get(name.casefold(), ()))}
    # Sorted: one benchmark has one pattern, in whatever order its rows stand.
    return ConceptNames(whole=tuple(sorted(every)), words=tuple(sorted({*words} - every)))


@lru_cache(maxsize=1)
def _other_names() -> Mapping[str, tuple[str, ...]]:
    data = yaml.safe_load((resources() / "methods" / "saged" / "other_names.yaml").read_text(encoding="utf-8"))
    return {str(name).casefold(): tuple(map(str, words)) for name, words in data.items()}


def alike_but_for_names(texts: Mapping[str, str]) -> bool:
    """Whether *texts*, by concept, are one sentence with one concept put for another: half their words are shared."""
    folded = [set(map(str.casefold, _WORD.findall(text))) for text in texts.values() if text.strip()]
    if len(folded) < 2:
        return False
    shared = set.intersection(*folded)
    return all(2 * len(shared) >= len(words) for words in folded)


def _put_for_each_other(texts: Mapping[str, str], branched: bool) -> set[str]:
    """Words that one concept's text has and no other's, where texts are the same but for these."""
    if not alike_but_for_names(texts):
        return set()
    said = {concept: set(_WORD.findall(text)) for concept, text in texts.items() if text.strip()}
    folded = {concept: {word.casefold() for word in words} for concept, words in said.items()}
    found = set()
    for concept, words in said.items():
        elsewhere = set().union(*(theirs for other, theirs in folded.items() if other != concept))
        found |= {word for word in words if word.casefold() not in elsewhere and _is_name(word, branched)}
    return found


def _is_name(word: str, branched: bool) -> bool:
    if word.casefold() in _FUNCTION_WORDS or word.isdigit():
        return False
    capital = word[0].isupper()
    # Scripts without capitals have none that could tell a name.
    return (capital and len(word) > 1) or (len(word) > 2 and (branched or not word[0].islower()))


@lru_cache(maxsize=64)
def _pattern(names: ConceptNames) -> re.Pattern[str]:
    whole = {unicodedata.normalize("NFC", each) for each in names.whole}
    words = {unicodedata.normalize("NFC", each) for each in names.words}
    bounded: dict[str, list[str]] = {}
    unbounded: list[str] = []
    # The longest first: an alternation takes the first that fits.
    for name in sorted(whole | words, key=lambda each: (-len(each), each)):
        if _has_no_blanks(name[0]):
            unbounded.append(_letters(name, any_case=False))
            continue
        for first, rest in _forms(name) if name in whole else (_as_written(name),):
            bounded.setdefault(first, []).append(rest)
    # By first letter: at most places of a text one look at a letter then tells that no name begins there.
    each = "|".join(f"{first}(?:{'|'.join(dict.fromkeys(rests))})" for first, rests in bounded.items())
    ways = ([f"{_ARTICLE}{_BEFORE}(?:{each})"] if bounded else []) + unbounded
    return re.compile("|".join(ways) if bounded else f"()(?:{'|'.join(unbounded)})")


def _forms(name: str) -> Iterator[tuple[str, str]]:
    """(first letter, all that follows) of the ways in which *name* is written."""
    first, script = name[0], unicodedata.name(name[0], "").partition(" ")[0]
    if script == "HANGUL":
        yield _letters(first), _letters(name[1:])
        return
    if script in ("ARABIC", "HEBREW"):
        # Particles are written in one with what they belong to.
        yield r"(?:[وفبكل]{0,2}(?:ال)?|[והבלכמש]{0,2})", rf"{_letters(name)}\w{{0,3}}{_BEHIND}"
        return
    if script != "LATIN":
        yield from _in_another_script(name)
        return
    short = len(name) <= _SHORT
    if short and name.isupper():
        spelt = r"\.?".join(map(re.escape, name[1:]))
        yield re.escape(first), rf"(?:{re.escape(name[1:])}|\.{spelt}\.?){_BEHIND}"
        return
    rest = _letters(name[1:])
    if short:
        yield _letters(first), f"{rest}{_BEHIND}"
        return
    yield _letters(first), f"{rest}{_ENDS}{_BEHIND}"
    capital = _letters(first.upper(), any_case=False)
    yield capital, f"{rest}(?i:{_ENDS_OF_NAMES}){_BEHIND}"
    if len(name) > _SHORT + 1 and name[-1] in "aeiouy" and " " not in name:
        yield capital, f"{_letters(name[1:-1])}(?i:{_ENDS_OF_STEM}){_BEHIND}"
    yield from map(_as_written, _parts(name))


def _parts(name: str) -> Iterator[str]:
    """Words of a name of several that stand for it alone: the States."""
    words = _WORD.findall(name)
    if len(words) > 1:
        yield from (word for word in words if len(word) > _SHORT and word[0].isupper())


def _as_written(word: str) -> tuple[str, str]:
    """The pattern for *word* in the case that it has, or in capitals throughout."""
    rest = f"(?:{_letters(word[1:], any_case=False)}|{_letters(word[1:].upper(), any_case=False)})"
    return _letters(word[0], any_case=not word[0].isupper()), f"{rest}{_BEHIND}"


def _in_another_script(name: str) -> Iterator[tuple[str, str]]:
    """Endings of any kind, a vowel of the name's own given up for them."""
    stem = name[:-1] if len(name) > _SHORT + 1 and " " not in name else name
    endings = r"[\w\u0900-\u0dff\u0300-\u036f]{0,5}" if len(name) > _SHORT else ""
    yield _letters(name[0]), f"{_letters(stem[1:])}{endings}{_BEHIND}"


def _letters(text: str, *, any_case: bool = True) -> str:
    return "".join(_sign(sign, any_case) for sign in text)


def _sign(sign: str, any_case: bool) -> str:
    if sign.isspace() or sign == "-":
        return _BETWEEN
    if sign in "'’‘ʼ":
        return _APOSTROPHES
    cases = {sign, sign.lower(), sign.upper()} if any_case else {sign}
    cases = {case for case in cases if len(case) == 1}
    letters = "".join(sorted(cases))
    plain = unicodedata.normalize("NFD", sign)
    one = f"[{re.escape(letters)}]" if len(cases) > 1 else re.escape(sign)
    if len(plain) == 1:
        return one
    # Composed, in parts, or without its accent.
    bases = "".join(sorted({unicodedata.normalize("NFD", case)[0] for case in cases}))
    return rf"(?:{one}|[{re.escape(bases)}]{_MARKS})"


def _has_no_blanks(sign: str) -> bool:
    """Whether words of its script stand without blanks between them."""
    script = unicodedata.name(sign, "").partition(" ")[0]
    return script in ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
