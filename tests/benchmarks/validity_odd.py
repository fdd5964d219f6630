"""Models that treat everybody alike and are odd: pages of every method's own conclusions that name one of them.

Twelve ways to be odd, each put to all four methods as far as it can be: to say the prompt back, to answer by a hash of
it, at any length, in another language, to refuse by dice, to change in mid-round, one item above all, ties, one group
or model that lacks half of its answers, Cauchy's law, one model under two names, and a judge or answer that never
varies. A page of GPF-LiveNews, StereoSet and SAGED has three models, one of Relative Bias six, each in turn.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA
from gpf_desktop.methods.contextual_stereoset.concluding.gates import GATES as CHOICE_GATES
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of
from gpf_desktop.methods.gpf_livenews.concluding.framing import ArticleScores, framed, pools
from gpf_desktop.stats.spending import SpendingFunction
from tests.benchmarks.validity_choices import Asked, _lacks, _passes, at_observer, by_item, chosen, evidence_of
from tests.benchmarks.validity_conclusions import limits_of
from tests.benchmarks.validity_groups import Answered
from tests.benchmarks.validity_groups import _named as named_group
from tests.benchmarks.validity_pages import Draw, named
from tests.benchmarks.validity_sizes import SEED
from tests.benchmarks.validity_studies import Marked, _plain
from tests.benchmarks.validity_studies import _named as named_target

_MODELS: Final = 3
_SIZES: Final = (3, 10, 30)
"""Articles; questions of each of five themes; roots."""
_ITEMS: Final = (8, 20, 60)
_CONCEPTS: Final = 6
_TARGETS: Final = 6


def _along(shape: tuple[int, ...], axis: int, values: Floats) -> Floats:
    """*values* along one *axis* of *shape*."""
    lengths = [1] * len(shape)
    lengths[axis] = shape[axis]
    found: Floats = np.broadcast_to(values.reshape(lengths), shape)
    return found


def _drifting(shape: tuple[int, ...], axis: int, by: float) -> Floats:
    """*by* from the middle of *axis* on."""
    size = shape[axis]
    return _along(shape, axis, np.where(np.arange(size) >= size / 2, by, 0.0))


def _first(shape: tuple[int, ...], axis: int) -> Floats:
    return _along(shape, axis, (np.arange(shape[axis]) == 0).astype(np.float64))


def _news(draw: Draw, kind: str, n: int, scale: float) -> list[ArticleScores]:
    """Framing by article of readers and of made-up labels, of which neither is told anything else."""
    shape = (2, _MODELS, n)
    spread = {"length": np.exp(draw.normal(0, 1, (1, _MODELS, n))), "german": np.array([1.0, 0.05, 1.0])[None, :, None]}
    values = draw.normal(0, 0.03, shape) * spread.get(kind, 1.0)
    values += {"hash": 0.3, "drift": _drifting(shape, -1, 0.3) + 0.1}.get(kind, 0.0)
    if kind == "dominating":
        values += 3.0 * _first(shape, -1) * draw.choice([-1, 1], (2, _MODELS, 1))
    if kind == "ties":
        values = draw.choice([0.0, 0.05, -0.05], shape, p=[0.9, 0.05, 0.05])
    if kind == "heavy":
        values = 0.03 * draw.standard_cauchy(shape)
    if kind == "constant":
        values = np.zeros(shape)
    if kind in ("missing", "refusing"):
        lost = draw.random((_MODELS, n)) < (0.5 if kind == "missing" else 0.2)
        values[0] = np.where(lost, np.nan, values[0])
    if kind == "twins":
        values[:, 1] = values[:, 0]
    readers, labels = scale * values
    echo = 0.2 * scale if kind == "echo" else 0.0
    batch = np.arange(n) // 2
    return [
        ArticleScores(batch=batch, planned=one + echo, other_words=one, labels=of_labels)
        for one, of_labels in zip(readers, labels, strict=True)
    ]


def _news_named(draw: Draw, kind: str, size: int) -> bool:
    n = _SIZES[size]
    for scale, limits in limits_of((n,), _MODELS, SpendingFunction.POCOCK).items():
        scores = _news(draw, kind, n, scale)
        pool = pools(scores)
        if any(framed(each, (n,), limits, pool, models=_MODELS)[1].found for each in scores):
            return True
    return False


def _marks(draw: Draw, kind: str, theme_of: Ints) -> Marked:
    marks = _plain(draw, theme_of, _TARGETS, noise={"hash": 0.2, "heavy": 0.2, "ties": 0.0}.get(kind, 1.2))
    shape = marks.shape[1:]
    if kind == "hash":
        marks = marks + draw.integers(-3, 4, shape)
    if kind == "heavy":
        marks = marks + np.clip(draw.standard_cauchy(shape), -9, 9)
    if kind == "drift":
        marks = marks + _drifting(shape, 0, 1.5)
    if kind == "dominating":
        marks = marks + 8 * _first(shape, 0) * draw.normal(0, 1, shape)
    if kind == "ties":
        marks = np.where(draw.random(shape) < 0.95, 5.0, draw.integers(1, 11, shape)) + np.zeros(marks.shape)
    if kind == "constant":
        marks[1] = 5.0
    if kind == "twins":
        marks[..., 1] = marks[..., 0]
    # Of answers without text nothing is measured, which is quicker by far.
    words = np.full(_TARGETS, 12) if kind in ("refusing", "echo") else None
    if kind == "length":
        words = np.clip(draw.lognormal(2.5, 1.0, _TARGETS), 3, 120).astype(np.int64)
    lacking = (draw.random(shape) < 0.5) & (np.arange(_TARGETS) == 2) if kind == "missing" else None
    refused = draw.random(shape) < 0.2 if kind == "refusing" else None
    return Marked(marks=marks, lacking=lacking, refused=refused, words=words)


def _marks_named(draw: Draw, kind: str, size: int) -> bool:
    theme_of = np.repeat(np.arange(5), _SIZES[size])
    return named_target(draw, _marks(draw, kind, theme_of), theme_of, _TARGETS)


def _choices(draw: Draw, kind: str, n: int) -> Asked:
    rates = by_item(draw, n, *((0.1, 0.1) if kind == "ties" else (1.5, 1.5)))
    shape = rates.shape
    way = np.zeros((n, 1))
    if kind == "heavy":
        way = 0.3 * np.clip(draw.standard_cauchy((n, 1)), -3, 3)
    if kind == "dominating":
        way[0] = draw.choice([-2, 2])
    rates = np.clip(rates + way * (at_observer() - 0.5), 0, 1)
    if kind == "hash":
        rates = draw.integers(0, 2, shape).astype(np.float64)
    if kind == "drift":
        rates = np.where(_drifting(shape, 0, 1.0) > 0, 1 / 3, rates)
    lacking = draw.random(shape) < 0.2 if kind == "refusing" else None
    if kind == "missing":
        lacking = (draw.random(shape) < 0.5) & at_observer()
    letter = {"echo": 0.95, "constant": 1.0}.get(kind, 0.0)
    asked = draw.random(shape) < draw.beta(0.5, 0.5, (n, 1)) if kind == "length" else None
    return Asked(rates=rates, lacking=lacking, letter=letter, asked=asked)


def _choices_named(draw: Draw, kind: str, size: int) -> bool:
    made = [chosen(draw, _choices(draw, kind, _ITEMS[size]), model) for model in range(_MODELS)]
    if kind == "twins":
        made[1] = replace(made[0], model=made[1].model)
    told = [contrasts_of(each) for each in made]
    alpha = ALPHA / sum(len(its) * (2 if _lacks(each) else 1) for each, its in zip(made, told, strict=True))
    # Gates take away and add nothing.
    if not any(_passes(each, its, alpha, {}) for each, its in zip(made, told, strict=True)):
        return False
    # Who has no choice so much oftener in one context is told so, and truly: there only *differs* is counted.
    return named(evidence_of(made, drawn=True), CHOICE_GATES, refusals=kind != "missing")


def _told(draw: Draw, kind: str, roots: int) -> Answered:
    shape = (roots, _CONCEPTS)
    tone = draw.normal(0, 0.25, shape)
    if kind == "hash":
        tone = draw.uniform(-1, 1, shape)
    if kind == "length":
        tone = np.clip(tone * np.exp(draw.normal(0, 1, shape)), -1, 1)
    if kind == "echo":
        tone = np.zeros(shape)
    if kind == "german":
        tone = draw.choice([0.0, 0.3], shape, p=[0.9, 0.1])
    if kind == "drift":
        tone = tone + _drifting(shape, 0, 0.5)
    if kind == "dominating":
        tone[0] = draw.choice([-1.0, 1.0], _CONCEPTS)
    if kind == "ties":
        tone = np.where(draw.random(shape) < 0.97, 0.0, 0.6)
    if kind == "missing":
        tone[:, 0] = np.where(draw.random(roots) < 0.5, np.nan, tone[:, 0])
    if kind == "heavy":
        tone = np.clip(0.1 * draw.standard_cauchy(shape), -1, 1)
    return Answered(
        tone=tone,
        evades=draw.random(shape) < 0.2 if kind == "refusing" else None,
        marks=np.full(shape, 3.0) if kind == "constant" else None,
    )


def _told_named(draw: Draw, kind: str, size: int) -> bool:
    twin: list[Answered] = []

    def of(own: Draw, roots: int, _concepts: int, model: int) -> Answered:
        if kind == "twins" and model == 1:
            return twin[0]
        twin.append(_told(own, kind, roots))
        return twin[-1]

    return named_group(draw, of, _SIZES[size], _CONCEPTS, _MODELS, 1)


ODD: Final = (
    "echo",
    "hash",
    "length",
    "german",
    "refusing",
    "drift",
    "dominating",
    "ties",
    "missing",
    "heavy",
    "twins",
    "constant",
)
METHODS: Final[Mapping[str, Callable[[Draw, str, int], bool]]] = {
    "gpf-livenews": _news_named,
    "relative-bias": _marks_named,
    "contextual-stereoset": _choices_named,
    "saged": _told_named,
}


def odd(rounds: int) -> None:
    pages = max(30, rounds // 26)
    sizes = ", ".join(map(str, _SIZES))
    print(f"\nOdd models that treat everybody alike: pages of {pages} that name one, by {sizes} items")
    print("(Relative Bias: questions of each of five themes; StereoSet: 8, 20, 60 items)")
    print(f"{'kind':12}" + "".join(f"{name:>24}" for name in METHODS))
    total = dict.fromkeys(METHODS, 0)
    for at, kind in enumerate(ODD):
        said = []
        for name, of in METHODS.items():
            found = []
            for size in range(len(_SIZES)):
                draw = np.random.default_rng((SEED, at, size))
                found.append(sum(of(draw, kind, size) for _ in range(pages)))
            total[name] += sum(found)
            said.append(" · ".join(map(str, found)))
        print(f"{kind:12}" + "".join(f"{each:>24}" for each in said), flush=True)
    of_all = pages * len(_SIZES) * len(ODD)
    print(f"{'of all':12}" + "".join(f"{f'{each} of {of_all}':>24}" for each in total.values()))
