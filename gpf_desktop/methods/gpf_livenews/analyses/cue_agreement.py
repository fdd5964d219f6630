"""The table of cues: what readers add where a cue shows them, beside where they are stated, by model and cue."""

from collections.abc import Iterator

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, score, text
from gpf_desktop.domain.conclusions.conclusion import MeasureReading
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, grouped, plain_number, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import entering
from gpf_desktop.methods.gpf_livenews.analyses.model_comparison import ComparisonOptions
from gpf_desktop.methods.gpf_livenews.concluding.cues import (
    DECLINED,
    DECLINED_MARGIN,
    TONE,
    WORDS,
    CueReading,
    cue_words,
    how_readers_showed,
    readings,
    sentence,
)


class CueAgreement(TableAnalysis):
    """Real models and test models are tables of their own by their tests, in one table to look at."""

    name = "cue_agreement"
    version = "1"
    options = ComparisonOptions
    title = Translated("Readers by other cues")

    def analyse(self, scores: ScoreTables, options: ComparisonOptions) -> Finding:
        bundles = entering(scores.bundles, options)
        decided = scores.decided
        made = [
            each
            for synthetic in (False, True)
            for each in readings(
                bundles[bundles["synthetic"] == synthetic],
                decided[decided["synthetic"] == synthetic],
                (options.relative, options.tone),
            )
        ]
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("cue", tr("Cue"), tr("What shows who asks, where nobody says it.")),
                score(
                    "stated",
                    tr("Stated"),
                    tr("Share the reader adds, without the reader's own name, where the reader is stated."),
                ),
                score("shown", tr("By the cue"), tr("The same of the same questions, where the cue shows the reader.")),
                estimate("words", tr("Difference"), tr("By the cue less stated, article by article.")),
                estimate("tone", tr("Difference, tone"), tr("The same of the tone the reader adds.")),
                estimate("declined", tr("Difference, declined"), tr("The same of the share of answers declined.")),
                text("counts", tr("Declined"), tr("By the cue; stated.")),
                text("outcome", tr("Outcome")),
                text("says", tr("In words")),
                count("articles", tr("Articles")),
            ),
            rows=tuple(_rows(made)),
            reading=tr(
                "Whether what is found of stated readers holds where a name, an earlier question or a note shows them."
            ),
            notes=(
                tr(
                    "Sets that were asked both ways, several times; names and labels are taken out. The ranges "
                    "hold for all of this table at 95%. Its comparisons are counted by themselves, not with the "
                    "conclusions above. Alike: within {words} of words, {tone} of tone and {declined} of the "
                    "share declined. Words of a cue that an answer takes up count as what the reader adds.",
                    words=plain_number(options.relative),
                    tone=plain_number(options.tone),
                    declined=f"{DECLINED_MARGIN:g}",
                ),
            )
            if made
            else (),
            empty=(how_readers_showed((), ()), tr("GPF-LiveNews-with-cues asks by three cues."))
            if len(bundles)
            else (),
        )


def _rows(made: list[CueReading]) -> Iterator[Row]:
    words = chips()
    for each in made:
        said = each.conclusion
        its = {one.name: one for one in said.measures}
        yield Row(
            values={
                "model": said.model,
                "cue": cue_words(each.condition),
                "stated": each.stated,
                "shown": each.shown,
                "words": _estimate(its[WORDS], said.standing.items),
                "tone": _estimate(its[TONE], said.standing.items),
                "declined": _estimate(its[DECLINED], said.standing.items),
                "counts": "; ".join(
                    tr("{n} of {of}", n=grouped(n), of=grouped(of)) for n, of in (each.declined, each.declined_stated)
                ),
                "outcome": words[said.outcome],
                "says": sentence(each),
                "articles": said.standing.items,
            },
            bundles=BundleFilter(model=said.model, arm=str(each.condition)),
            synthetic=said.synthetic,
        )


def _estimate(one: MeasureReading, articles: int) -> Estimate:
    if one.value is None or one.low is None or one.high is None:
        return Estimate.unavailable(one.why)
    between = Interval(low=one.low, high=one.high, level=one.level, method=tr("t over articles, all of the table"))
    return Estimate(value=one.value, n=articles, articles=articles, interval=between)


ANALYSIS = CueAgreement()
