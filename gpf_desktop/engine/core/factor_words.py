"""Words for the factors of the methods, and for the place of one of their bundles."""

from collections.abc import Iterable

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.methods import Factor
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.queue_samples import MODEL
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue


def telling(methods: Iterable[str]) -> dict[str, Factor]:
    """The factors that tell the bundles of *methods* apart, by name: filters, strata and counts go by them."""
    return {
        factor.name: factor
        for method in methods
        for factor in catalogue.method(method).factors
        if not (factor.varies or factor.by_arm)
    }


def group_title(name: str) -> str:
    """The title of `MODEL` or of a factor; *name* itself if no method has such a factor any more."""
    if name == MODEL:
        return tr("Model")
    return next((f.title for m in catalogue.methods().values() for f in m.factors if f.name == name), name)


def arm_title(arm: str, method: str | None = None) -> str:
    """The title of *arm* in *method*, else in the first method that has such an arm; *arm* itself if none has it any
    more."""
    its = () if method is None else (catalogue.method(method),)
    return next((each.arms[arm] for each in (*its, *catalogue.methods().values()) if arm in each.arms), arm)


def stratum_title(stratum: str) -> str:
    """The title of *stratum* in the method that sorts news so; *stratum* itself if there is none."""
    sorters = (each for each in catalogue.methods().values() if isinstance(each, SortsNews))
    return next((each.title for its in sorters for each in its.strata if each.name == stratum), stratum)


def place_words(method: str, coordinates: Coordinates, arm: str = "", item: str = "") -> tuple[str, ...]:
    """Words that tell a bundle from the others about its item, the factor that the method names last in front.

    *arm*, if given, stands for a level that the bundle does not have; of the factors that the arm itself tells, only
    levels worth telling follow. *item* is the item's title: it tells the bundles of a method without a factor fixed
    within them.
    """
    its = catalogue.method(method)
    fixed = [factor for factor in its.factors if not factor.varies]
    instead = its.arms.get(arm, arm)
    told = [
        factor.words(level) if (level := coordinates.get(factor.name)) else instead
        for factor in reversed(fixed)
        if not factor.by_arm
    ]
    by_arm = [factor.words(coordinates.get(factor.name)) for factor in fixed if factor.by_arm]
    if not told:
        told = [item, instead if arm != MAIN else ""] if item else [instead]
    return tuple(dict.fromkeys(word for word in (*told, *by_arm) if word))


def item_words(method: str, title: str) -> str:
    """An item's *title* as people read it, without what its maker's file alone calls it."""
    return catalogue.method(method).item_words(title)


def level_words(method: str, levels: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """(factor, level) pairs as people read the levels."""
    words = {factor.name: factor.words for factor in catalogue.method(method).factors}
    return tuple(words[factor](level) if factor in words else level for factor, level in levels)


def cell_words(method: str, coordinates: Coordinates) -> tuple[str, ...]:
    """Words for the place of a cell; those that tell it from the others of its bundle stand in front."""
    try:
        factors = catalogue.method(method).factors
    except UserError:
        return tuple(level for _, level in coordinates if level)
    ordered = sorted(factors, key=lambda factor: not factor.varies)
    words = (factor.words(coordinates.get(factor.name)) for factor in ordered)
    return tuple(word for word in words if word)
