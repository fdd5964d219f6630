"""How a method is begun in the window: what its card says, and what its study asks an auditor to choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints, runtime_checkable
from typing import Protocol as Port

from annotated_types import Ge, GroupedMetadata, Le

from gpf_desktop.domain.models import Endpoint, Role
from gpf_desktop.domain.writing import WritingTask, Written

_MOST: Final = 10_000
"""Of a number without an upper bound of its own."""

Chosen = Mapping[str, Sequence[str]]
"""By name of a part, the labels of the models that have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a model may be asked for in a study."""

    name: str
    title: str
    role: Role
    only_one: bool = False
    otherwise: str = ""
    """The part that the model which had this one gets when another is given it; of parts that only one can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """How much of something is asked, set on the page."""

    name: str
    title: str
    least: int
    most: int
    default: int
    none: str = ""
    """What the least stands for, in words; empty: itself."""


def number_of(sizes: type, name: str, *, title: str, none: str = "") -> Number:
    """The field *name* of the dataclass *sizes*, with the bounds and the default that are declared there."""
    least, most = 0, _MOST
    for each in get_args(get_type_hints(sizes, include_extras=True)[name])[1:]:
        for bound in each if isinstance(each, GroupedMetadata) else (each,):
            match bound:
                case Ge(ge):
                    least = ge  # type: ignore[assignment]
                case Le(le):
                    most = le  # type: ignore[assignment]
    default: Any = next(each.default for each in fields(sizes) if each.name == name)
    return Number(name=name, title=title, least=least, most=most, default=default, none=none)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A study of the starter items with calibration models: no key, no network, and what it finds was planted."""

    about: str
    """What is planted, and what may be seen, in a sentence."""
    models: Sequence[tuple[Endpoint, str]]
    """Each with its part."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Where other than the defaults."""


class SetUp(Port):
    """What the card of a method says beside its question: `methods/<name>/set_up.py` exposes ``SET_UP``.

    A method whose rounds are about news says no more: its round is set up on Runs once there are sources.
    """

    @property
    def name(self) -> str:
        """The method's."""
        ...

    @property
    def needs(self) -> str:
        """What an auditor has to bring, in a sentence or two."""
        ...


@runtime_checkable
class StudySetUp(SetUp, Port):
    """A method whose rounds are set up on the common page of studies, and what stands there."""

    @property
    def items_title(self) -> str:
        """What is asked about, as the card's title."""
        ...

    @property
    def files(self) -> str:
        """Which files items are read from, as a file dialog filters them: ``Tables (*.csv)``; empty: none."""
        ...

    def with_items(self, protocol: Any, file: Path) -> Any:
        """*protocol* asking about the items in *file*. Raises `UserError`. Not called on the window's thread."""
        ...

    @property
    def parts(self) -> Sequence[Part]: ...
    @property
    def numbers(self) -> Sequence[Number]: ...
    @property
    def rehearsal(self) -> Rehearsal: ...

    def missing(self, protocol: Any, chosen: Chosen) -> str:
        """What the models *chosen* for *protocol* still lack, as a sentence; empty: nothing."""
        ...

    def asked(self, protocol: Any, numbers: Mapping[str, int], chosen: Chosen) -> tuple[Any, Any]:
        """The protocol and the controls of the study. Raises `UserError`."""
        ...


@runtime_checkable
class Advises(StudySetUp, Port):
    """A set-up that says what limits a study which may start."""

    def advice(self, protocol: Any, chosen: Chosen) -> Sequence[str]:
        """What the models *chosen* for *protocol* will leave uncertain, in sentences; empty where some are missing."""
        ...


@runtime_checkable
class MadeOfTexts(StudySetUp, Port):
    """A set-up whose items can be made of texts."""

    @property
    def takes_news(self) -> bool:
        """Whether the audit's news is among these texts."""
        ...


@runtime_checkable
class Aims(StudySetUp, Port):
    """A set-up whose controls name a model."""

    def aimed_past(self, controls: Any, chosen: Chosen) -> str:
        """Why what *controls* name is none of the models *chosen*, or not one alone, as a sentence; empty: it is."""
        ...


@runtime_checkable
class TellsOfItems(StudySetUp, Port):
    """A set-up that says what a file of items holds and what it tidied in it."""

    def said_of_file(self, file: Path) -> Sequence[str]:
        """What *file* holds, what was changed in reading it and what it lacks. Not called on the window's thread."""
        ...


@runtime_checkable
class WrittenItems(StudySetUp, Port):
    """A set-up whose items can be written as one text, changed and read back."""

    def words(self, protocol: Any) -> Mapping[str, tuple[str, str]]:
        """What is said beside the items: by name, its title and what it says now."""
        ...

    def text(self, protocol: Any) -> str: ...
    def said_of(self, text: str) -> Sequence[str]:
        """What was tidied in *text*, what it lacks and what stands in it twice, in sentences. May take a while."""
        ...

    def with_text(self, protocol: Any, text: str, words: Mapping[str, str], written: Sequence[Written] = ()) -> Any:
        """The next version of *protocol*, asking what *text* asks, with the provenance of what is in it of what
        writers have *written*. Raises `UserError`."""
        ...

    def table(self, text: str) -> str:
        """*text* as CSV that `with_items` reads back."""
        ...


@runtime_checkable
class WritesItems(WrittenItems, Port):
    """A set-up whose items a writer model can write into that text, in steps."""

    @property
    def steps(self) -> Mapping[str, str]:
        """What can be written, by name and as a button says it, in the order in which it is."""
        ...

    @property
    def amounts(self) -> Sequence[Number]:
        """How much of it is wanted."""
        ...

    @property
    def writers(self) -> Sequence[Endpoint]:
        """Calibration models that write."""
        ...

    def tasks(
        self, step: str, text: str, words: Mapping[str, str], amounts: Mapping[str, int]
    ) -> Sequence[WritingTask]:
        """What *text* still lacks. Raises `UserError` where *step* cannot be asked for, or nothing lacks."""
        ...

    def with_written(self, text: str, tasks: Sequence[WritingTask], written: Sequence[Written]) -> str:
        """*text*, as it is by now, with what was written for *tasks*."""
        ...
