"""The choices that an audit's stored answers come to, measured once for all tables of a window."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.methods.contextual_stereoset.analyses._endings import choices_of, of_other_grids
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, VIGNETTE_LABELS
from gpf_desktop.methods.contextual_stereoset.measures import Measures, ModelsCompared, comparisons, measures
from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE, PROBABILITIES
from gpf_desktop.methods.contextual_stereoset.shares import ALL, NO_CONTEXT
from gpf_desktop.methods.contextual_stereoset.words import factor_title

METHOD: Final = "contextual-stereoset"
SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChoices:
    """The measures of every model; a model that was asked both items and vignettes has one entry for each kind."""

    models: tuple[Measures, ...]
    comparisons: tuple[ModelsCompared, ...]
    synthetic: frozenset[str]
    left_out: int = 0
    """Answers of rounds whose grids have other factors than the newest one's."""

    @property
    def labels(self) -> str:
        """The labels for the tables' headings: the vignettes' where only vignettes were asked, else those of
        stereotypes."""
        kinds = {each.choices.labels for each in self.models}
        return VIGNETTE_LABELS if kinds == {VIGNETTE_LABELS} else STEREOTYPE_LABELS

    def warnings(self) -> Iterator[str]:
        """Sentences that name the models and factors with a level that has too few valid cells."""
        for each in self.models:
            if factors := ", ".join(factor for factor in each.choices.factors if factor in each.warned):
                yield tr(
                    "{model}: under 99% of questions have a valid choice in some context of {factors}. Shifts "
                    "stand beside what they would be, had the others all or none chosen it.",
                    model=each.choices.model,
                    factors=factors,
                )

    def corrections(self) -> Iterator[str]:
        """How many choices of each model are people's."""
        for each in self.models:
            given = each.choices.corrected
            n = 0 if given is None else int(given.sum())
            if n:
                yield trn(
                    "{model}: {n} choice was corrected by a reviewer; every number rests on it as corrected.",
                    "{model}: {n} choices were corrected by reviewers; every number rests on them as corrected.",
                    n,
                    model=each.choices.model,
                )

    def notes(self) -> tuple[str, ...]:
        """The notes under every table of choices, joined into one."""
        other = trn(
            "{count} answer was asked for in a grid of other contexts and is not counted: choose its round alone.",
            "{count} answers were asked for in grids of other contexts and are not counted: choose their round alone.",
            self.left_out,
            count=grouped(self.left_out),
        )
        said = (*([other] if self.left_out else []), *self.warnings(), *self.corrections())
        # As one: under a table on the page stands the first note, and the others in its tool tip.
        return (" ".join(said),) if said else ()

    def level_title(self, factor: str, level: str) -> str:
        if factor == ALL:
            return tr("all contexts")
        return tr("no context") if factor == NO_CONTEXT else f"{factor_title(factor)} · {level}"


_KEPT: "WeakKeyDictionary[ScoreTables, StoredChoices]" = WeakKeyDictionary()


def stored_choices(scores: ScoreTables) -> StoredChoices:
    """Everything that the window's answers come to."""
    if scores not in _KEPT:
        _KEPT[scores] = _made(scores)
    return _KEPT[scores]


def _made(scores: ScoreTables) -> StoredChoices:
    endings, terms = scores.endings(METHOD, CHOICE), scores.terms(METHOD)
    newest = next(iter(terms.values()), None)
    factors = () if newest is None else tuple(factor.name for factor in newest.protocol.factors)
    told = {label: scores.numbers(name) for label, name in PROBABILITIES.items()}
    choices = list(choices_of(endings, factors, told))
    frame = endings.frame
    grids = {frozenset(factor.name for factor in each.protocol.factors) for each in terms.values()}
    return StoredChoices(
        models=tuple(measures(each, seed=SEED) for each in choices),
        comparisons=tuple(comparisons(choices, seed=SEED)),
        synthetic=frozenset(map(str, frame.loc[frame["synthetic"], "model"].unique())),
        left_out=of_other_grids(endings, factors) if len(grids) > 1 else 0,
    )
