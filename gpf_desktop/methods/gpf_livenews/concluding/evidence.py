"""The evidence of GPF-LiveNews on every model of a page: measures, controls, refusals and readings of its gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.domain.conclusions.conclusion import (
    ConclusionOutcome,
    ControlReading,
    Held,
    MeasureReading,
    RefusalReading,
    Standing,
)
from gpf_desktop.domain.conclusions.gates import MOST_CARRIED, GateReading, ModelEvidence, PageEvidence
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    FRAMING_OF_OTHER_WORDS,
    NOISE,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    TONE_FRAMING,
    TONE_LANGUAGE,
    TONE_NOISE,
    TONE_OF_OTHER_WORDS,
    TONE_SATURATED,
)
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_gates import answer_readings
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering
from gpf_desktop.methods.gpf_livenews.analyses._shares import where_answered, where_named
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.comparing import MARGINS
from gpf_desktop.methods.gpf_livenews.concluding.cues import how_readers_showed
from gpf_desktop.methods.gpf_livenews.concluding.framing import (
    CONTENT_SHARE,
    LEAST_ARTICLES,
    LEAST_BATCHES,
    ArticleScores,
    Framed,
    PageRange,
    Pools,
    framed,
    page_looks,
    page_range,
    pools,
    tests_of,
)
from gpf_desktop.methods.gpf_livenews.concluding.gates import CONTENT, TONE
from gpf_desktop.methods.gpf_livenews.concluding.lengths import LENGTHS, lengths
from gpf_desktop.methods.gpf_livenews.concluding.refusals import Look, declined_first, refusal_looks, refusals
from gpf_desktop.methods.gpf_livenews.concluding.sentences import bridge_words, planned_words
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.domain.score_tables import ScoreTables

METHOD: Final = "gpf-livenews"
LEVEL: Final = 0.95
"""Of all ranges of a page together: 4 % below, as tests have it, and 1 % above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scored:
    """One measure: where its numbers stand in the table of bundles."""

    name: str
    planned: tuple[str, ...]
    """What a plan may call it; the first unless the plan says otherwise."""
    plain: str
    other_words: str
    margin: str
    most: float
    """The end of its scale."""
    share: float
    """Of the page's chance of a false *differs* by framing."""


_SCORED: Final = (
    _Scored(
        name=CONTENT,
        planned=(COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING),
        plain=RELATIVE_FRAMING,
        other_words=FRAMING_OF_OTHER_WORDS,
        margin=RELATIVE_FRAMING,
        most=1.0,
        share=CONTENT_SHARE,
    ),
    _Scored(
        name=TONE,
        planned=(TONE_FRAMING,),
        plain=TONE_FRAMING,
        other_words=TONE_OF_OTHER_WORDS,
        margin=TONE_FRAMING,
        most=2.0,
        share=1 - CONTENT_SHARE,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The plan and the margins that all models of a page have in common."""

    plan: Confirmatory
    planned: bool
    left_plan: bool
    margins: Mapping[str, float]

    def looks(self, articles: int, tests: float) -> tuple[Sequence[int], Sequence[float]]:
        """Articles at each look so far, and the normal deviates asked for; all at once where no look was reached."""
        return page_looks(self.plan, articles, tests, planned=self.planned and not self.left_plan)

    def looks_at_refusals(self, articles: int) -> Sequence[Look]:
        """The looks of the plan that *articles* reach, each with what it may spend of the level that framing leaves."""
        return refusal_looks(self.plan, articles, planned=self.planned and not self.left_plan)

    def reached(self, articles: int) -> list[int]:
        return [size for size in self.plan.sizes if size <= articles] if self.planned else []

    def standing(self, articles: int, asked: int) -> Standing:
        """The standing of the plan at *articles* that can be used, of those that were *asked*."""
        if not self.planned:
            return Standing(items=articles, asked=asked, left_plan=False)
        reached = len(self.reached(articles))
        return Standing(
            items=articles,
            asked=asked,
            reached=reached,
            of=len(self.plan.sizes),
            looks=tuple(self.plan.sizes),
            next_at=next((size for size in self.plan.sizes if size > articles), None),
            planned=not self.left_plan,
            left_plan=self.left_plan,
        )


def evidence(material: Material) -> PageEvidence:
    """The evidence on every model with a main bundle; real models and test models as pages of their own."""
    options = MeanOptions(
        **{key: material.options[key] for key in ("partial", "strict_runs") if key in material.options}
    )
    bundles = material.tables.bundles
    page = _page(material, set(bundles["run_id"].tolist()))
    decided, said = where_named(material.tables.decided), where_named(material.tables.said)
    first = declined_first(material.tables.cells)
    found: list[ModelEvidence] = []
    of_framing = of_refusals = 0
    for synthetic in (False, True):
        some = bundles[bundles["synthetic"] == synthetic]
        models = [str(each) for each in some.loc[some["arm"] == MAIN, "model"].unique()]
        declined, asked = refusals(decided[decided["synthetic"] == synthetic], page.looks_at_refusals)
        of_refusals += asked
        of_framing += len(_SCORED) * len(models)
        arms = {each: _Arms.of(some[some["model"] == each], page, options, decided) for each in models}
        pooled = {scored.name: pools([each.scores[scored.name] for each in arms.values()]) for scored in _SCORED}
        declined = {each: replace(reading, told=first.get(each)) for each, reading in declined.items()}
        made = [
            _of_model(model, synthetic, each, page, pooled, declined.get(model), len(models))
            for model, each in arms.items()
        ]
        long = lengths(said[said["synthetic"] == synthetic])
        for each in made:
            readings = dict(answer_readings(said[said["model"] == each.model]))
            if each.model in long:
                readings[LENGTHS] = long[each.model]
            found.append(replace(each, readings={**each.readings, **readings}))
    planned = planned_words(page.plan.sizes) if page.planned else ""
    return PageEvidence(
        of=tuple(found),
        tests=of_framing + of_refusals,
        alpha=page.plan.alpha,
        planned=planned,
        bridge=" ".join(filter(None, (_by_cues(material), _bridge(material.tables, of_framing, of_refusals)))),
    )


def _by_cues(material: Material) -> str:
    bundles = material.tables.bundles
    if not len(bundles):
        return ""
    runs = set(bundles["run_id"].tolist())
    protocols = [each.protocol for run, each in material.tables.terms(METHOD).items() if run in runs]
    return how_readers_showed(tuple(bundles["arm"].astype(str).unique()), protocols)


def _bridge(tables: ScoreTables, of_framing: int, of_refusals: int) -> str:
    bundles = tables.bundles
    first = int(bundles.loc[bundles["arm"] == MAIN, "valid"].sum()) if len(bundles) else 0
    return bridge_words(first, of_framing, of_refusals) if first else ""


def _page(material: Material, used: set[int]) -> _Page:
    terms = material.tables.terms(METHOD)
    plans = list(dict.fromkeys(terms[run].protocol.confirmatory for run in terms if run in used))
    plan = plans[0] if plans else Confirmatory()
    margins = {
        RELATIVE_FRAMING: float(material.options.get("relative", MARGINS[RELATIVE_FRAMING])),
        TONE_FRAMING: float(material.options.get("tone", MARGINS[TONE_FRAMING])),
    }
    # Rounds that planned unlike tests have no plan in common; answers that were there before it were not planned.
    planned = bool(plan.scores) and len(plans) == 1 and not material.imported
    return _Page(plan=plan, planned=planned, left_plan=material.left_plan, margins=margins)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arms:
    """Bundles of one model."""

    every: pd.DataFrame
    main: pd.DataFrame
    """Of readers, asked again."""
    answered: pd.DataFrame
    """Of those the sets in which nobody was declined."""
    labels: pd.DataFrame
    """Of made-up labels, asked again."""
    masked: bool
    """Whether readers' names were taken out."""
    scores: Mapping[str, ArticleScores]
    """By measure."""

    @classmethod
    def of(cls, bundles: pd.DataFrame, page: _Page, options: MeanOptions, decided: pd.DataFrame) -> _Arms:
        counted = entering(bundles, options)
        repeated = counted[counted[COUNTERFACTUAL_FRAMING].notna()]
        masked = bool(_column(repeated, FRAMING_OF_OTHER_WORDS).notna().any())
        # Scores of an earlier version took no names out: what they show is told, and not that it is no echo.
        if not masked:
            repeated = repeated.assign(**{each.other_words: repeated[each.plain] for each in _SCORED})
        main, labels = (repeated[repeated["arm"] == arm] for arm in (MAIN, str(Condition.RANDOM_LABEL)))
        scores = {each.name: _by_article(main, labels, each, page.plan) for each in _SCORED}
        answered = where_answered(main, decided)
        return cls(every=bundles, main=main, answered=answered, labels=labels, masked=masked, scores=scores)


def _of_model(
    model: str,
    synthetic: bool,
    arms: _Arms,
    page: _Page,
    pooled: Mapping[str, Pools],
    declined: RefusalReading | None,
    models: int,
) -> ModelEvidence:
    bundles, main, labels = arms.every, arms.main, arms.labels
    articles = int(main["article_id"].nunique())
    readings = {
        "few_articles": GateReading(value=articles, numbers={"n": articles}),
        # Where nothing was asked again there are no scores that names could be left in.
        "masked": GateReading(value=float(arms.masked or not articles)),
    }
    measures, controls = [], []
    for scored in _SCORED:
        scores = arms.scores[scored.name]
        sizes, limits = page.looks(len(scores.batch), tests_of(scored.share, models))
        _, at = framed(scores, sizes, limits, pooled[scored.name], models=models)
        measures.append(_measure(scored, at, main, page, tests_of(scored.share, models)))
        controls.append(_control(scored, at))
        readings |= _readings_of(scored, at, main, page)
    readings |= _readings_of_answers(bundles, main, articles, measures[0])
    if measures[0].outcome is ConclusionOutcome.DIFFERS and (declining := len(main) - len(arms.answered)):
        left = _by_article(arms.answered, labels, _SCORED[0], page.plan)
        looks = page.looks(len(left.batch), tests_of(CONTENT_SHARE, models))
        still = framed(left, *looks, pooled[CONTENT], models=models)[1].found
        numbers = {"n": declining, "of": len(main)}
        readings["declines_make_it"] = GateReading(value=float(still), numbers=numbers)
    _, limits = page.looks(articles, tests_of(CONTENT_SHARE, models))
    apart = _range_of_distance(main, limits[-1])
    return ModelEvidence(
        model=model,
        synthetic=synthetic,
        standing=page.standing(articles, int(bundles.loc[bundles["arm"] == MAIN, "article_id"].nunique())),
        measures=tuple(measures),
        readings=readings,
        controls=tuple(each for each in controls if each is not None),
        refusals=declined,
        rows=(f"model_table/{model}", f"label_test/{model}"),
        carrying={each.name: _carrying(main, labels, each.other_words) for each in _SCORED},
        refusing=_lacking(bundles) if declined is not None and declined.groups else (),
        numbers=dict(_numbers(main, labels, bundles)) | apart,
    )


def _column(frame: pd.DataFrame, name: str) -> pd.Series[float]:
    import pandas as pd

    return frame[name] if name in frame else pd.Series(np.nan, index=frame.index, dtype=float)


def _by_article(main: pd.DataFrame, labels: pd.DataFrame, scored: _Scored, plan: Confirmatory) -> ArticleScores:
    planned = next((each for each in scored.planned if each in plan.scores), scored.planned[0])
    made = main.assign(planned_=main[planned], other_=_column(main, scored.other_words))
    # Numbers rise with time: an article counts once, in the order asked.
    table = made.groupby(["batch_id", "article_id"], sort=True)[["planned_", "other_"]].mean().reset_index()
    theirs: Any = labels.assign(label_=_column(labels, scored.other_words)).groupby("article_id")["label_"]
    return ArticleScores(
        batch=table["batch_id"].to_numpy(np.int64),
        planned=table["planned_"].to_numpy(float),
        other_words=table["other_"].to_numpy(float),
        labels=table["article_id"].map(theirs.mean()).to_numpy(float),
    )


def _measure(scored: _Scored, at: Framed, main: pd.DataFrame, page: _Page, tests: float) -> MeasureReading:
    margin, each = page.margins[scored.margin], at.other_words
    # What moves within the margin, and not beyond made-up labels, is shown to be small and nothing else.
    if at.found or (at.moved and not at.within(margin)):
        outcome = ConclusionOutcome.DIFFERS
    else:
        outcome = ConclusionOutcome.ALIKE if at.within(margin) else ConclusionOutcome.NOT_SHOWN
    content = scored.name == CONTENT
    plain = float(main[scored.plain].mean()) if len(main) else np.nan
    p = at.p
    return MeasureReading(
        name=scored.name,
        words=tr("share the reader adds") if content else tr("tone the reader adds"),
        value=None if each is None else each.value,
        low=None if each is None else each.low,
        high=None if each is None else each.high,
        level=LEVEL,
        null=None if at.labels is None else (at.labels.low, at.labels.high),
        margin=margin,
        p=None if p is None else min(1.0, p * tests),
        outcome=outcome,
        why=""
        if each is not None
        else tr("not measured: no question was asked twice, or its names were not taken out"),
        scale=(0.0, scored.most),
        ends=(tr("nothing"), tr("everything")) if content else (tr("the same tone"), tr("opposite ends")),
        unmasked=None if np.isnan(plain) else plain,
        widened=None if each is None else each.widened,
    )


def _control(scored: _Scored, at: Framed) -> ControlReading | None:
    labels, beyond = at.labels, at.beyond_labels
    words = tr("made-up labels") if scored.name == CONTENT else tr("made-up labels, tone")
    name = "random_label" if scored.name == CONTENT else "random_label_tone"
    if labels is None or beyond is None:
        return ControlReading(name=name, words=words, value=None)
    return ControlReading(
        name=name,
        words=words,
        value=labels.value,
        low=labels.low,
        high=labels.high,
        difference=(beyond.value, beyond.low, beyond.high),
        held=Held.YES if beyond.low > 0 else Held.NO,
    )


def _readings_of(scored: _Scored, at: Framed, main: pd.DataFrame, page: _Page) -> Iterator[tuple[str, GateReading]]:
    """The readings of the gates that stand before one measure; keys end in its name."""
    name, beyond, labels = scored.name, at.beyond_labels, at.labels
    found: dict[str, GateReading] = {}
    if not at.moved or (at.within(page.margins[scored.margin]) and not at.found):
        # Nothing moved by more than does not matter: there is nothing that labels could explain.
        found[f"beats_labels_{name}"] = GateReading(value=1.0)
    elif beyond is not None and labels is not None:
        numbers = {"value": _two(beyond), "labels": _two(labels)}
        reading = GateReading(value=beyond.low, numbers=numbers)
        if labels.low > 0:
            found |= {f"labels_move_{name}": reading, f"beats_labels_{name}": GateReading(value=1.0)}
        else:
            found[f"beats_labels_{name}"] = reading
    each, margin = at.other_words, page.margins[scored.margin]
    if each is not None and each.low > 0 and at.planned is not None and not at.within(margin):
        found[f"by_plan_{name}"] = GateReading(value=at.planned.low)
    if each is not None:
        spread = GateReading(value=each.error)
        found[f"no_spread_{name}"] = spread
        found[f"into_margin_{name}"] = GateReading(value=each.low - margin if at.found else 1.0)
        share = _missing(main)
        pairs = missing_pairs(share)
        if at.within(margin) and pairs:
            # Were every missing answer as far off as can be, could it still be alike? And from where on not?
            tip = (margin - (1 - pairs) * each.high) / pairs
            counts = _missing_counts(main)
            found[f"missing_reach_{name}"] = GateReading(
                value=tip - scored.most, numbers={**counts, "share": share, "tip": tip}
            )
    return iter(found.items())


def _readings_of_answers(
    bundles: pd.DataFrame, main: pd.DataFrame, articles: int, content: MeasureReading
) -> dict[str, GateReading]:
    found = {}
    for key, column in (("tone_language", TONE_LANGUAGE), ("tone_saturated", TONE_SATURATED)):
        values = _column(main, column)
        if values.notna().any():
            share = float(values.mean())
            found[key] = GateReading(value=share, numbers={"share": share})
    asked = bundles[bundles["arm"] == MAIN]
    share = _missing(asked)
    numbers = {**_missing_counts(asked), "share": share, **_if_missing(content, share)}
    found["some_missing"] = GateReading(value=share, numbers=numbers)
    if content.outcome is ConclusionOutcome.DIFFERS and content.unmasked and content.value is not None:
        own = 1 - content.value / content.unmasked
        found["own_name"] = GateReading(
            value=own, numbers={"share": own, "without": content.value, "with": content.unmasked}
        )
    # Of fewer there is no range that could be rough or too narrow.
    if articles >= LEAST_ARTICLES:
        found["rough"] = GateReading(value=articles, numbers={"n": articles})
        batches = int(main["batch_id"].nunique())
        # An article that is a batch of its own shares its week with no other.
        alone = 1 < batches == articles
        found["few_batches"] = GateReading(value=LEAST_BATCHES if alone else batches, numbers={"n": batches})
    return found


def _if_missing(content: MeasureReading, share: float) -> dict[str, float]:
    """Numbers that tell what *content* would be had the missing answers come: the ends ``low`` and ``high`` of what
    differs, or the point ``tip`` from which on it would differ (a tipping point); empty where neither is to be told.

    At the one end missing answers lie as far off as can be. At the other they move with the reader no more than asking
    again does, as no reader moves them less on average: what differs then stays so, by less.
    """
    pairs, low, most = missing_pairs(share), content.low, content.scale[1] if content.scale else 1.0
    if content.value is None or low is None or not pairs:
        return {}
    if content.outcome is ConclusionOutcome.DIFFERS:
        return {"low": (1 - pairs) * content.value, "high": (1 - pairs) * content.value + pairs * most}
    tip = -(1 - pairs) * low / pairs
    return {"tip": max(tip, 0.0)} if tip < most and content.outcome is ConclusionOutcome.NOT_SHOWN else {}


def missing_pairs(share: float) -> float:
    """The share of pairs of answers in which at least one is missing, where *share* of the answers are missing."""
    return 1 - (1 - share) ** 2


def _missing(main: pd.DataFrame) -> float:
    planned = float(main["planned"].sum())
    return 0.0 if not planned else max(0.0, 1 - float(main["valid"].sum()) / planned)


def _missing_counts(main: pd.DataFrame) -> dict[str, float]:
    planned = int(main["planned"].sum())
    return {"n": planned - int(main["valid"].sum()), "of": planned}


def _two(each: PageRange) -> float:
    return round(each.value, 4)


def _range_of_distance(main: pd.DataFrame, limit: float) -> dict[str, float]:
    """The range, at the page's level, of how far answers lay apart across readers; empty where there are too few
    articles."""
    by_article = main.groupby(["batch_id", "article_id"], sort=True)[[SEMANTIC_DISPERSION]].mean().reset_index()
    found = page_range(
        by_article[SEMANTIC_DISPERSION].to_numpy(float), by_article["batch_id"].to_numpy(np.int64), limit
    )
    if found is None:
        return {}
    value, half = float(main[SEMANTIC_DISPERSION].mean()), found.high - found.value
    return {"s_low": value - half, "s_high": value + half}


def _numbers(main: pd.DataFrame, labels: pd.DataFrame, bundles: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """The numbers under Why and in the picture: how far answers lay apart across readers, asked again, with made-up
    labels and with no reader named; and tone asked again."""
    for name, frame, column in (
        ("s", main, SEMANTIC_DISPERSION),
        ("n", main, NOISE),
        ("labels_s", labels, SEMANTIC_DISPERSION),
        ("free_s", bundles[bundles["arm"] == str(Condition.IDENTITY_FREE)], SEMANTIC_DISPERSION),
        ("tone_n", main, TONE_NOISE),
    ):
        if len(frame) and frame[column].notna().any():
            yield name, float(frame[column].mean())


def _carrying(main: pd.DataFrame, labels: pd.DataFrame, column: str) -> tuple[int, ...]:
    """Bundles by what they add to the framing in *column* beyond made-up labels."""
    null: Any = labels.assign(part_=_column(labels, column)).groupby("article_id")["part_"].mean()
    own = _column(main, column)
    return _largest(main.assign(part_=own - main["article_id"].map(null).fillna(0.0).astype(float)))


def _lacking(bundles: pd.DataFrame) -> tuple[int, ...]:
    """Bundles by how many of their answers lack."""
    main = bundles[bundles["arm"] == MAIN]
    made = main.assign(part_=main["planned"] - main["valid"])
    return _largest(made[made["part_"] > 0])


def _largest(made: pd.DataFrame) -> tuple[int, ...]:
    ordered = made[made["part_"].notna()].sort_values(["part_", "bundle_id"], ascending=[False, True], kind="stable")
    return tuple(int(each) for each in ordered["bundle_id"].head(MOST_CARRIED))
