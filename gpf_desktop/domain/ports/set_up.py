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
    """What the card of a method says beside its question, and what is chosen for its rounds:
    `methods/<name>/set_up.py` exposes ``SET_UP``; *name* is the method's.

    A method whose items come from sources need say no more than what it *needs*: articles are chosen, or an earlier
    batch, and models that answer.
    """

    @property
    @abstractmethod
    def needs(self) -> str:
        """What an auditor has to bring, in a sentence or two."""

    @property
    def from_sources(self) -> bool:
        """Its items are articles of the audit's sources."""
        return True

    @property
    def takes_news(self) -> bool:
        """Its items are the audit's news, or can be made of texts among which that is."""
        return self.from_sources

    @property
    def items_title(self) -> str:
        """What is asked about, or how, as the card's title."""
        return tr("Protocol")

    @property
    def files(self) -> str:
        """Which files items are read from, as a file dialog filters them: ``Tables (*.csv)``; empty: none."""
        return ""

    def with_items(self, protocol: Any, file: Path) -> Any:
        """*protocol* asking about the items in *file*. Raises `UserError`. Not called on the window's thread."""
        raise UserError(tr("{file} is no protocol.", file=file.name), tr("Choose a .yaml or .toml file."))

    def said_of_file(self, file: Path) -> Sequence[str]:
        """What *file* holds, what was changed in reading it and what it lacks, in sentences. Not called on the window's
        thread."""
        return ()

    @property
    def parts(self) -> Sequence[Part]:
        """What a model may be asked for; of one part alone models are ticked."""
        return (Part(name="target", title=tr("target"), role=Role.TARGET),)

    @property
    def numbers(self) -> Sequence[Number]:
        """How much of something is asked."""
        return ()

    @property
    def rehearsal(self) -> Rehearsal | None:
        """A round that needs no key and no network; None: calibration models are chosen like any other."""
        return None

    def missing(self, protocol: Any, chosen: Chosen) -> str:
        """What the models *chosen* for *protocol* still lack, as a sentence; empty: nothing."""
        return "" if any(chosen.values()) else tr("Choose at least one model.")

    def advice(self, protocol: Any, chosen: Chosen) -> Sequence[str]:
        """What the models *chosen* for *protocol* will leave uncertain, in sentences; empty where some are missing."""
        return ()

    def aimed_past(self, controls: Any, chosen: Chosen) -> str:
        """Why what *controls* name is none of the models *chosen*, or not one alone, as a sentence; empty: it is."""
        return ""

    def asked(self, protocol: Any, numbers: Mapping[str, int], chosen: Chosen) -> tuple[Any, Any]:
        """The protocol and the controls of the round; None: the protocol's own. Raises `UserError`."""
        return protocol, None


class StudySetUp(SetUp, declares=True):
    """A method whose protocol brings its items along: questions, sentences, prompts."""

    @property
    def from_sources(self) -> bool:
        """Its items are articles of the audit's sources, which they are not."""
        return False

    @property
    @abstractmethod
    def items_title(self) -> str:
        """What is asked about, as the card's title."""

    @property
    @abstractmethod
    def rehearsal(self) -> Rehearsal:
        """A study that needs no key and no network."""


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
