"""What a method must say of itself: one folder of `gpf_desktop.methods`, whose `method.py` exposes ``METHOD``.

The common rooms ask the method of a run for everything that is not common: which cells there are, what each sends,
on which answers an encoder is fitted, how scores are made, which tables stand in a report, and in which words.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.cells import Grouping, Prompt
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError
from gpf_desktop.domain.score_tables import SidePair
from gpf_desktop.domain.text import Translated, tr, trn


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A named axis; a cell has one level on each that applies to it."""

    name: str
    """As stored with every cell."""
    title: str
    plural: str
    varies: bool = False
    """It differs inside a bundle."""
    by_arm: bool = False
    """A bundle's arm tells it already: no filter, stratum or group goes by it."""
    words: Callable[[str], str] = str
    """A level as people read it; empty: not worth telling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The one kind of sentence that the method's scores support."""

    short: str
    """On screen, beside every score."""
    long: tuple[str, ...]
    """In every report, a paragraph each."""
    limits: tuple[str, ...] = ()
    """What its scores cannot show, a sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a protocol has its bundles scored, and what of it enters means."""

    scorer: str
    """Name of a scorer of the catalogue."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Values for the scorer's declared options; the others keep their defaults."""
    partial_in_means: bool = True
    high_coverage: int = 1
    """Valid values from which a model counts as well covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A bundle's question around the place where its answers differ."""

    before: str
    after: str = ""
    slot: bool = False
    """Something is filled in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToFlag:
    """An answer as far as flags ask."""

    level: str
    """What tells it from the other answers of its bundle."""
    text: str
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCell:
    """A cell of an earlier stage, as far as later ones may depend on it."""

    cell: int
    model: str
    """``provider/model``."""
    role: Role
    item: int
    item_key: str
    coordinates: Coordinates
    """On every factor."""
    repeat: int
    arm: str
    stage: int
    parent: int | None
    seed: int
    text: str | None
    """None: it ended without an answer, and nothing can rest on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCell:
    """A call that rests on an earlier answer."""

    answer: PlannedAnswer
    parent: int
    """The cell whose answer it is asked with; it asks about the same item."""
    model: str = ""
    """Only this one, by its label; empty: every model of the answer's roles."""


class StudyProtocol(Port):
    """What the common rooms read of any method's protocol, which is a frozen dataclass of the method's own."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def decoding(self) -> Decoding: ...


class Method(Port):
    """A way to measure. *protocol* and *controls* are always of the method's own types."""

    @property
    def name(self) -> str:
        """Stable: stored with runs and sealed with reviews."""
        ...

    @property
    def version(self) -> str:
        """Raised when the same protocol gives other cells or messages."""
        ...

    @property
    def title(self) -> str: ...
    @property
    def question(self) -> str:
        """What it finds out, in the words of who wants to know."""
        ...

    @property
    def citation(self) -> str: ...
    @property
    def statement(self) -> Statement: ...
    @property
    def item_kinds(self) -> tuple[str, ...]: ...
    @property
    def items_called(self) -> str:
        """Its items, many of them: ``questions``."""
        ...

    def items_in_words(self, n: int) -> str:
        """So many of them: ``1 question``."""
        ...

    @property
    def factors(self) -> tuple[Factor, ...]:
        """In the order of coordinates."""
        ...

    @property
    def arms(self) -> Mapping[str, str]:
        """Title of each arm of the design, the main one first."""
        ...

    @property
    def grouping(self) -> Grouping: ...
    @property
    def fitted_on(self) -> frozenset[str]:
        """Of ``model`` and ``item``, what the answers that share an encoder's fit have in common."""
        ...

    @property
    def roles(self) -> tuple[Role, ...]: ...
    @property
    def stages(self) -> tuple[str, ...]:
        """Titles; cells of a later stage need answers of an earlier one."""
        ...

    @property
    def analyses(self) -> tuple[str, ...]:
        """Names of the tables that it has, in the order in which a report has them."""
        ...

    @property
    def headless(self) -> frozenset[str]:
        """Which of the commands ``score`` and ``check`` it has."""
        ...

    @property
    def default_protocol(self) -> str: ...
    def protocol_files(self) -> Mapping[str, Path]:
        """Those that come with the method, by name; YAML."""
        ...

    def protocol(self, data: Mapping[str, Any]) -> Any:
        """The protocol that plain *data* holds. Raises `WrongFieldError`."""
        ...

    def protocol_data(self, protocol: Any) -> Mapping[str, Any]:
        """*protocol* as a file holds it, its fields in order: maps, lists, texts and numbers."""
        ...

    def problems(self, protocol: Any) -> Sequence[FieldProblem]:
        """Everything that would keep *protocol* from being read back; empty exactly when `protocol` takes it."""
        ...

    def protocol_facts(self, protocol: Any) -> str:
        """How much there is of what, for a report's list of facts."""
        ...

    def no_controls(self) -> Any: ...
    def controls(self, data: Mapping[str, Any]) -> Any:
        """The sizes that a plan's table gives. Raises `WrongFieldError`."""
        ...

    def controls_of(self, protocol: Any) -> Any:
        """The protocol's own sizes."""
        ...

    def most_questions(self, protocol: Any, controls: Any) -> int:
        """How many questions about one item a model may be asked at most, told without listing them."""
        ...

    def levels(self, protocol: Any) -> Mapping[str, Sequence[str]]:
        """By factor, its levels in the order in which tables list them; empty where the alphabet's serves."""
        ...

    def expand(self, item: StudyItem, protocol: Any, controls: Any, seed: int) -> Iterator[PlannedAnswer]:
        """Every cell of one item for one model, bundle by bundle; the same call gives the same cells."""
        ...

    def next_stage(
        self, stage: int, ended: Sequence[EndedCell], protocol: Any, controls: Any, seed: int
    ) -> Iterator[NextCell]:
        """The cells of *stage* (from 1), once every cell of earlier ones that shares their fit (`fitted_on`) has ended.

        Called again where a cell was asked again: the same cells then, and further ones. Those without an answer have
        none resting on them.
        """
        ...

    def likely_further(self, item: StudyItem, protocol: Any, controls: Any, answering: int) -> Mapping[Role, int]:
        """By role, how many calls of later stages each of its models gets about one item if all is answered by
        *answering* models."""
        ...

    def compose(self, protocol: Any, coordinates: Coordinates, item: StudyItem, given: Sequence[str] = ()) -> Prompt:
        """The exact message of one cell; texts of items and answers are inserted, never interpreted.

        *given*: of a later stage, the answer that it rests on, behind it the one that this one rests on, and so on.
        """
        ...

    def longest_wording(self, protocol: Any) -> int:
        """Characters that a message has at most beside its item's."""
        ...

    def wording(self, protocol: Any, coordinates: Coordinates, kinds: Collection[str]) -> Wording:
        """The question of a bundle about items of *kinds*, for who reads it; empty where the item is the question."""
        ...

    def control_arm(self, coordinates: Coordinates) -> str:
        """The arm in which a bundle's control is looked for, to be read beside it; empty: it has none."""
        ...

    def control(self, coordinates: Coordinates, among: Sequence[Coordinates]) -> int | None:
        """Which of *among*, bundles of that arm, is the control of a bundle; None: none of them."""
        ...

    def names_to_cover(self, protocol: Any) -> Sequence[str]:
        """Patterns of the words by which an answer tells which level it was asked with; covered in a blind reading."""
        ...

    def names_to_mask(self, protocol: Any) -> Sequence[str]:
        """Those, and patterns of controls' labels: taken out of answers where an echo is told from other wording."""
        ...

    def scoring(self, protocol: Any) -> Scoring: ...
    def items(self, protocol: Any) -> Sequence[StudyItem]:
        """Those that the protocol itself brings; empty: they come from sources."""
        ...

    def decoding(self, protocol: Any, stage: int) -> Decoding:
        """How models of a stage are sampled that have no settings of their own."""
        ...

    def reply_form(self, protocol: Any, stage: int) -> Mapping[str, Any] | None:
        """JSON schema of what models of a stage are to reply with, where they can be held to one; None: words. The
        message itself asks for what `ask_again` reads, with or without it."""
        ...

    def ask_again(self, protocol: Any, prompt: Prompt, reply: str) -> Prompt | None:
        """What is asked once more of a later stage's model whose *reply* to *prompt* cannot be read; else None."""
        ...

    def flag(self, answers: Sequence[ToFlag], protocol: Any, item: StudyItem) -> list[list[tuple[str, str]]]:
        """(flag, what it found) of each of one bundle's *answers*. Runs in a worker process."""
        ...


class MethodDefaults:
    """What a method need not say: its items come from sources, and all of its models are asked at once.

    It has no controls, nothing that a blind reading has to cover, and no flags; a method that has some says so.
    """

    items_called = Translated("news")

    @property
    def stages(self) -> tuple[str, ...]:
        return (tr("Answers"),)

    def items_in_words(self, n: int) -> str:
        return trn("{n:,} article", "{n:,} articles", n)

    def items(self, _protocol: Any) -> Sequence[StudyItem]:
        return ()

    def no_controls(self) -> Any:
        return NoOptions()

    def controls(self, data: Mapping[str, Any]) -> Any:
        for name in data:
            raise WrongFieldError(FieldProblem(path=(name,), words=tr("there is no field of this name")))
        return NoOptions()

    def controls_of(self, _protocol: Any) -> Any:
        return NoOptions()

    def control_arm(self, _coordinates: Coordinates) -> str:
        return ""

    def control(self, _coordinates: Coordinates, _among: Sequence[Coordinates]) -> int | None:
        return None

    def names_to_cover(self, _protocol: Any) -> Sequence[str]:
        return ()

    def names_to_mask(self, _protocol: Any) -> Sequence[str]:
        return ()

    def flag(self, answers: Sequence[ToFlag], _protocol: Any, _item: StudyItem) -> list[list[tuple[str, str]]]:
        return [[] for _ in answers]

    def decoding(self, protocol: Any, _stage: int) -> Decoding:
        found: Decoding = protocol.decoding
        return found

    def next_stage(
        self, _stage: int, _ended: Sequence[EndedCell], _protocol: Any, _controls: Any, _seed: int
    ) -> Iterator[NextCell]:
        return iter(())

    def likely_further(self, _item: StudyItem, _protocol: Any, _controls: Any, _answering: int) -> Mapping[Role, int]:
        return {}

    def reply_form(self, _protocol: Any, _stage: int) -> Mapping[str, Any] | None:
        return None

    def ask_again(self, _protocol: Any, _prompt: Prompt, _reply: str) -> Prompt | None:
        return None


@runtime_checkable
class Comparer(Port):
    """A method that can set sides beside each other, two by two: models, rounds, protocol versions, score settings."""

    def margins(self) -> Mapping[str, float]:
        """By name of a score, the difference that is held too small to matter unless another is stated."""
        ...

    def comparison(
        self, pairs: Sequence[SidePair], margins: Mapping[str, float], options: Mapping[str, object]
    ) -> Finding:
        """Each pair on the questions that both sides have, each score a row; p is adjusted over pairs of one kind.

        *options*: which bundles enter, as analyses are told.
        """
        ...


@runtime_checkable
class AsksLogProbabilities(Port):
    """A method whose answers are letters, and that reads how likely each of them was where a provider tells."""

    def top_logprobs(self, protocol: Any) -> int:
        """Of how many of the likeliest tokens at each place; 0: none are asked for."""
        ...
