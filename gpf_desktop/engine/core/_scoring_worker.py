"""Code that runs inside a scoring worker; imports nothing that scoring does not need."""

import importlib
from collections.abc import Callable
from typing import Any, Final

from gpf_desktop.domain.answer_profiles import AnswerProfile
from gpf_desktop.domain.errors import GpfError, StoppedError
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.redaction import details_of
from gpf_desktop.domain.scores import Chunk, FitGroup, ScoredChunk
from gpf_desktop.domain.text import tr

_OWN: Final = __name__.partition(".")[0]


def score(module: str, chunk: Chunk, options: Any) -> ScoredChunk:
    """Scores *chunk* with the scorer that *module* exposes. Raises `GpfError` where one of another maker fails."""
    return _scored(module, lambda scorer: scorer.score(chunk, options))


def profiled(profile: AnswerProfile, group: FitGroup) -> list[tuple[Any, ...]]:
    """The rows of *profile* for the answers of *group*."""
    return list(profile.rows(group))


def score_telling(module: str, chunk: Chunk, options: Any, told: HowFar) -> ScoredChunk:
    """The same by a `TellsHowFar`."""
    return _scored(module, lambda scorer: scorer.score_telling(chunk, options, told))


def _scored(module: str, ask: Callable[[Any], ScoredChunk]) -> ScoredChunk:
    scorer = importlib.import_module(module).SCORER
    try:
        return ask(scorer)
    except (GpfError, StoppedError, MemoryError):
        raise
    except Exception as error:  # another's code, which may raise anything
        if module.partition(".")[0] == _OWN:
            raise
        raise GpfError(
            tr(
                "Scores could not be computed: the plug-in {name} ({module}) failed ({kind}).",
                name=scorer.name,
                module=module,
                kind=type(error).__name__,
            ),
            tr("Every answer is kept. Tell whoever made the plug-in, or uninstall its package."),
            details=details_of(error),
        ) from error
