"""The named contrasts beside those of one logistic model of all cells."""

from collections.abc import Iterator
from math import isnan

from gpf_desktop.domain.columns import estimate as estimate_column
from gpf_desktop.domain.columns import score, text
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.contextual_stereoset.analyses._rows import ChoicesTable, estimate, of_contrast, row
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices, stored_choices
from gpf_desktop.methods.contextual_stereoset.contrasts import ContrastEstimate
from gpf_desktop.methods.contextual_stereoset.mixed import MOST_CELLS, MixedContrast, MixedContrasts, mixed_contrasts
from gpf_desktop.methods.contextual_stereoset.words import share_title


class MixedModel(ChoicesTable):
    """Whether shifts of matched pairs and those of a mixed model agree."""

    name = "stereoset_mixed"
    version = "4"
    title = Translated("Shifts by a mixed logistic model")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_choices(scores)
        fits = [
            (
                each.choices.model,
                each.contrasts,
                mixed_contrasts(each.choices, [one.contrast for one in each.contrasts]),
            )
            for each in stored.models
        ]
        return self.table(
            stored,
            (
                text("contrast", tr("Shift between")),
                estimate_column("difference", tr("By matched pairs"), tr("As in the table of shifts.")),
                estimate_column(
                    "modelled",
                    tr("By the model"),
                    tr("Mean over items and places of the chance at the first less that at the second."),
                ),
                score("apart", tr("Apart"), tr("By the model less by matched pairs.")),
                score("odds", tr("Odds ratio"), tr("The odds at the first, in those at the second.")),
                text("agree", tr("Agree"), tr("Each of the two lies in the range of the other.")),
            ),
            [made for model, contrasts, fit in fits if fit for made in _rows(stored, model, contrasts, fit)],
            notes=(*_notes(fits, share_title(stored.labels)),),
            empty=(
                tr(
                    "Made of models with choices in both contexts of a pair, and at most {n:,} of them; where a level"
                    " decides every choice it has no finite value.",
                    n=MOST_CELLS,
                ),
            ),
        )


def _rows(stored: StoredChoices, model: str, contrasts: list[ContrastEstimate], fit: MixedContrasts) -> Iterator[Row]:
    for found, modelled in zip(contrasts, fit.contrasts, strict=True):
        yield row(
            stored,
            model,
            {
                "contrast": str(found.contrast),
                "difference": of_contrast(found),
                "modelled": estimate(
                    modelled.estimate, modelled.low, modelled.high, n=found.items, by=tr("delta method")
                ),
                "apart": modelled.estimate - found.estimate,
                "odds": modelled.odds,
                "agree": {True: tr("yes"), False: tr("no"), None: tr("too few items")}[agree(found, modelled)],
            },
        )


def agree(found: ContrastEstimate, modelled: MixedContrast) -> bool | None:
    """Whether each lies in the range of the other; nobody knows where there are too few items for a range."""
    if isnan(found.low) or isnan(modelled.low):
        return None
    return found.low <= modelled.estimate <= found.high and modelled.low <= found.estimate <= modelled.high


def _notes(fits: list[tuple[str, list[ContrastEstimate], MixedContrasts | None]], share: str) -> Iterator[str]:
    made = [(model, fit) for model, _, fit in fits if fit is not None]
    if not made:
        return
    yield tr(
        "Log odds of the {share} on levels of factors and the option’s place, with random intercepts of items and"
        " contexts, by Laplace’s approximation. It uses all answers, and takes items to move alike: where they do"
        " not, its ranges are too narrow.",
        share=share,
    )
    for model, fit in made:
        yield tr(
            "{model}: items vary by {items:.2f} and contexts by {contexts:.2f} in log odds.",
            model=model,
            items=fit.sigma_items,
            contexts=fit.sigma_contexts,
        )
    agreeing = [
        agreed
        for _, contrasts, fit in fits
        if fit is not None
        for found, modelled in zip(contrasts, fit.contrasts, strict=True)
        if (agreed := agree(found, modelled)) is not None
    ]
    if agreeing:
        yield trn("{k} of {n} shift agrees.", "{k} of {n} shifts agree.", len(agreeing), k=sum(agreeing))
    if left := [model for model, _, fit in fits if fit is None]:
        yield tr("Not fitted: {models}.", models=", ".join(left))


ANALYSIS = MixedModel()
