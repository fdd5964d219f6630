"""Fit groups from tables of answers, and scores by name, for the tests of the scorers."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.scores import BundleAnswers, FitGroup, ScoredChunk, Unavailable

CONFORMANCE = Path(__file__).parents[3] / "conformance"


def conformance(name: str) -> Any:
    return json.loads((CONFORMANCE / name).read_text(encoding="utf-8"))


def group_of(bundles: Iterable[Sequence[tuple[str, int, str]]]) -> FitGroup:
    """One fit group; each bundle is its answers as (identity, repeat, text). Empty texts are missing answers."""
    texts: list[str] = []
    made: list[BundleAnswers] = []
    for number, answers in enumerate(bundles):
        present = [answer for answer in answers if answer[2]]
        rows = tuple(range(len(texts), len(texts) + len(present)))
        texts.extend(text for _, _, text in present)
        made.append(
            BundleAnswers(
                bundle=number,
                planned=sum(1 for _, repeat, _ in answers if repeat == 0),
                rows=rows,
                levels=tuple(identity for identity, _, _ in present),
                repeats=tuple(repeat for _, repeat, _ in present),
            )
        )
    return FitGroup(texts=tuple(texts), bundles=tuple(made))


def plain(texts: Sequence[str]) -> list[tuple[str, int, str]]:
    """One answer per identity, without repeats."""
    return [(f"id{number}", 0, text) for number, text in enumerate(texts)]


def by_name(scored: ScoredChunk, place: int = 0) -> Mapping[str, float | Unavailable]:
    """All scores of one bundle."""
    return {column.name: column.values[place] for column in scored.columns}
