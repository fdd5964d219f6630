"""What a plug-in file must expose. One file, one object, found by the catalogue (`engine.core.catalogue`).

    port       package     object in the file    contract test
    Source     sources     SOURCE                tests/sources/test_source_contract.py
    Method     methods     METHOD                tests/methods/test_method_contract.py (port: domain.methods)
    Provider   providers   PROVIDER              tests/providers/test_provider_contract.py
    BatchJobs  providers   BATCH_JOBS            tests/providers/test_batch_jobs_contract.py
    Embedder   providers   EMBEDDER              tests/providers/test_embedder_contract.py
    Scorer     scorers     SCORER                tests/methods/gpf_livenews/scorers/test_scorer_contract.py
    Analysis   analyses    ANALYSIS              tests/methods/gpf_livenews/analyses/test_analysis_contract.py
    Exporter   exporters   EXPORTER              tests/exporters/test_exporter_contract.py

Each has a *name* (stable, stored with results), a *version* (raised when results change), a *title* for people
and *options*, a frozen dataclass of declared settings from which the form is generated.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.articles import Harvest
from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, LostJob, NotSubmitted
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.responses import Miss, Outcome
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import BundleAnswers, Chunk, FitGroup, Measure, ScoredChunk, ScoreVariant, WiderFit
from gpf_desktop.domain.wire import Send


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """For a plug-in without settings."""


class PlugIn(Port):
    """What every plug-in has."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def options(self) -> type[Any]:
        """A frozen dataclass; every field has a default and a ``help`` in its metadata."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Bytes that were fetched, dropped or pasted, and what is known about them."""

    body: bytes = field(repr=False)
    """Not in `repr`: asyncio writes out a finished task's result in places, and 60 MB of it took 0.2 s."""
    content_type: str = ""
    """As declared, lower-case, with its charset if any."""
    address: str = ""
    """Final URL or file name; relative links are resolved against it."""
    retrieved: datetime | None = None
    """When it came in, aware; relative times ("2 hours ago") are counted from it."""
    cut: bool = False
    """The end is missing: the transfer broke off, or a cap on size was reached."""


class Source(PlugIn, Port):
    """A kind of news source: reads documents; fetching them is the engine's."""

    def sniff(self, document: Document) -> float:
        """How sure this kind is that it can read *document*: 0 no, 1 certain."""
        ...

    def parse(self, document: Document, options: Any, *, limit: int) -> Harvest:
        """Items newest first, at most *limit*, the rest counted. Raises `SourceError` in a user's words.

        Pure and picklable by name: large documents are parsed in a worker process.
        """
        ...


class Provider(PlugIn, Port):
    """One API: builds its requests, reads its replies; sockets, limits and retries are the engine's."""

    @property
    def default_base_url(self) -> str: ...
    @property
    def key_url(self) -> str:
        """Where a key is got; empty where none is needed."""
        ...

    @property
    def needs_key(self) -> bool: ...
    @property
    def synthetic(self) -> bool:
        """Answers are made up by the program itself (calibration models)."""
        ...

    @property
    def parameters(self) -> frozenset[str]:
        """Names of `Decoding` fields that this API takes, and ``top_logprobs`` where it gives log-probabilities."""
        ...

    def known_models(self) -> tuple[str, ...]:
        """Every model there is, where the provider is a closed set (calibration); else empty."""
        ...

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        """One attempt. Never raises for what a server answers: every answer is a `Reply` or a `Miss`."""
        ...

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        """Model ids where the API lists them, else empty. Raises `ProviderError` in a user's words."""
        ...


class Embedder(PlugIn, Port):
    """The models of one provider that turn texts into vectors; *name* is the provider's.

    Maps to and from the wire alone, many texts a call; limits, retries and the store are the engine's.
    """

    @property
    def most_texts(self) -> int:
        """Texts in one call at most."""
        ...

    @property
    def most_characters(self) -> int:
        """Characters of one call's texts together at most; a longer text goes by itself."""
        ...

    def fingerprint(self, endpoint: Endpoint) -> str:
        """What tells the model from another one of its name, such as a digest of its weights; empty where nothing does.

        May take a while. Raises `UserError` where the model cannot be used.
        """
        ...

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:
        """One attempt. Never raises for what a server answers."""
        ...


class BatchJobs(Port):
    """The batch jobs of one provider: the same questions, cheaper, answered within a day.

    Maps to and from the wire alone; when to submit, look and collect is the engine's. Requests and answers are those of
    the provider's own `ask`.
    """

    @property
    def name(self) -> str:
        """The provider's."""
        ...

    @property
    def discount(self) -> float:
        """What an answer costs, as a share of the ordinary price."""
        ...

    @property
    def most_requests(self) -> int:
        """Questions in one job at most."""
        ...

    @property
    def most_bytes(self) -> int:
        """Bytes of one job's questions at most."""
        ...

    async def submit(self, order: JobOrder, key: Secret | None, send: Send) -> JobReport | NotSubmitted: ...

    async def find(self, lost: LostJob, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss | None:
        """The job among those that the API lists; None where it is not there."""
        ...

    async def poll(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss: ...

    def collect(
        self,
        report: JobReport,
        endpoint: Endpoint,
        question: Callable[[str], Question | None],
        key: Secret | None,
        send: Send,
    ) -> AsyncIterator[tuple[str, Outcome]]:
        """(custom id, outcome) of every question that has an end; *question* tells what was asked under an id.

        Ids that *question* does not know are passed over. A question that the provider did not come to is a miss that
        may be asked again. Raises `ProviderError` where the answers cannot be had now.
        """
        ...

    async def cancel(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> Miss | None:
        """Ask for an early end; what is answered by then can be collected. None: the provider agrees."""
        ...


class Scorer(PlugIn, Port):
    """Turns answers into named scores; never calls a model."""

    @property
    def costly(self) -> bool:
        """It runs a language model: minutes where tf-idf and VADER take a second."""
        ...

    @property
    def measures(self) -> tuple[Measure, ...]:
        """Every score that it gives for people to see, the one that a queue goes by first."""
        ...

    @property
    def needs_facts(self) -> bool:
        """It reads `FitGroup.facts` and `FitGroup.items`; bundle by bundle texts and labels are enough for others."""
        ...

    def score(self, chunk: Chunk, options: Any) -> ScoredChunk:
        """One value or an `Unavailable` per unit and column. Runs in a worker process."""
        ...


@runtime_checkable
class RunsHere(Port):
    """A provider whose models run on this machine and encode: they have no address, no key, and answer nothing."""

    @property
    def runs_here(self) -> bool:
        """True."""
        ...


@runtime_checkable
class FitsRuns(Port):
    """A scorer whose encoder may be fitted on a whole run, of which no worker holds all texts."""

    def fits_the_run(self, options: Any) -> bool: ...
    def frequencies(self, chunk: Chunk, options: Any) -> WiderFit:
        """In how many of *chunk*'s texts each term stands. Runs in a worker process."""
        ...


HowFar = Callable[[int, int], object]
"""Told how much is done, and of how much; what it raises ends the computing."""


@runtime_checkable
class TellsHowFar(Port):
    """A scorer that takes minutes over a chunk."""

    def score_telling(self, chunk: Chunk, options: Any, told: HowFar) -> ScoredChunk:
        """As `Scorer.score`, telling how far it is. Runs in a worker process."""
        ...


@runtime_checkable
class ScoresWholeRuns(TellsHowFar, Port):
    """A scorer whose numbers of one answer rest on all others of its run: it is handed whole runs, a chunk each."""

    def setting_words(self, options: Any) -> str:
        """What is chosen, in a few words."""
        ...


@runtime_checkable
class Explains(Port):
    """A scorer that can say what a bundle's scores are made of."""

    def explain(self, group: FitGroup, bundle: BundleAnswers, options: Any) -> Any:
        """A `numerics.explain.BundleExplanation` of *bundle*, which is one of *group*'s; None where it has too few
        answers."""
        ...


@runtime_checkable
class HasVariants(Port):
    """A scorer that offers settings under which its scores are worth computing once more."""

    def variants(self, base: Any, words: Sequence[str]) -> tuple[ScoreVariant, ...]:
        """Each differs from *base*, options of its own, in one thing; *words*: patterns of the words by which answers
        name whom they were asked for."""
        ...

    def differences(self, options: Any, others: Any) -> tuple[str, ...]:
        """What is different about *options* beside *others*, in words."""
        ...

    def fit_words(self, options: Any) -> str:
        """What its encoder is fitted on."""
        ...

    def only_masked(self, options: Any, others: Any) -> bool:
        """*options* mask words that *others* leave in, and are the same beyond that."""
        ...


@runtime_checkable
class HasPresets(Port):
    """A scorer by language models that knows some to begin from."""

    @property
    def presets(self) -> Sequence[ScoreVariant]: ...


@runtime_checkable
class TestsRepeats(Port):
    """A scorer that tests, on demand and from repeated answers, whether what varies moved them more than chance."""

    @property
    def test_version(self) -> str: ...
    @property
    def test_measures(self) -> tuple[Measure, ...]: ...
    def stratum(self, coordinates: Coordinates) -> tuple[str, ...]:
        """What bundles of one model are tested together by."""
        ...

    def draw(self, chunk: Chunk, wanted: frozenset[int], options: Any, seed: int, replicates: int) -> dict[int, Any]:
        """By bundle of *wanted*, what `tested` concludes from. Runs in a worker process."""
        ...

    def merged(self, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Draws of several chunks together, by stratum."""
        ...

    def tested(
        self, own: Mapping[int, Any], strata: Mapping[int, str], whole: Mapping[str, Any], planted: frozenset[str]
    ) -> ScoredChunk:
        """Every bundle's own test, and that of its stratum, those *planted* adjusted among themselves."""
        ...


@runtime_checkable
class Preloads(Port):
    """A plug-in whose work in worker processes begins sooner where these are imported at their start."""

    @property
    def preloads(self) -> tuple[str, ...]:
        """Names of modules."""
        ...


class Analysis(PlugIn, Port):
    """Reads stored scores and returns a finding."""

    def analyse(self, scores: ScoreTables, options: Any) -> Finding:
        """A finding about *scores*; where there is nothing to tell, one without rows, never an exception."""
        ...


@runtime_checkable
class ReadsReplies(Port):
    """An analysis that reads no more of `ScoreTables` than `replies`, `vectors`, `ratings` and `terms`, and no options:
    what it found is kept in the audit for as long as these are what they were."""

    @property
    def reads_replies(self) -> bool:
        """True."""
        ...


class Exporter(PlugIn, Port):
    """Writes a report in one format."""

    @property
    def suffix(self) -> str: ...

    @property
    def marks_synthetic(self) -> bool:
        """Whether a report with synthetic answers says so on every page or sheet; where not, it is not written."""
        ...

    def export(self, report: Report, target: Path, options: Any) -> None:
        """Writes *target* whole (beside, then renamed). Raises `StorageError`."""
        ...
