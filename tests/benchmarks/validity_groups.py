"""SAGED through its own conclusions: pages on which concepts are treated alike, by what is not flat.

Answers are rows as scoring leaves them; tone is drawn, or VADER's of made-up texts. Their mean over prompts is the same
for every concept. Pages whose every table is far from what chance gives by a few draws are spared the rest.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.gates import concluded
from gpf_desktop.methods.saged.analyses._groups import GroupedBy
from gpf_desktop.methods.saged.analyses._judged import Judgements
from gpf_desktop.methods.saged.analyses._series import AskedModel
from gpf_desktop.methods.saged.concluding.evidence import of_asked
from gpf_desktop.methods.saged.concluding.gates import GATES
from gpf_desktop.methods.saged.concluding.series import Asked
from gpf_desktop.methods.saged.features import HEDGING, LENGTH, QUESTION_BACK, REFUSAL, TONE, unmasked_name
from gpf_desktop.methods.saged.gaps import ALPHA, Pairs, by_root_and_concept, comparable
from tests.benchmarks.validity_concepts import nulls
from tests.benchmarks.validity_pages import Draw, bare_material, named, share
from tests.benchmarks.validity_sizes import SEED

_PAGES: Final = ((3, 8, 5, 1), (8, 8, 1, 1), (8, 8, 5, 1), (12, 8, 5, 1), (30, 8, 1, 1), (30, 8, 5, 1))
"""Roots, concepts, models, roles."""
_PLANTED: Final = ((8, 8, 1), (12, 8, 1), (12, 8, 5), (20, 8, 1), (20, 8, 5), (40, 8, 5))
"""Roots, concepts, models."""
_GAPS: Final = (0.2, 0.3, 0.4, 0.5)
_SCREEN: Final = 299
_JUDGE: Final = Judgements(name="Favour, judged by j", rubric="favour", judge="p/j")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """(roots, concepts) of one model in one role; NaN: no answer."""

    tone: Floats
    evades: Bools | None = None
    marks: Floats | None = None
    copies: int = 1
    """So many prompts, one after another, are known to be nearly alike."""


Kind = Callable[[Draw, int, int, int], Answered]
"""Of so many roots and concepts, and of the number of the model."""


def _unlike_numbers(draw: Draw, roots: int, k: int) -> Floats:
    """Some concepts were asked half of the prompts."""
    lacking = draw.random((roots, k)) < np.where(np.arange(k) % 2, 0.5, 0.0)
    found: Floats = np.where(lacking, np.nan, draw.normal(0, 0.2, (roots, k)))
    return found


def _one_far(draw: Draw, roots: int, k: int) -> Floats:
    """One prompt that brings every concept to one end or the other."""
    cells = draw.normal(0, 0.05, (roots, k))
    cells[0] = draw.choice([-0.9, 0.9], k)
    return cells


def _by_theme(draw: Draw, roots: int, k: int) -> Floats:
    """Prompts of one theme of four move a concept together, one way as often as the other."""
    found: Floats = draw.normal(0, 0.15, (4, k))[np.arange(roots) % 4] + draw.normal(0, 0.2, (roots, k))
    return found


def _of_pairs(draw: Draw, roots: int, k: int) -> Floats:
    """Every second prompt is nearly the one before it, and is answered nearly so."""
    found: Floats = draw.normal(0, 0.17, (-(-roots // 2), k))[np.arange(roots) // 2] + draw.normal(0, 0.1, (roots, k))
    return found


def _marked(draw: Draw, roots: int, k: int) -> Answered:
    """By a judge of five levels, of which nearly all marks are one."""
    return Answered(
        tone=draw.normal(0, 0.2, (roots, k)),
        marks=draw.choice([2.0, 3.0, 4.0], (roots, k), p=[0.08, 0.84, 0.08]),
    )


def _evading(draw: Draw, roots: int, k: int, a: float, b: float) -> Answered:
    return Answered(tone=draw.normal(0, 0.2, (roots, k)), evades=draw.random((roots, k)) < draw.beta(a, b, (roots, 1)))


def kinds(draw: Draw) -> dict[str, Kind]:
    """In which no sentence may name a model."""

    def tones(of: Callable[[Draw, int, int, int], Floats]) -> Kind:
        return lambda d, r, k, m: Answered(tone=of(d, r, k, m))

    drawn = {name: tones(of) for name, of in nulls(draw).items() if "evades" not in name}
    return {
        **drawn,
        "heavy tails (t2)": tones(lambda d, r, k, _: np.clip(0.15 * d.standard_t(2, (r, k)), -1, 1)),
        "few values, nearly all 0": tones(lambda d, r, k, _: d.choice([0.0, 0.44], (r, k), p=[0.93, 0.07])),
        "skewed to the left, spread by concept": tones(
            lambda d, r, k, _: (0.5 - d.exponential(0.5, (r, k))) * d.permutation(np.geomspace(0.1, 1, k))
        ),
        "one prompt far off": tones(lambda d, r, k, _: _one_far(d, r, k)),
        "concepts asked unlike often": tones(lambda d, r, k, _: _unlike_numbers(d, r, k)),
        "prompts in pairs that are nearly alike": lambda d, r, k, _: Answered(tone=_of_pairs(d, r, k), copies=2),
        "a judge, nearly all marks one": lambda d, r, k, _: _marked(d, r, k),
        "one in twenty evades": lambda d, r, k, _: _evading(d, r, k, 1e3, 19e3),
        "evades by the prompt": lambda d, r, k, _: _evading(d, r, k, 0.4, 1.6),
        "half evade": lambda d, r, k, _: _evading(d, r, k, 2, 2),
    }


def _pairs_untold(draw: Draw, roots: int, k: int, _model: int) -> Answered:
    return Answered(tone=_of_pairs(draw, roots, k))


def _in_a_row(draw: Draw, roots: int, k: int, _model: int) -> Answered:
    """Each prompt is answered somewhat as the one before it was, correlated by .3."""
    own, cells = draw.normal(0, 0.2, (roots, k)), np.empty((roots, k))
    cells[0] = own[0]
    for at in range(1, roots):
        cells[at] = 0.3 * cells[at - 1] + np.sqrt(1 - 0.3**2) * own[at]
    return Answered(tone=cells)


def _of_themes(draw: Draw, roots: int, k: int, _model: int) -> Answered:
    return Answered(tone=_by_theme(draw, roots, k))


def groups(rounds: int, some: Collection[str] = ()) -> None:
    pages = max(100, rounds // 8)
    print(f"\nSAGED: pages that name a model where concepts are treated alike, % of {pages} (± its standard error;")
    print("promised: at most 5). Roots × concepts, models × roles")
    print(f"{'kind':42}" + "".join(f"{f'{r}×{k}, {m}×{n}':>15}" for r, k, m, n in _PAGES))
    beyond = {
        "pairs go together, worded unlike": _pairs_untold,
        "each prompt somewhat as the one before (.3)": _in_a_row,
        "beyond: prompts of four themes go together": _of_themes,
    }
    drawn = kinds(np.random.default_rng(SEED))
    for at, (title, kind) in enumerate({**drawn, **beyond}.items()):
        if some and title not in some:
            continue
        # Of each its own, so that a kind by itself has the numbers that it has among all.
        draw = np.random.default_rng((SEED, at))
        said = [share([_named(draw, kind, *each) for _ in range(pages)]) for each in _PAGES]
        print(f"{title:42}" + "".join(f"{each:>15}" for each in said), flush=True)
    if not some:
        _found(max(40, pages // 2))


def _found(pages: int) -> None:
    """Of the first of so many models; the others write of all concepts alike."""
    print(
        f"\nA gap planted in one model, spread .2 of an answer, through the gates, % of {pages}: named · range holds it"
    )
    print(f"{'roots × concepts, models':28}" + "".join(f"{f'gap {gap}':>24}" for gap in _GAPS))
    for roots, k, models in _PLANTED:
        said, draw = [], np.random.default_rng((SEED, roots, models))
        for gap in _GAPS:
            told, held = [], []
            for _ in range(pages):
                means = np.linspace(0, gap, k)
                made = [
                    Answered(tone=draw.normal(0, 0.3, (roots, 1)) + draw.normal(0, 0.2, (roots, k)))
                    for _ in range(models)
                ]
                made[0] = Answered(tone=made[0].tone + means)
                page = of_asked([_asked(each, at, 0) for at, each in enumerate(made)], [], bare_material())
                first = page.of[0]
                high, low = (int(str(first.numbers[f"{end}/tone/r0"])[1:]) for end in ("high", "low"))
                (tone,) = first.measures
                told.append(concluded(first, GATES).outcome is ConclusionOutcome.DIFFERS)
                held.append(
                    (tone.low or 0.0) <= means[high] - means[low] <= (np.inf if tone.high is None else tone.high)
                )
            said.append(f"{share(told)} · {share(held)}")
        print(f"{f'{roots}×{k}, {models}':28}" + "".join(f"{each:>24}" for each in said), flush=True)


def _named(draw: Draw, kind: Kind, roots: int, k: int, models: int, roles: int) -> bool:
    made = [[kind(draw, roots, k, model) for _ in range(roles)] for model in range(models)]
    if not _near([each for some in made for each in some], [some[0] for some in made]):
        return False
    asked = [_asked(each, model, role) for model, some in enumerate(made) for role, each in enumerate(some)]
    judged = [_JUDGE] if made[0][0].marks is not None else []
    return named(of_asked(asked, judged, bare_material()), GATES)


def _near(series: Sequence[Answered], models: Sequence[Answered]) -> bool:
    """Whether some table could be told: by few draws, and three times the level that it is told at."""
    tables = [_merged(each) for each in series] + [each.marks for each in series if each.marks is not None]
    # Of roles together; of one model in several roles the first stands for them.
    tables += [each.evades.astype(np.float64) for each in models if each.evades is not None]
    tests = max(len(tables), 1)
    for at, cells in enumerate(tables):
        if comparable(cells):
            pairs = Pairs.of(cells)
            largest = pairs.ratios(pairs.mean, pairs.variance).max()
            most = 3 * ALPHA / tests
            # Both ways of drawing must say so; the second is asked where the first does.
            if all(np.mean(way(_SCREEN, (at,)) >= largest) <= most for way in (pairs.permuted, pairs.redrawn)):
                return True
    return False


def _merged(its: Answered) -> Floats:
    """As (roots, concepts), where roots that are nearly alike are one."""
    root, concept = np.indices(its.tone.shape)
    return by_root_and_concept((root // its.copies).ravel(), concept.ravel(), its.tone.ravel(), its.tone.shape[1])


def _asked(its: Answered, model: int, role: int) -> Asked:
    names = tuple(f"c{at}" for at in range(its.tone.shape[1]))
    root, concept = np.nonzero(~np.isnan(its.tone))
    evades = np.zeros(len(root)) if its.evades is None else its.evades[root, concept].astype(np.float64)
    frame = pd.DataFrame(
        {
            "run_id": 1,
            "bundle_id": root,
            "article_id": root,
            "concept": pd.Categorical.from_codes(concept.tolist(), categories=list(names)),
            TONE.name: its.tone[root, concept],
            unmasked_name(TONE.name): its.tone[root, concept],
            LENGTH.name: 40.0,
            REFUSAL.name: evades,
            HEDGING.name: 0.0,
            QUESTION_BACK.name: 0.0,
        }
    )
    if its.marks is not None:
        frame[_JUDGE.name] = its.marks[root, concept]
    of = AskedModel(
        model=f"m{model}", role=f"r{role}", synthetic=False, by=GroupedBy.CONCEPT, groups=names, frame=frame
    )
    alike = {at: at - at % its.copies for at in range(len(its.tone))} if its.copies > 1 else {}
    return Asked(of=of, domain="", frame=frame, groups=names, matched=frozenset(), alike=alike)
