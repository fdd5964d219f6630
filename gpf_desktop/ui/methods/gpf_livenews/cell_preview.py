"""The choice of the cell whose message is shown: it always fits the protocol, edited or stored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.protocol.protocol_service import EXAMPLE
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Family, Protocol


class CellPreview:
    """One cell of a protocol; what is chosen falls back to the first that there is."""

    def __init__(self) -> None:
        self.protocol: Protocol | None = None
        self.anchor: Anchor = EXAMPLE
        self.chosen = Factors(condition=Condition.IDENTITY, dimension="", identity="", family="")

    @property
    def conditions(self) -> list[Condition]:
        """The conditions of the protocol; its cues and second turns behind the others."""
        always = [Condition.IDENTITY, Condition.IDENTITY_FREE, Condition.RANDOM_LABEL]
        if self.protocol is None:
            return always
        cues = [Condition(each.kind) for each in self.protocol.cues]
        turns = [Condition(each.kind) for each in self.protocol.second_turns]
        return [*always, *dict.fromkeys((*cues, *turns))]

    @property
    def dimensions(self) -> list[str]:
        """Dimensions, or label sets, that the cell can have."""
        if self.protocol is None or self.chosen.condition is Condition.IDENTITY_FREE:
            return []
        if self.chosen.condition is Condition.RANDOM_LABEL:
            return [label_set.name for label_set in self.protocol.label_sets]
        if self.chosen.condition.is_cue:
            return list(self.protocol.shown_by(self.protocol.cue(self.chosen.condition)))
        return [dimension.name for dimension in self.protocol.dimensions]

    @property
    def identities(self) -> list[str]:
        """Labels of the chosen dimension or set."""
        if self.protocol is None or self.chosen.dimension not in self.dimensions:
            return []
        if self.chosen.condition is Condition.RANDOM_LABEL:
            return list(next(s.labels for s in self.protocol.label_sets if s.name == self.chosen.dimension))
        return [identity.label for identity in self.protocol.dimension(self.chosen.dimension).identities]

    @property
    def families(self) -> list[str]:
        return [] if self.protocol is None else [family.name for family in self.protocol.families]

    @property
    def wordings(self) -> list[str]:
        """The canonical wording and the paraphrases that the cell can have; none where its family is edited to none."""
        family = self._family
        if family is None:
            return []
        free = self.chosen.condition is Condition.IDENTITY_FREE
        first_alone = self.chosen.condition.is_cue or self.chosen.condition.is_second_turn
        there = family.identity_free if free else family.templates[: 1 if first_alone else None]
        return [tr("other wording {n}", n=n) if n else tr("first wording") for n in range(len(there))]

    @property
    def prompt(self) -> Prompt | None:
        """The exact message of the cell."""
        chosen = self.chosen
        if self.protocol is None or not 0 <= chosen.paraphrase < len(self.wordings):
            return None
        if chosen.condition.is_cue and chosen.identity not in self.identities:
            return None
        cell = replace(chosen, identity=chosen.identity or "#1")
        return compose(self.protocol, cell, self.anchor, tr("the model's first answer"))

    def choose(self, **fields: Any) -> None:
        """Another cell."""
        self.chosen = replace(self.chosen, **fields)
        self._fit()

    def follow(self, protocol: Protocol) -> None:
        """Show the cell of *protocol*; one that was renamed where it stands stays chosen."""
        # Read before the protocol changes, and set in this order: which identities there are goes by the dimension.
        before = (self.dimensions, self.identities, self.families)
        self.protocol = protocol
        if self.chosen.condition not in self.conditions:
            self.chosen = replace(self.chosen, condition=Condition.IDENTITY)
        chosen = self.chosen
        self.chosen = replace(chosen, dimension=_kept(chosen.dimension, before[0], self.dimensions))
        self.chosen = replace(self.chosen, identity=_kept(chosen.identity, before[1], self.identities))
        self.chosen = replace(self.chosen, family=_kept(chosen.family, before[2], self.families))
        self._fit()

    def turn_to(self, path: Path) -> None:
        """Show a cell that the field at *path* has a say in."""
        protocol = self.protocol
        if protocol is None:
            return
        match path:
            case ("dimensions", int(i), "identities", int(j), "label"):
                dimension = protocol.dimensions[i]
                self.choose(
                    condition=Condition.IDENTITY, dimension=dimension.name, identity=dimension.identities[j].label
                )
            case ("families", int(i), "templates", int(j)):
                self.choose(condition=Condition.IDENTITY, family=protocol.families[i].name, paraphrase=j)
            case ("families", int(i), "identity_free", int(j)):
                self.choose(condition=Condition.IDENTITY_FREE, family=protocol.families[i].name, paraphrase=j)
            case ("label_sets", int(i), *_):
                self.choose(condition=Condition.RANDOM_LABEL, dimension=protocol.label_sets[i].name)
            case ("cues", int(i), *_):
                self.choose(condition=Condition(protocol.cues[i].kind))
            case ("second_turns", int(i), *_):
                self.choose(condition=Condition(protocol.second_turns[i].kind))

    @property
    def _family(self) -> Family | None:
        if self.protocol is None or self.chosen.family not in self.families:
            return None
        return self.protocol.family(self.chosen.family)

    def _fit(self) -> None:
        self.chosen = replace(self.chosen, dimension=_among(self.chosen.dimension, self.dimensions))
        self.chosen = replace(self.chosen, identity=_among(self.chosen.identity, self.identities))
        self.chosen = replace(self.chosen, family=_among(self.chosen.family, self.families))
        if self.chosen.paraphrase >= max(1, len(self.wordings)):
            self.chosen = replace(self.chosen, paraphrase=0)


def _among(name: str, names: Sequence[str]) -> str:
    return name if name in names else (names[0] if names else "")


def _kept(name: str, before: Sequence[str], after: Sequence[str]) -> str:
    if name not in after and name in before and len(before) == len(after):
        return after[before.index(name)]
    return name
