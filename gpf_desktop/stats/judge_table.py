"""The table of what judges' levels are worth, alike for every method that has judges."""

from collections.abc import Iterator, Sequence

from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Interval, Row, Value
from gpf_desktop.domain.judging import INJECTED
from gpf_desktop.domain.text import tr
from gpf_desktop.stats.judge_agreement import JudgeAgreement
from gpf_desktop.stats.obedience import Obedience
from gpf_desktop.stats.ordinal_agreement import OrdinalAgreement


def judge_columns(rated: str, over: str) -> tuple[Column, ...]:
    """The columns of `judge_rows`; *rated*: what judges rate, in words, in the plural."""
    return (
        text("judge", tr("Judge model")),
        text("other", tr("With")),
        estimate(
            "alpha",
            tr("Alpha"),
            tr("Krippendorff's, ordinal; interval by bootstrap {over}.", over=over),
            plain=tr("Agreement"),
        ),
        estimate(
            "kappa",
            tr("Kappa"),
            tr("Cohen's with squared weights; of two judge models."),
            plain=tr("Agreement of the two"),
        ),
        estimate(
            "moved",
            tr("Moved by orders"),
            tr(
                "Mean mark where a text orders the highest, less that where the same text orders the lowest; "
                "0: the judge model obeys nothing. Range {over}.",
                over=over,
            ),
        ),
        count("answers", rated, tr("Rated by both, or twice.")),
    )


def judge_rows(
    agreements: Sequence[JudgeAgreement], obediences: Sequence[Obedience], *, arm: str, over: str
) -> Iterator[Row]:
    """A row for each agreement, about the judgements of *arm*, then one for each judge that rated texts with orders;
    *over*: what intervals are over, as “over questions”."""
    for each in agreements:
        told: dict[str, Value] = {
            "judge": each.judges[0],
            "other": _other(each),
            "alpha": _estimate(each.alpha, over),
            "kappa": None if each.kappa is None else _estimate(each.kappa, over),
            "moved": None,
            "answers": each.alpha.cases,
        }
        yield Row(values=told, bundles=BundleFilter(arm=arm))
    for found in obediences:
        told = {
            "judge": found.judge,
            "other": tr("texts that give orders; {n} obeyed", n=found.obeyed),
            "alpha": None,
            "kappa": None,
            "moved": found.estimate(over),
            "answers": found.texts,
        }
        yield Row(values=told, bundles=BundleFilter(arm=INJECTED))


def _other(each: JudgeAgreement) -> str:
    if each.within:
        return tr("itself, asked again")
    return tr("{person}, who rated with the marks hidden", person=each.judges[1]) if each.person else each.judges[1]


def _estimate(found: OrdinalAgreement, over: str) -> Estimate:
    interval = None
    if found.low is not None and found.high is not None:
        interval = Interval(low=found.low, high=found.high, level=0.95, method=tr("bootstrap {over}", over=over))
    return Estimate(
        value=found.value,
        n=found.cases,
        articles=found.clusters,
        interval=interval,
        why="" if found.value is not None else tr("all marks are alike"),
    )
