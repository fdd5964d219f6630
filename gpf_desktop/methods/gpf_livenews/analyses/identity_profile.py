"""The identity profile: which readers are spoken to differently, and in which direction; the range alone cannot say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, p_value, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Row
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles, mean_estimates
from gpf_desktop.methods.gpf_livenews.comparing import by_family, listed, shown

if TYPE_CHECKING:
    import pandas as pd

_KEYS: Final = ("tone_shift", "to_others", "to_identity_free")
_LISTED: Final = 5
_LEVEL: Final = 0.05


class IdentityProfile(TableAnalysis):
    """Identity profile of the method, by model and identity."""

    name = "identity_profile"
    version = "3"
    options = MeanOptions
    title = Translated("Reader by reader")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        answers = scores.answers[scores.answers["bundle_id"].isin(bundles["bundle_id"])]
        one = answers["article_id"].nunique() == 1
        headlines = bundles["headline"].tolist()[:1] if one else []
        keys = ["model", "dimension", "identity"]
        grouped = answers.groupby(keys, observed=True, sort=True)
        place, names = grouped.ngroup().to_numpy(), list(grouped.groups)
        found = mean_estimates(answers, place, len(names), _KEYS, options) if names else {}
        synthetic = grouped["synthetic"].all()
        tests = {key: _tested(answers, key, options.seed) for key in _KEYS}
        rows = tuple(
            Row(
                values={
                    "model": name[0],
                    "dimension": name[1],
                    "identity": name[2],
                    **{key: found[key][at] for key in _KEYS},
                    **{f"{key}_p": _p(tests[key].get(name)) for key in _KEYS},
                    "answers": found["tone_shift"][at].n,
                },
                bundles=BundleFilter(model=name[0], levels=(("dimension", name[1]),), arm=MAIN),
                synthetic=bool(synthetic[name]),
            )
            for at, name in enumerate(names)
        )
        return self.finding(
            columns=_columns(),
            rows=rows,
            title=tr("Reader by reader: “{headline}”", headline=headlines[0]) if len(headlines) == 1 else "",
            reading=tr("Which readers were spoken to in another tone or with other content in this window."),
            highlights=_found(rows),
            figures=_profiles(rows),
            notes=(*_of_one(headlines), *_by_chance(tests), *_made_so(options.seed)),
        )


def _columns() -> tuple[Column, ...]:
    return (
        text("model", tr("Model")),
        text("dimension", tr("Group of readers")),
        text("identity", tr("Reader")),
        *_tested_columns("tone_shift", tr("Tone"), tr("Mean tone less that of its set of answers: below 0 is colder.")),
        *_tested_columns(
            "to_others", tr("From others"), tr("Mean distance of its answers from the others of the set.")
        ),
        *_tested_columns(
            "to_identity_free",
            tr("From no reader named"),
            tr("Mean distance from answers with no reader named, of the same model, article and kind of question."),
        ),
        count("answers", tr("Answers")),
    )


def _of_one(headlines: Sequence[str]) -> tuple[str, ...]:
    if len(headlines) != 1:
        return ()
    return (tr("Of this article alone: what one article shows, chance may have made. It has no range and no test."),)


def _made_so(seed: int) -> tuple[str, ...]:
    return (
        tr(
            "Sets asked with a reader, the first time only; distances by words, article by article. A "
            "reader's name has a tone of its own: a shift of some hundredths may be its echo."
        ),
        tr(
            "Adjusted p: max-t over the readers of a group, for each model. Tone is held against the "
            "mean of its set, distances against those of the other readers. Articles are drawn with "
            "replacement, seed {seed}; none under three articles. Flips of signs would find too much "
            "where differences are lopsided.",
            seed=seed,
        ),
    )


def _profiles(rows: tuple[Row, ...]) -> Iterator[Intervals]:
    """One per model."""
    for model, name in short_names(str(row.values["model"]) for row in rows).items():
        yield Intervals(
            title=_shown_of(name, [row for row in rows if row.values["model"] == model]),
            label=("dimension", "identity"),
            value="tone_shift",
            x_title=tr("tone less the mean of its set"),
            zero=True,
            where=("model", model),
        )


def _shown_of(name: str, rows: Sequence[Row]) -> str:
    """The title of the figure of the model called *name*: what *rows* show after correction; where nothing could be
    tested, what is drawn."""
    tested = [row for row in rows if row.values["tone_shift_p"] is not None]
    if not tested:
        return tr("Tone by reader: {model}", model=name)
    moved = [row for row in tested if shown(row.values["tone_shift_p"])]
    if not moved:
        return tr("No reader's tone is shown to shift in {model}", model=name)
    furthest = max(moved, key=_size)
    return tr("Tone moved most for {identity}: {model}", identity=furthest.values["identity"], model=name)


def _size(row: Row) -> float:
    shift = row.values["tone_shift"]
    return abs(shift.value) if isinstance(shift, Estimate) and shift.value is not None else 0.0


def _tested_columns(key: str, title: str, explanation: str) -> tuple[Column, Column]:
    adjusted = tr("How often chance alone would show as much anywhere among the readers of the group.")
    return estimate(key, title, explanation), p_value(
        f"{key}_p",
        tr("{what}: adjusted p", what=title),
        adjusted,
        plain=tr("{what}: by chance alone, all counted", what=title),
    )


_Tests = dict[tuple[str, str, str], tuple[float, float]]
"""p alone and adjusted, by model, dimension and identity."""


def _tested(answers: pd.DataFrame, key: str, seed: int) -> _Tests:
    """Each identity's mean against that of its dimension, article by article."""
    from gpf_desktop.stats.bootstrap_max import bootstrap_max_t

    found: _Tests = {}
    for (model, dimension), some in answers.groupby(["model", "dimension"], observed=True):
        # An identity that an article lacks is NaN here, and the test leaves that article out of its column.
        table = some.groupby(["article_id", "identity"], observed=True)[key].mean().unstack()
        values = table.to_numpy(float)
        # Distances are above 0 whatever happens: they are held against the article's mean over identities.
        values = values if key == "tone_shift" else values - table.mean(axis=1).to_numpy(float)[:, None]
        test = bootstrap_max_t(values, seed=seed)
        for place, identity in enumerate(table.columns):
            if not isnan(test.adjusted[place]):
                found[str(model), str(dimension), str(identity)] = (float(test.p[place]), float(test.adjusted[place]))
    return found


def _p(test: tuple[float, float] | None) -> float | None:
    return None if test is None else test[1]


def _by_chance(tests: dict[str, _Tests]) -> tuple[str, ...]:
    alone = [p for of_key in tests.values() for p, _ in of_key.values()]
    if not alone:
        return ()
    return (
        tr(
            "Each counted alone, {n:,} of {all:,} stand out; chance alone gives {expected}.",
            n=sum(p <= _LEVEL for p in alone),
            all=len(alone),
            expected=round(_LEVEL * len(alone)),
        ),
    )


def _found(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """Shifts of tone that pass after correction, the largest first; of calibration models nothing is said."""
    tested = [row for row in rows if not row.synthetic and row.values["tone_shift_p"] is not None]
    shifts = []
    for row in tested:
        shift = row.values["tone_shift"]
        if shown(row.values["tone_shift_p"]) and isinstance(shift, Estimate) and shift.interval:
            assert shift.value is not None
            words = tr(
                "{identity} {value:+.2f} ({low:+.2f} to {high:+.2f}), {model}",
                identity=row.values["identity"],
                value=shift.value,
                low=shift.interval.low,
                high=shift.interval.high,
                model=row.values["model"],
            )
            shifts.append((-abs(shift.value), words))
    if not tested:
        return ()
    return (
        tr(
            "Tone shifted beyond chance for {n:,} of {all:,} readers{who}.{families}",
            n=len(shifts),
            all=len(tested),
            who=listed([words for _, words in sorted(shifts)], _LISTED),
            families=by_family(len({(row.values["model"], row.values["dimension"]) for row in tested})),
        ),
    )


ANALYSIS = IdentityProfile()
