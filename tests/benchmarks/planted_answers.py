"""Answers of calibration models to made-up news, scored by the real scorer without an audit: pools to simulate from."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    TONE_FRAMING,
    BundleAnswers,
    FitGroup,
    Unavailable,
)
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import MODELS
from gpf_desktop.methods.gpf_livenews.calibration_models.writer import write
from gpf_desktop.methods.gpf_livenews.cells import Factors
from gpf_desktop.methods.gpf_livenews.grid import grid
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import SCORER, EncoderOptions
from tests.support.protocols import shipped_protocol

Floats = NDArray[np.float64]

_WHAT = ("bus lines", "clinics", "school meals", "rents", "farm work", "night trains", "libraries", "water prices")
_WHERE = ("the north", "two counties", "the old harbour", "three towns", "the valley", "the capital")


def planted(model: str, article: int, protocol: Protocol, controls: Controls, *, words: int | None = None) -> FitGroup:
    """Every answer of calibration/*model* to made-up article number *article*; with *words*, of just that length."""
    key = f"planned-{article}"
    told = f"{article} {_WHAT[article % len(_WHAT)]} in {_WHERE[article // len(_WHAT) % len(_WHERE)]}"
    anchor = Anchor(headline=f"Council decides on {told}", description=f"The plan for {told} was decided on Monday.")

    def answer(cell: Factors) -> str:
        of_cell = {"model": model, "item": key, **dict(cell.coordinates), "repeat": cell.repeat}
        seeded = (1, model, key, cell.condition, cell.dimension, cell.identity, cell.family, cell.repeat)
        said: list[str] = []
        while len(said) < (words or 1):
            message = compose(protocol, cell, anchor).user
            said += write(model, MODELS[model], of_cell, cell_seed(*seeded, len(said)), message).split(" ")
        return " ".join(said[:words])

    bundles: dict[tuple[object, ...], list[tuple[int, Factors]]] = {}
    texts: list[str] = []
    for cell in grid(key, protocol, controls, seed=1):
        bundle = (cell.condition, cell.dimension, cell.family, cell.paraphrase)
        bundles.setdefault(bundle, []).append((len(texts), cell))
        texts.append(answer(cell))
    return FitGroup(
        texts=tuple(texts),
        bundles=tuple(
            BundleAnswers(
                bundle=number,
                planned=sum(cell.repeat == 0 for _, cell in cells),
                rows=tuple(row for row, _ in cells),
                levels=tuple(cell.identity for _, cell in cells),
                repeats=tuple(cell.repeat for _, cell in cells),
            )
            for number, cells in enumerate(bundles.values())
        ),
        main=tuple(row for cells in bundles.values() for row, each in cells if each.arm == MAIN and not each.repeat),
    )


def scores(
    model: str,
    *,
    articles: int,
    share: float,
    words: int | None = None,
    generations: int = 3,
    options: GpfOptions | EncoderOptions | None = None,
) -> dict[str, Floats]:
    """Every score of calibration/*model*'s main bundles by name, shape (articles, 42); NaN: unavailable."""
    protocol = shipped_protocol()
    controls = replace(Controls.none(), repeat_share=share, repeat_generations=generations)
    options = options or GpfOptions()
    pool = [planted(model, article, protocol, controls, words=words) for article in range(articles)]
    found = score_chunk(pool, options) if isinstance(options, GpfOptions) else SCORER.score(pool, options)
    return {
        column.name: np.array([np.nan if isinstance(each, Unavailable) else each for each in column.values]).reshape(
            articles, -1
        )
        for column in found.columns
    }


def framings(model: str, *, articles: int) -> dict[str, Floats]:
    """CFS and tone framing of calibration/*model*, every bundle repeated; each of shape (articles, 42)."""
    found = scores(model, articles=articles, share=1.0)
    return {"CFS": found[COUNTERFACTUAL_FRAMING], "tone": found[TONE_FRAMING]}
