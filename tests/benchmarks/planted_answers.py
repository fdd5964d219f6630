"""Answers of calibration models to made-up news, scored by the real scorer without an audit: pools to simulate from."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Factors, cell_seed
from gpf_desktop.domain.protocol import Controls, Protocol
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, BundleAnswers, FitGroup
from gpf_desktop.engine.core.protocols import DEFAULT_PROTOCOL, load_protocol
from gpf_desktop.methods.gpf_livenews.grid import grid
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.numerics.encoders import Encoders
from gpf_desktop.providers.calibration.planted import MODELS
from gpf_desktop.providers.calibration.writer import write
from gpf_desktop.stats.spread import rarefied_ranges

Floats = NDArray[np.float64]

_WHAT = ("bus lines", "clinics", "school meals", "rents", "farm work", "night trains", "libraries", "water prices")
_WHERE = ("the north", "two counties", "the old harbour", "three towns", "the valley", "the capital")


@dataclass(frozen=True, slots=True)
class Planted:
    """One model's answers to one article, with what its bundles are."""

    group: FitGroup
    places: tuple[Factors, ...]
    """Of each bundle its first cell."""


def planted(model: str, article: int, protocol: Protocol, controls: Controls, *, words: int | None = None) -> Planted:
    """Every answer of calibration/*model* to made-up article number *article*, cut to *words* where that is given."""
    key = f"planned-{article}"
    told = f"{article} {_WHAT[article % len(_WHAT)]} in {_WHERE[article // len(_WHAT) % len(_WHERE)]}"
    anchor = Anchor(headline=f"Council decides on {told}", description=f"The plan for {told} was decided on Monday.")
    bundles: dict[tuple[object, ...], list[tuple[int, Factors]]] = {}
    texts: list[str] = []
    for cell in grid(key, protocol, controls, seed=1):
        seed = cell_seed(1, model, key, cell.condition, cell.dimension, cell.identity, cell.family, cell.repeat)
        told_of = {"model": model, "item": key, **dict(cell.coordinates), "repeat": cell.repeat}
        text = write(model, MODELS[model], told_of, seed, compose(protocol, cell, anchor).user)
        bundle = (cell.condition, cell.dimension, cell.family, cell.paraphrase)
        bundles.setdefault(bundle, []).append((len(texts), cell))
        texts.append(text if words is None else " ".join(text.split()[:words]))
    made = [
        BundleAnswers(
            bundle=number,
            planned=sum(cell.repeat == 0 for _, cell in cells),
            rows=tuple(row for row, _ in cells),
            identities=tuple(cell.identity for _, cell in cells),
            repeats=tuple(cell.repeat for _, cell in cells),
        )
        for number, cells in enumerate(bundles.values())
    ]
    return Planted(FitGroup(texts=tuple(texts), bundles=tuple(made)), tuple(cells[0][1] for cells in bundles.values()))


def framings(model: str, *, articles: int) -> dict[str, Floats]:
    """CFS and tone framing of calibration/*model*, every bundle repeated; each of shape (articles, 42)."""
    protocol = load_protocol(DEFAULT_PROTOCOL)
    controls = replace(Controls.none(), repeat_share=1.0)
    pool = [planted(model, article, protocol, controls) for article in range(articles)]
    columns = {each.name: each.values for each in score_chunk([each.group for each in pool], GpfOptions()).columns}
    cfs = np.array(columns[COUNTERFACTUAL_FRAMING], np.float64)
    tone = np.array([framing for each in pool for framing in _tone_framings(each.group)])
    return {"CFS": cfs.reshape(articles, -1), "tone": tone.reshape(articles, -1)}


def _tone_framings(group: FitGroup) -> list[float]:
    """Mean |difference| between identities of repeat 0, minus that between generations of one identity."""
    _, tones = Encoders.of_this_thread(pairs=False).encode(group.texts, by_sentence=False)
    found = []
    for bundle in group.bundles:
        # Cells come repeat by repeat, each with the identities in one order.
        own = tones[list(bundle.rows)].reshape(-1, bundle.planned)
        found.append(float(rarefied_ranges(own[:1], 2)[0] - rarefied_ranges(own.T, 2).mean()))
    return found
