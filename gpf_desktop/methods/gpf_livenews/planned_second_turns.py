"""Second turns: which answers are followed by one, and how many that is likely to be."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.methods import EndedCell, NextCell
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol

_FOLLOWED = frozenset({str(Condition.IDENTITY), str(Condition.RANDOM_LABEL)})


def second_turns(ended: Sequence[EndedCell], protocol: Protocol, controls: Controls) -> Iterator[NextCell]:
    """Every turn of *protocol* behind every answer of the bundles among *ended* that were asked again, in their first
    wording; asked of the model that gave the answer."""
    if not controls.second_turns:
        return
    first = [each for each in ended if not each.stage and _is_followed(each.coordinates)]
    again = {_bundle(each.coordinates) for each in first if each.repeat}
    for each in first:
        if each.text is None or _bundle(each.coordinates) not in again:
            continue
        for turn in protocol.second_turns:
            at = replace(Factors.of(each.coordinates, each.repeat), condition=Condition(turn.kind))
            yield NextCell(answer=at.planned, parent=each.cell, model=each.model)


def likely_second_turns(protocol: Protocol, controls: Controls) -> int:
    """The number of second turns for one item and model, if every answer comes."""
    if not controls.second_turns or controls.repeat_generations < 2:
        return 0
    families = len(protocol.families)
    readers = controls.repeat_share * families * sum(len(each.identities) for each in protocol.dimensions)
    labels = controls.label_repeat_share * families * sum(len(each.labels) for each in protocol.label_sets)
    followed = readers + (labels if controls.random_label else 0.0)
    return round(followed * controls.repeat_generations) * len(protocol.second_turns)


def _is_followed(coordinates: Coordinates) -> bool:
    return coordinates["condition"] in _FOLLOWED and coordinates["paraphrase"] == "0"


def _bundle(coordinates: Coordinates) -> Coordinates:
    return coordinates.without({"identity"})
