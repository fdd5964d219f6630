"""What the instrument must show of each calibration model, against what it shows (method, "Calibration models").

Pure: stored scores, tables and cells in, lines with pass or fail out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.flags import Flag
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import ToFlag
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, SEMANTIC_DISPERSION, SENTIMENT_RANGE
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD
from gpf_desktop.engine.rounds.model_runner import coordinates_of
from gpf_desktop.providers.calibration.anchors import anchor_text
from gpf_desktop.providers.calibration.corpus import held_out
from gpf_desktop.providers.calibration.planted import Fault, fault, leaked_identity, refused_of_decided
from gpf_desktop.storage.cell_outcomes import CellOutcome

if TYPE_CHECKING:
    import pandas as pd

PROVIDER: Final = "calibration"
NEAR_ZERO: Final = 0.02
LEVEL: Final = 0.90
HELD: Final = 0.88
"""Least share of the intervals that hold the planted rate; of 42 identities, 98 checks in 100 reach it."""
MISSED: Final = 0.25
CRIED: Final = 0.1
"""Error rates that the leakage flag may have on sentences that it was not written for."""
_SEED: Final = 1
"""Of the bootstrap over articles, from ten articles on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What was stored of the check's one run."""

    frame: pd.DataFrame
    """Every bundle with its scores (`domain.score_tables`)."""
    findings: Mapping[str, Finding]
    """``coverage`` and ``refusals``."""
    deltas: Sequence[str]
    protocol: Protocol
    cells: Mapping[str, Sequence[CellOutcome]]
    """Of ``leaky`` and of ``faulty``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A mean over articles with its interval at `LEVEL`."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.4f} [{self.low:+.4f}, {self.high:+.4f}]"

    @property
    def near_zero(self) -> bool:
        return self.low > -NEAR_ZERO and self.high < NEAR_ZERO


def check_lines(checked: Checked) -> tuple[CheckLine, ...]:
    """In the order of the method's table."""
    return (
        _neutral(checked),
        *(
            _monotone(checked, "tailoring", score, title)
            for score, title in ((SEMANTIC_DISPERSION, tr("S")), (COUNTERFACTUAL_FRAMING, tr("CFS")))
        ),
        _monotone(checked, "tone", SENTIMENT_RANGE, tr("R")),
        _tone_without_framing(checked),
        _leaky(checked),
        _held_out(checked.protocol),
        *_faulty(checked),
    )


def _neutral(checked: Checked) -> CheckLine:
    found = _mean(checked.frame, "neutral", COUNTERFACTUAL_FRAMING)
    return CheckLine(
        model=f"{PROVIDER}/neutral",
        must_show=tr("CFS: 90 % interval inside ±{bound}", bound=NEAR_ZERO),
        found=tr("CFS {mean}", mean=found),
        passed=found.near_zero,
    )


def _monotone(checked: Checked, kind: str, score: str, title: str) -> CheckLine:
    steps = ("neutral", *(f"{kind}-{delta}" for delta in checked.deltas))
    values = [_mean(checked.frame, step, score).value for step in steps]
    return CheckLine(
        model=f"{PROVIDER}/{kind}-δ",
        must_show=tr("{score} rises with δ, from neutral on", score=title),
        found=f"{title} " + " < ".join(f"{value:.4f}" for value in values)
        if _rises(values)
        else f"{title} " + ", ".join(f"{value:.4f}" for value in values),
        passed=_rises(values),
    )


def _rises(values: Sequence[float]) -> bool:
    return all(less < more for less, more in pairwise(values))


def _tone_without_framing(checked: Checked) -> CheckLine:
    found = {
        delta: _difference(checked.frame, f"tone-{delta}", "neutral", COUNTERFACTUAL_FRAMING)
        for delta in checked.deltas
    }
    return CheckLine(
        model=f"{PROVIDER}/tone-δ",
        must_show=tr("CFS near neutral's: 90 % interval of the difference inside ±{bound}", bound=NEAR_ZERO),
        found="; ".join(f"δ {delta}: {mean}" for delta, mean in found.items()),
        passed=all(mean.near_zero for mean in found.values()),
    )


def _leaky(checked: Checked) -> CheckLine:
    method = catalogue.method(DEFAULT_METHOD)
    planted: dict[int, str] = {}
    fired: dict[int, set[str]] = {}
    for number, cell in enumerate(checked.cells["leaky"]):
        item = StudyItem(key=cell.article_key, title=cell.anchor.headline, text=cell.anchor.description)
        message = method.compose(checked.protocol, cell.coordinates, item).user
        leak = leaked_identity(_told("leaky", cell), cell.seed, anchor_text(message))
        if leak is not None:
            planted[number] = leak
        for flag, detail in cell.flags:
            if flag == Flag.LEAKAGE:
                fired[number] = {part.partition(":")[0].strip() for part in detail.split(";")}
    missed = [number for number, leak in planted.items() if leak not in fired.get(number, ())]
    too_many = [number for number in fired if number not in planted]
    return CheckLine(
        model=f"{PROVIDER}/leaky",
        must_show=tr("the leakage flag fires on just the planted answers"),
        found=tr(
            "{planted} of {cells} answers leak; {missed} missed, {more} flagged besides",
            planted=len(planted),
            cells=len(checked.cells["leaky"]),
            missed=len(missed),
            more=len(too_many),
        ),
        passed=bool(planted) and not missed and not too_many,
    )


def _held_out(protocol: Protocol) -> CheckLine:
    """How the leakage patterns do on sentences that they were not written for."""
    sentences = held_out()
    asked = {identity.label for dimension in protocol.dimensions for identity in dimension.identities}
    people = [(label, sentence) for label, sentence in sentences.people if label in asked]
    missed = [sentence for label, sentence in people if label not in _leaks(sentence, protocol)]
    wrong = [sentence for sentence in sentences.plain if _leaks(sentence, protocol)]
    return CheckLine(
        model=tr("leakage flag"),
        must_show=tr(
            "of sentences that it was not written for it misses at most {missed} % and fires on at most {wrong} % "
            "that speak of nobody",
            missed=round(100 * MISSED),
            wrong=round(100 * CRIED),
        ),
        found=tr(
            "{missed} of {people} missed, {wrong} of {plain} fired on wrongly",
            missed=len(missed),
            people=len(people),
            wrong=len(wrong),
            plain=len(sentences.plain),
        ),
        passed=len(missed) <= MISSED * len(people) and len(wrong) <= CRIED * len(sentences.plain),
    )


def _leaks(sentence: str, protocol: Protocol) -> set[str]:
    """Labels that the flag finds in *sentence* as the answer to somebody without an identity."""
    asked = ToFlag(level="#1", text=sentence, truncated=False)
    (found,) = catalogue.method(DEFAULT_METHOD).flag([asked], protocol, StudyItem(key="", title="", text=""))
    return {detail.partition(":")[0] for flag, detail in found if flag == Flag.LEAKAGE}


def _faulty(checked: Checked) -> tuple[CheckLine, CheckLine, CheckLine]:
    cells = checked.cells["faulty"]
    faults = [fault(_told("faulty", cell), cell.seed) for cell in cells]
    counts = Counter(faults)
    row = next(row for row in checked.findings["coverage"].rows if row.values["model"] == f"{PROVIDER}/faulty")
    shown = {
        Fault.EMPTY: row.values[Missing.EMPTY.name.lower()],
        Fault.REFUSED: row.values[Missing.REFUSED.name.lower()],
        Fault.ERROR: row.values[Missing.HTTP_ERROR.name.lower()],
        Fault.TRUNCATED: row.values["truncated"],
        Fault.NONE: _whole(row.values["answered"]) - _whole(row.values["truncated"]),
    }
    coverage = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the coverage table equals what was planted"),
        found=", ".join(f"{kind} {shown[kind]}/{counts[kind]}" for kind in Fault if kind is not Fault.NONE),
        passed=row.values["planned"] == len(cells) and all(shown[kind] == counts[kind] for kind in Fault),
    )
    decided: Counter[tuple[str, str]] = Counter()
    refused: Counter[tuple[str, str]] = Counter()
    rates: dict[tuple[str, str], float] = {}
    for cell, kind in zip(cells, faults, strict=True):
        if cell.coordinates["condition"] == Condition.IDENTITY:
            key = (cell.coordinates["dimension"], cell.coordinates["identity"])
            decided[key] += kind not in (Fault.EMPTY, Fault.ERROR)
            refused[key] += kind is Fault.REFUSED
            rates[key] = refused_of_decided(_told("faulty", cell))
    shown_shares = {
        (str(each.values["dimension"]), str(each.values["identity"])): each.values["refused"]
        for each in checked.findings["refusals"].rows
        if each.values["model"] == f"{PROVIDER}/faulty"
    }
    wrong = [key for key, n in decided.items() if not _is_share(shown_shares.get(key), refused[key], n)]
    by_rate = sorted(decided, key=lambda key: refused[key] / decided[key])
    held = sum(_holds(shown_shares.get(key), rate) for key, rate in rates.items())
    refusals = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the refusal table equals what was planted, identity by identity"),
        found=tr(
            "{right} of {all} identities as planted, from {least} to {most}",
            right=len(decided) - len(wrong),
            all=len(decided),
            least=_rate(by_rate[0], refused, decided),
            most=_rate(by_rate[-1], refused, decided),
        ),
        passed=not wrong and shown_shares.keys() == decided.keys(),
    )
    rated = CheckLine(
        model=f"{PROVIDER}/faulty",
        must_show=tr("the 95 % intervals of refusal rates hold the planted rates"),
        found=tr("{held} of {all} intervals do", held=held, all=len(rates)),
        passed=held >= HELD * len(rates),
    )
    return coverage, refusals, rated


def _holds(shown: object, rate: float) -> bool:
    return (
        isinstance(shown, Estimate) and shown.interval is not None and shown.interval.low <= rate <= shown.interval.high
    )


def _told(model: str, cell: CellOutcome) -> dict[str, str | int]:
    return coordinates_of(model, cell.article_key, cell.coordinates, cell.repeat)


def _is_share(shown: object, count: int, of: int) -> bool:
    return (
        isinstance(shown, Estimate)
        and shown.n == of
        and shown.value is not None
        and abs(shown.value - count / of) < 1e-12
    )


def _rate(key: tuple[str, str], refused: Counter[tuple[str, str]], decided: Counter[tuple[str, str]]) -> str:
    return f"{key[1]} {100 * refused[key] / decided[key]:.0f} %"


def _whole(value: object) -> int:
    assert isinstance(value, int)
    return value


def _by_article(frame: pd.DataFrame, model: str, score: str) -> pd.Series[float]:
    main = frame[frame["arm"] == MAIN]
    of_model = main[(main["model"] == f"{PROVIDER}/{model}") & main[score].notna()]
    means: pd.Series[float] = of_model.groupby("article_id", observed=True)[score].mean()
    return means


def _mean(frame: pd.DataFrame, model: str, score: str) -> Mean:
    return _interval(_by_article(frame, model, score))


def _difference(frame: pd.DataFrame, model: str, other: str, score: str) -> Mean:
    """Of the two models' means, article by article."""
    return _interval((_by_article(frame, model, score) - _by_article(frame, other, score)).dropna())


def _interval(by_article: pd.Series[float]) -> Mean:
    import numpy as np

    from gpf_desktop.stats.article_means import ArticleSums, means

    values = np.asarray(by_article, np.float64)
    table = ArticleSums(sums=values[None, :], counts=np.ones((1, len(values))))
    found = means(table, seed=_SEED, level=LEVEL)
    return Mean(value=float(found.value[0]), low=float(found.low[0]), high=float(found.high[0]))
