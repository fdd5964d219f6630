"""What runs inside a scoring worker; imports nothing that scoring does not need."""

import importlib
from typing import Any

from gpf_desktop.domain.scores import Chunk, ScoredChunk


def score(module: str, chunk: Chunk, options: Any) -> ScoredChunk:
    """Scores *chunk* with the scorer that *module* exposes."""
    scored: ScoredChunk = importlib.import_module(module).SCORER.score(chunk, options)
    return scored
