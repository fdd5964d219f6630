"""The table of second turns: how far answers move, and whether further for some readers, by model and second turn."""

from collections.abc import Iterator
from typing import Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, score, share, text
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, signed, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering
from gpf_desktop.methods.gpf_livenews.concluding.giving_way import MARGIN, TurnReading, moves, readings, sentence

NO_ANSWER: Final = "Second answers that decline, or only say the turn again; they are in no move."
NONE_ASKED: Final = "No second turn was asked. GPF-LiveNews-with-second-turns asks two."


class GivingWay(TableAnalysis):
    """Real models and test models are tables of their own by their tests, in one table to look at."""

    name = "giving_way"
    version = "2"
    options = MeanOptions
    title = Translated("Second turns")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = entering(scores.bundles, options)
        moved = moves(scores, bundles)
        made = [each for synthetic in (False, True) for each in readings(moved[moved["synthetic"] == synthetic])]
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("turn", tr("Second turn"), tr("What the reader says to the first answer, the same for all.")),
                score("moved", tr("Move"), tr("How far the second answer lies from the first, 0 to 1, for readers.")),
                score("labels", tr("Move, labels"), tr("The same for made-up labels.")),
                share(
                    "declined",
                    tr("No answer"),
                    tr(NO_ANSWER),
                ),
                estimate("adds", tr("The reader adds"), tr("Moves between readers less those of asking again.")),
                text("most", tr("Furthest"), tr("The reader for whom answers move furthest; not tested.")),
                text("least", tr("Least far"), tr("The reader for whom they move least; not tested.")),
                text("outcome", tr("Outcome")),
                text("says", tr("In words")),
                count("articles", tr("Articles")),
            ),
            rows=tuple(_rows(made)),
            reading=tr("Whether a model, once its answer is doubted, moves further for some readers than for others."),
            notes=(
                tr(
                    "What is asked again, readers and made-up labels, names and labels masked; distances by tf-idf"
                    " fitted on these answers of an article. Ranges hold for all of this table at 95%, which counts its"
                    " own tests. Different: above 0, and above made-up labels article by article. Alike: within"
                    " {margin}. Moves are of second answers that are answers; those that decline, or only say the turn"
                    " again, are counted beside. How far an answer moves does not say whether it moved to the better.",
                    margin=f"{MARGIN:g}",
                ),
            )
            if made
            else (),
            empty=(tr(NONE_ASKED),) if len(bundles) else (),
        )


def _rows(made: list[TurnReading]) -> Iterator[Row]:
    words = chips()
    for each in made:
        said = each.conclusion
        (measure,) = said.measures
        n = said.standing.items
        found = Estimate.unavailable(measure.why)
        if measure.value is not None and measure.low is not None and measure.high is not None:
            method = tr("t over articles, all of the table")
            between = Interval(low=measure.low, high=measure.high, level=measure.level, method=method)
            found = Estimate(value=measure.value, n=n, articles=n, interval=between)
        most, least = (f"{who} {signed(by, 2)}" for who, by in each.furthest) if each.furthest else ("", "")
        yield Row(
            values={
                "model": said.model,
                "turn": each.turn.words,
                "moved": each.readers,
                "labels": each.labels,
                "declined": each.declined,
                "adds": found,
                "most": most,
                "least": least,
                "outcome": words[said.outcome],
                "says": sentence(each),
                "articles": n,
            },
            bundles=BundleFilter(model=said.model, arm=str(each.turn)),
            synthetic=said.synthetic,
        )


ANALYSIS = GivingWay()
