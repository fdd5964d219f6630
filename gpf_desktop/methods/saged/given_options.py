"""The options that may be given with a table of answers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Final, TypeVar

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.answers import KEYS, SagedAnswer
from gpf_desktop.methods.saged.classifiers import Classifier, named_classifiers
from gpf_desktop.methods.saged.diagnosis import REPLICATES
from gpf_desktop.methods.saged.group_statistics import Selection, Selects, Standard
from gpf_desktop.methods.saged.metrics import Metric

Kind = TypeVar("Kind", bound=StrEnum)
EACH: Final = "each"

_STANDARDS: Final = {each.value: each for each in Standard}
_SELECTS: Final = {
    "larger": Selects.LARGER,
    "smaller": Selects.SMALLER,
    "within": Selects.WITHIN,
    "percentage": Selects.WITHIN_SHARE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The options of `gpf-desktop score --method saged`, checked."""

    seed: int = 1
    replicates: int = REPLICATES
    tolerance: float | None = None
    """None: by feature."""
    selection: Selection = field(default_factory=Selection)
    clusters: int = 0
    """Into how many clusters answers fall; 0: none are made."""
    cluster_of: str = ""
    """The concept whose answers are clustered; empty: all of them; `EACH`: those about each by themselves."""
    metric: Metric = Metric.COSINE
    """Between answers and their baselines."""
    cluster_metric: Metric = Metric.L2
    encoder: str = ""
    """Between whose vectors distances are; empty: tf-idf's."""
    by: str = "concept"
    """Of `KEYS`, what groups are made by."""
    normalise: bool = False
    classifiers: tuple[Classifier, ...] = ()

    def group(self, answer: SagedAnswer) -> str:
        """The name of the group that *answer* belongs to."""
        return " · ".join(filter(None, (answer.keys[KEYS.index(name)] for name in self.by.split(","))))


def checked(given: Mapping[str, str]) -> Given:
    """The options that *given* holds by name. Raises `UserError`."""
    tolerance = given.get("tolerance", "")
    return Given(
        seed=_whole("seed", given.get("seed") or "1", 0, 2**31 - 1),
        replicates=_whole("replicates", given.get("replicates") or str(REPLICATES), 0, 100_000),
        tolerance=_positive("tolerance", tolerance, tolerance) if tolerance else None,
        selection=_selection(given.get("standard") or "mean", given.get("select") or "larger"),
        clusters=_whole("clusters", given.get("clusters") or "0", 0, 50),
        cluster_of=given.get("cluster-of", ""),
        metric=_one_of("metric", given.get("metric") or "cosine", Metric),
        cluster_metric=_one_of("metric", given.get("metric") or "L2", Metric),
        encoder=given.get("encoder", "").strip(),
        by=_one_of("by", given.get("by") or "concept", _By).value,
        classifiers=tuple(named_classifiers(given["classifiers"])) if given.get("classifiers") else (),
        normalise=_yes("normalise", given.get("normalise") or "no"),
    )


class _By(StrEnum):
    CONCEPT = "concept"
    SOURCE_TAG = "source_tag"
    KEYWORD = "keyword"
    CONCEPT_TAG = "concept,source_tag"
    DOMAIN = "domain"


def _one_of(name: str, text: str, kinds: type[Kind]) -> Kind:
    try:
        return kinds(text)
    except ValueError:
        raise _unknown(name, text, ", ".join(kinds)) from None


def _selection(standard: str, selects: str) -> Selection:
    name, _, parameter = standard.partition("=")
    how, _, reach = selects.partition("=")
    if name not in _STANDARDS:
        raise _unknown("standard", standard, "mean, median, mode, quantile=0.9, fixed=0.2")
    if how not in _SELECTS:
        raise _unknown("select", selects, "larger, smaller, within=0.1, percentage=10")
    share = _number("standard", standard, parameter) if parameter else 0.5
    if _STANDARDS[name] is Standard.QUANTILE and not 0 <= share <= 1:
        raise _unknown("standard", standard, "quantile=0 … quantile=1")
    width = _positive("select", selects, reach) if reach else 0.1
    percent = _SELECTS[how] is Selects.WITHIN_SHARE and reach
    return Selection(
        standard=_STANDARDS[name], selects=_SELECTS[how], parameter=share, reach=width / 100 if percent else width
    )


def _whole(name: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 11 and least <= int(text) <= most):
        raise _unknown(name, text, tr("a whole number from {least} to {most}", least=least, most=most))
    return int(text)


def _positive(name: str, given: str, text: str) -> float:
    value = _number(name, given, text)
    if value <= 0:
        raise _unknown(name, given, tr("a number above 0"))
    return value


def _number(name: str, given: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise _unknown(name, given, tr("a number"))
    return value


def _yes(name: str, text: str) -> bool:
    if text not in {"yes", "no"}:
        raise _unknown(name, text, tr("yes or no"))
    return text == "yes"


def _unknown(name: str, text: str, allowed: str) -> UserError:
    return UserError(
        tr("--{name} is “{text}”.", name=name, text=text[:40]), tr("It may be: {allowed}.", allowed=allowed)
    )
