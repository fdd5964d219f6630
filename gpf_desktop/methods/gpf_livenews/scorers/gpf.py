"""The scores of GPF-LiveNews: how far a bundle's answers move apart in meaning and in tone."""

from gpf_desktop.domain.scores import Chunk, Measure, ScoredChunk
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers._measures import measures


class GpfScorer:
    """Dispersion, noise, framing, tone range, MAD, rarefied range and both silhouettes of each bundle."""

    name = "gpf"
    version = "2"
    costly = False
    needs_facts = False
    options = GpfOptions

    @property
    def title(self) -> str:
        return tr("GPF-LiveNews scores")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return measures()

    def score(self, chunk: Chunk, options: GpfOptions) -> ScoredChunk:
        """Columns `domain.scores.ALL_SCORES` and `VALID`, one value or reason per bundle of *chunk*."""
        from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk

        return score_chunk(chunk, options)


SCORER = GpfScorer()

__all__ = ["SCORER", "GpfOptions"]
