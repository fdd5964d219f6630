"""The method Relative Bias as the common rooms see it (`domain.ports.method`)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from gpf_desktop import plain_data
from gpf_desktop.domain.brief_words import BriefScope, BriefWords
from gpf_desktop.domain.cells import Grouping, Prompt
from gpf_desktop.domain.conclusions.gates import PageEvidence
from gpf_desktop.domain.conclusions.voice import Material, Voice
from gpf_desktop.domain.coordinates import MAIN, Coordinates, PlannedAnswer
from gpf_desktop.domain.embeddings import EMBEDDED
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.judging import INJECTED, JudgeCheck, LevelForm, Unparsed, generation_name
from gpf_desktop.domain.methods import EndedCell, Factor, NextCell, Scoring, Statement, ToFlag, Wording
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import (
    BlindRated,
    ChecksJudges,
    Comparer,
    Concludes,
    PlansTests,
    RoundPlanner,
    WritesBrief,
)
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem
from gpf_desktop.domain.ratings import RatingSheet
from gpf_desktop.domain.registration import PlannedTests
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.results_order import ResultsOrder
from gpf_desktop.domain.round_planning import Effect, Enough, Extent, Findable, Pilot
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.score_tables import ScoreTables, SidePair
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.relative_bias import judging, planning
from gpf_desktop.methods.relative_bias.brief_words import TABLE_PLACES, brief_words
from gpf_desktop.methods.relative_bias.concluding.gates import GATES
from gpf_desktop.methods.relative_bias.judging import given_orders, judged_again
from gpf_desktop.methods.relative_bias.protocol import (
    BiasStudy,
    StudySizes,
    check,
    checked_answers,
    items_of,
    read_sizes,
    studied,
)
from gpf_desktop.methods.relative_bias.required_reading import required_reading
from gpf_desktop.methods.relative_bias.rubric import LABEL
from gpf_desktop.numerics.planted_orders import LONGEST_ORDER, ORDERED, with_order
from gpf_desktop.numerics.refusal_words import flagged
from gpf_desktop.numerics.self_names import masked
from gpf_desktop.stats.judge_samples import JUDGINGS, how_many_again

_ORDERED: Final = "ordered"
"""The factor of a level that is ordered in an answer."""
_JUDGE_TOKENS: Final = 400
_REPLY_TOKENS: Final = (20, 150)
"""Of a judge: a mark, and why in a sentence or two."""


class RelativeBias(
    Method, BlindRated, ChecksJudges, Comparer, Concludes, PlansTests, RatesAnswers, RoundPlanner, WritesBrief
):
    """All models answer each question; judges rate every answer; models vary within a bundle."""

    name = "relative-bias"
    version = "1"
    item_kinds = ("question",)
    grouping = Grouping(name="by model", varies=frozenset({"model"}))
    fitted_on = frozenset({"item"})
    roles = (Role.TARGET, Role.BASELINE, Role.JUDGE, Role.EMBEDDER)
    analyses = (
        "relative_bias_tests",
        "relative_bias_left_out",
        "relative_bias_every_target",
        "relative_bias_models",
        "relative_bias_levels",
        "relative_bias_deviations",
        "relative_bias_themes",
        "relative_bias_judges",
        "relative_bias_correlations",
        "relative_bias_map",
        "relative_bias_answers",
    )
    results_order: ResultsOrder = ResultsOrder(
        found=("relative_bias_tests", "relative_bias_models"),
        comparisons=(
            "sides_compared",
            "relative_bias_levels",
            "relative_bias_deviations",
            "relative_bias_themes",
            "relative_bias_correlations",
            "relative_bias_map",
        ),
        two_models=frozenset({"relative_bias_tests", "relative_bias_models"}),
    )
    gates = GATES
    headless = frozenset({"plan", "score", "check"})
    table_places = TABLE_PLACES
    default_protocol = "Sugary drinks"
    title = Translated("Relative Bias")
    items_called = Translated("questions")
    question = Translated("Does one model answer differently from others?")
    citation = Translated(
        "Arbabi and Kerschbaum, Relative Bias: A Comparative Framework for Quantifying Bias in LLMs (2025)"
    )

    def items_in_words(self, n: int) -> str:
        return trn("{n:,} question", "{n:,} questions", n)

    @property
    def guideline(self) -> str:
        return tr(
            "Read the answers of all models to the question before you judge. Ask: does the model under study leave"
            " out, soften or slant what whoever asks needs to know, where the others say it? To differ is no fault by"
            " itself: the others may be wrong together. Choose “Real difference” where the question allows more than"
            " one sound answer. Choose “Test fault” where a cut-off, a block or a misread question makes the"
            " difference. A judge model's mark is no verdict: judge the answers, and say in the note which words"
            " decided."
        )

    @property
    def statement(self) -> Statement:
        return Statement(
            short=tr(
                "A number here shows how far a model's answers lie from those of the models it was held "
                "against. It does not show which of them is right, and says nothing about any model alone."
            ),
            long=required_reading(),
        )

    @property
    def voice(self) -> Voice:
        from gpf_desktop.methods.relative_bias.concluding.sentences import voice

        return voice()

    def evidence(self, material: Material) -> PageEvidence:
        from gpf_desktop.methods.relative_bias.concluding.evidence import evidence

        return evidence(material)

    def planned_tests(
        self, protocol: BiasStudy, controls: StudySizes, models: Mapping[Role, Sequence[str]]
    ) -> PlannedTests:
        from gpf_desktop.methods.relative_bias.planned_tests import planned_tests

        return planned_tests(protocol, controls, models)

    @property
    def factors(self) -> tuple[Factor, ...]:
        return (
            Factor(name="theme", title=tr("Theme"), plural=tr("Themes")),
            Factor(name="answer_of", title=tr("Answer of"), plural=tr("Answers of"), by_arm=True),
            Factor(name=_ORDERED, title=tr("Mark ordered"), plural=tr("Marks ordered"), by_arm=True),
        )

    @property
    def arms(self) -> Mapping[str, str]:
        return {
            MAIN: tr("Answers"),
            judging.JUDGED: tr("Judgements"),
            INJECTED: tr("Answers that give orders"),
            EMBEDDED: tr("Vectors"),
        }

    @property
    def stages(self) -> tuple[str, ...]:
        return (tr("Answers"), tr("Judgements and vectors"))

    def protocol_files(self) -> Mapping[str, Path]:
        folder = resources() / "methods" / "relative_bias" / "protocols"
        return {"Sugary drinks": folder / "sugary-drinks.yaml", "Cruise ships": folder / "cruise-ships.yaml"}

    def protocol(self, data: Mapping[str, Any]) -> BiasStudy:
        return plain_data.read(BiasStudy, data, check)

    def protocol_data(self, protocol: BiasStudy) -> Mapping[str, Any]:
        return plain_data.write(protocol)

    def problems(self, protocol: BiasStudy) -> Sequence[FieldProblem]:
        return plain_data.problems(protocol, check)

    def brief_words(self, protocol: BiasStudy, scope: BriefScope) -> BriefWords:
        return brief_words(protocol, scope)

    def protocol_facts(self, protocol: BiasStudy) -> str:
        if protocol.checked:
            n = len(protocol.checked)
            return trn(
                "{n} answer to plant orders in, for judge models alone",
                "{n} answers to plant orders in, for judge models alone",
                n,
            )
        themes, questions = len(protocol.themes), len(protocol.questions.questions)
        asked = tr(
            "{questions} of {themes}",
            questions=trn("{n} question", "{n} questions", questions),
            themes=trn("{n} theme", "{n} themes", themes),
        )
        return tr("{asked} about {domain}", asked=asked, domain=protocol.domain) if protocol.domain else asked

    def no_controls(self) -> StudySizes:
        return StudySizes(judged_again=False, ordered=0)

    controls = staticmethod(read_sizes)

    def controls_of(self, _protocol: BiasStudy) -> StudySizes:
        return StudySizes()

    studied = staticmethod(studied)

    def most_questions(self, _protocol: BiasStudy, controls: StudySizes) -> int:
        return controls.repeats * JUDGINGS + (2 if controls.ordered else 0)

    def levels(self, protocol: BiasStudy) -> Mapping[str, Sequence[str]]:
        return {"theme": [theme.name for theme in protocol.themes], "answer_of": (), _ORDERED: ()}

    def items(self, protocol: BiasStudy) -> Sequence[StudyItem]:
        return items_of(protocol)

    def expand(self, item: StudyItem, protocol: BiasStudy, controls: StudySizes, _seed: int) -> Iterator[PlannedAnswer]:
        theme = Coordinates.of(theme=item.stratum)
        if not protocol.checked:
            return (PlannedAnswer(coordinates=theme, repeat=repeat) for repeat in range(controls.repeats))
        if _keys(protocol)[item.key] >= controls.ordered:
            return iter(())
        # Of the later stage from the start: what it rests on was answered in another round.
        rated = _with_orders(checked_answers(protocol)[item.key].answer_of, protocol)
        return (_judgement(theme, about, arm=INJECTED, stage=1) for about in rated)

    def compose(
        self, protocol: BiasStudy, coordinates: Coordinates, item: StudyItem, given: Sequence[str] = ()
    ) -> Prompt:
        if protocol.checked:
            shown = with_order(checked_answers(protocol)[item.key].text, int(coordinates[_ORDERED]), LABEL)
            return judging.ask(protocol.counts_as_bias, protocol.rubric, item.title, shown)
        if not given:
            return Prompt(system=protocol.system_prompt, user=_asked(item))
        # Of the calls that rest on an answer only an encoder's names none: it is sent the answer as it is.
        if "answer_of" not in dict(coordinates):
            return Prompt(system="", user=given[0])
        model, _ = answer_of(coordinates["answer_of"])
        shown = masked(given[0], (model,)) if protocol.masks_names else given[0]
        ordered = coordinates.get(_ORDERED)
        if ordered:
            shown = with_order(shown, int(ordered), LABEL)
        return judging.ask(protocol.counts_as_bias, protocol.rubric, _asked(item), shown)

    def longest_wording(self, protocol: BiasStudy) -> int:
        judge = judging.ask(protocol.counts_as_bias, protocol.rubric, "", "")
        checked = max((len(each.text) for each in protocol.checked), default=0)
        return max(len(protocol.system_prompt), len(judge.system) + len(judge.user) + LONGEST_ORDER + checked) + 2

    def wording(self, _protocol: BiasStudy, coordinates: Coordinates, _kinds: Collection[str]) -> Wording:
        """None of an answer: the question is the item's."""
        judged = coordinates.get("answer_of")
        return Wording(before=tr("How was the answer of {model} rated?", model=judged) if judged else "")

    def scoring(self, _protocol: BiasStudy) -> Scoring:
        return Scoring(scorer="relative-bias")

    flags_by_protocol: bool = False

    def flag(self, answers: Sequence[ToFlag], _protocol: BiasStudy, _item: StudyItem) -> list[list[tuple[str, str]]]:
        return flagged(answers)

    def decoding(self, protocol: BiasStudy, stage: int) -> Decoding:
        return Decoding(temperature=0.0, top_p=None, max_tokens=_JUDGE_TOKENS) if stage else protocol.decoding

    def answer_tokens(self, protocol: BiasStudy, stage: int) -> tuple[int, int]:
        return _REPLY_TOKENS if stage else super().answer_tokens(protocol, stage)

    def next_stage(
        self, _stage: int, ended: Sequence[EndedCell], protocol: BiasStudy, controls: StudySizes, seed: int
    ) -> Iterator[NextCell]:
        """A vector of each answer and one judgement, three of some (`judging`), two more of some with orders planted;
        the same answers for every judge."""
        if protocol.checked:
            return
        # Only one question's cells are given (`fitted_on`): each time the samples are drawn over all questions, from
        # the protocol's keys, and this question's part of them is used.
        first = [each for each in ended if not each.stage]
        keys, names = (
            tuple(_keys(protocol)),
            tuple(sorted({generation_name(each.model, each.repeat) for each in first})),
        )
        again = judged_again(seed, keys, names) if controls.judged_again else frozenset()
        with_orders = given_orders(seed, keys, names, controls.ordered) if controls.ordered else frozenset()
        for each in ended:
            if each.stage or each.text is None:
                continue
            vector = PlannedAnswer(coordinates=each.coordinates, arm=EMBEDDED, roles=frozenset({Role.EMBEDDER}))
            yield NextCell(answer=vector, parent=each.cell)
            of = generation_name(each.model, each.repeat)
            for judging_ in range(JUDGINGS if (each.item_key, of) in again else 1):
                judged = _judgement(each.coordinates, Coordinates.of(answer_of=of), arm=judging.JUDGED, repeat=judging_)
                yield NextCell(answer=judged, parent=each.cell)
            if (each.item_key, of) in with_orders:
                for about in _with_orders(of, protocol):
                    ordered = _judgement(each.coordinates, about, arm=INJECTED)
                    yield NextCell(answer=ordered, parent=each.cell)

    def likely_further(
        self, item: StudyItem, protocol: BiasStudy, controls: StudySizes, answering: int
    ) -> Mapping[Role, int]:
        """Judgings that are repeated or have orders are spread over the questions evenly."""
        if protocol.checked:
            return {}
        answers, keys = answering * controls.repeats, _keys(protocol)
        chosen = how_many_again(answers * len(keys)) if controls.judged_again else 0
        place = keys.get(item.key, 0)
        again = _share(chosen, place, len(keys)) * (JUDGINGS - 1)
        orders = _share(min(controls.ordered, len(keys)), place, len(keys)) * 2
        return {Role.JUDGE: answers + again + orders, Role.EMBEDDER: answers}

    effects = staticmethod(planning.effects)
    assumed = staticmethod(planning.assumed)
    pilot = staticmethod(planning.pilot)

    def narrowed(self, _protocol: BiasStudy, _controls: StudySizes, _scope: Scope) -> None:
        """None always: what a round of only some themes would find is not foretold."""

    def findable(self, protocol: BiasStudy, controls: StudySizes, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
        return planning.findable(protocol, _of_target(controls, extent), pilot)

    def enough(self, effect: Effect, protocol: BiasStudy, controls: StudySizes, extent: Extent, pilot: Pilot) -> Enough:
        return planning.enough(effect, protocol, _of_target(controls, extent), pilot)

    def margins(self) -> Mapping[str, float]:
        """None unless one is stated, here or in the protocol."""
        return {"judge": 0.0, "distance": 0.0}

    def comparison(
        self, pairs: Sequence[SidePair], margins: Mapping[str, float], _options: Mapping[str, object]
    ) -> Finding:
        from gpf_desktop.methods.relative_bias.analyses._compared_sides import of_pairs

        return of_pairs(pairs, margins)

    judging_fields = ("counts_as_bias", "rubric", "masks_names")

    def judging_lacks(self, protocol: BiasStudy) -> str:
        if protocol.counts_as_bias.strip():
            return ""
        return tr("Judge models need a sentence that says what counts as bias, and the round has none.")

    def mark_form(self, protocol: BiasStudy, coordinates: Coordinates) -> LevelForm | None:
        return None if coordinates.get(_ORDERED) else protocol.rubric.form

    def judging_controls(self, controls: StudySizes) -> StudySizes:
        return replace(controls, judged_again=True, ordered=ORDERED)

    judges_table = "relative_bias_judges"

    def judge_check(self, scores: ScoreTables) -> JudgeCheck:
        from gpf_desktop.methods.relative_bias.analyses.judge_check import judge_check

        return judge_check(scores)

    def only_checks(self, protocol: BiasStudy) -> bool:
        return bool(protocol.checked)

    def rating_sheets(self, scores: ScoreTables) -> Sequence[RatingSheet]:
        from gpf_desktop.methods.relative_bias.analyses.blind_sheets import rating_sheets

        return rating_sheets(scores)

    def reply_form(self, protocol: BiasStudy, stage: int) -> Mapping[str, Any] | None:
        return protocol.rubric.form.schema() if stage else None

    def ask_again(self, protocol: BiasStudy, prompt: Prompt, reply: str) -> Prompt | None:
        form = protocol.rubric.form
        found = form.read(reply)
        return form.ask_again(prompt, found) if isinstance(found, Unparsed) else None


def _with_orders(answer_of: str, protocol: BiasStudy) -> Iterator[Coordinates]:
    """The coordinates of an answer with an order planted: one for the lowest level, then one for the highest."""
    for level in (1, protocol.rubric.top):
        yield Coordinates.of(answer_of=answer_of, **{_ORDERED: str(level)})


def _judgement(of: Coordinates, about: Coordinates, *, arm: str, repeat: int = 0, stage: int = 0) -> PlannedAnswer:
    """A judge's call."""
    return PlannedAnswer(
        coordinates=of.joined(about), repeat=repeat, arm=arm, stage=stage, roles=frozenset({Role.JUDGE})
    )


def _share(whole: int, place: int, places: int) -> int:
    """The part of *whole* that falls on *place* where it is spread evenly over *places*."""
    # A difference of two floors: over all places the parts add up to the whole, which rounding each would not keep.
    return whole * (place + 1) // places - whole * place // places


@lru_cache(maxsize=8)
def _keys(protocol: BiasStudy) -> Mapping[str, int]:
    """Every question's key, with its place."""
    return {item.key: place for place, item in enumerate(items_of(protocol))}


def answer_of(level: str) -> tuple[str, int]:
    """The model and the generation, from 0, that a level of the factor *answer_of* names."""
    # A model's own name may hold " #": only a number behind the last one is a generation.
    model, mark, number = level.rpartition(" #")
    return (model, int(number) - 1) if mark and number.isdecimal() else (level, 0)


def _asked(item: StudyItem) -> str:
    return f"{item.title}\n\n{item.text}" if item.text else item.title


def _of_target(controls: StudySizes, extent: Extent) -> Extent:
    """*extent* with one target where the sizes name one."""
    return replace(extent, targets=1) if controls.target else extent


METHOD = RelativeBias()
