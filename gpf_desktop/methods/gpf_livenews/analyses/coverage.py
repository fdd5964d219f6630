"""The coverage table: answers planned, answers that came back, and why the others did not."""

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, share, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.findings import BundleFilter, Column, Finding, Row, Value
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.responses import Missing, reason_words
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.analyses._shares import share_of

_RARE = frozenset({Missing.TOO_LARGE})
"""Reasons with a column only where they occurred; so has `_NO_WORD`."""
_NO_WORD = "no_word"


class CoverageTable(TableAnalysis):
    """Coverage of the method: cells by reason, model and batch, and what that makes of the main bundles."""

    name = "coverage"
    title = Translated("Answers that came")

    def analyse(self, scores: ScoreTables, _options: object) -> Finding:
        cells, bundles = scores.cells, scores.bundles
        keys = ["model", "batch"]
        planned = cells.groupby(keys, observed=True)["n"].sum()
        by_reason = cells.groupby([*keys, "reason"], observed=True)["n"].sum()
        truncated = cells.groupby(keys, observed=True)["truncated"].sum()
        synthetic = cells.groupby(keys, observed=True)["synthetic"].all()
        batch_ids = cells.groupby("batch", observed=True)["batch_id"].first()
        main = bundles[bundles["arm"] == MAIN]
        states = main.groupby([*keys, "coverage"], observed=True).size()
        reasons = [reason for reason in Missing if reason not in _RARE or bool((cells["reason"] == str(reason)).any())]
        unread = bool((cells["reason"] == str(Flag.NO_WORD)).any())
        rows = []
        for key, n in planned.items():
            model, batch = key
            values: dict[str, Value] = {
                "model": model,
                "batch": batch,
                "planned": int(n),
                "answered": int(by_reason.get((model, batch, ""), 0)),
                "share": share_of(int(by_reason.get((model, batch, ""), 0)), int(n)),
                "truncated": int(truncated[key]),
                **{_key(reason): int(by_reason.get((model, batch, str(reason)), 0)) for reason in reasons},
                **({_NO_WORD: int(by_reason.get((model, batch, str(Flag.NO_WORD)), 0))} if unread else {}),
                **{str(state): int(states.get((model, batch, str(state)), 0)) for state in Coverage},
            }
            filter_ = BundleFilter(model=model, batch_id=int(batch_ids[batch]))
            rows.append(Row(values=values, bundles=filter_, synthetic=bool(synthetic[key])))
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("batch", tr("Batch of news")),
                count(
                    "planned",
                    tr("Planned"),
                    tr("Every question, however it was asked, in all wordings, asked again or not."),
                ),
                count("answered", tr("Answered")),
                share("share", tr("Answered, share")),
                count("truncated", tr("Cut off"), tr("The model hit its length limit; the part that came is scored.")),
                *(count(_key(reason), _reason_title(reason)) for reason in reasons),
                *((_no_word(),) if unread else ()),
                count(
                    Coverage.COMPLETE, tr("Whole sets"), tr("Sets of answers with a reader in which every answer came.")
                ),
                count(
                    Coverage.PARTIAL,
                    tr("Sets with some missing"),
                    tr("Sets in which answers are missing and two or more came."),
                ),
                count(Coverage.UNSCORED, tr("Sets not scored"), tr("Sets with fewer than two answers.")),
            ),
            rows=rows,
            reading=tr("Missing answers are left out of means and counted here; none is made up."),
            notes=(tr("Sets are those asked with a reader in the first wording that could be scored."),),
        )


def _key(reason: Missing) -> str:
    return reason.name.lower()


def _reason_title(reason: Missing) -> str:
    words = reason_words(reason)
    return words[:1].upper() + words[1:]


ANALYSIS = CoverageTable()


def _no_word() -> Column:
    return count(_NO_WORD, tr("No scorable word"), tr("What came has no word of two letters or digits to score."))
