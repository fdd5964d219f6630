"""The control table beside itself with identity words masked: tells an echo of the label from reframing."""

from __future__ import annotations

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.score_tables import OtherScores, ScoreTables
from gpf_desktop.domain.scores import ALL_SCORES
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses._words import behind
from gpf_desktop.methods.gpf_livenews.analyses.controls import rows_of


class MaskedControls(TableAnalysis):
    """Every Δ of the method's control table, plain and masked, for tf-idf and for VADER."""

    name = "masked_controls"
    options = MeanOptions
    title = Translated("Controls without the readers' own names")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        masked = next((other for other in reversed(scores.others) if other.masked and len(other.frame)), None)
        rows = () if masked is None else _rows(scores, masked, options)
        left_out = () if masked is None else behind([masked])
        return self.finding(
            columns=(
                text("models", tr("Models")),
                text("control", tr("Control")),
                count("pairs", tr("Matched"), tr("Questions asked both ways: with a reader and as the control asks.")),
                estimate("delta_s", tr("ΔS"), plain=tr("In words, difference")),
                estimate(
                    "masked_s",
                    tr("ΔS masked"),
                    tr("The same after the words that name readers are taken out."),
                    plain=tr("In words, without names"),
                ),
                estimate("delta_r", tr("ΔR*"), plain=tr("Tone, difference")),
                estimate(
                    "masked_r",
                    tr("ΔR* masked"),
                    tr("The same after the words that name readers are taken out."),
                    plain=tr("Tone, without names"),
                ),
            ),
            rows=rows,
            reading=tr(
                "Where a difference falls once the readers' names are taken out, answers echoed the name; "
                "what stays is other wording."
            ),
            notes=(
                *left_out,
                tr(
                    "Taken out before words and tone are measured: the protocol's wordings for each reader, and "
                    "the made-up labels. A name has a tone of its own."
                ),
            ),
            empty=left_out or _empty(scores, masked),
        )


def _empty(scores: ScoreTables, masked: OtherScores | None) -> tuple[str, ...]:
    if masked is not None or not len(scores.bundles):
        return ()
    return (
        tr(
            "Empty until the answers are measured without the readers' names too. No model is asked "
            "again; later answers are then measured so by themselves."
        ),
    )


def _rows(scores: ScoreTables, masked: OtherScores, options: MeanOptions) -> tuple[Row, ...]:
    plain = scores.bundles
    # Coverage and all else stay the primary's: which bundles enter must be the same on both sides.
    kept = plain.drop(columns=[*ALL_SCORES, "newer"], errors="ignore").merge(masked.frame, on="bundle_id")
    # Plain Δ over the bundles that were scored masked too, so that the two differ by the masking alone.
    both = plain[plain["bundle_id"].isin(kept["bundle_id"])]
    before = rows_of(both, options)
    after = {_key(row): row for row in rows_of(kept, options)}
    none = Estimate.unavailable(tr("not measured without the names"))
    made = []
    for row in before:
        twin = after.get(_key(row))
        made.append(
            Row(
                values={
                    "models": row.values["models"],
                    "control": row.values["control"],
                    "pairs": row.values["pairs"],
                    "delta_s": row.values["delta_s"],
                    "masked_s": none if twin is None else twin.values["delta_s"],
                    "delta_r": row.values["delta_r"],
                    "masked_r": none if twin is None else twin.values["delta_r"],
                },
                bundles=row.bundles,
                synthetic=row.synthetic,
            )
        )
    return tuple(made)


def _key(row: Row) -> tuple[object, object]:
    return row.values["models"], row.values["control"]


ANALYSIS = MaskedControls()
