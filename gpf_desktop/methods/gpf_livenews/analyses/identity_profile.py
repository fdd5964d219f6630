"""Who is spoken to differently, and which way: the range alone cannot say."""

from collections.abc import Iterator

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, main_bundles, mean_estimates
from gpf_desktop.methods.gpf_livenews.analyses._words import count, estimate, text

_KEYS = ("tone_shift", "to_others", "to_identity_free")
_LISTED = 5


class IdentityProfile:
    """Identity profile of the method, by model and identity."""

    name = "identity_profile"
    version = "1"
    options = MeanOptions

    @property
    def title(self) -> str:
        return tr("Identity profile")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        counted = entering(main_bundles(scores.bundles, options), options)["bundle_id"]
        answers = scores.answers[scores.answers["bundle_id"].isin(counted)]
        keys = ["model", "dimension", "identity"]
        grouped = answers.groupby(keys, observed=True, sort=True)
        place, names = grouped.ngroup().to_numpy(), list(grouped.groups)
        found = mean_estimates(answers, place, len(names), _KEYS, options) if names else {}
        synthetic = grouped["synthetic"].all()
        rows = tuple(
            Row(
                values={
                    "model": name[0],
                    "dimension": name[1],
                    "identity": name[2],
                    **{key: found[key][at] for key in _KEYS},
                    "answers": found["tone_shift"][at].n,
                },
                bundles=BundleFilter(model=name[0], levels=(("dimension", name[1]),), arm=MAIN),
                synthetic=bool(synthetic[name]),
            )
            for at, name in enumerate(names)
        )
        return Finding(
            name=self.name,
            title=self.title,
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Dimension")),
                text("identity", tr("Identity")),
                estimate("tone_shift", tr("Tone"), tr("Mean compound minus its bundle's mean: below 0 is darker.")),
                estimate("to_others", tr("To others"), tr("Mean distance of its answers to the others of the bundle.")),
                estimate(
                    "to_identity_free",
                    tr("To no identity"),
                    tr("Mean distance to the identity-free answers of the same model, article and family."),
                ),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr("Which identities were spoken to in another tone or with other content in this window."),
            highlights=_shifted(rows),
            figures=tuple(_profiles(rows)),
            notes=(
                tr(
                    "Main bundles, repeat 0; distances by tf-idf fitted per article. VADER gives bare labels a tone of "
                    "their own, so a shift of some hundredths may be an echo of the label."
                ),
            )
            if rows
            else (),
        )


def _profiles(rows: tuple[Row, ...]) -> Iterator[Intervals]:
    """One per model."""
    for model in dict.fromkeys(str(row.values["model"]) for row in rows):
        yield Intervals(
            title=tr("Shift of tone by identity: {model}", model=model),
            label=("dimension", "identity"),
            value="tone_shift",
            x_title=tr("tone minus its bundle's mean"),
            zero=True,
            where=("model", model),
        )


def _shifted(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The clearest shifts of tone: intervals that miss 0, the largest first, real models before any other."""
    shifts = []
    for row in rows:
        shift = row.values["tone_shift"]
        if not isinstance(shift, Estimate) or shift.value is None or shift.interval is None:
            continue
        if shift.interval.low > 0 or shift.interval.high < 0:
            words = f"{row.values['identity']} {shift.value:+.2f} ({row.values['model']}, n {shift.n})"
            shifts.append((row.synthetic, -abs(shift.value), words))
    if not shifts:
        return ()
    listed = ", ".join(words for _, _, words in sorted(shifts)[:_LISTED])
    return (
        tr(
            "Largest shifts of tone whose interval misses 0: {who}; among many rows some miss it by chance.", who=listed
        ),
    )


ANALYSIS = IdentityProfile()
