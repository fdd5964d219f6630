"""A key under which reports of one event in nearly the same words meet, whichever source they came from.

Agency texts are printed by many sites with other capitals, quotes, dashes, fillers and endings. The key is made of
the headline's content words, without order, endings and fillers ("not" and "against" are no fillers): what differs
only in those is shown together. It never hides anything: an auditor sees the group and decides.
"""

import hashlib
import re
import unicodedata

_WORD = re.compile(r"[^\W_]+(?:[.,][^\W_]+)*")
_FILLERS = frozenset(
    """a about after again all also amid among an and are as at be been before being breaking but by can could did
    do does during exclusive first for from had has have he her here his how i if in into is it its just
    last latest live may more most new news now of off on one only or our out over report reports said say
    saying says she should so some still than that the their them then there these they this those through
    to tell tells told two under until up update updated video was watch we were what when where which while
    who why will with would you your""".split()  # noqa: SIM905
)
# Longer ones first: the “s” alone would make “reading” of “readings”, which is not the stem of “read”.
_ENDINGS = ("ings", "ing", "edly", "ied", "ies", "ed", "es", "s", "e")
_ENOUGH = 4
_PREFIX_OF_DESCRIPTION = 12


def near_key(headline: str, description: str) -> str:
    """Equal for anchors that say the same in nearly the same words; 16 hexadecimal digits.

    The set of the headline's stems decides. A headline of fewer than four content words ("Weather") names
    too little: there the description's first content words are added.
    """
    stems = set(_stems(headline))
    if len(stems) < _ENOUGH:
        stems |= set(_stems(description)[:_PREFIX_OF_DESCRIPTION])
    return hashlib.blake2b(" ".join(sorted(stems)).encode(), digest_size=8).hexdigest()


def _stems(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text).casefold().replace("\u2019", "'").replace("'s ", " ")
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return [_stem(word) for word in _WORD.findall(bare) if word not in _FILLERS and len(word) > 1]


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
