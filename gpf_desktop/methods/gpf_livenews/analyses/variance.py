"""The table of variance: the part of a score's variance that is the news, and what more articles or repeats would buy
(method, "Variance")."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, share, text
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, SEMANTIC_DISPERSION, TONE_FRAMING
from gpf_desktop.domain.text import Translated, as_said, percent, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles
from gpf_desktop.methods.gpf_livenews.comparing import score_words
from gpf_desktop.methods.gpf_livenews.variation import of_generations, variation

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.stats.components import Component

MOST_ARTICLES: Final = 40
"""The newest ones: the fit takes time with the cube of its levels."""
_LEAST_VALUES: Final = 12
_NEWS: Final = ("article", "batch")
_LITTLE: Final = 0.005
"""A share that is told as 0 %."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One score of one group of models, taken apart."""

    score: str
    synthetic: bool
    parts: tuple[Component, ...]
    bought: str
    """What more would buy; empty where it cannot be told."""


class Variance(TableAnalysis):
    """Crossed random effects by REML with profile intervals; calibration models apart."""

    name = "variance"
    version = "2"
    options = MeanOptions
    title = Translated("Where the spread comes from")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        found = tuple(_found(bundles))
        return self.finding(
            columns=(
                text("models", tr("Models")),
                text("score", tr("Score")),
                text("part", tr("Comes from")),
                estimate("sd", tr("SD"), tr("Standard deviation that this source alone brings, in the score's unit.")),
                share(
                    "share", tr("Share"), tr("Of the variance of single sets of answers; all sources add up to 100%.")
                ),
                count("levels", tr("How many"), tr("How many there were: few leave a wide range, or none.")),
            ),
            rows=tuple(row for each in found for row in _rows(each, options)),
            reading=tr(
                "How much of the spread of single sets the news brings, and how much models, groups of "
                "readers and kinds of question. Where the news brings much, another batch's articles would "
                "give other numbers."
            ),
            highlights=tuple(line for each in found for line in _said(each)),
            notes=_notes(),
            figures=(
                Intervals(
                    title=tr("Standard deviation by source"),
                    label=("models", "score", "part"),
                    value="sd",
                    x_title=tr("standard deviation"),
                    zero=True,
                ),
            ),
        )


def _found(bundles: pd.DataFrame) -> Iterator[_Part]:
    for synthetic in (False, True):
        some = bundles[bundles["synthetic"] == synthetic]
        for score in (SEMANTIC_DISPERSION, COUNTERFACTUAL_FRAMING, TONE_FRAMING):
            newest = _newest(some)
            scored = newest[newest[score].notna()]
            parts = _components(scored, score)
            if parts:
                asked = _a_article(newest)
                yield _Part(score=score, synthetic=synthetic, parts=parts, bought=_bought(scored, score, asked))


def _newest(bundles: pd.DataFrame) -> pd.DataFrame:
    articles = sorted(bundles["article_id"].unique())[-MOST_ARTICLES:]
    return bundles[bundles["article_id"].isin(articles)]


def _components(bundles: pd.DataFrame, score: str) -> tuple[Component, ...]:
    """The variance components of every factor with two levels or more; empty where there is too little to take apart.

    A batch of one article cannot be told from its article, and is left out.
    """
    from gpf_desktop.stats.components import variance_components

    numbers = {
        "article": bundles["article_id"].to_numpy(),
        "batch": bundles["batch_id"].to_numpy(),
        **{name: bundles[name].cat.codes.to_numpy() for name in ("model", "dimension", "family")},
    }
    levels = {name: len(set(number.tolist())) for name, number in numbers.items()}
    used = {
        name: number.astype("int64")
        for name, number in numbers.items()
        # A factor of one level is the mean itself.
        if levels[name] > 1 and not (name == "batch" and levels["batch"] == levels["article"])
    }
    if "article" not in used or len(bundles) < _LEAST_VALUES:
        return ()
    values = bundles[score].to_numpy(float)
    return variance_components(values, used).parts if values.std() > 0 else ()


def _rows(found: _Part, options: MeanOptions) -> Iterator[Row]:
    from gpf_desktop.stats.components import LEVEL

    for part in found.parts:
        # A likelihood that stays high for any variance sets no upper bound, as with very few levels.
        bounded = part.high < float("inf")
        interval = (
            Interval(low=part.low**0.5, high=part.high**0.5, level=LEVEL, method=tr("profile likelihood"))
            if bounded
            else None
        )
        yield Row(
            values={
                "models": _group(synthetic=found.synthetic),
                "score": score_words(found.score),
                "part": _parts()[part.name],
                "sd": Estimate(value=part.variance**0.5, n=part.levels, articles=0, interval=interval),
                "share": Estimate(value=part.share, n=part.levels, articles=0),
                "levels": part.levels,
            },
            bundles=BundleFilter(arm=options.arm, synthetic=found.synthetic),
            synthetic=found.synthetic,
        )


def _said(found: _Part) -> Iterator[str]:
    article = next(part for part in found.parts if part.name == "article")
    news = sum(part.share for part in found.parts if part.name in _NEWS)
    others = sorted((part for part in found.parts if part.name not in _NEWS), key=lambda part: -part.share)
    listed = ", ".join(f"{_parts()[part.name]} {percent(part.share)}" for part in others)
    yield tr(
        "{score}, {models}: over {n} articles the news brings {news} of the variance of single sets, "
        "as estimated{open}; {others}.",
        score=score_words(found.score),
        models=_group(synthetic=found.synthetic),
        n=article.levels,
        news=percent(news),
        open=tr(", which does not show that it brings none") if news < _LITTLE else "",
        others=listed,
    )
    if found.bought:
        yield found.bought


def _bought(bundles: pd.DataFrame, score: str, asked: float) -> str:
    """The standard error of one model's mean, now and with more; over new articles, the questions held fixed.

    *asked*: main bundles of an article, of which those with this score are drawn anew for each (method, "Planning").
    """
    varied = variation(bundles, score)
    if varied is None:
        return ""
    each = _a_article(bundles)
    articles = int(bundles.groupby("model", observed=True)["article_id"].nunique().median())

    def error(times: int = 1, more: int = 1, residual: float = 1.0) -> str:
        # No more bundles can be repeated than an article has.
        r = min(asked, more * each)
        within = varied.question * (1 - r / asked) + varied.residual * residual
        return as_said(f"{((varied.item + within / r) / (articles * times)) ** 0.5:.4f}")

    said = tr(
        "{score}: over {n} articles a model's mean has a standard error of {now}; {twice} over {two}, {fourfold} over "
        "{four}",
        score=score_words(score),
        n=articles,
        now=error(),
        two=2 * articles,
        twice=error(2),
        four=4 * articles,
        fourfold=error(4),
    )
    if score == SEMANTIC_DISPERSION:
        return tr("{said}; each question was asked once.", said=said)
    return tr(
        "{said}; {more} with twice as many sets asked again, {deeper} if each is asked 5 times in place of 3.",
        said=said,
        more=error(more=2),
        deeper=error(residual=of_generations(5) / of_generations(3)),
    )


def _a_article(bundles: pd.DataFrame) -> float:
    """Mean number of bundles of a model and article."""
    sizes: Any = bundles.groupby(["model", "article_id"], observed=True).size()
    return float(sizes.mean())


def _group(*, synthetic: bool) -> str:
    return tr("built-in test models") if synthetic else tr("models")


def _parts() -> dict[str, str]:
    return {
        "article": tr("article"),
        "batch": tr("batch of news"),
        "model": tr("model"),
        "dimension": tr("group of readers"),
        "family": tr("kind of question"),
        "residual": tr("the rest"),
    }


def _notes() -> tuple[str, ...]:
    return (
        tr(
            "Crossed random effects by restricted maximum likelihood, over the newest {n} articles; "
            "ranges by profile likelihood. The method's text says how often they hold what was planted.",
            n=MOST_ARTICLES,
        ),
        tr(
            "“The rest” is what one set has beyond these: its question, the model's own reading of the "
            "article, and chance. No range: so few leave the variance without an upper bound."
        ),
        tr(
            "Standard errors of a mean: models' mean variances between articles and within them, the "
            "questions held fixed. Asked K times, the part within goes as 1 + 0.7/(K − 1)."
        ),
    )


ANALYSIS = Variance()
