"""The effects that a round will find, told before it is paid for, and the size of a round for a given effect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.round_planning import Effect, EffectScale, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.scopes import ARM, Scope
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING
from gpf_desktop.domain.text import as_said, percent, tr, trn
from gpf_desktop.methods.gpf_livenews.cells import PARAPHRASE_ARM, Condition
from gpf_desktop.methods.gpf_livenews.comparing import MARGINS
from gpf_desktop.methods.gpf_livenews.concluding.framing import CONTENT_SHARE, FRAMING_SHARE, page_looks, tests_of
from gpf_desktop.methods.gpf_livenews.concluding.power import DRAWS, FramingPower
from gpf_desktop.methods.gpf_livenews.concluding.refusals import refusal_looks
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.variation import LEAST_ARTICLES, of_generations, variation

if TYPE_CHECKING:
    import pandas as pd

REFUSAL: Final = "refusal"
CUE_PARTING: Final = "cue_parting"
TURN_MOVE: Final = "turn_move"
_PARTINGS: Final = (0.1, 0.2)
_SHOWN_MOVES: Final = (0.01, 0.04)
_ALIKE, _MOVED = 0.019, 0.028
"""Standard deviation of what readers of one set add to the moves at a second turn: where all move alike, and where two
of seven move by .2 further (`tests/benchmarks/validity_turns.py`). With the latter for every size the promise is that
of the whole rule on drawn moves: 20 % at 5 articles, 86 % at 10 and 25 % of a move of .1 at 30."""
_TRIED: Final = (*range(3, 21), 24, 28, 32, 40, 50, 65, 80, 100, 130, 160, 200, 260, 320, 400, 500)
"""Numbers of articles among which the fewest are looked for: each try takes a part of a second."""
_SHOWN_SIZES: Final = {COUNTERFACTUAL_FRAMING: (0.05, 0.1), TONE_FRAMING: (0.1, 0.2)}
"""Effects of which the chance to be found is told too: small ones, that somebody would not like to miss."""
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
    """The design without what *scope* leaves out: its families, and its dimensions of two identities or more; None
    where no main bundle is left."""
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
    parting = (_smallest_parting(protocol, controls, extent, pilot),) if protocol.cues and controls.cues else ()
    turns = (_smallest_move(protocol, controls, extent),) if protocol.second_turns and controls.second_turns else ()
    return (*means, _smallest_rise(protocol, controls, extent, pilot), *parting, *turns)


def enough(effect: Effect, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest articles under these controls, and the least share of repeats over these articles."""
    if effect.name == REFUSAL:
        return Enough(items=_articles_for_rise(effect.size, protocol, controls, extent, pilot))
    plan = protocol.confirmatory
    # Judged at its looks and at no other time, a plan finds nothing between two of them.
    sizes = plan.sizes if plan.scores else ()

    def found(articles: int) -> bool:
        power = _framing(effect.name, protocol, controls, replace(extent, items=articles), pilot)
        return power is not None and power.found(effect.size) >= extent.power

    articles = next(filter(found, sizes or _TRIED), None)
    more = _more_repeats(effect, protocol, controls, extent, pilot)
    words = "" if more is None else tr("{share} of questions asked again", share=percent(more.repeat_share))
    return Enough(items=articles, controls=more, controls_words=words)


def _titles() -> dict[str, str]:
    return {
        COUNTERFACTUAL_FRAMING: tr("What the reader adds, in words"),
        TONE_FRAMING: tr("Tone the reader adds"),
        REFUSAL: tr("One reader declined more often, as a share"),
    }


def effects() -> dict[str, EffectScale]:
    declined = tr("how much more often one reader is declined than the others of the group, as a share")
    return {
        COUNTERFACTUAL_FRAMING: EffectScale(
            words=tr("what the reader adds to how far answers lie apart, 0 to 1"),
            first=0.05,
            least=0.005,
            most=1.0,
            step=0.005,
        ),
        TONE_FRAMING: EffectScale(words=tr("tone the reader adds, 0 to 2"), first=0.1, least=0.01, most=2.0, step=0.01),
        REFUSAL: EffectScale(words=declined, first=0.1, least=0.01, most=1.0, step=0.01),
    }


def _smallest_mean(name: str, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Findable:
    title, plan = _titles()[name], protocol.confirmatory
    if not _repeated(protocol, controls):
        return Findable(
            name=name, title=title, smallest=None, why=tr("needs questions that are asked again: ask the controls too")
        )
    if not _repeated_labels(protocol, controls):
        why = tr("needs made-up labels that are asked again: without them nothing is called different")
        return Findable(name=name, title=title, smallest=None, why=why)
    if why := _too_few(protocol, controls, extent):
        return Findable(name=name, title=title, smallest=None, why=why)
    power = _framing(name, protocol, controls, extent, pilot)
    assert power is not None, "readers and labels are asked again"
    return Findable(
        name=name,
        title=title,
        smallest=power.smallest(extent.power),
        shares=tuple((size, power.found(size)) for size in _SHOWN_SIZES[name]),
        tested=tr(
            "simulated, {draws} audits: three one-sided tests at once over {articles}; in each about "
            "{bundles} sets of readers and {labels} of made-up labels asked again; {looks}, {alpha} over "
            "{models} and both measures{beside}",
            draws=DRAWS,
            beside=_beside(power, _SHOWN_SIZES[name][0]) if extent.models > 1 else "",
            alpha=percent(FRAMING_SHARE * plan.alpha, 1),
            articles=trn("{n} article", "{n} articles", power.sizes[-1]),
            bundles=as_said(f"{_repeated(protocol, controls):.1f}"),
            labels=as_said(f"{_repeated_labels(protocol, controls):.1f}"),
            looks=trn("{n} planned look", "{n} planned looks", len(power.sizes)),
            models=trn("{n} model", "{n} models", extent.models),
        ),
    )


def _beside(power: FramingPower, size: float) -> str:
    return tr(
        "; {size:g} is found in {n} of 100 where the other models move unevenly, by {size:g} from article to article",
        size=size,
        n=round(100 * power.found(size, uneven=size)),
    )


def _too_few(protocol: Protocol, controls: Controls, extent: Extent) -> str:
    """Why so few articles cannot be concluded from; empty where they can."""
    plan = protocol.confirmatory
    first = plan.sizes[0] if plan.scores else LEAST_ARTICLES
    if extent.items < first and plan.scores:
        return tr("nothing can be concluded before {n} articles, the first planned look", n=first)
    if extent.items < first:
        return tr("nothing can be concluded of fewer than {n} articles", n=first)
    counted, with_labels = _counted(protocol, controls, extent.items)
    if counted < first:
        return tr(
            "a question is asked again of only about {counted} of {n} articles, and {first} are needed: "
            "ask {share} of the questions again, or more",
            counted=counted,
            n=extent.items,
            first=first,
            share=percent(min(1.0, 1 / _bundles(protocol))),
        )
    if with_labels < LEAST_ARTICLES:
        return tr(
            "a question with a made-up label is asked again of only about {counted} of {n} articles, and "
            "{first} are needed",
            counted=with_labels,
            n=extent.items,
            first=LEAST_ARTICLES,
        )
    return ""


def _counted(protocol: Protocol, controls: Controls, articles: int) -> tuple[int, int]:
    """The number of *articles* with a question that is asked again, and the number with a made-up label asked again.

    Where less than one bundle of an article is to be repeated, that part of the articles has one (`grid.spread`).
    """
    shares = _repeated(protocol, controls), _repeated_labels(protocol, controls)
    counted, with_labels = (int(articles * min(1.0, share) + 1e-9) for share in shares)
    return counted, with_labels


def _framing(name: str, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> FramingPower | None:
    """The power of framing by the rule of the conclusions; None where there are no repeats, or too few articles for
    anything."""
    readers, labels = _of_article(name, protocol, controls, pilot), _of_labels(name, protocol, controls, pilot)
    plan = protocol.confirmatory
    if readers is None or labels is None or _too_few(protocol, controls, extent):
        return None
    counted, _ = _counted(protocol, controls, extent.items)
    tests = tests_of(CONTENT_SHARE if name == COUNTERFACTUAL_FRAMING else 1 - CONTENT_SHARE, extent.models)
    sizes, limits = page_looks(plan, counted, tests, planned=bool(plan.scores))
    return FramingPower(readers=readers, labels=labels, sizes=sizes, limits=limits, models=extent.models)


def _smallest_rise(protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Findable:
    from gpf_desktop.stats.power import detectable_rise

    title, plan = _titles()[REFUSAL], protocol.confirmatory
    first = plan.sizes[0] if plan.scores else 1
    if extent.items < first:
        why = tr("nothing can be concluded before {n} articles, the first planned look", n=first)
        return Findable(name=REFUSAL, title=title, smallest=None, why=why)
    design = _refusal_design(protocol, controls, extent)
    articles = refusal_looks(plan, extent.items, planned=bool(plan.scores))[-1].articles
    rise = detectable_rise(pilot.refused, **design, clusters=articles, wanted=extent.power, correlation=pilot.together)
    return Findable(
        name=REFUSAL,
        title=title,
        smallest=rise,
        why=tr("no rise is found: too few articles") if rise is None else "",
        tested=trn(
            "simulated: one of {groups} readers against the others, {n} answer for each on every article, {rate} "
            "declined otherwise; 1% over all readers and models",
            "simulated: one of {groups} readers against the others, {n} answers for each on every article, {rate} "
            "declined otherwise; 1% over all readers and models",
            design["trials"],
            groups=design["groups"],
            rate=percent(pilot.refused),
        ),
    )


def _smallest_parting(protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> Findable:
    """The smallest difference between shown and stated readers that is found, in words alone, by the cue that shows the
    fewest dimensions of those that show any. Both sides are asked the same questions about the same articles, so that
    only what single bundles vary by is left, twice over."""
    from gpf_desktop.methods.gpf_livenews.concluding.cue_power import chance_of_parting, smallest_parting

    title = tr("A cue that moves the words otherwise than stated readers")
    # A cue whose dimensions were all left out asks nothing.
    shown = [dimensions for each in protocol.cues if (dimensions := len(protocol.shown_by(each)))]
    if not shown:
        why = tr("no cue shows every reader of any kind that is asked")
        return Findable(name=CUE_PARTING, title=title, smallest=None, why=why)
    bundles = controls.repeat_share * min(shown) * len(protocol.families)
    articles = int(extent.items * min(1.0, bundles) + 1e-9)
    if articles < LEAST_ARTICLES:
        why = tr(
            "of only about {n} articles is a question asked both ways, and {least} such are needed",
            n=articles,
            least=LEAST_ARTICLES,
        )
        return Findable(name=CUE_PARTING, title=title, smallest=None, why=why)
    seen = pilot.variation[COUNTERFACTUAL_FRAMING]
    residual = seen.residual * of_generations(controls.repeat_generations) / of_generations(seen.generations)
    # Of the share that readers add, as its margin is to that of CFS.
    spread = (2 * residual / max(1.0, bundles)) ** 0.5 * MARGINS[RELATIVE_FRAMING] / MARGINS[COUNTERFACTUAL_FRAMING]
    tests = max(1, extent.models) * len(shown)
    return Findable(
        name=CUE_PARTING,
        title=title,
        smallest=smallest_parting(spread, articles, tests, extent.power),
        shares=tuple((size, chance_of_parting(size, spread, articles, tests)) for size in _PARTINGS),
        tested=tr(
            "simulated: both sides of the same questions over {articles}, about {bundles} in each; 5% over {models},"
            " {cues} and three measures, if the cue moves every article alike",
            articles=trn("{n} article", "{n} articles", articles),
            bundles=as_said(f"{max(1.0, bundles):.1f}"),
            models=trn("{n} model", "{n} models", extent.models),
            cues=trn("{n} cue", "{n} cues", len(shown)),
        ),
    )


def _smallest_move(protocol: Protocol, controls: Controls, extent: Extent) -> Findable:
    """The smallest effect of readers on how far answers move at a second turn that is found, by the rule of
    `concluding.giving_way`."""
    from gpf_desktop.methods.gpf_livenews.concluding.framing import fixed_bound
    from gpf_desktop.methods.gpf_livenews.concluding.giving_way import ALPHA, UNSEEN_MODELS

    title = tr("A second turn at which answers move further for some readers")
    bundles, labels = _repeated(protocol, controls), _repeated_labels(protocol, controls)
    if not bundles or not labels:
        why = tr("needs questions and made-up labels that are asked again: without them nothing is called different")
        return Findable(name=TURN_MOVE, title=title, smallest=None, why=why)
    counted, with_labels = _counted(protocol, controls, extent.items)
    if min(counted, with_labels) < LEAST_ARTICLES:
        why = tr(
            "of only about {n} articles is a question doubted that was asked again, and {least} are needed",
            n=min(counted, with_labels),
            least=LEAST_ARTICLES,
        )
        return Findable(name=TURN_MOVE, title=title, smallest=None, why=why)
    tests = max(1, extent.models) * len(protocol.second_turns)
    power = FramingPower(
        readers=_spread_of_moves(_MOVED, [len(each.identities) for each in protocol.dimensions], controls, bundles),
        labels=_spread_of_moves(_ALIKE, [len(each.labels) for each in protocol.label_sets], controls, labels),
        sizes=(counted,),
        limits=(fixed_bound(ALPHA / 2, tests),),
        models=max(1, extent.models),
        unseen=UNSEEN_MODELS,
    )
    return Findable(
        name=TURN_MOVE,
        title=title,
        smallest=power.smallest(extent.power),
        shares=tuple((size, power.found(size)) for size in _SHOWN_MOVES),
        tested=tr(
            "simulated, {draws} audits: {articles}, in each about {bundles} sets of readers and {labels} of made-up "
            "labels that are doubted; {alpha} over {models} and {turns}. Two readers of seven who move answers by 0.1 "
            "further add 0.01, by 0.2 0.04. How moves vary is assumed",
            draws=DRAWS,
            articles=trn("{n} article", "{n} articles", counted),
            bundles=as_said(f"{bundles:.1f}"),
            labels=as_said(f"{labels:.1f}"),
            alpha=percent(ALPHA),
            models=trn("{n} model", "{n} models", extent.models),
            turns=trn("{n} turn", "{n} turns", len(protocol.second_turns)),
        ),
    )


def _spread_of_moves(of_set: float, sizes: Sequence[int], controls: Controls, bundles: float) -> float:
    """Standard deviation of an article's mean over *bundles*; *of_set* of one of seven readers and three generations.

    As simulated: by the root of the readers, and of generations × (generations − 1).
    """
    generations, readers = controls.repeat_generations, sum(sizes) / len(sizes)
    return float(of_set * (7 / readers * 6 / (generations * (generations - 1)) / max(1.0, bundles)) ** 0.5)


def _articles_for_rise(size: float, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot) -> int | None:
    from gpf_desktop.stats.power import clusters_for_rise

    articles = clusters_for_rise(
        pilot.refused,
        size,
        **_refusal_design(protocol, controls, extent),
        wanted=extent.power,
        correlation=pilot.together,
    )
    plan = protocol.confirmatory
    if articles is None or not plan.scores:
        return None if articles is None else max(LEAST_ARTICLES, articles)
    return next((look for look in plan.sizes if look >= articles), None)


def _refusal_design(protocol: Protocol, controls: Controls, extent: Extent) -> dict[str, Any]:
    """The design of the test of refusals in the largest dimension, where one identity is the hardest to tell from the
    others."""
    groups = max(len(dimension.identities) for dimension in protocol.dimensions)
    more = controls.paraphrase_share + controls.repeat_share * (controls.repeat_generations - 1)
    every = sum(len(dimension.identities) for dimension in protocol.dimensions) * max(1, extent.models)
    plan = protocol.confirmatory
    # The first step over all readers and models of the page, of what the last look may spend.
    alpha = refusal_looks(plan, extent.items, planned=bool(plan.scores))[-1].alpha / every
    return {"groups": groups, "trials": round(len(protocol.families) * (1 + more)), "alpha": alpha}


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
    return ClusterSpread(between=seen.item, within=residual + drawn).of_mean(max(1.0, repeated))


def _of_labels(name: str, protocol: Protocol, controls: Controls, pilot: Pilot) -> float | None:
    """Standard deviation of an article's mean over made-up labels, which mean nothing; None where none is repeated."""
    repeated = _repeated_labels(protocol, controls)
    if not repeated:
        return None
    seen = pilot.variation[name]
    residual = seen.residual * of_generations(controls.repeat_generations) / of_generations(seen.generations)
    return float((residual / repeated) ** 0.5)


def _repeated_labels(protocol: Protocol, controls: Controls) -> float:
    """Bundles of made-up labels of an article that are asked again."""
    if not controls.random_label or controls.repeat_generations < 2:
        return 0.0
    return controls.label_repeat_share * len(protocol.label_sets) * len(protocol.families)


def _more_repeats(
    effect: Effect, protocol: Protocol, controls: Controls, extent: Extent, pilot: Pilot
) -> Controls | None:
    """The least share, in steps of one bundle, with which the round's own articles find *effect*."""
    every = _bundles(protocol)
    generations = max(2, controls.repeat_generations)

    def asked(number: int) -> Controls:
        return replace(controls, repeat_share=number / every, repeat_generations=generations)

    def found(number: int) -> bool:
        power = _framing(effect.name, protocol, asked(number), extent, pilot)
        return power is not None and power.found(effect.size) >= extent.power

    low, high = max(1, ceil(_repeated(protocol, controls))), every
    if not found(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle + 1, high)
    return asked(high)


def pilot(scores: ScoreTables) -> Pilot | None:
    """The pilot measured on the main bundles with repeats, model by model, and on the cells that models decided."""
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
        words = tr("{words} All of it by built-in test models: a language model varies otherwise.", words=words)
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
