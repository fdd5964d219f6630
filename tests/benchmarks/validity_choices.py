"""Contextual StereoSet through its own conclusions: pages on which no context moves a choice, by what is not flat.

Each item has a rate of its own at which a model chooses the stereotype, in every context on average the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.gates import PageEvidence, concluded
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.contextual_stereoset.analyses._stored import StoredChoices
from gpf_desktop.methods.contextual_stereoset.choices import NOT_ASKED, REFUSED_CODE, Choices
from gpf_desktop.methods.contextual_stereoset.concluding.evidence import of_choices
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA, GATES
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import shifts
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of
from gpf_desktop.methods.contextual_stereoset.grid import contexts_of
from gpf_desktop.methods.contextual_stereoset.measures import Measures
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.position import adjusted_contrasts
from gpf_desktop.methods.contextual_stereoset.protocol import Context
from tests.benchmarks.validity_pages import Draw, bare_material, named, share
from tests.benchmarks.validity_sizes import SEED

_ITEMS: Final = (3, 10, 16, 30, 60)
_MODELS: Final = (1, 5)
_TYPES: Final = 4
_CHECKED: Final = 3
"""Pages of each kind of which gates are asked even where no test is passed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one model chose."""

    rates: Floats
    """(items, contexts) at which the stereotype is chosen."""
    lacking: Bools | None = None
    """(items, contexts) without a choice."""
    lacks_against: Floats | None = None
    """(items, contexts) at which a choice lacks that is not the stereotype."""
    asked: Bools | None = None
    letter: float = 0.0
    """Share of the choices that are the first letter, whatever it says."""
    first: Bools | None = None
    """(contexts,) where the stereotype stands first for every item; None: orders are drawn."""
    copies: int = 1
    """So many items, one after another, are known to be nearly alike."""


Kind = Callable[[Draw, int, int], Asked]
"""Of so many items, and of the number of the model."""


@cache
def _grid() -> tuple[tuple[str, ...], tuple[Context, ...]]:
    protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
    return tuple(factor.name for factor in protocol.factors), contexts_of(protocol)


def at_observer() -> Bools:
    """(contexts,) which have the first level of the observer."""
    names, places = _grid()
    at = names.index("observer")
    return np.array([each[at] == places[0][at] for each in places])


def by_item(draw: Draw, items: int, a: float, b: float) -> Floats:
    """(items, contexts) rates of items, the same in every context."""
    return np.repeat(draw.beta(a, b, (items, 1)), len(_grid()[1]), axis=1)


def _moved(draw: Draw, items: int, spread: float) -> Floats:
    """By any prompt, on the logit."""
    shape = (items, len(_grid()[1]))
    found: Floats = 1 / (1 + np.exp(-draw.normal(0, 1.5, (items, 1)) - draw.normal(0, spread, shape)))
    return found


def _wavering(draw: Draw, items: int, share_: float, size: float) -> Floats:
    """A few items turn round with the observer, one way as often as the other; all others are decided."""
    rates = np.repeat((draw.random((items, 1)) < 0.5).astype(np.float64), len(_grid()[1]), axis=1)
    way = size * draw.choice([-1.0, 1.0], (items, 1)) * (draw.random((items, 1)) < share_)
    found: Floats = np.clip(np.where(way != 0, 0.5, rates) + way * (at_observer() - 0.5), 0, 1)
    return found


def _of_types(draw: Draw, items: int, ways: Floats) -> Floats:
    """Items of one type turn with the observer together, by *ways* (types,)."""
    way = ways[np.arange(items) % _TYPES][:, None]
    found: Floats = np.clip(draw.beta(2, 2, (items, 1)) + way * (at_observer() - 0.5), 0, 1)
    return found


def _of_threes(draw: Draw, items: int, size: float) -> Floats:
    """Items in threes that are nearly one, each three one way as often as the other."""
    three = np.arange(items) // 3
    way = size * draw.choice([-1.0, 1.0], (int(three.max()) + 1, 1))
    found: Floats = np.clip(draw.beta(2, 2, (len(way), 1))[three] + way[three] * (at_observer() - 0.5), 0, 1)
    return found


def _in_a_row(draw: Draw, items: int) -> Floats:
    """Each item turns somewhat as the one before it does, correlated by .3."""
    way = draw.normal(0, 0.25, (items, 1))
    for at in range(1, items):
        way[at] = 0.3 * way[at - 1] + np.sqrt(1 - 0.3**2) * way[at]
    found: Floats = np.clip(draw.beta(2, 2, (items, 1)) + way * (at_observer() - 0.5), 0, 1)
    return found


def _rarely(draw: Draw, items: int) -> Floats:
    """On average none is moved."""
    way = np.where(draw.random((items, 1)) < 0.05, -0.76, 0.04)
    found: Floats = draw.uniform(0.76, 0.95, (items, 1)) + way * at_observer()
    return found


def _unlike_grids(draw: Draw, items: int) -> Asked:
    rates = by_item(draw, items, 1, 1)
    return Asked(rates=rates, asked=draw.random(rates.shape) < draw.beta(0.5, 0.5, (items, 1)))


def _of_kinds(draw: Draw, items: int, model: int) -> Asked:
    return list(KINDS.values())[(0, 1, 2, 4, 5)[model % 5]](draw, items, model)


KINDS: Final[dict[str, Kind]] = {
    "every item by chance": lambda d, n, _: Asked(rates=by_item(d, n, 1, 1)),
    "items decided, some waver": lambda d, n, _: Asked(rates=by_item(d, n, 0.1, 0.1)),
    "ceiling": lambda d, n, _: Asked(rates=by_item(d, n, 4, 0.2)),
    "floor": lambda d, n, _: Asked(rates=by_item(d, n, 0.05, 2)),
    "any prompt moves it": lambda d, n, _: Asked(rates=_moved(d, n, 2.0)),
    "one item in ten turns, either way": lambda d, n, _: Asked(rates=_wavering(d, n, 0.1, 1.0)),
    "every item turns by .3, either way": lambda d, n, _: Asked(rates=_wavering(d, n, 1.0, 0.3)),
    "models of unlike kinds": _of_kinds,
    "items asked in unlike grids": lambda d, n, _: _unlike_grids(d, n),
    "no choice, by the item": lambda d, n, _: Asked(
        rates=by_item(d, n, 1, 1), lacking=d.random((n, len(_grid()[1]))) < d.beta(0.4, 1.6, (n, 1))
    ),
    "every three nearly alike turn by .2": lambda d, n, _: Asked(rates=_of_threes(d, n, 0.2), copies=3),
    "half of the choices the first letter": lambda d, n, _: Asked(rates=by_item(d, n, 1, 1), letter=0.5),
    "two types turn by .1, two back": lambda d, n, _: Asked(
        rates=_of_types(d, n, d.permutation([0.1, 0.1, -0.1, -0.1]))
    ),
    "one type turns by .3, three back": lambda d, n, _: Asked(
        rates=_of_types(d, n, d.permutation([0.3, -0.1, -0.1, -0.1]))
    ),
}
"""In which no sentence may name a model."""
BESIDE: Final[dict[str, Kind]] = {
    "no choice oftener for one observer": lambda d, n, _: Asked(
        rates=by_item(d, n, 1, 1), lacking=d.random((n, len(_grid()[1]))) < 0.3 * at_observer()
    ),
    "the same, where it is not the stereotype": lambda d, n, _: Asked(
        rates=by_item(d, n, 1, 1), lacks_against=np.broadcast_to(0.5 * at_observer(), (n, len(_grid()[1])))
    ),
    "first letter, which one observer has": lambda d, n, _: Asked(
        rates=by_item(d, n, 1, 1), letter=0.6, first=at_observer()
    ),
}
"""In which something else moves than the choice: only *differs* is counted."""
BEYOND: Final[dict[str, Kind]] = {
    "three turn by .2 together, worded unlike": lambda d, n, _: Asked(rates=_of_threes(d, n, 0.2)),
    "each item somewhat as the one before (.3)": lambda d, n, _: Asked(rates=_in_a_row(d, n)),
    "one item in twenty turns far, others back": lambda d, n, _: Asked(rates=_rarely(d, n)),
}
"""What no test of a mean over items holds: items that go together, and a few that lie far off and were not drawn."""
_BY_TYPE: Final[dict[str, Callable[[Draw], Floats]]] = {
    "by a normal law (.1)": lambda d: d.normal(0, 0.1, _TYPES),
    "one by .6, three not": lambda d: d.permutation([0.6, 0.0, 0.0, 0.0]),
    "two by .2, two not": lambda d: d.permutation([0.2, 0.2, 0.0, 0.0]),
    "all by .1 and a normal law (.05)": lambda d: 0.1 + d.normal(0, 0.05, _TYPES),
}
"""How far each type of items turns with the observer: no null, of these four types."""


def choices(rounds: int) -> None:
    pages = max(100, rounds // 8)
    print(f"\nContextual StereoSet: pages that name a model where no context moves a choice, % of {pages} (± its")
    print("standard error; promised: at most 5), of one model · of five, by items")
    print(f"{'kind':42}" + "".join(f"{each:>24}" for each in _ITEMS))
    for title, kind in KINDS.items():
        said = [" · ".join(_share(kind, items, models, pages) for models in _MODELS) for items in _ITEMS]
        print(f"{title:42}" + "".join(f"{each:>24}" for each in said), flush=True)
    # Nearly every page passes some test there, and each is asked for its gates, which draw.
    few = max(40, pages // 2)
    print(f"Something else moves than the choice: pages of one model that say it differs, % of {few}")
    for title, kind in BESIDE.items():
        said = [_share(kind, items, 1, few, refusals=False) for items in _ITEMS]
        print(f"{title:42}" + "".join(f"{each:>24}" for each in said), flush=True)
    print(
        f"Items that go together, or lie far off and are rare: pages of one · of five models that name one, % of {few}"
    )
    for title, kind in BEYOND.items():
        said = [" · ".join(_share(kind, items, models, few) for models in _MODELS) for items in _ITEMS]
        print(f"{title:42}" + "".join(f"{each:>24}" for each in said), flush=True)
    print(
        f"Types of items turn unlike, each by so much: pages of one · of five models, % of {few}, that say it over all,"
    )
    print("of one type alone; and of all that is said, what is not so of the types that were asked")
    for title, ways in _BY_TYPE.items():
        said = [" · ".join(_of_unlike_types(ways, items, models, few) for models in _MODELS) for items in (16, 60, 200)]
        print(f"{title:34}" + "".join(f"{each:>52}" for each in said), flush=True)


def _of_unlike_types(ways: Callable[[Draw], Floats], items: int, models: int, pages: int) -> str:
    draw, whole, alone, false, said = np.random.default_rng((SEED, items, models)), [], [], 0, 0
    for _ in range(pages):
        turned = [ways(draw) for _ in range(models)]
        asked = [Asked(rates=_of_types(draw, items, each)) for each in turned]
        made = [chosen(draw, its, model) for model, its in enumerate(asked)]
        found = {each.model: concluded(each, GATES) for each in evidence_of(made, drawn=True).of}
        told = [(model, part, one) for model in range(models) for part, one in _said(found[f"m{model}"])]
        whole.append(any(not part for _, part, _ in told))
        alone.append(any(part for _, part, _ in told))
        for model, part, one in told:
            rates = asked[model].rates
            some = np.arange(items) % _TYPES == int(part[1:]) if part else np.ones(items, bool)
            # Nothing else is planted.
            turned_by = rates[some][:, at_observer()].mean() - rates[some][:, ~at_observer()].mean()
            said += 1
            false += "observer:" not in one.name or np.sign(turned_by) != np.sign(one.value or 0.0)
    return f"{share(whole)}, {share(alone)}; {false} of {said}"


def _said(of: Conclusion) -> Iterator[tuple[str, MeasureReading]]:
    """What is told over all items, and of a type, which is named."""
    for each in of.measures:
        if each.outcome is ConclusionOutcome.DIFFERS:
            yield "", each
        for one in of.of_parts:
            part = one.name.removesuffix(f"/{each.name}")
            if part in of.parts and part != one.name and one.outcome is ConclusionOutcome.DIFFERS:
                yield part, one


def _share(kind: Kind, items: int, models: int, pages: int, *, refusals: bool = True) -> str:
    draw = np.random.default_rng((SEED, items, models))
    return share([_named(draw, kind, items, models, refusals, at) for at in range(pages)])


def _named(draw: Draw, kind: Kind, items: int, models: int, refusals: bool, page: int) -> bool:
    asked = [kind(draw, items, model) for model in range(models)]
    made = [chosen(draw, its, model) for model, its in enumerate(asked)]
    alike = {f"i{at}": at // its.copies for its in asked if its.copies > 1 for at in range(items)}
    told = [contrasts_of(each) for each in made]
    tests = sum(len(its) * (2 if _lacks(each) else 1) for each, its in zip(made, told, strict=True))
    alpha = ALPHA / max(tests, 1)
    passed = any(_passes(each, its, alpha, alike) for each, its in zip(made, told, strict=True))
    # Gates take away and add nothing: a page on which no test is passed names nobody.
    if not passed and page >= _CHECKED:
        return False
    found = named(evidence_of(made, drawn=passed, alike=alike), GATES, refusals=refusals)
    assert passed or not found, "gates add nothing"
    return found


def evidence_of(made: Sequence[Choices], *, drawn: bool, alike: Mapping[str, int] | None = None) -> PageEvidence:
    """A page of these models; *drawn*: with what is left of contrasts once places are held; *alike*: items that count
    as one."""
    models = tuple(_measured(each, drawn) for each in made)
    return of_choices(
        StoredChoices(models=models, comparisons=(), synthetic=frozenset()), {}, bare_material(), alike or {}
    )


def _lacks(of: Choices) -> bool:
    return bool((of.asked & ~of.valid & of.in_context).any())


def _passes(of: Choices, contrasts: list, alpha: float, alike: Mapping[str, int]) -> bool:
    ways = [(of.chose("S"), of.valid)] + ([(of.asked & ~of.valid, of.asked)] if _lacks(of) else [])
    return any(each.told for way in ways for each in shifts(of, contrasts, *way, alpha=alpha, alike=alike))


def _measured(of: Choices, passed: bool) -> Measures:
    """With the contrasts once places are held, which a page asks for where a test is passed; of others no draw is
    made."""
    contrasts = contrasts_of(of)
    made = of if passed else replace(of, codes=of.codes[:1], places=of.places[:1])
    held = adjusted_contrasts(made, contrasts, "S", seed=1)
    return Measures(
        choices=of,
        of_labels={},
        of_chances={},
        adjusted={"S": held},
        bounds={},
        by_group=[],
        dispersions=[],
        shares=[],
        shares_by_group={},
        coverage=[],
        letters=[],
    )


def chosen(draw: Draw, its: Asked, model: int) -> Choices:
    """What model number so many chose, options in an order that is drawn."""
    names, places = _grid()
    shape = (len(its.rates), len(places))
    orders: Ints = draw.permuted(np.broadcast_to(np.arange(3), (*shape, 3)), axis=2)
    if its.first is not None:
        orders[:, its.first] = (0, 1, 2)
        orders[:, ~its.first] = (1, 0, 2)
    codes = np.where(draw.random(shape) < its.rates, 0, 1 + (draw.random(shape) < 0.2))
    codes = np.where(draw.random(shape) < its.letter, np.argmin(orders, axis=2), codes)
    lacks = np.zeros(shape, bool) if its.lacking is None else its.lacking
    if its.lacks_against is not None:
        lacks = lacks | ((codes != 0) & (draw.random(shape) < its.lacks_against))
    codes = np.where(lacks, REFUSED_CODE, codes)
    codes = codes if its.asked is None else np.where(its.asked, codes, NOT_ASKED)
    return Choices(
        model=f"m{model}",
        items=tuple(f"i{at}" for at in range(shape[0])),
        groups=tuple(f"t{at % _TYPES}" for at in range(shape[0])),
        factors=names,
        contexts=places,
        codes=codes.astype(np.int8),
        places=orders.astype(np.int8),
    )
