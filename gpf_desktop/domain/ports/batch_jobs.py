"""Batch jobs of a provider."""

from abc import abstractmethod
from collections.abc import AsyncIterator, Callable

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, LostJob, NotSubmitted
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome
from gpf_desktop.domain.wire import Send


class BatchJobs(PlugIn, declares=True):
    """The batch jobs of one provider: the same questions, cheaper, answered within a day; *name* is the provider's.

    Maps to and from the wire alone; when to submit, look and collect is the engine's. Requests and answers are those of
    the provider's own `ask`.
    """

    @property
    @abstractmethod
    def discount(self) -> float:
        """The price of an answer, as a share of the ordinary price."""

    @property
    @abstractmethod
    def most_requests(self) -> int:
        """The most questions in one job."""

    @property
    @abstractmethod
    def most_bytes(self) -> int:
        """The most bytes of one job's questions."""

    @abstractmethod
    async def submit(self, order: JobOrder, key: Secret | None, send: Send) -> JobReport | NotSubmitted:
        """Hand over the questions."""

    @abstractmethod
    async def find(self, lost: LostJob, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss | None:
        """The job among those that the API lists; None if it is not there."""

    @abstractmethod
    async def poll(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> JobReport | Miss:
        """A report on how far a job is."""

    @abstractmethod
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

    @abstractmethod
    async def cancel(self, vendor_id: str, endpoint: Endpoint, key: Secret | None, send: Send) -> Miss | None:
        """Ask for an early end; what is answered by then can be collected. None: the provider agrees."""
