"""Every model as the target: what a study says of those that its round did not set out to compare."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.relative_bias.analyses._stored import judged, stored_study
from gpf_desktop.methods.relative_bias.analyses.tests_of_targets import band, columns_of_tests, rows_of_tests


class EveryTarget(TableAnalysis):
    """The tests of each model against all others, corrected by Holm over the models; nothing is asked again."""

    name = "relative_bias_every_target"
    title = Translated("Each model held against all others")
    closed = Translated(
        "Each model in turn against all others, from the answers that are there: made when you ask for it, and left"
        " out of reports."
    )

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        stored = stored_study(scores)
        rows = () if stored is None else rows_of_tests(stored.with_every_target())
        return self.finding(
            columns=columns_of_tests(),
            rows=rows,
            reading=tr("All models are counted. A model that was not chosen beforehand is a place to look again."),
            notes=judged(stored),
            figures=(band(),),
        )


ANALYSIS = EveryTarget()
