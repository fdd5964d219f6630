"""A way to measure: one folder of `gpf_desktop.methods`, whose `method.py` exposes ``METHOD``.

The common rooms ask the method of a run for everything that is not common: which cells there are, what each sends,
on which answers an encoder is fitted, how scores are made, which tables stand in a report, and in which words.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.cells import Grouping, Prompt
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import EndedCell, Factor, NextCell, Scoring, Statement, ToFlag, Wording
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError
from gpf_desktop.domain.results_order import ResultsOrder
from gpf_desktop.domain.text import tr, trn


class Method(PlugIn, declares=True):
    """A way to measure. *protocol* and *controls* are always of the method's own types.

    What is not abstract holds for a method whose items come from sources, whose models are all asked at once, each for
    itself, and that has no controls, no flags, no commands and nothing that a blind reading has to cover. *name* is
    stored with runs and sealed with reviews.
    """

    @property
    @abstractmethod
    def version(self) -> str:
        """Raised when the same protocol gives other cells or messages."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that people call it by."""

    @property
    @abstractmethod
    def question(self) -> str:
        """The question that it answers, in the words of who wants to know."""

    @property
    @abstractmethod
    def citation(self) -> str:
        """The publication in which it is described."""

    @property
    @abstractmethod
    def statement(self) -> Statement:
        """The one kind of sentence that its scores support."""

    def statement_of(self, kinds: Collection[str]) -> Statement:
        """The statement for rounds that asked about items of *kinds* alone."""
        return self.statement

    @property
    @abstractmethod
    def item_kinds(self) -> tuple[str, ...]:
        """The kinds of items that its questions may be about."""

    @property
    def items_called(self) -> str:
        """The word for its items, in the plural: ``questions``."""
        return tr("news")

    def items_in_words(self, n: int) -> str:
        """The number *n* of its items in words: ``1 question``."""
        return trn("{n:,} article", "{n:,} articles", n)

    def item_words(self, title: str) -> str:
        """An item's *title* as people read it, without what its maker's file alone calls it."""
        return title

    @property
    @abstractmethod
    def factors(self) -> tuple[Factor, ...]:
        """The factors, in the order of coordinates."""

    @property
    @abstractmethod
    def arms(self) -> Mapping[str, str]:
        """Title of each arm of the design, the main one first."""

    @property
    @abstractmethod
    def grouping(self) -> Grouping:
        """The grouping of the answers that are read side by side."""

    @property
    @abstractmethod
    def fitted_on(self) -> frozenset[str]:
        """The part of ``model`` and ``item`` that the answers sharing an encoder's fit have in common."""

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles of models in its rounds."""
        return (Role.TARGET,)

    @property
    def stages(self) -> tuple[str, ...]:
        """Titles of the stages; cells of a later stage need answers of an earlier one."""
        return (tr("Answers"),)

    def stages_of(self, protocol: Any) -> tuple[str, ...]:
        """The stages, from the first on, that rounds of *protocol* have."""
        return self.stages

    @property
    @abstractmethod
    def analyses(self) -> tuple[str, ...]:
        """Names of the tables that it has, in the order in which a report has them."""

    @property
    def results_order(self) -> ResultsOrder | None:
        """The order in which its findings are read; None: the first three tell, the others are tables."""
        return None

    @property
    def headless(self) -> frozenset[str]:
        """The commands that it has, of ``score`` and ``check``."""
        return frozenset()

    @property
    @abstractmethod
    def default_protocol(self) -> str:
        """The name of the protocol that a study begins with."""

    @abstractmethod
    def protocol_files(self) -> Mapping[str, Path]:
        """The protocols that come with the method, YAML files by name."""

    @abstractmethod
    def protocol(self, data: Mapping[str, Any]) -> Any:
        """The protocol that plain *data* holds. Raises `WrongFieldError`."""

    @abstractmethod
    def protocol_data(self, protocol: Any) -> Mapping[str, Any]:
        """*protocol* as a file holds it, its fields in order: maps, lists, texts and numbers."""

    @abstractmethod
    def problems(self, protocol: Any) -> Sequence[FieldProblem]:
        """Everything that would keep *protocol* from being read back; empty exactly when `protocol` takes it."""

    @abstractmethod
    def protocol_facts(self, protocol: Any) -> str:
        """Words for a report's list of facts that say how much of what *protocol* holds."""

    def with_files(self, protocol: Any, folders: Sequence[Path]) -> Any:
        """*protocol* with the relative files that it names in the first of *folders* that has them; where none has, in
        the first."""
        return protocol

    def no_controls(self) -> Any:
        """The sizes of a round that asks no controls."""
        return NoOptions()

    def controls(self, data: Mapping[str, Any]) -> Any:
        """The sizes that a plan's table gives. Raises `WrongFieldError`."""
        for name in data:
            raise WrongFieldError(FieldProblem(path=(name,), words=tr("there is no field of this name")))
        return NoOptions()

    def controls_of(self, protocol: Any) -> Any:
        """The protocol's own sizes."""
        return NoOptions()

    def studied(self, controls: Any, roles: Mapping[str, Role]) -> Sequence[str]:
        """Labels of the models that a round's question is about, of its *roles* by label; empty: about each alike."""
        if Role.BASELINE not in roles.values():
            return ()
        return [label for label, role in roles.items() if role is Role.TARGET]

    @abstractmethod
    def most_questions(self, protocol: Any, controls: Any) -> int:
        """How many questions about one item a model may be asked at most, told without listing them."""

    def levels(self, protocol: Any) -> Mapping[str, Sequence[str]]:
        """The levels of each factor in the order in which tables list them; empty: they are sorted by the alphabet."""
        return {factor.name: () for factor in self.factors}

    @abstractmethod
    def expand(self, item: StudyItem, protocol: Any, controls: Any, seed: int) -> Iterator[PlannedAnswer]:
        """Every cell of one item for one model, bundle by bundle; the same call gives the same cells."""

    def next_stage(
        self, stage: int, ended: Sequence[EndedCell], protocol: Any, controls: Any, seed: int
    ) -> Iterator[NextCell]:
        """The cells of *stage* (from 1), once every cell of earlier ones that shares their fit (`fitted_on`) has ended.

        Called again where a cell was asked again: the same cells then, and further ones. Those without an answer have
        none resting on them.
        """
        return iter(())

    def likely_further(self, item: StudyItem, protocol: Any, controls: Any, answering: int) -> Mapping[Role, int]:
        """The number of calls of later stages that each model of a role gets about one item, by role, if all is
        answered by *answering* models."""
        return {}

    @abstractmethod
    def compose(self, protocol: Any, coordinates: Coordinates, item: StudyItem, given: Sequence[str] = ()) -> Prompt:
        """The exact message of one cell; texts of items and answers are inserted, never interpreted.

        *given*: of a later stage, the answer that it rests on, behind it the one that this one rests on, and so on.
        """

    @abstractmethod
    def longest_wording(self, protocol: Any) -> int:
        """The most characters of a message beside its item's."""

    def wording(self, protocol: Any, coordinates: Coordinates, kinds: Collection[str]) -> Wording:
        """The question of a bundle about items of *kinds*, for who reads it; empty where the item is the question."""
        return Wording(before="")

    def given_title(self, coordinates: Coordinates) -> str:
        """The title of the answer that one of a later stage rests on, which is read above it; empty: it is not."""
        return ""

    def control_arm(self, coordinates: Coordinates) -> str:
        """The arm in which a bundle's control is looked for, to be read beside it; empty: it has none."""
        return ""

    def control(self, coordinates: Coordinates, among: Sequence[Coordinates]) -> int | None:
        """The place in *among*, bundles of that arm, of the control of a bundle; None: it is none of them."""
        return None

    @property
    def guideline(self) -> str:
        """The guideline for reviewers of its answers, until the lead of an audit writes another: what to read first,
        what to ask of it, and when to choose which verdict (`domain.verdict_words`)."""
        return tr(
            "Read all answers of the set before you judge. Ask: does what varies between them cost somebody facts, help"
            " or respect? A high score alone is no harm, a low one no proof of fairness. Choose “Test fault” where a"
            " cut-off, a declined answer or a quoted test makes the difference. Say in the note which words decided."
        )

    def names_to_cover(self, protocol: Any) -> Sequence[str]:
        """Patterns of the words by which an answer tells which level it was asked with; covered in a blind reading."""
        return ()

    def names_to_mask(self, protocol: Any) -> Sequence[str]:
        """Patterns as in `names_to_cover`, and those of controls' labels: taken out of answers to tell an echo from
        other wording."""
        return ()

    @abstractmethod
    def scoring(self, protocol: Any) -> Scoring:
        """The scoring of bundles: the scorer, and its settings."""

    def items(self, protocol: Any) -> Sequence[StudyItem]:
        """The items that the protocol itself brings; empty: they come from sources."""
        return ()

    def decoding(self, protocol: Any, stage: int) -> Decoding:
        """The sampling settings of models of a stage that have none of their own."""
        found: Decoding = protocol.decoding
        return found

    def answer_tokens(self, protocol: Any, stage: int) -> tuple[int, int]:
        """Tokens of an answer, its shortest and its longest likely length, told of models that have not answered yet;
        reasoning comes on top."""
        return 120, 600

    def top_logprobs(self, protocol: Any) -> int:
        """The number of likeliest tokens at each place whose probabilities a provider is asked for, by a method whose
        answers are letters; 0: none are asked for."""
        return 0

    def reply_form(self, protocol: Any, stage: int) -> Mapping[str, Any] | None:
        """JSON schema of what models of a stage are to reply with, where they can be held to one; None: words. The
        message itself asks for what `ask_again` reads, with or without it."""
        return None

    def ask_again(self, protocol: Any, prompt: Prompt, reply: str) -> Prompt | None:
        """The prompt that follows if *reply* of a later stage's model to *prompt* cannot be read; else None."""
        return None

    @property
    def flags_by_protocol(self) -> bool:
        """Whether `flag` looks at the protocol, which goes to a worker with every set of answers and may hold thousands
        of prompts. Where it does not, it is given None."""
        return True

    def flag(self, answers: Sequence[ToFlag], protocol: Any, item: StudyItem) -> list[list[tuple[str, str]]]:
        """(flag, what it found) of each of one bundle's *answers*. Runs in a worker process."""
        return [[] for _ in answers]
