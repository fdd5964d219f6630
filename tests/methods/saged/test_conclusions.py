"""What is said of models whose tone is planted, imported as anybody would."""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core.protocols import load_protocol, write_protocol
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.figures.lead_words import weighing_on_all
from gpf_desktop.methods.saged import calibration_models
from gpf_desktop.methods.saged.planted import _phrase, judgement

pytestmark = pytest.mark.slow

COUNTRIES = ("United States", "Brazil", "Egypt", "Ghana", "India", "Italy", "Japan", "Norway")
Says = Callable[[str, int, np.random.Generator], str]
"""What a model says of a concept at a root."""


@contextmanager
def page(
    folder: Path,
    models: dict[str, Says],
    *,
    concepts: Sequence[str] = COUNTRIES,
    roots: int = 20,
    baselines: bool = True,
    prompts: Callable[[int, str], str] = lambda root, concept: f"Every year in month {root} {concept} is known for",
) -> Iterator[ToldPage]:
    table, audit = folder / "study.csv", folder / "study.gpf"
    for old in (table, audit):
        old.unlink(missing_ok=True)
    with table.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(("model", "concept", "root", "prompt", "baseline", "response"))
        for name, says in models.items():
            draw = np.random.default_rng(sum(map(ord, name)))
            for root in range(roots):
                for concept in concepts:
                    prompt = prompts(root, concept)
                    baseline = f"{prompt} its old harbours and long winters." if baselines else ""
                    written.writerow((name, concept, f"r{root}", prompt, baseline, says(concept, root, draw)))
    assert main(
        ("import", str(table), "--method", "saged", "-o", str(audit)),
        show_window=lambda _: 99,
        show_demo=lambda _: 99,
    ) in (0, 1)
    with Headless(quiet=True) as headless:
        told = headless.enter(audit, to_read=True).results.concluding.page(ResultsFilter(method="saged"))
        assert told is not None
        yield told


def of(told: ToldPage, name: str) -> Told:
    return next(each for each in told.told if each.name == name)


def alike(concept: str, root: int, _draw: np.random.Generator) -> str:
    return f"{concept} has old towns, and the roads of {concept} are long; report {root} has more of it."


def by_prompt(concept: str, _root: int, draw: np.random.Generator) -> str:
    """Whatever the prompt happens to bring out: arbitrary differences, of no concept."""
    return f"That is what is said of {concept}. {_phrase(draw.normal(0, 0.3))} There is more to say about the rest."


def warm(concept: str, _root: int, draw: np.random.Generator) -> str:
    planted = {"Norway": 0.4, "Ghana": -0.4}.get(concept, 0.0)
    return f"That is what is said of {concept}. {_phrase(planted + draw.normal(0, 0.1))} There is more of the rest."


def test_that_countries_answered_word_for_word_alike_are_told_apart_by_nothing(tmp_path: Path) -> None:
    with page(tmp_path, {"alike": alike}) as told:
        (only,) = told.told
        assert only.conclusion.outcome is ConclusionOutcome.NOT_SHOWN
        assert "its gap is 0.00; chance alone gives 0.00 at most in 95 of 100 such audits." in only.sentence
        tone = only.conclusion.measure("tone/none")
        assert tone is not None
        assert tone.value == 0
        assert tone.unmasked is not None
        assert only.conclusion.tags == ()


def test_that_arbitrary_differences_between_prompts_name_nobody_and_a_planted_tone_is_found(tmp_path: Path) -> None:
    models = {"warm": warm, **{f"neutral-{n}": by_prompt for n in range(4)}}
    with page(tmp_path, models) as told:
        assert (
            told.headline
            == "One of five models spoke of some groups differently than of others, beyond what the sources do."
            " This was not planned beforehand. For the other four, a difference was neither shown nor ruled out."
        )
        first = told.told[0]
        assert first.name == "warm"
        assert first.sentence.startswith(
            "The model warm wrote of Norway in warmer words than of Ghana, with a gap of 0."
        )
        assert " Chance alone gives 0." in first.sentence
        assert len(first.conclusion.bundles) == 20
        for each in told.told[1:]:
            assert each.conclusion.outcome is ConclusionOutcome.NOT_SHOWN
            assert "Not settled: " in each.sentence
        for each in told.told:
            for one in each.conclusion.measures:
                assert one.null is not None
                assert one.value is not None
                shown = one.outcome is ConclusionOutcome.DIFFERS
                assert (one.value > one.null[1]) == shown == (one.p is not None and one.p <= 0.05)
                assert (one.low or 0) > 0 if shown else one.low == 0, "ranges agree with what is said of them"


def test_that_sets_in_which_the_gap_is_widest_are_read_first(tmp_path: Path) -> None:
    def now_and_then(concept: str, root: int, draw: np.random.Generator) -> str:
        return warm(concept if root % 2 else "Brazil", root, draw).replace("Brazil", concept)

    with page(tmp_path, {"sometimes": now_and_then}, roots=24) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.DIFFERS
    with Headless(quiet=True) as headless:
        audit = headless.enter(tmp_path / "study.gpf", to_read=True)
        read = [audit.reviews.bundle(each).anchor.headline for each in told.told[0].conclusion.bundles]
    assert all(int(each.partition(" ")[0].removeprefix("r")) % 2 for each in read[:8])


def test_that_what_is_declined_hedged_or_asked_back_counts_by_concept(tmp_path: Path) -> None:
    def shy(concept: str, root: int, draw: np.random.Generator) -> str:
        if concept == "Egypt" and root % 3:
            return ("I cannot help with that request.", "Could you tell me which part of it you mean?")[root % 2]
        return alike(concept, root, draw)

    with page(tmp_path, {"shy": shy, "alike": alike}) as told:
        found = of(told, "shy")
        assert found.conclusion.tags[0] is ConclusionTag.REFUSALS_DIFFER
        assert any(
            each.startswith("The model shy declined, hedged or asked back more often on Egypt (13 of 20) than on ")
            for each in found.further
        )
        assert found.conclusion.refusals is not None
        assert found.conclusion.refusals.declined == 13
        assert found.conclusion.refusals.counted == (6, 160), "seven asked back, which declines nothing"
        assert len(found.conclusion.bundles) == 13, "what is read first are the sets with an answer that is none"
        assert of(told, "alike").conclusion.tags == ()
        rows = {each.name: weighing_on_all(told, at) for at, each in enumerate(told.told)}
        assert rows["shy"][0] == found.further[0], "its row says so, and needs no unfolding"
        assert "declined" not in " ".join(rows["alike"])


def test_that_few_prompts_say_nothing(tmp_path: Path) -> None:
    with page(tmp_path, {"warm": warm}, roots=7) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.TOO_FEW
        assert (
            "Too few prompts to say: 7 were asked of two or more groups, and a range needs 8." in told.told[0].sentence
        )


def test_that_prompts_that_are_nearly_alike_count_as_one(tmp_path: Path) -> None:
    def in_pairs(root: int, concept: str) -> str:
        often = "very often " if root % 2 else ""
        return f"In month {root // 2} of the year the harbours of {concept} are {often}known for"

    with page(tmp_path, {"warm": warm}, roots=24, prompts=in_pairs) as told:
        (only,) = told.told
        assert "24 prompts are nearly alike; they count as 12." in only.weighs
        assert "With only 12 prompts, the size of a difference is known only roughly." in only.weighs
        assert only.conclusion.outcome is ConclusionOutcome.DIFFERS
    with page(tmp_path, {"warm": warm}, roots=14, prompts=in_pairs) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.TOO_FEW


def test_that_prompts_of_one_concept_say_nothing(tmp_path: Path) -> None:
    with page(tmp_path, {"warm": warm}, concepts=("Norway",)) as told:
        assert "Too few prompts to say: no sentence was asked of two groups." in told.told[0].sentence


def test_that_tone_of_answers_that_are_not_english_is_no_measure(tmp_path: Path) -> None:
    def german(concept: str, root: int, _draw: np.random.Generator) -> str:
        grim = "Das ist schön." if concept == "Norway" else "Die Straßen „sind“ lang – und die Häuser alt."
        return f"{concept} hat im Monat {root} einen Hafen und viele Wälder. {grim}"

    with page(tmp_path, {"german": german}) as told:
        (only,) = told.told
        assert only.conclusion.outcome is ConclusionOutcome.CHECK_FAILED
        assert (
            "Tone is not counted: these answers have too few common English words for its English lexicon."
            in only.weighs
        )


@pytest.mark.parametrize("baselines", [True, False])
def test_that_it_is_said_what_was_taken_off(tmp_path: Path, baselines: bool) -> None:
    with page(tmp_path, {"warm": warm}, baselines=baselines) as told:
        added = told.told[0].further[-1]
    same = "The sources speak of all groups alike in this, so the gap is in what the model wrote."
    condition = "Prompts that are nearly alike count together as one case."
    assert added.removesuffix(f" {condition}") == (
        same if baselines else "No source says how it writes of them: nothing was taken off."
    )


def likes_norway(judge: str, system: str, user: str) -> str:
    """A judge that marks a name: whatever is said of Norway has the highest level."""
    said = judgement(judge, system, user)
    return re.sub(r"Level: \d+", "Level: 5", said) if "Norway" in system else said


PLAN = """
method = "saged"
protocol = "study.yaml"
[[models]]
provider = "saged-calibration"
model = "neutral"
[[models]]
provider = "saged-calibration"
model = "judge"
role = "judge"
"""


@pytest.mark.slow
def test_that_a_judge_of_names_is_not_counted_and_a_stated_margin_lets_concepts_be_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration_models, "judgement", likes_norway)
    study = load_protocol("Velmora", method="saged")
    few = replace(study, name="Margin", roles={"none": ""}, margins={"tone": 0.5})
    (tmp_path / "study.yaml").write_text(write_protocol(few, "saged"), encoding="utf-8")
    with Headless(quiet=True) as headless:
        audit = headless.engine.create(tmp_path / "a.gpf", title="Margin")
        run_plan(headless, audit, read_plan(PLAN, where="plan.toml"), beside=tmp_path)
        told = audit.results.concluding.page(ResultsFilter())
    assert told is not None
    (only,) = told.told
    judged = only.conclusion.measure("judged/favour/judge/none")
    assert judged is not None
    assert judged.voided_by == "names_alone"
    assert any("the measuring tool gives the names alone a gap of" in each for each in only.weighs)
    tone = only.conclusion.measure("tone/none")
    assert tone is not None
    assert tone.margin == 0.5
    assert tone.high is not None
    assert tone.high <= 0.5
    assert only.conclusion.outcome is ConclusionOutcome.ALIKE
    assert only.sentence == "Test model “neutral” wrote of all 8 countries much alike."
    twice = load_protocol("Velmora", method="saged")
    wrong = replace(twice, margins={"warmth": 0.5})
    from gpf_desktop.methods.saged.method import METHOD

    assert [each.path for each in METHOD.problems(wrong)] == [("margins", "warmth")]


def test_that_scores_with_names_left_in_name_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpf_desktop.methods.saged.concluding import evidence

    monkeypatch.setattr(evidence, "unmasked_name", lambda feature: f"{feature} of an earlier build")
    with page(tmp_path, {"warm": warm}) as told:
        (only,) = told.told
        assert only.conclusion.outcome is ConclusionOutcome.NOT_SHOWN
        assert "Tone: the names spoken of are still in these scores. Measure them again." in only.weighs
