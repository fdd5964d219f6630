"""A kind of news source."""

from abc import abstractmethod
from typing import Any

from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.ports.plug_in import WithOptions


class Source(WithOptions, declares=True):
    """Reads documents of one kind; fetching them is the engine's."""

    @abstractmethod
    def sniff(self, document: Document) -> float:
        """How sure this kind is that it can read *document*: 0 no, 1 certain."""

    @abstractmethod
    def parse(self, document: Document, options: Any, *, limit: int) -> Harvest:
        """Items newest first, at most *limit*, the rest counted. Raises `SourceError` in a user's words.

        Pure and picklable by name: large documents are parsed in a worker process.
        """
