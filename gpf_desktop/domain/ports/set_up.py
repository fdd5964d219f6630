"""How a method is begun in the window: what its card says, and what its rounds ask an auditor to choose."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.ports.plug_in import Ability, PlugIn
from gpf_desktop.domain.studies import Chosen, Number, Part, Rehearsal
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.writing import WritingTask, Written


class SetUp(PlugIn, declares=True):
    """The card of a method, beside its question, and the choices for its rounds: `methods/<name>/set_up.py` exposes
    ``SET_UP``; *name* is the method's.

    A method whose items come from sources need say no more than what it *needs*: articles are chosen, or an earlier
    batch, and models that answer.
    """

    @property
    @abstractmethod
    def needs(self) -> str:
        """A sentence or two on what an auditor has to bring."""

    @property
    def from_sources(self) -> bool:
        """Whether its items are articles of the audit's sources."""
        return True

    @property
    def takes_news(self) -> bool:
        """Whether its items are the audit's news, or can be made from texts that include the news."""
        return self.from_sources

    @property
    def items_title(self) -> str:
        """The card's title: what is asked about, or how."""
        return tr("Protocol")

    @property
    def files(self) -> str:
        """The files that items are read from, as a file dialog filters them: ``Tables (*.csv)``; empty: none."""
        return ""

    def with_items(self, protocol: Any, file: Path) -> Any:
        """*protocol* asking about the items in *file*. Raises `UserError`. Not called on the window's thread."""
        raise UserError(tr("{file} is no protocol.", file=file.name), tr("Choose a .yaml or .toml file."))

    def said_of_file(self, file: Path) -> Sequence[str]:
        """Sentences about *file*: what it holds, what was changed in reading it and what it lacks. Not called on the
        window's thread."""
        return ()

    @property
    def parts(self) -> Sequence[Part]:
        """The parts that a model may have; if there is only one, models are ticked."""
        return (Part(name="target", title=tr("target"), role=Role.TARGET),)

    @property
    def numbers(self) -> Sequence[Number]:
        """The numbers that say how much is asked."""
        return ()

    @property
    def rehearsal(self) -> Rehearsal | None:
        """A round that needs no key and no network; None: calibration models are chosen like any other."""
        return None

    def missing(self, protocol: Any, chosen: Chosen) -> str:
        """A sentence about what the models *chosen* for *protocol* still lack; empty: nothing."""
        return "" if any(chosen.values()) else tr("Choose at least one model.")

    def advice(self, protocol: Any, chosen: Chosen) -> Sequence[str]:
        """Sentences about what the models *chosen* for *protocol* will leave uncertain; empty if some are missing."""
        return ()

    def aimed_past(self, controls: Any, chosen: Chosen) -> str:
        """A sentence on why the target in *controls* is none of the models *chosen*, or not one alone; empty: it is
        one."""
        return ""

    def asked(self, protocol: Any, numbers: Mapping[str, int], chosen: Chosen) -> tuple[Any, Any]:
        """The protocol and the controls of the round; None: the protocol's own. Raises `UserError`."""
        return protocol, None


class StudySetUp(SetUp, declares=True):
    """A method whose protocol brings its items along: questions, sentences, prompts."""

    @property
    def from_sources(self) -> bool:
        """Whether its items are articles of the audit's sources: they are not."""
        return False

    @property
    @abstractmethod
    def items_title(self) -> str:
        """The card's title: what is asked about."""

    @property
    @abstractmethod
    def rehearsal(self) -> Rehearsal:
        """A study that needs no key and no network."""


class WritesItems(Ability, of=StudySetUp):
    """A set-up whose items can be written as one text, changed and read back, and which a writer model can write into
    that text, in steps."""

    @abstractmethod
    def words(self, protocol: Any) -> Mapping[str, tuple[str, str]]:
        """The texts beside the items, by name: the title of each and what it says now."""

    @abstractmethod
    def text(self, protocol: Any) -> str:
        """The items of *protocol*."""

    @abstractmethod
    def said_of(self, text: str) -> Sequence[str]:
        """Sentences about *text*: what was tidied in it, what it lacks and what stands in it twice. May take a
        while."""

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
        """The steps of writing, by name and as a button says them, in their order."""

    @property
    @abstractmethod
    def amounts(self) -> Sequence[Number]:
        """The numbers that say how much of it is wanted."""

    @property
    @abstractmethod
    def writers(self) -> Sequence[Endpoint]:
        """Calibration models that write."""

    @abstractmethod
    def tasks(
        self, step: str, text: str, words: Mapping[str, str], amounts: Mapping[str, int]
    ) -> Sequence[WritingTask]:
        """The tasks of writing what *text* still lacks. Raises `UserError` if *step* cannot be asked for, or if nothing
        is missing."""

    @abstractmethod
    def with_written(self, text: str, tasks: Sequence[WritingTask], written: Sequence[Written]) -> str:
        """*text*, as it is by now, with what was written for *tasks*."""
