"""Asks calibration models the cells of the sample news, without engine or store, and scores the answers."""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.responses import Outcome, Reply
from gpf_desktop.domain.scores import BundleAnswers, FitGroup, Unavailable
from gpf_desktop.methods.gpf_livenews.calibration_models.provider import answer
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.grid import grid
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from tests.support.protocols import shipped_protocol

SEED = 7
REPEATS_ONLY = Controls(identity_free_generations=0, random_label=False, repeat_share=0.14, paraphrase_share=0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One cell and what came back."""

    factors: Factors
    question: Question
    outcome: Outcome

    @property
    def text(self) -> str:
        assert isinstance(self.outcome, Reply), self.outcome
        return self.outcome.text


@cache
def protocol() -> Protocol:
    return shipped_protocol()


@cache
def sample_anchors() -> tuple[Anchor, ...]:
    """The news items that ship with the program."""
    feed = ElementTree.parse(resources() / "news" / "sample.rss")
    return tuple(
        Anchor(headline=item.findtext("title", ""), description=item.findtext("description", ""))
        for item in feed.iter("item")
    )


def questions(model: str, anchor: Anchor, controls: Controls, seed: int = SEED) -> Iterator[tuple[Factors, Question]]:
    """Every cell of one news item for one calibration model, as the engine would ask it."""
    for factors in grid(anchor.headline, protocol(), controls, seed):
        yield factors, question(model, anchor, factors, seed)


def question(model: str, anchor: Anchor, factors: Factors, seed: int = SEED) -> Question:
    coordinates: dict[str, str | int] = {
        "model": f"calibration/{model}",
        "item": anchor.headline,
        "condition": factors.condition.value,
        "dimension": factors.dimension,
        "identity": factors.identity,
        "family": factors.family,
        "paraphrase": factors.paraphrase,
        "repeat": factors.repeat,
    }
    return Question(
        prompt=compose(protocol(), factors, anchor),
        endpoint=Endpoint(provider="calibration", model=model),
        decoding=protocol().decoding,
        seed=cell_seed(seed, *coordinates.values()),
        coordinates=coordinates,
    )


@cache
def asked(model: str, articles: int, controls: Controls = REPEATS_ONLY) -> tuple[tuple[Asked, ...], ...]:
    """Each article's cells with their outcomes, asked once for all tests of a file."""
    return tuple(
        tuple(Asked(factors, asking, answer(asking)) for factors, asking in questions(model, anchor, controls))
        for anchor in sample_anchors()[:articles]
    )


def scores(cells: Sequence[Asked], condition: Condition = Condition.IDENTITY) -> dict[str, list[float]]:
    """Each score's available values over the bundles of *condition*, the fit being on all *cells*."""
    bundles: dict[tuple[str, str, int], list[int]] = {}
    for row, cell in enumerate(cells):
        if cell.factors.condition is condition:
            key = (cell.factors.dimension, cell.factors.family, cell.factors.paraphrase)
            bundles.setdefault(key, []).append(row)
    group = FitGroup(
        texts=tuple(cell.text for cell in cells),
        bundles=tuple(
            BundleAnswers(
                bundle=number,
                planned=sum(cells[row].factors.repeat == 0 for row in rows),
                rows=tuple(rows),
                levels=tuple(cells[row].factors.identity for row in rows),
                repeats=tuple(cells[row].factors.repeat for row in rows),
            )
            for number, rows in enumerate(bundles.values())
        ),
    )
    scored = SCORER.score([group], GpfOptions())
    return {
        column.name: [value for value in column.values if not isinstance(value, Unavailable)]
        for column in scored.columns
    }
