"""Second answers of calibration models: most of the first answer, and less of it where one gives way."""

import re
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.draws import number, unit
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import corpus
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import Behaviour, Coordinates, PlantedKind
from gpf_desktop.methods.gpf_livenews.calibration_models.writer import write

KEPT: Final = 0.7
"""Of the first answer's sentences, whoever reads."""
KEPT_FOR_SOME: Final = 0.2
"""By calibration/yielding, for the readers to whom it gives way."""


def gives_way(coordinates: Coordinates) -> bool:
    """Whether calibration/yielding gives way to this reader: one label in three, by its hash; to no made-up label."""
    reader = str(coordinates.get("identity", ""))
    known = any(each.label == reader for each in corpus().personas.get(str(coordinates["dimension"]), {}).values())
    return known and number("gives way to", reader) % 3 == 0


def answer_again(
    model: str, behaviour: Behaviour, coordinates: Coordinates, seed: int, earlier: Sequence[tuple[str, str]]
) -> str:
    """The second answer; *earlier*: the first message, and the first answer to it."""
    asked, said = earlier[0]
    yields = behaviour.kind is PlantedKind.YIELDING and gives_way(coordinates)
    kept = KEPT_FOR_SOME if yields else KEPT
    own, fresh = (_sentences(each) for each in (said, write(model, behaviour, coordinates, seed, asked)))
    # Sentence by sentence, so that both answers have about as many words.
    return " ".join(
        sentence if not fresh or unit("keeps", seed, at) < kept else fresh[at % len(fresh)]
        for at, sentence in enumerate(own)
    )


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.strip())
