"""Each model's means, its movement over news batches, its refusals and how much they rest on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, p_value, share, text
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import RELATIVE_FRAMING, SEMANTIC_DISPERSION, TONE_FRAMING
from gpf_desktop.domain.text import Translated, decimal, range_ends, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    SCORE_KEYS,
    Group,
    MeanOptions,
    adjusted_p,
    entering,
    groups,
    main_bundles,
    spread_over_batches,
)
from gpf_desktop.methods.gpf_livenews.analyses._shares import refused_by_model, where_named
from gpf_desktop.methods.gpf_livenews.analyses._words import count_columns, notes_of_means, score_columns, score_values
from gpf_desktop.methods.gpf_livenews.required_reading import SHORT

_LISTED = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTableOptions(MeanOptions):
    """Settings of the model table."""

    high_coverage: Annotated[
        int,
        Shown(
            label="Many answers came",
            help="Number of scores from which a model counts as one of which many answers came.",
        ),
    ] = 300


class ModelTable(TableAnalysis):
    """Model table of the method; models stand by vendor and name, never by score."""

    name = "model_table"
    version = "4"
    options = ModelTableOptions
    title = Translated("Models")

    def analyse(self, scores: ScoreTables, options: ModelTableOptions) -> Finding:
        main = main_bundles(scores.bundles, options)
        bundles = entering(main, options)
        # Valid scalar scores are counted whether or not partial bundles enter means (method, "Validity").
        scalars = {group.key: group.scalars for group in groups(main, ("vendor", "model"), options, ())}
        found = [replace(group, scalars=scalars[group.key]) for group in groups(bundles, ("vendor", "model"), options)]
        aside = read_apart(found, options)
        found.sort(key=lambda group: (group.synthetic, group.key in aside))
        p = {
            of: each
            for _, some in bundles.groupby("synthetic")
            for of, each in adjusted_p(some, (RELATIVE_FRAMING, TONE_FRAMING), "model").items()
        }
        sigma = spread_over_batches(bundles, SEMANTIC_DISPERSION)
        refused = refused_by_model(where_named(scores.decided))
        return self.finding(
            columns=(
                text("vendor", tr("Vendor")),
                text("model", tr("Model")),
                # A cohort of its own, as in the paper, where there is one.
                *(
                    (text("cohort", tr("Answers that came"), tr("Of the models with few, none is in a list below.")),)
                    if aside
                    else ()
                ),
                *score_columns(),
                p_value(
                    "p",
                    tr("Adjusted p"),
                    tr(
                        "Of a mean relative framing of 0: t over articles, Holm over models, and over tone too; "
                        "built-in test models apart."
                    ),
                    plain=tr("By chance alone, all counted"),
                ),
                p_value(
                    "p_tone",
                    tr("Adjusted p, tone"),
                    tr("The same of the tone that the reader adds."),
                    plain=tr("Tone by chance alone, all counted"),
                ),
                estimate(
                    "sigma",
                    tr("σ news"),
                    tr("Standard deviation of the mean over batches of news: how far another batch moves it."),
                    plain=tr("Moved by the batch of news"),
                ),
                share(
                    "refused",
                    tr("Declined"),
                    tr(
                        "Share declined, by the model or its provider, of all that were answered or declined; range "
                        "by article."
                    ),
                ),
                count(
                    "scalars",
                    tr("Scores"),
                    tr("How many scores of words and of tone there are, sets with missing answers too."),
                ),
                *count_columns(),
                count("provisional", tr("Until all is in"), tr("Sets whose article lacks answers of this model.")),
            ),
            rows=tuple(_row(group, p, sigma, refused, options, _cohort(group, aside)) for group in found),
            reading=SHORT,
            highlights=_extremes(found, options),
            notes=(*notes_of_means(found, bundles, options), *_apart(found, aside, options)),
        )


def _row(
    group: Group,
    p: Mapping[tuple[str, str], float],
    sigma: Callable[[str], Estimate],
    refused: Callable[[str], Estimate],
    options: ModelTableOptions,
    cohort: Mapping[str, str],
) -> Row:
    vendor, model = group.key
    return Row(
        values={
            "vendor": vendor,
            "model": model,
            **cohort,
            **score_values(group),
            "p": p.get((RELATIVE_FRAMING, model)),
            "p_tone": p.get((TONE_FRAMING, model)),
            "sigma": sigma(model),
            "refused": refused(model),
            "scalars": group.scalars,
            "provisional": group.provisional,
        },
        bundles=BundleFilter(model=model, arm=options.arm),
        synthetic=group.synthetic,
    )


def _extremes(found: list[Group], options: ModelTableOptions) -> tuple[str, ...]:
    """The lists of highest and lowest sensitivity, over real models with enough scores: by relative framing, which
    lengths of answers hardly move, or by S where fewer than two models have it."""
    for key, title in (("relative", tr("share the reader adds")), ("s", tr("how far apart, in words"))):
        scored = [
            (mean.value, group.key[1], mean)
            for group in found
            if (mean := group.means[SCORE_KEYS[key]]).value is not None
            # The extremes of few scores are mostly chance, so that only models of high coverage are named.
            and group.scalars >= options.high_coverage
            and not group.synthetic
        ]
        if len(scored) > 1:
            return _highest_and_lowest(sorted(scored, key=lambda each: each[:2]), title, options)
    return ()


def read_apart(found: Sequence[Group], options: ModelTableOptions) -> frozenset[tuple[str, ...]]:
    """Keys of the real models of which few scores came, where many came of others: the paper's auxiliary cohort."""
    real = [group for group in found if not group.synthetic]
    few = [group.key for group in real if group.scalars < options.high_coverage]
    return frozenset(few) if len(few) < len(real) else frozenset()


def _cohort(group: Group, aside: frozenset[tuple[str, ...]]) -> dict[str, str]:
    """Its word in the column of cohorts; empty where there is none."""
    return {"cohort": tr("few, read apart") if group.key in aside else tr("many")} if aside else {}


def _apart(found: Sequence[Group], aside: frozenset[tuple[str, ...]], options: ModelTableOptions) -> tuple[str, ...]:
    few = [group for group in found if group.key in aside]
    if not few:
        return ()
    return (
        tr(
            "To be read apart, as fewer than {least} of their scores came: {models}. They are in no list of the models"
            " that moved furthest or least.",
            least=options.high_coverage,
            models=", ".join(f"{group.key[1]} ({group.scalars})" for group in few),
        ),
    )


def _highest_and_lowest(
    scored: list[tuple[float, str, Estimate]], title: str, options: ModelTableOptions
) -> tuple[str, ...]:
    listed = min(_LISTED, len(scored) // 2)

    def said(some: list[tuple[float, str, Estimate]]) -> str:
        return ", ".join(f"{model} {decimal(value, 3)}{_bounds(mean)}" for value, model, mean in some)

    return (
        tr(
            "Moved furthest in this window by “{score}”, {rule}: {models}.",
            score=title,
            rule=_rule(options),
            models=said(scored[::-1][:listed]),
        ),
        tr(
            "Moved least in this window by “{score}”, {rule}: {models}.",
            score=title,
            rule=_rule(options),
            models=said(scored[:listed]),
        ),
        tr("The highest and the lowest of {n} means lie apart by chance too: read their ranges.", n=len(scored)),
    )


def _bounds(mean: Estimate) -> str:
    if mean.interval is None:
        return tr(" (n {n}, too few articles for a range)", n=mean.n)
    low, high = range_ends(mean.interval.low, mean.interval.high, 3)
    return tr(" ({low} to {high}, n {n})", low=low, high=high, n=mean.n)


def _rule(options: ModelTableOptions) -> str:
    return tr("models with {n} scores or more", n=options.high_coverage)


ANALYSIS = ModelTable()
