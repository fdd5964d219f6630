"""How much the choice about one item moves with the context: by this, items stand in a reader's queue."""

from collections import Counter
from typing import Final

from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.scores import (
    VALID,
    BundleAnswers,
    Chunk,
    FitGroup,
    Measure,
    ScoreColumn,
    ScoredChunk,
    Unavailable,
    UnitKind,
)
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED, decode

CHOICE_MOVES: Final = "choice_moves"
"""Share of an item's valid answers that choose another option than most of them."""


class ChoicesScorer:
    """Decodes letters; what the tables hold is decoded with the options' texts as well."""

    name = "stereoset-choices"
    version = "1"
    costly = False
    needs_facts = False
    options = NoOptions

    @property
    def title(self) -> str:
        return tr("Choices")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return (
            Measure(
                name=CHOICE_MOVES,
                title=tr("Share of other choices than most"),
                short=tr("moves"),
                higher=tr("the choice moves more with the context"),
                low=0.0,
                high=1.0,
                on_card=True,
            ),
        )

    def score(self, chunk: Chunk, options: NoOptions) -> ScoredChunk:  # noqa: ARG002 - the port's signature
        found = [(bundle.bundle, _choices(group, bundle)) for group in chunk for bundle in group.bundles]
        return ScoredChunk(
            kind=UnitKind.BUNDLE,
            units=[bundle for bundle, _ in found],
            columns=(
                ScoreColumn(name=CHOICE_MOVES, values=[_moves(choices) for _, choices in found]),
                ScoreColumn(name=VALID, values=[float(len(choices)) for _, choices in found]),
            ),
        )


def _choices(group: FitGroup, bundle: BundleAnswers) -> list[str]:
    """The valid choices; the order of the options ends an answer's label."""
    chosen = []
    for row, label in zip(bundle.rows, bundle.identities, strict=True):
        order = label.rpartition(" ")[2]
        chosen.append(decode(group.texts[row], order, dict.fromkeys(order, "")).choice)
    return [choice for choice in chosen if choice not in {REFUSED, UNPARSED}]


def _moves(choices: list[str]) -> float | Unavailable:
    if len(choices) < 2:
        return Unavailable.TOO_FEW_ANSWERS
    return 1 - Counter(choices).most_common(1)[0][1] / len(choices)


SCORER = ChoicesScorer()
