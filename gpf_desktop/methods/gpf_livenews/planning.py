"""What a round will find before it is paid for, and what to ask for an effect of a given size (method, "Planning")."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.round_planning import Effect, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.scopes import ARM, Scope
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, TONE_FRAMING
from gpf_desktop.domain.text import percent, tr, trn
from gpf_desktop.methods.gpf_livenews.cells import PARAPHRASE_ARM, Condition
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.variation import LEAST_ARTICLES, of_generations, variation

if TYPE_CHECKING:
    import pandas as pd

REFUSAL: Final = "refusal"
ALPHA: Final = 0.05
MOST_ARTICLES: Final = 500
_PILOT_ARTICLES: Final = 100
"""The newest articles that a pilot is measured on."""
_ROUGH: Final = ((3, 40), (6, 50), (10, 55), (20, 60))
"""From so many articles of a pilot on: per cent of rounds that find, of one model, what is promised with 80 %, in all
but the lowest tenth of pilots (`tests/benchmarks/bench_validity.py pilots`)."""
_MAIN: Final = frozenset({(ARM, MAIN), ("condition", str(Condition.IDENTITY)), ("paraphrase", "0")})
"""Any of them left out, there are no main bundles."""


def assumed() -> Pilot:
    """Wider than the calibration models vary, who know no news: no language model was measured for these."""
    return Pilot(
        variation={
            COUNTERFACTUAL_FRAMING: Variation(item=0.02**2, question=0.02**2, residual=0.045**2, generations=3),
            TONE_FRAMING: Variation(item=0.05**2, question=0.1**2, residual=0.17**2, generations=3),
        },
        refused=0.02,
        together=0.1,
        origin=tr("How much scores vary is assumed: nothing was measured in this audit yet."),
        measured=False,
    )


def narrowed(protocol: Protocol, controls: Controls, scope: Scope) -> tuple[Protocol, Controls] | None:
    """What is left of the design without *scope*: families, and dimensions of two identities or more."""
    out = frozenset(scope.left_out)
    families = tuple(each for each in protocol.families if ("family", each.name) not in out)
    left = (
        replace(each, identities=tuple(one for one in each.identities if ("identity", one.label) not in out))
        for each in protocol.dimensions
        if ("dimension", each.name) not in out
    )
    # Of a single identity there is no bundle that could be scored.
    dimensions = tuple(each for each in left if len(each.identities) > 1)
    if not (families and dimensions) or _MAIN & out:
        return None
    if (ARM, PARAPHRASE_ARM) in out:
        controls = replace(controls, paraphrase_share=0.0)
    return replace(protocol, families=families, dimensions=dimensions), controls


def findable(protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
    """The smallest CFS, tone framing and refusal difference that are found with the extent's power."""
    means = tuple(_smallest_mean(name, protocol, controls, extent, pilot) for name in _titles() if name != REFUSAL)
    return (*means, _smallest_rise(protocol, controls, extent, pilot))


def enough(effect: Effect, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest articles under these controls, and the least share of repeats over these articles."""
    from gpf_desktop.stats.power import clusters_for_rise, clusters_needed

    if effect.name == REFUSAL:
        articles = clusters_for_rise(
            pilot.refused,
            effect.size,
            **_refusal_design(protocol, controls),
            wanted=extent.power,
            correlation=pilot.together,
        )
        return Enough(items=None if articles is None else max(LEAST_ARTICLES, articles))
    spread = _of_article(effect.name, protocol, controls, pilot)
    found = None if spread is None else clusters_needed(effect.size, spread, wanted=extent.power, alpha=_alpha(extent))
    articles = None if found is None or found > MOST_ARTICLES else max(LEAST_ARTICLES, found)
    more = _more_repeats(effect, protocol, controls, extent, pilot)
    words = "" if more is None else tr("{share} of bundles repeated", share=percent(more.repeat_share))
    return Enough(items=articles, controls=more, controls_words=words)


def _titles() -> dict[str, str]:
    return {
        COUNTERFACTUAL_FRAMING: tr("CFS of a model"),
        TONE_FRAMING: tr("Tone framing of a model"),
        REFUSAL: tr("Refusals of one identity"),
    }


def effects() -> dict[str, str]:
    return {
        COUNTERFACTUAL_FRAMING: tr("mean CFS of a model, from 0"),
        TONE_FRAMING: tr("mean tone framing of a model, from 0"),
        REFUSAL: tr("how much more often one identity is refused than the others of its dimension, as a share"),
    }


def _alpha(extent: Extent) -> float:
    """Holm's first step over the models and both scores: what holds whichever of them is the one with an effect."""
    return ALPHA / (2 * max(1, extent.models))


def _smallest_mean(name: str, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Findable:
    from gpf_desktop.stats.power import detectable

    spread = _of_article(name, protocol, controls, pilot)
    title = _titles()[name]
    if spread is None:
        return Findable(name=name, title=title, smallest=None, why=tr("needs repeats: ask the controls too"))
    if extent.items < LEAST_ARTICLES:
        return Findable(name=name, title=title, smallest=None, why=tr("needs {n} articles", n=LEAST_ARTICLES))
    return Findable(
        name=name,
        title=title,
        smallest=detectable(spread, extent.items, wanted=extent.power, alpha=_alpha(extent)),
        tested=tr(
            "t over {articles}, about {bundles} repeated bundles in each; 5% over {models} and both scores",
            articles=trn("{n} article", "{n} articles", extent.items),
            bundles=f"{_repeated(protocol, controls):.1f}",
            models=trn("{n} model", "{n} models", extent.models),
        ),
    )


def _smallest_rise(protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Findable:
    from gpf_desktop.stats.power import detectable_rise

    title = _titles()[REFUSAL]
    if extent.items < 1:
        return Findable(name=REFUSAL, title=title, smallest=None, why=tr("needs an article"))
    design = _refusal_design(protocol, controls)
    rise = detectable_rise(
        pilot.refused, **design, clusters=extent.items, wanted=extent.power, correlation=pilot.together
    )
    return Findable(
        name=REFUSAL,
        title=title,
        smallest=rise,
        why=tr("no rise is found: too few articles") if rise is None else "",
        tested=tr(
            "one of {groups} identities against the others, {trials} cells in each article, {rate} refused "
            "otherwise; 5% over the dimension",
            groups=design["groups"],
            trials=design["trials"],
            rate=percent(pilot.refused),
        ),
    )


def _refusal_design(protocol: Protocol, controls: Controls) -> dict[str, Any]:
    """Of the largest dimension, where one identity is the hardest to tell from the others."""
    groups = max(len(dimension.identities) for dimension in protocol.dimensions)
    more = controls.paraphrase_share + controls.repeat_share * (controls.repeat_generations - 1)
    # Holm's first step over the identities.
    return {"groups": groups, "trials": round(len(protocol.families) * (1 + more)), "alpha": ALPHA / groups}


def _bundles(protocol: Protocol) -> int:
    return len(protocol.dimensions) * len(protocol.families)


def _repeated(protocol: Protocol, controls: Controls) -> float:
    """Bundles of an article that have a CFS; 0 without repeats."""
    return controls.repeat_share * _bundles(protocol) if controls.repeat_generations > 1 else 0.0


def _of_article(name: str, protocol: Protocol, controls: Controls, pilot: Pilot) -> float | None:
    """Standard deviation over articles of an article's mean; None without repeats.

    Which questions are repeated is drawn anew for each article, without replacement: asked of all, they add nothing.
    """
    from gpf_desktop.stats.power import ClusterSpread

    repeated = _repeated(protocol, controls)
    if not repeated:
        return None
    seen = pilot.variation[name]
    # Seen with one number of generations, wanted with another: by the ratio of what a bundle's variance goes as.
    residual = seen.residual * of_generations(controls.repeat_generations) / of_generations(seen.generations)
    # The correction for a finite population: drawn without replacement from B questions.
    drawn = seen.question * max(0.0, 1 - repeated / _bundles(protocol))
    return ClusterSpread(between=seen.item, within=residual + drawn).of_mean(repeated)


def _more_repeats(
    effect: Effect, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot
) -> Controls | None:
    """The least share, in steps of one bundle, with which the round's own articles find *effect*."""
    from gpf_desktop.stats.power import detectable

    if extent.items < LEAST_ARTICLES:
        return None
    every = _bundles(protocol)
    generations = max(2, controls.repeat_generations)
    for number in range(max(1, ceil(_repeated(protocol, controls))), every + 1):
        tried = replace(controls, repeat_share=number / every, repeat_generations=generations)
        spread = _of_article(effect.name, protocol, tried, pilot)
        assert spread is not None, "something is repeated"
        smallest = detectable(spread, extent.items, wanted=extent.power, alpha=_alpha(extent))
        if smallest is not None and smallest <= effect.size:
            return tried
    return None


def pilot(scores: ScoreTables) -> Pilot | None:
    """From the main bundles with repeats, model by model, and from the cells that models decided."""
    from gpf_desktop.methods.gpf_livenews.analyses._means import real_where_any
    from gpf_desktop.methods.gpf_livenews.analyses._shares import where_named

    bundles = real_where_any(scores.bundles)
    bundles = bundles[bundles["arm"] == MAIN]
    # Numbers of articles rise with time.
    newest = bundles["article_id"].drop_duplicates().sort_values().tail(_PILOT_ARTICLES)
    bundles = bundles[bundles["article_id"].isin(newest)]
    found = {name: variation(bundles, name) for name in (COUNTERFACTUAL_FRAMING, TONE_FRAMING) if name in bundles}
    measured = {name: each for name, each in found.items() if each is not None}
    if not measured:
        return None
    refused, together = _refusals(real_where_any(where_named(scores.decided)))
    words = tr(
        "How much scores vary was measured on {articles} of this audit.",
        articles=trn("{n} article", "{n} articles", len(newest)),
    )
    if len(bundles) and bool(bundles["synthetic"].all()):
        words = tr("{words} All of it by calibration models: a language model varies otherwise.", words=words)
    least = next((low for articles, low in reversed(_ROUGH) if len(newest) >= articles), None)
    if least is not None:
        words = tr(
            "{words} That is an estimate too: where 80% are promised of one model, it may be {least}%.",
            words=words,
            least=least,
        )
    return Pilot(
        variation={**assumed().variation, **measured},
        refused=refused,
        together=together,
        origin=words,
        measured=True,
    )


def _refusals(decided: pd.DataFrame) -> tuple[float, float]:
    """The share refused, and the correlation of two refusals of one article; at least one in 200, as for none seen."""
    import numpy as np

    if decided.empty:
        return assumed().refused, assumed().together
    counts = decided.groupby(["model", "article_id"], observed=True)[["refused", "decided"]].sum().to_numpy(float)
    refused, asked = counts[:, 0], counts[:, 1]
    rate = float(refused.sum()) / float(asked.sum())
    if rate < 0.005 or rate > 0.995:
        return min(0.995, max(0.005, rate)), assumed().together
    # By moments: what rates of articles vary by beyond binomial chance, 1 − 1 / n taken for 1.
    beyond = float(np.mean((refused / asked - rate) ** 2 - rate * (1 - rate) / asked))
    return rate, min(0.9, max(0.0, beyond / (rate * (1 - rate))))
