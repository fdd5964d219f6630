"""The table of refusals: rates of declined answers by identity and model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, p_value, share, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.figures import HeatMap
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, percent, range_ends, tr
from gpf_desktop.methods.gpf_livenews.analyses._shares import rate, where_named
from gpf_desktop.methods.gpf_livenews.comparing import by_family, shown

if TYPE_CHECKING:
    import pandas as pd

_LISTED = 5
_COUNTS = ("decided", "refused", "worded_refusals")


class Refusals(TableAnalysis):
    """Refusals of the method: refusing one identity and answering another is a difference that no score holds."""

    name = "refusals"
    version = "4"
    title = Translated("Declined, by reader and model")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        rows = tuple(_rows(where_named(scores.decided)))
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("dimension", tr("Group of readers")),
                text("identity", tr("Reader")),
                share(
                    "refused",
                    tr("Declined"),
                    tr("Declined by the model, or blocked by its provider; range by article."),
                ),
                p_value(
                    "p",
                    tr("p"),
                    tr("Exact: this reader against the others of the group, within articles."),
                    plain=tr("By chance alone"),
                ),
                p_value(
                    "adjusted",
                    tr("Adjusted p"),
                    tr("All readers of the group counted together (Holm's correction)."),
                    plain=tr("By chance alone, all counted"),
                ),
                share(
                    "worded",
                    tr("Declined in its own words"),
                    tr("An answer came, and it says no; it is scored like any other."),
                ),
                count(
                    "decided",
                    tr("Answered or declined"),
                    tr("Questions answered or declined, asked again and in other wordings too."),
                ),
            ),
            rows=rows,
            reading=tr(
                "No score holds that one reader is declined and another answered: to decline is a result, not an error."
            ),
            highlights=_most(rows) if rows else (),
            figures=_matrices(rows),
            notes=(
                tr(
                    "Shares of what the model answered or declined: errors, time-outs and empty answers do not "
                    "count. Questions about one article go together. The range holds two: Wilson's, with as many "
                    "trials as the spread over articles is worth, and that of rates that differ by article "
                    "(beta). None for one article."
                ),
                tr(
                    "p: rates dealt anew among the readers of a group within each article, every way counted. "
                    "One article among n readers reaches 1/n at best."
                ),
            ),
        )


def _rows(decided: pd.DataFrame) -> Iterator[Row]:
    """One per model, dimension and identity of which the model decided a cell."""
    from gpf_desktop.stats.rates import groups_within

    for (model, dimension), some in decided.groupby(["model", "dimension"], observed=True):
        by_article: Any = some.groupby(["article_id", "identity"], observed=True)[[*_COUNTS]].sum().unstack()
        # Where an article did not ask an identity, or it decided nothing, 0 trials are the test's word for absent.
        cells, refused, worded = (by_article[name].fillna(0).to_numpy(int) for name in _COUNTS)
        found = groups_within(refused, cells)
        for place, identity in enumerate(by_article[_COUNTS[0]].columns):
            yield Row(
                values={
                    "model": str(model),
                    "dimension": str(dimension),
                    "identity": str(identity),
                    "refused": rate(refused[:, place], cells[:, place]),
                    "p": float(found.p[place]),
                    "adjusted": float(found.adjusted[place]),
                    "worded": rate(worded[:, place], cells[:, place]),
                    "decided": int(cells[:, place].sum()),
                },
                bundles=BundleFilter(model=str(model), levels=(("dimension", str(dimension)),), arm=MAIN),
                synthetic=bool(some["synthetic"].all()),
            )


def _matrices(rows: tuple[Row, ...]) -> Iterator[HeatMap]:
    """One per dimension in which anything was refused: a picture of zeros tells nothing."""
    refused = (row for row in rows if isinstance(each := row.values["refused"], Estimate) and each.value)
    for dimension in dict.fromkeys(str(row.values["dimension"]) for row in refused):
        yield HeatMap(
            title=tr("{dimension}: declined", dimension=dimension),
            down="identity",
            across="model",
            value="refused",
            where=("dimension", dimension),
            folds=True,
        )


def _most(rows: tuple[Row, ...]) -> tuple[str, ...]:
    """The pairs of model and identity that the test tells from the others, real models before any other."""
    refused = [row for row in rows if isinstance(each := row.values["refused"], Estimate) and each.value]
    if not refused:
        worded = any(isinstance(each := row.values["worded"], Estimate) and each.value for row in rows)
        if worded:
            return (tr("No provider declined an answer; models declined some in their own words, counted beside."),)
        return (tr("Nobody was declined an answer in this window, by a provider or in words."),)
    told = [
        (row.synthetic, -(each.value or 0), f"{row.values['identity']} ({row.values['model']})", each)
        for row in refused
        if isinstance(each := row.values["refused"], Estimate) and shown(row.values["adjusted"])
    ]
    told.sort(key=lambda share: share[:3])
    if not told:
        return (
            tr(
                "Some answers were declined. That any reader is declined more or less often than others of "
                "the group is not shown. That does not show that none is."
            ),
        )
    listed = "; ".join(f"{who} {_share(each)}" for _, _, who, each in told[:_LISTED])
    families = {(row.values["model"], row.values["dimension"]) for row in refused if not row.synthetic}
    return (
        tr(
            "Declined more or less often than others of the group, beyond chance: {who}.{families}",
            who=listed,
            families=by_family(len(families)),
        ),
    )


def _share(refused: Estimate) -> str:
    """23.3 % of 43 (9.1 to 45.0)"""
    said = tr("{share} of {n}", share=percent(refused.value or 0.0, 1), n=refused.n)
    if refused.interval is None:
        return said
    low, high = range_ends(100 * refused.interval.low, 100 * refused.interval.high, 1)
    return tr("{said} ({low} to {high})", said=said, low=low, high=high)


ANALYSIS = Refusals()
