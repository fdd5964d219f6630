"""What runs inside a scoring worker; imports nothing that scoring does not need."""

import importlib
from typing import Any

from gpf_desktop.domain.answer_profiles import AnswerProfile
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.scores import Chunk, FitGroup, ScoredChunk


def score(module: str, chunk: Chunk, options: Any) -> ScoredChunk:
    """Scores *chunk* with the scorer that *module* exposes."""
    scored: ScoredChunk = importlib.import_module(module).SCORER.score(chunk, options)
    return scored


def profiled(profile: AnswerProfile, group: FitGroup) -> list[tuple[Any, ...]]:
    """What *profile* says of the answers of *group*."""
    return list(profile.rows(group))


def score_telling(module: str, chunk: Chunk, options: Any, told: HowFar) -> ScoredChunk:
    """The same by a `TellsHowFar`."""
    scored: ScoredChunk = importlib.import_module(module).SCORER.score_telling(chunk, options, told)
    return scored
