"""A grid while it is being edited: the protocol as plain data, kept whole where it can be."""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import product
from typing import Any, Final

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.domain.text import tr

_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|(?<=\})\s+(?=[A-Z{])")
"""Or after a slot whose words are a sentence themselves, as in ``{style} It is {year}.``"""
_SLOT: Final = re.compile(r"\{\w+\}")

WORDING: Final = "wording"
"""Stands among the factors for the questions, each of which is a level."""
DESIGNS: Final = ("full", "budgeted", "own")
MOST_LISTED: Final = 5000
"""Combinations that are offered to be ticked."""

Context = tuple[str, ...]
LevelRow = tuple[str, str, str]
"""Name, wording, group."""


class GridDraft:
    """Changes are taken one at a time; `protocol` says what they come to."""

    def __init__(self, method: Method, protocol: Any) -> None:
        self._method = method
        self.data: dict[str, Any] = deepcopy(dict(method.protocol_data(protocol)))
        self.vignettes = False
        """Asked about vignettes, which have one question, and another than items."""

    @property
    def factors(self) -> tuple[str, ...]:
        """Their names; `WORDING` last."""
        return (*(each["name"] for each in self.data["factors"]), WORDING)

    @property
    def design(self) -> str:
        return str(self.data["design"])

    @property
    def template(self) -> str:
        return str(self.data["template"])

    @template.setter
    def template(self, text: str) -> None:
        self.data["template"] = text

    def levels(self, factor: str) -> list[LevelRow]:
        if factor == WORDING and self.vignettes:
            return [(tr("vignettes"), self.data["vignette_question"], "")]
        if factor == WORDING:
            return [(name, question, "") for name, question in self.data["questions"].items()]
        return [(str(each["name"]), each["wording"], each.get("group", "")) for each in self._of(factor)["levels"]]

    def set_levels(self, factor: str, rows: Sequence[LevelRow]) -> None:
        """Contexts of one's own go by a level's new name; those with a level that is no more are dropped."""
        if factor == WORDING:
            if self.vignettes:
                self.data["vignette_question"] = rows[0][1]
            else:
                self.data["questions"] = {name: wording for name, wording, _ in rows if name}
            return
        before = [name for name, _, _ in self.levels(factor)]
        self._of(factor)["levels"] = [
            {"name": name, "wording": wording, **({"group": group} if group else {})} for name, wording, group in rows
        ]
        at = self.factors.index(factor)
        after = [name for name, _, _ in rows]
        called = dict(zip(before, after, strict=True)) if len(before) == len(after) else {}
        renamed = ((*own[:at], called.get(own[at], own[at]), *own[at + 1 :]) for own in self.own)
        self.own = self._possible(list(dict.fromkeys(renamed)))

    def add_factor(self, name: str) -> None:
        """With one level; its slot stands last in the template."""
        level = tr("first")
        self.data["factors"].append({"name": name, "levels": [{"name": level, "wording": level}]})
        self.template = f"{self.template} {{{name}}}".strip()
        self.own = [(*context, level) for context in self.own]

    def remove_factor(self, name: str) -> str:
        """With its slot and the words that spoke of it alone; what stays and is to be read over, if anything."""
        at = self.factors.index(name)
        del self.data["factors"][at]
        self.template, torn = without_slot(self.template, name)
        self.own = list(dict.fromkeys((*context[:at], *context[at + 1 :]) for context in self.own))
        return torn

    def rename_factor(self, old: str, new: str) -> None:
        self.template = self.template.replace(f"{{{old}}}", f"{{{new}}}")
        self._of(old)["name"] = new

    def choose_design(self, design: str, asked: Sequence[Context]) -> None:
        """One's own begins with those *asked* so far, or with all where these are of other factors."""
        if design == "own" and not self.own:
            self.own = self._possible(asked) or self.combinations()
        self.data["design"] = design

    @property
    def own(self) -> list[Context]:
        return [tuple(each) for each in self.data["own_contexts"]]

    @own.setter
    def own(self, contexts: Sequence[Context]) -> None:
        self.data["own_contexts"] = [list(each) for each in contexts]

    def combinations(self) -> list[Context]:
        """Every context there could be; the first `MOST_LISTED` of them."""
        levels = [[name for name, _, _ in self.levels(each)] for each in self.factors[:-1]]
        # Never all of them: a dozen factors have more combinations than there is memory for.
        return [context for context, _ in zip(product(*levels), range(MOST_LISTED), strict=False)]

    def protocol(self) -> tuple[Any, str]:
        """The protocol with the changes, and ""; or None and what is wrong, in words."""
        try:
            return self._method.protocol(self.data), ""
        except WrongFieldError as error:
            return None, tr("{field}: {words}.", field=error.problem.field, words=error.problem.words)

    def _possible(self, contexts: Sequence[Context]) -> list[Context]:
        """The *contexts* that have a level of each factor."""
        known = [{name for name, _, _ in self.levels(each)} for each in self.factors[:-1]]
        return [
            context
            for context in contexts
            if len(context) == len(known) and all(level in names for level, names in zip(context, known, strict=True))
        ]

    def _of(self, factor: str) -> dict[str, Any]:
        found: Mapping[str, Any] = next(each for each in self.data["factors"] if each["name"] == factor)
        assert isinstance(found, dict)
        return found


def without_slot(template: str, factor: str) -> tuple[str, str]:
    """*template* without the slot of *factor* and the words that spoke of it alone, and a sentence to be read over.

    Those words are its sentence, or what stands between commas. Where another slot stands among them they are left
    as they are, and are the sentence to be read over; otherwise that is empty.
    """
    slot, kept, torn = f"{{{factor}}}", [], ""
    for sentence in _BETWEEN_SENTENCES.split(template.strip()):
        if slot not in sentence:
            kept.append(sentence)
        elif len(_SLOT.findall(sentence)) > 1:
            left = _without_clause(sentence, slot)
            if left is None:
                left = torn = " ".join(sentence.replace(slot, "").split())
            kept.append(left)
    return " ".join(kept), torn


def _without_clause(sentence: str, slot: str) -> str | None:
    """Without what stands between commas around *slot*; None where another slot stands there too."""
    words = sentence.rstrip(".!?")
    clauses = words.split(", ")
    left = [clause for clause in clauses if slot not in clause]
    if any(_SLOT.findall(clause) != [slot] for clause in clauses if slot in clause):
        return None
    joined = ", ".join(left)
    return joined[:1].upper() + joined[1:] + sentence[len(words) :]
