"""Scorers, which turn answers into scores."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ports.plug_in import Ability, WithOptions
from gpf_desktop.domain.scores import BundleAnswers, Chunk, FitGroup, Measure, ScoredChunk, ScoreVariant, WiderFit

HowFar = Callable[[int, int], object]
"""Told how much is done, and of how much; what it raises ends the computing."""


class Scorer(WithOptions, declares=True):
    """Turns answers into named scores; never calls a model."""

    @property
    def costly(self) -> bool:
        """Whether it runs a language model: minutes where tf-idf and VADER take a second."""
        return False

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """Every score that it gives for people to see, the one that a queue goes by first."""

    @property
    def needs_facts(self) -> bool:
        """Whether it reads `FitGroup.facts` and `FitGroup.items`; bundle by bundle texts and labels are enough for
        others."""
        return False

    @property
    def preloads(self) -> tuple[str, ...]:
        """Names of modules that worker processes import at their start, so that its work begins sooner."""
        return ()

    @property
    def presets(self) -> Sequence[ScoreVariant]:
        """Language models that it knows to begin from."""
        return ()

    @abstractmethod
    def score(self, chunk: Chunk, options: Any) -> ScoredChunk:
        """One value or an `Unavailable` per unit and column. Runs in a worker process."""


class FitsRuns(Ability, of=Scorer):
    """A scorer whose encoder may be fitted on a whole run, of which no worker holds all texts."""

    @abstractmethod
    def fits_the_run(self, options: Any) -> bool:
        """Whether *options* ask to fit the encoder on the whole run."""

    @abstractmethod
    def frequencies(self, chunk: Chunk, options: Any) -> WiderFit:
        """The number of *chunk*'s texts in which each term stands. Runs in a worker process."""


class TellsHowFar(Ability, of=Scorer):
    """A scorer that takes minutes over a chunk."""

    @abstractmethod
    def score_telling(self, chunk: Chunk, options: Any, told: HowFar) -> ScoredChunk:
        """As `Scorer.score`, telling how far it is. Runs in a worker process."""


class ScoresWholeRuns(TellsHowFar, of=Scorer):
    """A scorer whose numbers of one answer rest on all others of its run: it is handed whole runs, a chunk each."""

    @abstractmethod
    def setting_words(self, options: Any) -> str:
        """The chosen *options*, in a few words."""


class Explains(Ability, of=Scorer):
    """A scorer that can say what a bundle's scores are made of."""

    @abstractmethod
    def explain(self, group: FitGroup, bundle: BundleAnswers, options: Any) -> Any:
        """A `numerics.explain.BundleExplanation` of *bundle*, which is one of *group*'s; None where it has too few
        answers."""


class HasVariants(Ability, of=Scorer):
    """A scorer that offers settings under which its scores are worth computing once more."""

    @abstractmethod
    def variants(self, base: Any, words: Sequence[str]) -> tuple[ScoreVariant, ...]:
        """The variants, each differing from *base*, options of its own, in one thing; *words*: patterns of the words by
        which answers name whom they were asked for."""

    @abstractmethod
    def differences(self, options: Any, others: Any) -> tuple[str, ...]:
        """The differences of *options* from *others*, in words."""

    @abstractmethod
    def only_masked(self, options: Any, others: Any) -> bool:
        """Whether *options* mask words that *others* leave in, and are the same beyond that."""


class TestsRepeats(Ability, of=Scorer):
    """A scorer that tests, on demand and from repeated answers, whether what varies moved them more than chance."""

    @property
    @abstractmethod
    def test_version(self) -> str:
        """Raised when the same answers give other tests."""

    @property
    @abstractmethod
    def test_measures(self) -> tuple[Measure, ...]:
        """The measures that a test gives for people to see."""

    @abstractmethod
    def stratum(self, coordinates: Coordinates) -> tuple[str, ...]:
        """The levels by which bundles of one model are tested together."""

    @abstractmethod
    def draw(self, chunk: Chunk, wanted: frozenset[int], options: Any, seed: int, replicates: int) -> dict[int, Any]:
        """The draws from which `tested` concludes, by bundle of *wanted*. Runs in a worker process."""

    @abstractmethod
    def merged(self, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Draws of several chunks together, by stratum."""

    @abstractmethod
    def tested(
        self, own: Mapping[int, Any], strata: Mapping[int, str], whole: Mapping[str, Any], planted: frozenset[str]
    ) -> ScoredChunk:
        """Every bundle's own test, and that of its stratum, those *planted* adjusted among themselves."""
