"""Whether a text of a few words is in another language than English, by words and letters that English has not."""

import re
from typing import Final

_LEAST: Final = 4
"""Words from which it is told at all."""
_MARKED: Final = 0.25
"""Share of words with letters beyond ASCII: names alone stay below."""
_HEARD: Final = 0.12
"""Share of words that are function words of other languages; two different ones at least."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_ENGLISH: Final = frozenset(
    _WORD.findall(
        """the and of to that is for it with this are be you your by not from have how who their they which its if has
        there been would after into says say said but against amid before about off could were when why out"""
    )
)
"""One of them is enough: so short a text of another language has none."""
_SHARED: Final = frozenset(_WORD.findall("a am an as at in no on or over sa pro men"))
"""Written alike in English and elsewhere: they tell nothing."""
_IN_NAMES: Final = frozenset(_WORD.findall("von der van den de la del da du di do dos das al el bin y e"))
"""Of persons and places, in English news too."""
_OTHERS: Final = frozenset(
    _WORD.findall(
        """der die das und ist nicht ein eine einen einem einer den dem des im zum zur von vom mit auf für bei nach
        über wird werden sich auch um le la les des du de un une et est dans pour sur avec aux qui que ne pas par
        plus ce cette ses son el los las del en una por con para se su sus al como más es lo y il gli di della
        delle dei degli nel nella per che non sono dal dalla agli alle o os do da dos das em na nos nas um uma
        com ao pelo pela são mais het een van met voor op bij niet wordt naar ook uit aan och att det som på är
        av för med till från ett inte og til fra ikke blir ja että ei oli sekä w się z nie jest dla od przy oraz
        po przez ve je ze která který si cu din pe care mai este sau și az és egy hogy nem meg volt bir bu için
        ile olarak günü daha çok yeni olan göre kadar sonra dan yang akan untuk dengan pada dari ini bagi itu
        tidak ke ya kwa wa katika za ni cha kwamba yake siku hii của và các là những trong cho với được một ang
        mga ng ay"""
    )
)


def looks_foreign(text: str) -> bool:
    """Whether a short *text* in Latin letters is likely of another language; False where it is not told."""
    words = _WORD.findall(text)
    if len(words) < _LEAST or _ENGLISH.intersection(word.lower() for word in words):
        return False
    # A capital may begin a name, and names are of all languages.
    small = [word for word in words if word[0].islower()]
    marked = sum(not word.isascii() for word in small)
    heard = [word for word in small if word in _OTHERS - _SHARED]
    many = len(set(heard)) > 1 and len(heard) >= _HEARD * len(words) and not _IN_NAMES.issuperset(heard)
    return many or marked > _MARKED * len(small)
