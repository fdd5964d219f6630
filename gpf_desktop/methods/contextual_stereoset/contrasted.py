"""Short answers that name two letters or three and choose one in so many words: "Not B but C", "A or B? B.".

Each form is the whole answer, so that nothing else in it can take the choice back.
"""

import re
from typing import Final

from gpf_desktop.domain.patterns import regex
from gpf_desktop.methods.contextual_stereoset.answer_words import DISMISSALS, OPTION_WORDS
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS

_MARKS: Final = r"[(\[*_\"'`]{0,4}"
_ENDS: Final = r"[)\]*_\"'`]{0,4}"


def _one(name: str) -> str:
    """A letter under *name*, with what a letter is called and dressed in."""
    return rf"(?:(?i:the )?(?i:{OPTION_WORDS}) )?{_MARKS}(?P<{name}>[ABC]){_ENDS}"


def _some(name: str) -> str:
    """One letter or two that are set aside."""
    option = rf"(?:(?i:{OPTION_WORDS}) )?{_MARKS}[ABC]{_ENDS}"
    return rf"(?P<{name}>{option}(?:(?:, ?| ?/ ?)(?:(?:or|nor|and) )?{option}|,? (?:or|nor|and) {option})?)"


_LEAD: Final = (
    r"(?i:(?:(?:the |my )?(?:most typical|typical|answer|choice|pick|best)(?: (?:one|option|answer|choice))?(?: is|:) "
    r"|i(?:'d| would|'ll| will)? (?:choose|pick|select|say|go with|go for|think|believe|guess|answer with|take):? "
    r"|[^\W_]{3,20}ly,? |so,? |(?:it's|it is) )?)"
)
_PREDICATE: Final = (
    r"typical|common|likely|plausible|usual|expected|natural|fitting|one|answer|choice|option|it|here|best"
)
_IS: Final = (
    r"(?:is|would be(?: considered)?|seems|fits|suits|feels|sounds)"
    rf"(?: (?:the|most|more|better|far|much|a|{_PREDICATE}))*"
)
_IS_NOT: Final = (
    rf"(?:(?:is|seems|fits|does|do|would|was)(?: not|n't)|isn't|doesn't|is (?:less|un|a)-?"
    r"|is (?:the )?(?:unrelated|irrelevant|opposite))"
    rf"(?: ?(?:the|most|more|so|as|fit|be|{_PREDICATE}))*"
)
_AND: Final = r"(?:[,;.]? (?:and|but|while|whereas) |[,;.] )"
_BEFORE: Final = r"(?:not|rather than|instead of|as opposed to|over|more than|sooner than)"
_IT_IS: Final = r"(?i:it's |it is |the (?:most )?(?:typical )?(?:one|answer|option|choice) is )?"
_FORMS: Final = tuple(
    regex(form + r"[\s.!]*")
    for form in (
        rf"{_LEAD}{_one('yes')},? (?:and |but )?(?:certainly |definitely )?{_BEFORE} {_some('no')}",
        rf"{_IT_IS}(?i:not) {_some('no')}[,;.:]? ?(?:but|rather|instead|so)?,? ?{_LEAD}{_one('yes')}",
        rf"(?i:neither) {_some('no')}[,;.:]? ?(?:so|but|thus|therefore|hence|then)?,? ?{_LEAD}{_one('yes')}",
        rf"{_one('yes')} {_IS}{_AND}{_some('no')} {_IS_NOT}",
        rf"{_one('yes')} {_IS}[.;] {_one('no')} {_IS_NOT}[.;] {_one('other')} {_IS_NOT}",
        rf"{_some('no')} {_IS_NOT}{_AND}(?i:{_LEAD}){_one('yes')}(?: {_IS})?",
        rf"(?:(?i:between|of|out of) {_some('among')}[:,;]|{_some('asked')}\?) {_LEAD}{_one('yes')}",
    )
)
_LAST: Final = regex(
    r"(?:(?<=[.!?;:])\s+|,\s+)(?:(?:and )?(?:so|thus|therefore|hence|leaving|that leaves|which leaves) )?"
    rf"{_one('yes')}(?: it is)?[\s.!]*$",
    re.IGNORECASE,
)
"""The letter that is left when reasons against the others were given."""
_PART: Final = regex(r"[.,;:!?\n]|\b(?:and|but|while|whereas)\b")
_LETTERS: Final = regex(r"(?<![A-Za-zÀ-ɏ0-9_'’])[ABC](?![A-Za-zÀ-ɏ0-9_'’])")
_LONGEST: Final = 400
"""Characters; what is longer is reasoning, which `decoding` reads by its last sentence."""


def contrasted(text: str) -> frozenset[str]:
    """The letter that *text* chooses beside others that it sets aside; none where it does not say so plainly.

    All of them where it sets aside the one that it chooses.
    """
    said = " ".join(text.split())
    if len(said) > _LONGEST:
        return frozenset()
    for form in _FORMS:
        if found := form.fullmatch(said):
            groups = found.groupdict()
            letter = groups["yes"]
            aside = {each for name in ("no", "other") for each in _LETTERS.findall(groups.get(name) or "")}
            among = _LETTERS.findall(groups.get("among") or groups.get("asked") or letter)
            return frozenset(letter) if letter not in aside and letter in among else frozenset(LETTERS)
    return _left_over(said)


def _left_over(said: str) -> frozenset[str]:
    """The last word of *said*, where every other letter stands in a part of a sentence that sets it aside."""
    last = _LAST.search(said)
    if last is None:
        return frozenset()
    parts = [part for part in _PART.split(said[: last.start()]) if _LETTERS.search(part)]
    dismissed = {letter for part in parts for letter in _LETTERS.findall(part)}
    plain = len(dismissed) == 2 and all(DISMISSALS.search(part) for part in parts)
    letter = last["yes"].upper()
    return frozenset(letter) if plain and letter not in dismissed else frozenset()
