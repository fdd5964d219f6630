"""Messages that were sent by hand, in a chat app or by another program: of which question of a protocol each is."""

from collections.abc import Mapping

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

TELLS = frozenset(
    {"article", "headline", "title", "identity", "persona", "group", "reader", "family", "dimension", "item"}
)
"""A table with one of these columns says itself what was asked."""
_HEADLINE, _DESCRIPTION = "\x00h\x00", "\x00d\x00"


class MessagePlaces:
    """The texts of every question of a protocol around its news, to find a question by a message."""

    def __init__(self, protocol: Protocol) -> None:
        asked = [
            Factors(
                condition=Condition.IDENTITY,
                dimension=dimension.name,
                identity=identity.label,
                family=family.name,
                paraphrase=paraphrase,
            )
            for family in protocol.families
            for paraphrase in range(len(family.templates))
            for dimension in protocol.dimensions
            for identity in dimension.identities
        ]
        asked += [
            Factors(
                condition=Condition.IDENTITY_FREE,
                dimension="",
                identity="",
                family=family.name,
                paraphrase=paraphrase,
            )
            for family in protocol.families
            for paraphrase in range(len(family.identity_free))
        ]
        self._found: list[tuple[list[str], Factors]] = []
        for factors in asked:
            for description in (_DESCRIPTION, ""):
                made = compose(protocol, factors, Anchor(headline=_HEADLINE, description=description)).user
                # News that stands there twice, or its description first, is not taken apart again.
                if made.count(_HEADLINE) == 1 and made.count(_DESCRIPTION) <= 1:
                    parts = [part for half in made.split(_HEADLINE) for part in half.split(_DESCRIPTION)]
                    if made.find(_DESCRIPTION) == -1 or made.find(_DESCRIPTION) > made.find(_HEADLINE):
                        self._found.append((parts, factors))

    def __call__(self, sent: str, _system: str) -> Mapping[str, str]:
        """The values that the message *sent* tells, by the names of columns; empty where the protocol makes no such
        message."""
        sent = sent.replace("\r\n", "\n").strip()
        for parts, factors in self._found:
            news = _between(sent, parts)
            if news is not None:
                told = {
                    "headline": news[0],
                    "description": news[1],
                    "identity": factors.identity,
                    "dimension": factors.dimension,
                    "family": factors.family,
                    "condition": str(factors.condition),
                    "paraphrase": str(factors.paraphrase),
                }
                return {name: text for name, text in told.items() if text}
        return {}


def _between(sent: str, parts: list[str]) -> tuple[str, str] | None:
    """(headline, description) that stand in *sent* between the fixed *parts* of a message; None: it is another."""
    before, *middle, after = parts
    if not sent.startswith(before) or not sent.endswith(after) or len(sent) <= len(before) + len(after):
        return None
    news = sent[len(before) : len(sent) - len(after)]
    if not middle:
        # Without a description the headline is one line.
        return None if "\n" in news.strip() else (news.strip(), "")
    headline, found, description = news.partition(middle[0])
    return (headline.strip(), description.strip()) if found and headline.strip() and description.strip() else None
