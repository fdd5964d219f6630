"""How a method is begun in the window: what its card says, and what its study asks an auditor to choose."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.ports.plug_in import Ability, PlugIn
from gpf_desktop.domain.studies import Chosen, Number, Part, Rehearsal
from gpf_desktop.domain.writing import WritingTask, Written


class SetUp(PlugIn, declares=True):
    """What the card of a method says beside its question: `methods/<name>/set_up.py` exposes ``SET_UP``; *name* is the
    method's.

    A method whose rounds are about news says no more: its round is set up on Runs once there are sources.
    """

    @property
    @abstractmethod
    def needs(self) -> str:
        """What an auditor has to bring, in a sentence or two."""


class StudySetUp(SetUp, declares=True):
    """A method whose rounds are set up on the common page of studies, and what stands there."""

    @property
    @abstractmethod
    def items_title(self) -> str:
        """What is asked about, as the card's title."""

    @property
    def files(self) -> str:
        """Which files items are read from, as a file dialog filters them: ``Tables (*.csv)``; empty: none."""
        return ""

    @abstractmethod
    def with_items(self, protocol: Any, file: Path) -> Any:
        """*protocol* asking about the items in *file*. Raises `UserError`. Not called on the window's thread."""

    def said_of_file(self, file: Path) -> Sequence[str]:
        """What *file* holds, what was changed in reading it and what it lacks, in sentences. Not called on the window's
        thread."""
        return ()

    @property
    def takes_news(self) -> bool:
        """Its items can be made of texts, and the audit's news is among these."""
        return False

    @property
    @abstractmethod
    def parts(self) -> Sequence[Part]:
        """What a model may be asked for."""

    @property
    @abstractmethod
    def numbers(self) -> Sequence[Number]:
        """How much of something is asked."""

    @property
    @abstractmethod
    def rehearsal(self) -> Rehearsal:
        """A study that needs no key and no network."""

    @abstractmethod
    def missing(self, protocol: Any, chosen: Chosen) -> str:
        """What the models *chosen* for *protocol* still lack, as a sentence; empty: nothing."""

    def advice(self, protocol: Any, chosen: Chosen) -> Sequence[str]:
        """What the models *chosen* for *protocol* will leave uncertain, in sentences; empty where some are missing."""
        return ()

    def aimed_past(self, controls: Any, chosen: Chosen) -> str:
        """Why what *controls* name is none of the models *chosen*, or not one alone, as a sentence; empty: it is."""
        return ""

    @abstractmethod
    def asked(self, protocol: Any, numbers: Mapping[str, int], chosen: Chosen) -> tuple[Any, Any]:
        """The protocol and the controls of the study. Raises `UserError`."""


class WritesItems(Ability, of=StudySetUp):
    """A set-up whose items can be written as one text, changed and read back, and which a writer model can write into
    that text, in steps."""

    @abstractmethod
    def words(self, protocol: Any) -> Mapping[str, tuple[str, str]]:
        """What is said beside the items: by name, its title and what it says now."""

    @abstractmethod
    def text(self, protocol: Any) -> str:
        """The items of *protocol*."""

    @abstractmethod
    def said_of(self, text: str) -> Sequence[str]:
        """What was tidied in *text*, what it lacks and what stands in it twice, in sentences. May take a while."""

    @abstractmethod
    def with_text(self, protocol: Any, text: str, words: Mapping[str, str], written: Sequence[Written] = ()) -> Any:
        """The next version of *protocol*, asking what *text* asks, with the provenance of what is in it of what
        writers have *written*. Raises `UserError`."""

    @abstractmethod
    def table(self, text: str) -> str:
        """*text* as CSV that `StudySetUp.with_items` reads back."""

    @property
    @abstractmethod
    def steps(self) -> Mapping[str, str]:
        """What can be written, by name and as a button says it, in the order in which it is."""

    @property
    @abstractmethod
    def amounts(self) -> Sequence[Number]:
        """How much of it is wanted."""

    @property
    @abstractmethod
    def writers(self) -> Sequence[Endpoint]:
        """Calibration models that write."""

    @abstractmethod
    def tasks(
        self, step: str, text: str, words: Mapping[str, str], amounts: Mapping[str, int]
    ) -> Sequence[WritingTask]:
        """What *text* still lacks. Raises `UserError` where *step* cannot be asked for, or nothing lacks."""

    @abstractmethod
    def with_written(self, text: str, tasks: Sequence[WritingTask], written: Sequence[Written]) -> str:
        """*text*, as it is by now, with what was written for *tasks*."""
