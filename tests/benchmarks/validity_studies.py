"""Relative Bias through its own conclusions: pages on which every model is of one kind, by what is not flat about it.

Marks are whole numbers from 1 to 10. Whose means lie where is drawn anew for each page from one population, so that
no model is another kind of model than those that it is held against.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy
from gpf_desktop.methods.relative_bias.answers import TOP_LEVEL, StudyAnswers
from gpf_desktop.methods.relative_bias.comparing import K, _compared
from gpf_desktop.methods.relative_bias.concluding.evidence import of_study
from gpf_desktop.methods.relative_bias.concluding.gates import GATES
from gpf_desktop.methods.relative_bias.study import MeasuredStudy, study_of
from tests.benchmarks.validity_pages import Draw, bare_material, named, share
from tests.benchmarks.validity_sizes import SEED

_SIZES: Final = ((3, 1), (3, 3), (10, 3), (3, 10))
"""Themes, questions of each."""
_LARGE: Final = ((5, 60), (20, 10))
"""In which ranges are narrow, and what a margin by few models is an estimate of is all that is left."""
_LARGE_KINDS: Final = ("flat", "means skewed", "means with heavy tails (t3)", "themes differ much")
_MANY: Final = (9, 9)
_MODELS: Final = ((4, 1), (6, 6))
"""Models, and how many of them are targets."""
_REFUSES: Final = "I am sorry, but I cannot help with that question."
_WORDS: Final = (
    "river",
    "stone",
    "harbour",
    "winter",
    "bridge",
    "market",
    "garden",
    "window",
    "road",
    "train",
    "field",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """What a page is made of."""

    marks: Floats
    """(judges, questions, models)"""
    lacking: Bools | None = None
    """(questions, models)"""
    refused: Bools | None = None
    words: Ints | None = None
    """(models,) of an answer; None: answers have no text, and nothing is measured of them."""


Kind = Callable[[Draw, Ints, int], Marked]
"""Of the theme of each question and so many models."""


def _plain(
    draw: Draw,
    theme_of: Ints,
    models: int,
    *,
    means: Floats | None = None,
    own_theme: float = 0.3,
    noise: Floats | float = 1.2,
    middle: float = 5.0,
    judges: int = 2,
) -> Floats:
    """Marks by *judges* that see the same answers, each with an error of its own."""
    questions = len(theme_of)
    middle_of = middle + (draw.normal(0, 0.4, models) if means is None else means)
    shared = middle_of + draw.normal(0, own_theme, (int(theme_of.max()) + 1, models))[theme_of]
    shared = shared + draw.normal(0, 0.7, (questions, 1)) + noise * draw.normal(0, 1, (questions, models))
    found: Floats = shared + draw.normal(0, 0.4, (judges, questions, models))
    return found


def _with(draw: Draw, theme_of: Ints, models: int, heavy: Floats) -> Marked:
    return Marked(marks=_plain(draw, theme_of, models, noise=0.3) + heavy)


def _unlike_numbers(draw: Draw, theme_of: Ints, models: int) -> Marked:
    lacking = draw.random((len(theme_of), models)) < np.linspace(0, 0.6, models)
    return Marked(marks=_plain(draw, theme_of, models), lacking=lacking)


def _one_poor_judge(draw: Draw, theme_of: Ints, models: int) -> Marked:
    marks = _plain(draw, theme_of, models)
    marks[1] = draw.uniform(1, 10, marks[1].shape)
    return Marked(marks=marks)


def _of_two_kinds(draw: Draw, theme_of: Ints, models: int) -> Marked:
    """Two levels apart; whichever kind a model is of, another one is of it too."""
    other = draw.permutation(np.r_[[True, True, False, False], draw.random(models - 4) < 0.5])
    return Marked(marks=_plain(draw, theme_of, models, means=2.0 * other))


def _alone_of_its_kind(draw: Draw, theme_of: Ints, models: int) -> Marked:
    return Marked(marks=_plain(draw, theme_of, models, means=2.0 * (np.arange(models) == 0)))


def _one_model_twice(draw: Draw, theme_of: Ints, models: int) -> Marked:
    """The last two models are the same weights under two names: they differ by the chance of an answer alone."""
    means = draw.normal(0, 0.4, models)
    own = draw.normal(0, 0.3, (int(theme_of.max()) + 1, models))
    means[-1], own[:, -1] = means[-2], own[:, -2]
    return Marked(marks=_plain(draw, theme_of, models, means=means, own_theme=0.0) + own[theme_of])


def _refusing(draw: Draw, theme_of: Ints, models: int, spread: float) -> Marked:
    """By the question, alike for all models, and by models that lie *spread* apart on the logit."""
    questions = len(theme_of)
    logit = draw.normal(-1.5, 1.5, (questions, 1)) + draw.normal(0, spread, (1, models))
    refused = draw.random((questions, models)) < 1 / (1 + np.exp(-logit))
    return Marked(marks=_plain(draw, theme_of, models), refused=refused, words=np.full(models, 12))


KINDS: Final[dict[str, Kind]] = {
    "flat": lambda d, t, m: Marked(marks=_plain(d, t, m)),
    "means skewed": lambda d, t, m: Marked(marks=_plain(d, t, m, means=0.6 * d.exponential(1, m))),
    "means with heavy tails (t3)": lambda d, t, m: Marked(marks=_plain(d, t, m, means=0.3 * d.standard_t(3, m))),
    "models of two kinds, none alone": _of_two_kinds,
    "one model twice": _one_model_twice,
    "models hardly differ": lambda d, t, m: Marked(marks=_plain(d, t, m, means=0.02 * d.normal(0, 1, m))),
    "themes differ much": lambda d, t, m: Marked(marks=_plain(d, t, m, own_theme=1.0)),
    "at the ceiling": lambda d, t, m: Marked(marks=_plain(d, t, m, middle=10.3)),
    "at the floor, few values": lambda d, t, m: Marked(marks=_plain(d, t, m, middle=0.5, noise=0.8)),
    "models vary unlike (.3 to 3)": lambda d, t, m: Marked(marks=_plain(d, t, m, noise=np.geomspace(0.3, 3, m))),
    "skewed marks": lambda d, t, m: _with(d, t, m, 1.2 * d.exponential(1, (len(t), m))),
    "heavy tails (t2)": lambda d, t, m: _with(d, t, m, 0.8 * d.standard_t(2, (len(t), m))),
    "moved by the prompt": lambda d, t, m: _with(d, t, m, d.choice([-3.0, 0.0, 3.0], (len(t), m))),
    "unlike numbers of answers": _unlike_numbers,
    "one judge marks by dice": _one_poor_judge,
    "all judges mark by dice": lambda d, t, m: Marked(marks=d.uniform(0.5, 10.5, (2, len(t), m))),
    "refuses by the question": lambda d, t, m: _refusing(d, t, m, 0.3),
    "refuses by question and model": lambda d, t, m: _refusing(d, t, m, 1.5),
    "answers of unlike lengths": lambda d, t, m: Marked(
        marks=_plain(d, t, m), words=np.geomspace(8, 60, m).astype(int)
    ),
}
"""In which no sentence may name a model."""
BESIDE: Final[dict[str, Kind]] = {
    "one model alone of its kind, 2 off": _alone_of_its_kind,
    "a model far off on one theme (t2)": lambda d, t, m: Marked(
        marks=_plain(d, t, m, own_theme=0.0) + 0.3 * d.standard_t(2, (int(t.max()) + 1, m))[t]
    ),
}
"""In which some model does answer otherwise than those that it is held against, over all or on a theme."""


def studies(rounds: int, kinds: Mapping[str, Kind] = KINDS) -> None:
    pages = max(100, rounds // 8)
    print(f"\nRelative Bias: pages that name a model where all are of one kind, % of {pages} (± its standard error;")
    print("promised: at most 5). Themes × questions; one target and 3 baselines · 6 models, each in turn")
    print(f"{'kind':38}" + "".join(f"{f'{t}×{q}':>24}" for t, q in _SIZES))
    for title, kind in {**kinds, **BESIDE}.items():
        said = [_shares(kind, size, _MODELS, pages) for size in _SIZES]
        print(f"{title:38}" + "".join(f"{each:>24}" for each in said), flush=True)
    print("Large studies; last: 9 models, each in turn")
    print(f"{'kind':38}" + "".join(f"{f'{t}×{q}':>36}" for t, q in _LARGE))
    for title in _LARGE_KINDS:
        said = [_shares(kinds[title], size, (*_MODELS, _MANY), pages) for size in _LARGE]
        print(f"{title:38}" + "".join(f"{each:>36}" for each in said), flush=True)
    _found(pages)


def _shares(kind: Kind, size: tuple[int, int], models: Sequence[tuple[int, int]], pages: int) -> str:
    themes, questions = size
    theme_of, said = np.repeat(np.arange(themes), questions), []
    for of, targets in models:
        draw = np.random.default_rng((SEED, themes, questions, of))
        said.append(share([_named(draw, kind(draw, theme_of, of), theme_of, targets) for _ in range(pages)]))
    return " · ".join(said)


def _found(pages: int) -> None:
    print("\nA target so many levels off among 3 · 5 · 8 baselines, 5 themes × 10 questions, two judges: named, and")
    print(f"both ranges hold how far it lies from these very models, % of {pages}")
    theme_of = np.repeat(np.arange(5), 10)
    for shift in (0.0, 1.0, 2.0, 4.0):
        said = []
        for baselines in (3, 5, 8):
            draw, told, held = np.random.default_rng((SEED, baselines)), [], []
            for _ in range(pages):
                means_ = draw.normal(0, 0.4, baselines + 1) + shift * (np.arange(baselines + 1) == 0)
                own = draw.normal(0, 0.3, (5, baselines + 1))
                marks = _plain(draw, theme_of, baselines + 1, means=means_, own_theme=0.0, middle=4.0) + own[theme_of]
                stored = _stored(_study(draw, Marked(marks=marks), theme_of), 1)
                page = of_study(stored, bare_material())
                told.append(named(page, GATES))
                apart = means_[0] - means_[1:].mean()
                margins = [of_score[0].margin or 0.0 for of_score in stored.comparisons]
                held.append(
                    all(
                        (one.low or 0.0) * margin <= apart <= (one.high or 0.0) * margin
                        for one, margin in zip(page.of[0].measures, margins, strict=True)
                    )
                )
            said.append(f"{share(told)}, {share(held)}")
        print(f"{shift:4}" + "".join(f"{each:>28}" for each in said), flush=True)


def _named(draw: Draw, marked: Marked, theme_of: Ints, targets: int) -> bool:
    return named(of_study(_stored(_study(draw, marked, theme_of), targets), bare_material()), GATES)


def _study(draw: Draw, marked: Marked, theme_of: Ints) -> MeasuredStudy:
    judges, questions, models = marked.marks.shape
    there = np.ones((questions, models), bool) if marked.lacking is None else ~marked.lacking
    question, model = np.nonzero(there)
    marks = np.clip(np.rint(marked.marks[:, question, model]), 1, 10).astype(np.int64)
    names = tuple(f"m{at}" for at in range(models))
    answers = StudyAnswers(
        models=names,
        themes=tuple(f"theme {at}" for at in range(int(theme_of.max()) + 1)),
        questions=tuple(f"question {at}" for at in range(questions)),
        theme_of=theme_of,
        question=question,
        model=model,
        repeat=np.zeros(len(model), np.int64),
        texts=tuple(_text(draw, marked, at, of) for at, of in zip(question.tolist(), model.tolist(), strict=True)),
        judges=tuple(f"judge {at}" for at in range(judges)),
        levels=marks.T[:, :, None],
        unparsed=np.zeros((len(model), judges), bool),
    )
    return study_of(answers, names)


def _text(draw: Draw, marked: Marked, question: int, model: int) -> str:
    if marked.refused is not None and marked.refused[question, model]:
        return _REFUSES
    return "" if marked.words is None else " ".join(draw.choice(_WORDS, int(marked.words[model])))


def _stored(study: MeasuredStudy, targets: int) -> StoredStudy:
    """Without what tells *alike*, tags and intervals of tables: each baseline in turn, and draws."""
    names = study.answers.models
    everyone = range(len(names))
    return StoredStudy(
        study=study,
        targets=names[:targets],
        k=K,
        synthetic=frozenset(),
        comparisons=tuple(
            tuple(_compared(score, at, [b for b in everyone if b != at], K) for at in range(targets))
            for score in study.scores
        ),
        agreements=(),
        cells={},
        written=(),
        tops=dict.fromkeys(study.answers.judges, TOP_LEVEL),
        obediences=(),
        labels={each: each for each in names},
        bundles={},
        questions_open=0,
        margin_levels=0.0,
    )
