"""The parts that the tables share: estimates with their intervals, columns, and the bundles behind a number."""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import TYPE_CHECKING

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import count, p_value, text
from gpf_desktop.domain.columns import estimate as estimate_column
from gpf_desktop.domain.figures import Figure
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices
from gpf_desktop.methods.contextual_stereoset.words import option_title, statement_for

if TYPE_CHECKING:
    from gpf_desktop.methods.contextual_stereoset.contrasts import ContrastEstimate

LEVEL = 0.95


def estimate(value: float, low: float, high: float, *, n: int, lacks: str = "", by: str = "") -> Estimate:
    """*value* over *n* items, with its interval where there is one, *by* bootstrap unless another way is named;
    *lacks*: why there is no value, where it is not for want of answers."""
    if isnan(value):
        return Estimate(value=None, n=n, articles=n, why=lacks or tr("no valid answers"))
    interval = None
    if not isnan(low) and not isnan(high):
        interval = Interval(low=low, high=high, level=LEVEL, method=by or tr("bootstrap over items"))
    return Estimate(value=value, n=n, articles=n, interval=interval)


def of_contrast(found: "ContrastEstimate") -> Estimate:
    return estimate(found.estimate, found.low, found.high, n=found.items)


def contrast_columns(compared: str, difference: str, p: str, q: str) -> tuple[Column, ...]:
    """The columns of a table of contrasts, with the given words on four of them; `contrast_values` fills them."""
    return (
        text("option", tr("Option"), compared),
        text("contrast", tr("Shift between")),
        estimate_column("difference", tr("Shift"), difference),
        p_value("p", tr("p"), p, plain=tr("By chance alone")),
        p_value("q", tr("q"), q, plain=tr("By chance alone, all counted")),
        count("pairs", tr("Pairs"), tr("Of contexts alike but for the factor.")),
    )


def contrast_values(label: str, found: "ContrastEstimate") -> dict[str, Value]:
    """The values of a row for the contrast *found* in how often the option *label* is chosen."""
    return {
        "option": option_title(label),
        "contrast": str(found.contrast),
        "difference": of_contrast(found),
        "p": found.p,
        "q": found.q,
        "pairs": found.pairs,
    }


def row(stored: StoredChoices, model: str, values: dict[str, Value], *, group: str | None = None) -> Row:
    bundles = BundleFilter(model=model, stratum=group)
    return Row(values={"model": model, **values}, bundles=bundles, synthetic=model in stored.synthetic)


class ChoicesTable(TableAnalysis, declares=True):
    """A table of what models chose, whose first column names them."""

    version = "3"

    def table(
        self,
        stored: StoredChoices,
        columns: Sequence[Column],
        rows: Iterable[Row],
        *,
        reading: str = "",
        notes: Iterable[str] = (),
        empty: Iterable[str] = (),
        figures: Sequence[Figure] = (),
        highlights: Iterable[str] = (),
    ) -> Finding:
        """*notes* stand behind those of every table of choices; without a *reading* it is the method's own sentence."""
        return self.finding(
            (text("model", tr("Model")), *columns),
            rows,
            reading=reading or statement_for(stored.labels).short,
            notes=(*stored.notes(), *notes),
            empty=empty,
            figures=figures,
            highlights=highlights,
        )
