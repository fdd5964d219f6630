"""The table of second turns by reader: how far answers move, beside the others of the bundle."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, estimate, p_value, share, text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, mean_estimates
from gpf_desktop.methods.gpf_livenews.analyses.giving_way import NO_ANSWER, NONE_ASKED
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.concluding.giving_way import moves

if TYPE_CHECKING:
    import pandas as pd

_KEYS: Final = ["model", "turn", "dimension", "identity"]


class GivingWayReaders(TableAnalysis):
    """Tells for which readers answers move further, where *Second turns* finds that they do for some."""

    name = "giving_way_readers"
    version = "2"
    options = MeanOptions
    title = Translated("Second turns by reader")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = entering(scores.bundles, options)
        moved = moves(scores, bundles)
        moved = moved[~moved["labels"].astype(bool) & (moved["moved"].notna() | moved["declined"].notna())]
        rows = tuple(_rows(moved, options)) if len(moved) else ()
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("turn", tr("Second turn")),
                text("dimension", tr("Group of readers")),
                text("identity", tr("Reader")),
                estimate("moved", tr("Move"), tr("How far the second answer lies from the first, 0 to 1.")),
                estimate("beyond", tr("Beyond the others"), tr("Move less the mean move of its set of answers.")),
                share(
                    "declined",
                    tr("No answer"),
                    tr(NO_ANSWER),
                ),
                p_value("p", tr("adj. p"), tr("Max-t over the readers of the group.")),
                count("answers", tr("Answers")),
            ),
            rows=rows,
            reading=tr("For which readers a model moved further, or less far, once its answer was doubted."),
            notes=(
                tr(
                    "Adjusted p: max-t over the readers of a group, of one model at one turn, articles drawn with"
                    " replacement, seed {seed}; none under three articles.",
                    seed=options.seed,
                ),
            )
            if rows
            else (),
            empty=(tr(NONE_ASKED),) if len(bundles) else (),
        )


def _rows(moved: pd.DataFrame, options: MeanOptions) -> Iterator[Row]:
    moved = moved.assign(beyond=moved["moved"] - moved.groupby("bundle_id")["moved"].transform("mean"))
    grouped: Any = moved.groupby(_KEYS, sort=True)
    place, names = grouped.ngroup().to_numpy(), list(grouped.groups)
    found = mean_estimates(moved, place, len(names), ("moved", "beyond"), options)
    tested, synthetic = _tested(moved, options.seed), grouped["synthetic"].all()
    declined = grouped["declined"].mean()
    for at, name in enumerate(names):
        model, turn, dimension, identity = map(str, name)
        yield Row(
            values={
                "model": model,
                "turn": Condition(turn).words,
                "dimension": dimension,
                "identity": identity,
                "moved": found["moved"][at],
                "beyond": found["beyond"][at],
                "declined": None if isnan(declined[name]) else float(declined[name]),
                "p": tested.get(name),
                "answers": found["moved"][at].n,
            },
            bundles=BundleFilter(model=model, levels=(("dimension", dimension),), arm=turn),
            synthetic=bool(synthetic[name]),
        )


def _tested(moved: pd.DataFrame, seed: int) -> dict[tuple[str, ...], float]:
    from gpf_desktop.stats.bootstrap_max import bootstrap_max_t

    found: dict[tuple[str, ...], float] = {}
    grouped: Any = moved.groupby(_KEYS[:-1])
    for of, some in grouped:
        table = some.pivot_table(index="article_id", columns="identity", values="beyond")
        if len(table) < 3:
            continue
        test = bootstrap_max_t(table.to_numpy(float), seed=seed)
        for at, identity in enumerate(table.columns):
            if not isnan(test.adjusted[at]):
                found[*map(str, of), str(identity)] = float(test.adjusted[at])
    return found


ANALYSIS = GivingWayReaders()
