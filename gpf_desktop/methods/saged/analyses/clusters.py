"""The table of clusters of answers: the words that set each apart, and how it is shared between groups."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, percent, tr
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._judged import METHOD
from gpf_desktop.methods.saged.analyses._series import BoardOptions, boards
from gpf_desktop.methods.saged.masking import masked, names_of
from gpf_desktop.methods.saged.scorers.distances_of_answers import (
    MOST_CLUSTERS,
    cluster_distance,
    own_cluster_distance,
)

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.methods.saged.theme_words import ClusterTheme

_SHOWN = 3
"""Groups that are named beside a cluster."""


class ClustersBoard(TableAnalysis):
    """Each cluster of a round's answers by its words; only of scores that have distances from clusters."""

    name = "saged_clusters"
    options = BoardOptions
    title = Translated("Answers that say much the same")

    def analyse(self, scores: ScoreTables, options: BoardOptions) -> Finding:
        rows = tuple(_rows(scores, options))
        return self.finding(
            columns=(
                text("round", tr("Round")),
                text("cluster", tr("Cluster")),
                text(
                    "words",
                    tr("Words"),
                    tr(
                        "That set it apart from the others, by class-based tf-idf; names of concepts, words such as "
                        "“the”, and what all clusters say are left out."
                    ),
                ),
                count("answers", tr("Answers")),
                text("groups", tr("Most of them"), tr("Groups with the largest share of their answers in it.")),
            ),
            rows=rows,
            reading=tr("What answers of one cluster have in common; a cluster is no judgement of them."),
            notes=(tr("An answer is of the cluster whose middle is nearest. k-means, ten starts, within each round."),),
            empty=(
                tr(
                    "These scores have no clusters. Measure again with “Distances from the sources, and "
                    "clusters”, or by a sentence encoder, and choose that way of measuring above."
                ),
            ),
        )


def _rows(scores: ScoreTables, options: BoardOptions) -> Iterator[Row]:
    import numpy as np
    import pandas as pd

    asked = boards(scores, options).asked
    if not asked or cluster_distance(1) not in asked[0].frame:
        return
    whole = pd.concat([each.frame for each in asked])
    said = {each.cell_id: each.text for each in scores.replies(METHOD)}
    names = {run: names_of(each.protocol.benchmark) for run, each in scores.terms(METHOD).items()}
    for of_what, within in ((cluster_distance, ["run_id"]), (own_cluster_distance, ["run_id", "concept"])):
        frame, far = whole, whole[[of_what(number) for number in range(1, MOST_CLUSTERS + 1)]].to_numpy(float)
        there = ~np.isnan(far[:, 0])
        frame, far = frame[there], far[there]
        # Beyond the clusters that there are columns are NaN, which argmin would take for the least.
        frame = frame.assign(cluster=np.argmin(np.where(np.isnan(far), np.inf, far), axis=1))
        for (run, *concept), its in frame.groupby(within, sort=True, observed=True):
            texts = [said.get(cell) or "" for cell in its["cell_id"]]
            for number, theme in enumerate(_themes(masked(texts, names[run]), its)):
                mine = its[its["cluster"] == number]
                about = " ".join((*map(str, concept), str(number + 1)))
                values: dict[str, Value] = {
                    "round": str(run),
                    "cluster": about,
                    "words": ", ".join(theme.words) or tr("none of its own"),
                    "answers": theme.answers,
                    "groups": _most(mine, its),
                }
                bundles = BundleFilter(answers=tuple(mine["cell_id"].tolist()), about=tr("cluster {n}", n=about))
                yield Row(values=values, bundles=bundles, synthetic=bool(mine["synthetic"].all()))


def _themes(texts: list[str], its: pd.DataFrame) -> tuple[ClusterTheme, ...]:
    from gpf_desktop.methods.saged.theme_words import themes
    from gpf_desktop.numerics.tfidf import TermTable
    from gpf_desktop.numerics.tokens import Numbering, split

    numbering = Numbering()
    terms = TermTable(numbering)
    counts = terms.counts(split(texts, numbering))
    label = its["cluster"].to_numpy()
    return themes(counts, lambda column: terms.term(int(counts.names[column])), label, int(label.max()) + 1)


def _most(mine: pd.DataFrame, its: pd.DataFrame) -> str:
    """Mali 40 %, Peru 12 %: of all answers of a group, how many are in the cluster."""
    whole, some = its[GROUP].value_counts(), mine[GROUP].value_counts()
    shares = (some / whole).dropna().sort_values(ascending=False, kind="stable")
    return ", ".join(f"{group} {percent(share)}" for group, share in shares.head(_SHOWN).items() if share > 0)


ANALYSIS = ClustersBoard()
