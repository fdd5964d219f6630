"""A whole method in some sixty lines: does a model answer a question alike in two languages?"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

from annotated_types import MinLen

from gpf_desktop import plain_data
from gpf_desktop.domain.cells import Grouping, Prompt
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, MeasureReading, Standing
from gpf_desktop.domain.conclusions.gates import Gate, GateReading, ModelEvidence, PageEvidence
from gpf_desktop.domain.conclusions.voice import Material, Voice
from gpf_desktop.domain.coordinates import MAIN, Coordinates, PlannedAnswer
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import EndedCell, Factor, NextCell, Scoring, Statement, ToFlag, Wording
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem
from gpf_desktop.domain.scores import (
    SEMANTIC_DISPERSION,
    VALID,
    CategoryColumn,
    Chunk,
    Measure,
    ScoreColumn,
    ScoredChunk,
    Unavailable,
    UnitKind,
    pair_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoLanguages:
    name: str = "Two languages"
    version: int = 1
    asked: Annotated[Mapping[str, str], MinLen(2)]
    """The question by language."""
    decoding: Decoding = field(default_factory=Decoding)

    @property
    def title(self) -> str:
        return f"{self.name} · version {self.version}"


GATES = (Gate(key="few_items", least=2, outcome=ConclusionOutcome.TOO_FEW), Gate(key="rough", least=10))
VOICE = Voice(
    outcomes={
        ConclusionOutcome.DIFFERS: lambda _, m: f"{m} answered unlike in two languages.",
        ConclusionOutcome.ALIKE: lambda _, m: f"{m} answered alike in two languages.",
        ConclusionOutcome.NOT_SHOWN: lambda _, m: f"Not settled: {m} may answer alike, or not.",
        ConclusionOutcome.CHECK_FAILED: lambda _, m: f"Nothing can be said of {m}.",
    },
    so_far={
        ConclusionOutcome.DIFFERS: "So far, its answers moved apart.",
        ConclusionOutcome.ALIKE: "So far, its answers stay together.",
        ConclusionOutcome.NOT_SHOWN: "So far, no movement is seen.",
    },
    many={
        ConclusionOutcome.DIFFERS: lambda some: f"{some.k} of {some.of} models answered unlike in two languages.",
        ConclusionOutcome.ALIKE: lambda some: f"{some.k} of {some.of} models answered alike in two languages.",
    },
    caveats={
        "few_items": lambda caveat: f"{caveat.numbers['n']} items say nothing.",
        "rough": lambda caveat: f"{caveat.numbers['n']} items: the range is rough.",
    },
    counted=lambda n: f"{n} items",
)


class Toy(Method, Concludes):
    name, version, title = "two-languages", "1", "Two languages"
    question = "Does a model answer alike in two languages?"
    citation = "Made up for a test."
    statement = Statement(short="Answers moved apart between languages.", long=("One item is asked in two languages.",))
    item_kinds = ("article",)
    factors = (Factor(name="language", title="Language", plural="Languages", varies=True),)
    arms: Mapping[str, str] = {MAIN: "Languages"}
    grouping = Grouping(name="by language", varies=frozenset({"language"}))
    fitted_on = frozenset({"model", "item"})
    analyses: tuple[str, ...] = ("two_languages",)
    default_protocol = "Two languages"
    gates, voice = GATES, VOICE

    def evidence(self, material: Material) -> PageEvidence:
        made = []
        for model, its in material.tables.bundles.groupby("model", observed=True):
            items = int(its["article_id"].nunique())
            n = GateReading(value=items, numbers={"n": items})
            apart = float(its[SEMANTIC_DISPERSION].mean())
            made.append(
                ModelEvidence(
                    model=str(model),
                    synthetic=True,
                    standing=Standing(items=items, left_plan=material.left_plan),
                    measures=(MeasureReading(name="s", words="how far apart, in words", value=apart),),
                    readings={"few_items": n, "rough": n},
                    rows=(f"two_languages/{model}",),
                )
            )
        return PageEvidence(of=tuple(made), tests=len(made))

    def __init__(self, folder: Path) -> None:
        self._file = folder / "two.yaml"
        self._file.write_text("name: Two languages\nasked:\n  English: What is new?\n  Deutsch: Was ist neu?\n")

    def protocol_files(self) -> Mapping[str, Path]:
        return {self.default_protocol: self._file}

    def protocol(self, data: Mapping[str, Any]) -> TwoLanguages:
        return plain_data.read(TwoLanguages, data)

    def protocol_data(self, protocol: TwoLanguages) -> Mapping[str, Any]:
        return plain_data.write(protocol)

    def problems(self, protocol: TwoLanguages) -> Sequence[FieldProblem]:
        return plain_data.problems(protocol)

    def protocol_facts(self, protocol: TwoLanguages) -> str:
        return f"{len(protocol.asked)} languages"

    def levels(self, protocol: TwoLanguages) -> Mapping[str, Sequence[str]]:
        return {"language": tuple(protocol.asked)}

    def expand(self, _item: StudyItem, protocol: TwoLanguages, _controls: Any, _seed: int) -> Iterator[PlannedAnswer]:
        return (PlannedAnswer(coordinates=Coordinates.of(language=each)) for each in protocol.asked)

    def compose(
        self, protocol: TwoLanguages, coordinates: Coordinates, item: StudyItem, _given: Sequence[str] = ()
    ) -> Prompt:
        return Prompt(system="", user=f"{protocol.asked[coordinates['language']]}\n\n{item.title}\n{item.text}")

    def most_questions(self, protocol: TwoLanguages, _controls: Any) -> int:
        return len(protocol.asked)

    def longest_wording(self, protocol: TwoLanguages) -> int:
        return max(map(len, protocol.asked.values())) + 3

    def wording(self, protocol: TwoLanguages, _coordinates: Coordinates, _kinds: Collection[str]) -> Wording:
        return Wording(before=" / ".join(protocol.asked.values()))

    def scoring(self, _protocol: TwoLanguages) -> Scoring:
        return Scoring(scorer="gpf", options={"rarefy": 2})

    def flag(self, answers: Sequence[ToFlag], _protocol: TwoLanguages, _item: StudyItem) -> list[list[tuple[str, str]]]:
        return [[("short", "")] if len(each.text) < 20 else [] for each in answers]


class WordsScorer(Scorer):
    """Words of each answer, which of three lengths that is, and how far pairs and bundles are apart by it."""

    name, version, title, needs_facts = "words", "1", "Words", True
    measures = (
        Measure(name="spread_of_words", title="Spread of words", short="spread", categories=("alike", "unlike")),
        Measure(name="words", title="Words", short="words", unit=UnitKind.ANSWER),
        Measure(name="length", title="Length", short="length", unit=UnitKind.ANSWER, categories=("long", "short")),
        Measure(name="words_apart", title="Words apart", short="apart", unit=UnitKind.PAIR),
    )

    def score(self, chunk: Chunk, _options: NoOptions) -> ScoredChunk:
        units: list[int] = []
        valid: list[float | Unavailable] = []
        spread: list[str | Unavailable] = []
        cells: list[int] = []
        words: list[float | Unavailable] = []
        pairs: dict[int, float | Unavailable] = {}
        for group in chunk:
            own = [float(len(text.split())) for text in group.texts]
            cells += [each.cell for each in group.facts]
            words += own
            for bundle in group.bundles:
                assert {group.items[group.facts[row].item].kind for row in bundle.rows} <= {"article"}
                units.append(bundle.bundle)
                valid.append(float(len(bundle.rows)))
                apart = max(own) - min(own) if own else 0.0
                spread.append(Unavailable.TOO_FEW_ANSWERS if len(bundle.rows) < 2 else "unlike" if apart else "alike")
                for one, other in pairwise(bundle.rows):
                    pairs[pair_of(group.facts[one].cell, group.facts[other].cell)] = abs(own[one] - own[other])
        lengths: list[str | Unavailable] = ["long" if each > 40 else "short" for each in words]
        answers = ScoredChunk(
            kind=UnitKind.ANSWER,
            units=cells,
            columns=(ScoreColumn(name="words", values=words),),
            categories=(CategoryColumn(name="length", values=lengths),),
        )
        apart_column = ScoreColumn(name="words_apart", values=[*pairs.values()])
        return ScoredChunk(
            kind=UnitKind.BUNDLE,
            units=units,
            columns=(ScoreColumn(name=VALID, values=valid),),
            categories=(CategoryColumn(name="spread_of_words", values=spread),),
            further=(answers, ScoredChunk(kind=UnitKind.PAIR, units=[*pairs], columns=(apart_column,))),
        )


SCORER = WordsScorer()


class Counted(Toy):
    """The same with a scorer of its own."""

    name, title = "counted", "Counted"
    analyses: tuple[str, ...] = ()

    def evidence(self, _material: Material) -> PageEvidence:
        return PageEvidence(of=(), tests=0)

    def scoring(self, _protocol: TwoLanguages) -> Scoring:
        return Scoring(scorer="words")


class Panel(Toy):
    """The same questions with other answers read side by side: those of all models, or those about all items."""

    name, title = "panel", "Panel"
    factors = (Factor(name="language", title="Language", plural="Languages"),)

    def __init__(self, folder: Path, varies: str) -> None:
        super().__init__(folder)
        self.grouping = Grouping(name=f"by {varies}", varies=frozenset({varies}))
        self.fitted_on = frozenset({"model", "item"} - {varies})


class Judged(Toy):
    """Every answer is read by judges, one after the other: cells of a second stage."""

    name, title = "judged", "Judged"
    factors = (
        Factor(name="language", title="Language", plural="Languages"),
        Factor(name="judged", title="Judged", plural="Judged models"),
    )
    arms: Mapping[str, str] = {MAIN: "Answers", "judgements": "Judgements"}
    grouping = Grouping(name="by model", varies=frozenset({"model"}))
    fitted_on = frozenset({"item"})
    roles = (Role.TARGET, Role.BASELINE, Role.JUDGE)
    stages = ("Answers", "Judgements")

    def next_stage(
        self, _stage: int, ended: Sequence[EndedCell], _protocol: Any, _controls: Any, _seed: int
    ) -> Iterator[NextCell]:
        for each in ended:
            if each.stage == 0 and each.text is not None:
                at = each.coordinates.joined(Coordinates.of(judged=each.model))
                answer = PlannedAnswer(coordinates=at, arm="judgements", roles=frozenset({Role.JUDGE}))
                yield NextCell(answer=answer, parent=each.cell)

    def likely_further(
        self, _item: StudyItem, protocol: TwoLanguages, _controls: Any, answering: int
    ) -> Mapping[Role, int]:
        return {Role.JUDGE: answering * len(protocol.asked)}

    def compose(
        self, protocol: TwoLanguages, coordinates: Coordinates, item: StudyItem, given: Sequence[str] = ()
    ) -> Prompt:
        asked = super().compose(protocol, coordinates, item)
        return Prompt(system="", user=f"Is this calm? {given[0]}") if given else asked
