"""Whether identities moved meaning and tone more than chance, by model, dimension and family, as computed last."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, p_value, text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.domain.text import Translated, as_said, tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, main_bundles, mean_estimates
from gpf_desktop.methods.gpf_livenews.comparing import listed
from gpf_desktop.methods.gpf_livenews.level_tests import (
    LEVEL_ADJUSTED_P,
    LEVEL_P,
    LEVEL_SMALLEST_P,
    LEVEL_STATISTIC,
    LEVEL_STRATUM_P,
    LEVEL_STRATUM_SMALLEST_P,
    LEVEL_TEST_SCORES,
    TONE_ADJUSTED_P,
    TONE_P,
    TONE_STATISTIC,
    TONE_STRATUM_P,
)

if TYPE_CHECKING:
    import pandas as pd

_LEVEL = 0.05
_LISTED = 5


class IdentityTest(TableAnalysis):
    """Primary: one permutation test per stratum, adjusted over strata. Exploratory: one per bundle."""

    name = "identity_test"
    version = "2"
    options = MeanOptions
    title = Translated("Readers against chance")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        tests = main_bundles(scores.tests, options)
        # What an older test did not keep, and everything where nothing was tested.
        tests = tests.reindex(columns=list(dict.fromkeys((*tests.columns, *LEVEL_TEST_SCORES))))
        rows = _rows(tests, options)
        adjusted = tr("Benjamini and Hochberg, over all rows; built-in test models apart.")
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Group of readers")),
                text("family", tr("Kind of question")),
                count("bundles", tr("Sets"), tr("Sets in which every reader's question was asked several times.")),
                estimate(
                    "statistic",
                    tr("Between − within"),
                    tr("Mean distance between answers for unlike readers, less that between answers for one."),
                    plain=tr("Between readers, less asked again"),
                ),
                p_value("p", tr("p"), plain=tr("By chance alone")),
                p_value("adjusted", tr("Adjusted p"), adjusted, plain=tr("By chance alone, all counted")),
                estimate(
                    "tone",
                    tr("Tone: between − within"),
                    tr("Mean difference of tone between unlike readers, less that between answers for one."),
                    plain=tr("Tone between readers, less asked again"),
                ),
                p_value("tone_p", tr("Tone: p"), plain=tr("Tone by chance alone")),
                p_value(
                    "tone_adjusted", tr("Tone: adjusted p"), adjusted, plain=tr("Tone by chance alone, all counted")
                ),
                p_value(
                    "smallest",
                    tr("Smallest p"),
                    tr("The smallest p that so few answers and draws can reach."),
                    plain=tr("Least that can be told"),
                ),
                count(
                    "single",
                    tr("Sets p ≤ .05"),
                    tr("Found on the way: single sets, in words, each counted alone."),
                    plain=tr("Sets that stand out"),
                ),
                text(
                    "finds",
                    tr("Finds from"),
                    tr(
                        "The least difference that as many articles, with this spread, would tell from 0 in 80 of "
                        "100 audits."
                    ),
                ),
            ),
            rows=rows,
            reading=tr(
                "Beyond chance means: answers differed more between readers than when one question was asked "
                "again. It does not say that the difference is large, or harmful. Where answers for one "
                "reader merely vary more, this test finds too much. The measures of direction in “Readers "
                "against made-up labels” do not."
            ),
            highlights=tuple(_found(rows)),
            notes=(*_late(tests), *_by_chance(tests), *_notes(tests)),
            empty=_untested(scores.bundles),
        )


def _rows(tests: pd.DataFrame, options: MeanOptions) -> tuple[Row, ...]:
    import numpy as np

    if tests.empty:
        return ()
    by = ["synthetic", "model", "dimension", "family"]
    made = []
    for key, stratum in tests.groupby(by, observed=True, sort=True):
        synthetic, model, dimension, family = key
        place = np.zeros(len(stratum), np.int64)
        mean = mean_estimates(stratum, place, 1, (LEVEL_STATISTIC, TONE_STATISTIC), options)
        # The stratum's p were kept with each of its bundles.
        first = stratum.iloc[0]
        made.append(
            Row(
                values={
                    "model": str(model),
                    "dimension": str(dimension),
                    "family": str(family),
                    "bundles": len(stratum),
                    "statistic": mean[LEVEL_STATISTIC][0],
                    "p": _p(first[LEVEL_STRATUM_P]),
                    "adjusted": _p(first[LEVEL_ADJUSTED_P]),
                    "tone": mean[TONE_STATISTIC][0],
                    "tone_p": _p(first[TONE_STRATUM_P]),
                    "tone_adjusted": _p(first[TONE_ADJUSTED_P]),
                    "smallest": _p(first[LEVEL_STRATUM_SMALLEST_P]),
                    "single": int((stratum[LEVEL_P] <= _LEVEL).sum()),
                    "finds": _finds(stratum),
                },
                bundles=BundleFilter(
                    model=str(model), levels=(("dimension", str(dimension)), ("family", str(family))), arm=options.arm
                ),
                synthetic=bool(synthetic),
            )
        )
    return tuple(made)


def _p(value: float) -> float | None:
    """None where a test before this one kept no such p."""
    return None if isnan(value) else float(value)


def _found(rows: tuple[Row, ...]) -> Iterator[str]:
    """Real strata that pass after correction, of meaning and of tone."""
    real = [row for row in rows if not row.synthetic]
    for key, what in (("adjusted", tr("meaning")), ("tone_adjusted", tr("tone"))):
        tested = [(p, *_place(row)) for row in real if isinstance(p := row.values[key], float)]
        who = [f"{family}, {dimension} ({model})" for p, model, dimension, family in sorted(tested) if p <= _LEVEL]
        if tested:
            yield tr(
                "Readers against chance, {what}: beyond chance in {n} of {strata} rows{who}.",
                what=what,
                n=len(who),
                strata=len(tested),
                who=listed(who, _LISTED),
            )


def _place(row: Row) -> tuple[str, str, str]:
    return str(row.values["model"]), str(row.values["dimension"]), str(row.values["family"])


def _by_chance(tests: pd.DataFrame) -> tuple[str, ...]:
    """How many single bundles reach the level, and how many would if no identity mattered."""
    from gpf_desktop.stats.multiplicity import expected_findings

    expected = expected_findings(tests[LEVEL_SMALLEST_P].tolist(), _LEVEL)
    kinds = ((LEVEL_P, tr("meaning")), (TONE_P, tr("tone")))
    return tuple(
        tr(
            "Single sets, {what}: {n} of {all} stand out, each counted alone; chance gives {expected}.",
            what=what,
            n=int((tests[name] <= _LEVEL).sum()),
            all=len(tests),
            expected=as_said(f"{expected:.0f}") if expected >= 10 else as_said(f"{expected:.1f}"),
        )
        for name, what in kinds
        if tests[name].notna().all()
    )


def _finds(stratum: pd.DataFrame) -> str:
    """The least detectable mean of a stratum, in words: by Student's t over articles, whose spread is the stratum's
    own."""
    from gpf_desktop.stats.power import detectable

    by_article: Any = stratum.groupby("article_id")[LEVEL_STATISTIC].mean()
    if len(by_article) < 2:
        return tr("unknown: one article")
    least = detectable(float(by_article.std(ddof=1)), len(by_article))
    return as_said(f"{least:.4f}")


def _untested(bundles: pd.DataFrame) -> tuple[str, ...]:
    """The sentence that tells how to have the test, where there are repeats but no test yet; else nothing."""
    if not bundles[COUNTERFACTUAL_FRAMING].notna().any():
        return ()
    return (
        tr(
            "The test was not computed yet for these rounds: press “Test answers against chance …”. "
            "“Readers against made-up labels” needs no computing."
        ),
    )


def _late(tests: pd.DataFrame) -> tuple[str, ...]:
    """A test of fewer answers than there are, or of meaning alone, says so first."""
    if tests[TONE_P].isna().any():
        return (tr("The test was computed by a version that did not test tone: compute it again."),)
    late = int((tests["newer"] > 0).sum())
    if not late:
        return ()
    return (
        trn(
            "{n} set was tested before newer answers came: compute the test again.",
            "{n:,} sets were tested before newer answers came: compute the test again.",
            late,
        ),
    )


def _notes(tests: pd.DataFrame) -> tuple[str, ...]:
    strata = len(tests[["model", "dimension", "family"]].drop_duplicates())
    return (
        trn(
            "Readers are dealt anew among the answers of each set, for words and tone by the same draws. "
            "Sets of a model, group of readers and kind of question are summed; {n} row is shown.",
            "Readers are dealt anew among the answers of each set, for words and tone by the same draws. "
            "Sets of a model, group of readers and kind of question are summed; {n} rows are shown.",
            strata,
        ),
        tr(
            "Permutation test: of B deals, b reach what was seen, and the chance told is (1 + b) / (1 + "
            "B). It is of the whole audit as it stood then; a filter only chooses rows."
        ),
        tr(
            "Finds from: noncentral t over the articles, at 5%, by their spread here. The set-up of a "
            "round tells what more articles would find."
        ),
    )


ANALYSIS = IdentityTest()
