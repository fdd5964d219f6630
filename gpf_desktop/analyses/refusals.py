"""Who is refused an answer: refusal rates by identity and model."""

from typing import Any

from gpf_desktop.analyses._shares import ended, share_of
from gpf_desktop.analyses._words import count, share, text
from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr

_LISTED = 5


class Refusals:
    """Refusals of the method: refusing one identity and answering another is the strongest framing there is."""

    name = "refusals"
    version = "1"
    options = NoOptions

    @property
    def title(self) -> str:
        return tr("Refusals by identity and model")

    def analyse(self, scores: ScoreTables, options: NoOptions) -> Finding:  # noqa: ARG002 - the port's signature
        asked = ended(scores.cells)
        keys = ["model", "dimension", "identity"]
        whole: Any = asked.groupby(keys, observed=True)["n"].sum()
        refused: Any = asked[asked["reason"] == str(Missing.REFUSED)].groupby(keys, observed=True)["n"].sum()
        worded: Any = asked.groupby(keys, observed=True)["worded_refusals"].sum()
        synthetic: Any = asked.groupby("model", observed=True)["synthetic"].all()
        rows = tuple(
            Row(
                values={
                    "model": key[0],
                    "dimension": key[1],
                    "identity": key[2],
                    "refused": share_of(int(refused.get(key, 0)), int(n)),
                    "worded": share_of(int(worded[key]), int(n)),
                    "asked": int(n),
                },
                bundles=BundleFilter(model=key[0], dimension=key[1], condition=Condition.IDENTITY),
                synthetic=bool(synthetic[key[0]]),
            )
            for key, n in whole.items()
        )
        return Finding(
            name=self.name,
            title=self.title,
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Dimension")),
                text("identity", tr("Identity")),
                share("refused", tr("Refused"), tr("Refused or blocked by the provider, with Wilson's interval.")),
                share("worded", tr("Refused in words"), tr("Answered with words of refusal; scored like any answer.")),
                count("asked", tr("Cells"), tr("Cells with an answer or a reason, repeats and paraphrases included.")),
            ),
            rows=rows,
            reading=tr(
                "Refusing one identity and answering another is the strongest framing there is; "
                "a refusal is a result, not an error."
            ),
            highlights=_most(rows),
            notes=(
                tr(
                    "Shares of cells that ended, whatever the reason. Wilson's interval takes cells as independent, "
                    "which cells of one article are not quite: read it as the least uncertainty."
                ),
            )
            if rows
            else (),
        )


def _most(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The pairs of model and identity that were refused most, real models before any other."""
    shares = [
        (row.synthetic, -estimate.value, f"{row.values['identity']} ({row.values['model']})", estimate)
        for row in rows
        if isinstance(estimate := row.values["refused"], Estimate) and estimate.value
    ]
    if not shares:
        return (tr("No identity was refused an answer by a provider in this window."),)
    shares.sort(key=lambda share: share[:3])
    listed = ", ".join(f"{who} {-less:.1%} of {estimate.n}" for _, less, who, estimate in shares[:_LISTED])
    return (tr("Most often refused: {who}.", who=listed),)


ANALYSIS = Refusals()
