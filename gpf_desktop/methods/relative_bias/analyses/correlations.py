"""Do embedding and judges see the same models and answers apart?"""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, score, text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import judged, stored_study
from gpf_desktop.methods.relative_bias.sentences import score_title
from gpf_desktop.methods.relative_bias.tables import rank_correlations


class Correlations(TableAnalysis):
    """Spearman's rank correlation of each two scores, over models and over answers."""

    name = "relative_bias_correlations"
    reads_replies = True
    title = Translated("Measures against each other")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        found = () if stored is None else rank_correlations(stored.study).rows
        over = {"models": tr("models, by how far they lie off"), "answers": tr("answers, by how far they lie off")}
        return self.finding(
            columns=(
                text("score", tr("Score")),
                text("other", tr("With")),
                text("over", tr("Over")),
                score("rho", tr("Likeness of order (rank correlation)")),
                count("n", tr("n")),
            ),
            rows=tuple(
                Row(
                    values={
                        "score": score_title(str(one)),
                        "other": score_title(str(other)),
                        "over": over[str(what)],
                        "rho": rho,
                        "n": n,
                    },
                    bundles=BundleFilter(),
                )
                for one, other, what, rho, n in found
            ),
            reading=tr("Measures that disagree measure unlike things; neither is the truth about an answer."),
            notes=judged(stored),
        )


ANALYSIS = Correlations()
