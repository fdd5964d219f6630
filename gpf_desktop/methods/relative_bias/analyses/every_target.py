"""Every model as the target: what a study says of those that its round did not set out to compare."""

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.analyses._stored import stored_study
from gpf_desktop.methods.relative_bias.analyses.tests_of_targets import band, columns_of_tests, rows_of_tests


class EveryTarget:
    """The tests of each model against all others, corrected by Holm over the models; nothing is asked again."""

    name = "relative_bias_every_target"
    version = "1"
    options = NoOptions

    @property
    def title(self) -> str:
        return tr("Every model as the target")

    @property
    def closed(self) -> str:
        return tr(
            "Each model in turn against all others, from the answers that are there: made when you ask for it, and left"
            " out of reports."
        )

    def analyse(self, scores: ScoreTables, options: NoOptions) -> Finding:  # noqa: ARG002 - the port's signature
        stored = stored_study(scores)
        rows = () if stored is None else rows_of_tests(stored.with_every_target())
        return Finding(
            name=self.name,
            title=self.title,
            columns=columns_of_tests(),
            rows=rows,
            reading=tr("Corrected for all models; a target that was not chosen beforehand is a place to look again."),
            notes=stored.judged if stored else (),
            figures=(band(),) if rows else (),
        )


ANALYSIS = EveryTarget()
