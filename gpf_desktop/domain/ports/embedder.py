"""Models that turn texts into vectors."""

from abc import abstractmethod

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.plug_in import WithOptions
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send


class Embedder(WithOptions, declares=True):
    """The models of one provider that turn texts into vectors; *name* is the provider's.

    Maps to and from the wire alone, many texts a call; limits, retries and the store are the engine's.
    """

    @property
    @abstractmethod
    def most_texts(self) -> int:
        """The most texts in one call."""

    @property
    @abstractmethod
    def most_characters(self) -> int:
        """The most characters of one call's texts together; a longer text goes by itself."""

    @abstractmethod
    def fingerprint(self, endpoint: Endpoint) -> str:
        """A text that tells the model from another one of its name, such as a digest of its weights; empty if there is
        none.

        May take a while. Raises `UserError` if the model cannot be used.
        """

    @abstractmethod
    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:
        """One attempt. Never raises for what a server answers."""
