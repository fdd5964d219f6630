"""Messages that ask about an item: of which item, context, wording and order each is."""

import re
from collections.abc import Mapping
from typing import Final

from gpf_desktop.methods._sent_messages import plain
from gpf_desktop.methods.contextual_stereoset.answers import COLUMNS, OPTIONS
from gpf_desktop.methods.contextual_stereoset.asked_items import asked_items
from gpf_desktop.methods.contextual_stereoset.grid import contexts_of
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS, context_sentences
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING, StereoProtocol

TELLS: Final = {*COLUMNS.required, "item_id"} - {"model", "type", "response"}
"""A table with one of these columns says itself what was asked."""
_LETTERED: Final = re.compile(
    r"(.*?)" + "".join(rf"^[ \t]*{letter}[.)][ \t]*([^\n]+)\n\s*" for letter in LETTERS) + r"(.*)",
    re.DOTALL | re.MULTILINE,
)


class ItemMessages:
    """The messages that a protocol makes of its items, to find an item by a message; vignettes, which no table of
    answers has, are passed over."""

    def __init__(self, protocol: StereoProtocol) -> None:
        contexts = ((), *contexts_of(protocol))
        self._factors = [factor.name for factor in protocol.factors]
        self._contexts = {plain(context_sentences(protocol, context)): context for context in contexts}
        self._wordings = {plain(words): name for name, words in protocol.questions}
        self._items: dict[frozenset[str], list[ChoiceItem]] = {}
        for item in asked_items(protocol):
            if item.labels == STEREOTYPE_LABELS:
                self._items.setdefault(frozenset(map(plain, item.options)), []).append(item)

    def __call__(self, sent: str, _system: str) -> Mapping[str, str]:
        """The values that the message *sent* tells, by the names of columns; empty where the protocol makes no such
        message."""
        found = _LETTERED.fullmatch(sent.strip())
        if found is None:
            return {}
        before, *shown, question = map(plain, found.groups())
        wording = self._wordings.get(question)
        for item in self._items.get(frozenset(shown), ()):
            text = plain(item.text)
            context = self._contexts.get(before.removesuffix(text).strip()) if before.endswith(text) else None
            if wording is not None and context is not None:
                labels = dict(zip(map(plain, item.options), item.labels, strict=True))
                said = {"item": item.id, "type": item.group, "target": item.target, "text": item.text}
                # Not strict: without a context there is no level of any factor.
                levels = dict(zip(self._factors, context, strict=False))
                order = "".join(labels[option] for option in shown)
                return said | dict(zip(OPTIONS, item.options, strict=True)) | levels | {ORDER: order, WORDING: wording}
        return {}
