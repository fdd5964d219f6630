"""What is said of the targets of a study: the published ones, and planted ones, imported as anybody would."""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage
from gpf_desktop.domain.findings import printed_rows
from gpf_desktop.domain.report_blocks import lines_of_block
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.reporting.briefs.answer import answer_lines
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.methods.relative_bias.test_outcomes import PUBLISHED

pytestmark = pytest.mark.slow

Row = tuple[str, str, str, str, str, object]


def published(case: str) -> Iterator[Row]:
    with PUBLISHED.open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["case"] == case:
                question = f"Question {row['theme']}.{row['question']}"
                yield row["model"], f"Theme {row['theme']}", question, "", row["judge"], row["score"]


@contextmanager
def page(folder: Path, rows: Sequence[tuple[object, ...]]) -> Iterator[ToldPage]:
    """The conclusions of a study that came as a table."""
    table, audit = folder / "study.csv", folder / "study.gpf"
    with table.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(("model", "theme", "question", "response", "judge", "level", "finish")[: len(rows[0])])
        written.writerows(rows)
    assert main(
        ("import", str(table), "--method", "relative-bias", "-o", str(audit)),
        show_window=lambda _: 99,
        show_demo=lambda _: 99,
    ) in (0, 1)
    with Headless(quiet=True) as headless:
        results = headless.enter(audit, to_read=True).results
        told = results.concluding.page(ResultsFilter(method="relative-bias"))
        assert told is not None
        yield told


def of(told: ToldPage, name: str) -> Told:
    return next(each for each in told.told if each.name == name)


def test_that_answers_that_were_cut_off_are_told_of_their_model(tmp_path: Path) -> None:
    rows = [
        (model, f"T{n % 5}", f"Q{n}?", f"{model} says {n * 7 % 11} of {n} and so on", "", "", end)
        for n in range(10)
        for model, end in (("oak", "length"), ("elm", "stop"), ("ash", "stop"), ("fir", "stop"))
    ]
    with page(tmp_path, rows) as told:
        said = {each.name: [one for one in each.weighs if "cut off" in one] for each in told.told}
        assert said == {
            "oak": ["10 of 10 answers were cut off at their length limit."],
            "elm": [],
            "ash": [],
            "fir": [],
        }
        lines = [each for each in answer_lines(told) if "10 of 10 answers were cut off at their length limit." in each]
        assert len(lines) == 1, "the brief says so at its answer"


def test_that_the_published_target_is_the_one_that_differs(tmp_path: Path) -> None:
    with page(tmp_path, list(published("China"))) as told:
        assert (
            told.headline
            == "One of eight models answered differently from the others. This was not planned beforehand."
            " For the other seven, a difference was neither shown nor ruled out."
        )
        first = told.told[0]
        assert first.name == "deepseekR1"
        assert first.conclusion.outcome is ConclusionOutcome.DIFFERS
        assert first.further == ("Which of them is right, this does not show.",)
        assert {each.conclusion.outcome for each in told.told[1:]} <= {
            ConclusionOutcome.ALIKE,
            ConclusionOutcome.NOT_SHOWN,
        }
        assert any("it marked each answer once, and alone" in each for each in first.weighs)
        assert len(first.conclusion.bundles) == 50


def test_that_judges_that_tell_no_models_apart_say_nothing_of_any(tmp_path: Path) -> None:
    """They agree on single answers, which nearly all have the same level."""
    with page(tmp_path, list(published("US"))) as told:
        assert told.headline == "Nothing can be said: a check failed for each of 8 models."
        for each in told.told:
            assert each.conclusion.outcome is ConclusionOutcome.CHECK_FAILED
            assert "is not counted: its agreement with other judge models may be as low as" in each.weighs[0]
        assert "\n".join(told.lines).count("may be as low as") == 2, "of each judge once, not of each model"
        for line in (told.headline, *(sentence for each in told.told for sentence in (each.sentence, *each.further))):
            assert len(line.split()) <= 25, line
    # Where nothing is concluded, the annex has the tests all the same: that some models are alike by them was dropped.
    with Headless(quiet=True) as headless:
        report = headless.enter(tmp_path / "study.gpf", to_read=True).reports.drafted(ReportDraft())
    tests = next(each for each in report.findings if each.name == "relative_bias_tests")
    said = [str(row.values["outcome"]) for row in printed_rows(tests)]
    assert len(said) == 2 * 2 * 8, "by two judges and both tests, each model in turn"
    assert set(said) == {"alike", "not settled"}
    assert said.count("alike") >= 8


def in_words(rows: Sequence[Row]) -> Iterator[Row]:
    """With answers of ordinary words, some models' longer than others'."""
    draw = np.random.default_rng(4)
    words, models = [f"word{at}" for at in range(60)], sorted({row[0] for row in rows})
    said = {
        (model, question): " ".join(draw.choice(words, 12 + 3 * models.index(model)))
        for model, question in dict.fromkeys((row[0], row[2]) for row in rows)
    }
    for model, theme, question, _, judge, level in rows:
        yield model, theme, question, said[model, question], judge, level


def test_that_where_no_judge_counts_like_words_show_no_answers_alike(tmp_path: Path) -> None:
    """By words alone seven of the nine published models were said to have answered much as the others."""
    with page(tmp_path, list(in_words(list(published("US"))))) as told:
        assert told.headline.startswith("Not settled for eight of eight models")
        held = [each for each in told.told if any(one.key == "words_alone" for one in each.conclusion.caveats)]
        assert held, "none lies as near in words as models do"
        for each in told.told:
            assert not any("lack" in said for said in each.weighs), (
                "nothing more is told of a judge that is not counted"
            )


def test_that_published_models_that_are_alike_are_said_to_be_in_the_report_too(tmp_path: Path) -> None:
    with page(tmp_path, [row for row in published("US") if row[4] == "gemini"]) as told:
        assert told.headline == (
            "Not settled for five of eight models: a difference was neither shown nor ruled out."
            " Three of eight models answered much as the others. This was not planned beforehand."
        )
    same = [each.sentence for each in told.told if each.conclusion.outcome is ConclusionOutcome.ALIKE]
    assert len(same) == 3
    with Headless(quiet=True) as headless:
        report = headless.enter(tmp_path / "study.gpf", to_read=True).reports.drafted(ReportDraft())
    assert report.brief is not None
    findings = next(each for each in report.chapters if each.name == "findings")
    answer = report.brief.section("answer")
    assert answer is not None
    for sections in (findings.sections, (answer,)):
        said = [line for section in sections for block in section.blocks for line in lines_of_block(block)]
        # The headline of the brief is one sentence; the next follow below it.
        headline = [f"{one}." for one in told.headline.removesuffix(".").split(". ")]
        assert all(any(one in line for line in said) for one in (*headline, *same))
    assert not any("declined" in line for line in said), "the table has marks alone, and no answer that could decline"


def test_that_a_published_target_whose_test_is_not_robust_is_not_named(tmp_path: Path) -> None:
    with page(tmp_path, list(published("Meta"))) as told:
        assert told.headline.startswith("Not settled for eight of eight models")
        assert (
            of(told, "MetaAI").sentence
            == "Not settled: for MetaAI, a difference from the other 7 was neither shown nor ruled out."
        )


def drawn(shift: float = 0.0, models: str = "abcdef", themes: int = 6) -> Iterator[Row]:
    """Two judges' marks of six models, of which the first lies *shift* off."""
    draw = np.random.default_rng(6)
    own = dict(zip(models, draw.normal(0, 0.2, len(models)), strict=True))
    own["a"] += shift
    for theme in range(themes):
        for question in range(10):
            for model in models:
                level = 4 + own[model] + draw.normal(0, 0.8)
                answer = f"Model {model} says of question {question} on theme {theme} what {draw.integers(10**9)} says."
                for judge in ("first", "second"):
                    marked = int(np.clip(round(level + draw.normal(0, 0.3)), 1, 10))
                    yield model, f"Theme {theme}", f"Question {theme}.{question}", answer, judge, marked


def test_that_models_of_one_kind_are_not_named_and_a_planted_one_is(tmp_path: Path) -> None:
    with page(tmp_path, list(drawn())) as told:
        assert ConclusionOutcome.DIFFERS not in {each.conclusion.outcome for each in told.told}
        assert "differently" not in told.headline
    (tmp_path / "study.gpf").unlink()
    with page(tmp_path, list(drawn(5.0))) as told:
        assert [each.name for each in told.told if each.conclusion.outcome is ConclusionOutcome.DIFFERS] == ["a"]
        assert told.told[0].conclusion.bundles


def canned(rows: Sequence[Row], questions: int) -> Iterator[Row]:
    """Model a gives so many questions one and the same answer."""
    asked = list(dict.fromkeys(row[2] for row in rows))[:questions]
    for model, theme, question, answer, judge, level in rows:
        said = "Let us talk about something else today." if model == "a" and question in asked else answer
        yield model, theme, question, said, judge, level


def test_that_an_answer_given_to_many_questions_word_for_word_is_told(tmp_path: Path) -> None:
    rows = list(drawn())
    with page(tmp_path, list(canned(rows, 27))) as told:
        said = "27 of 60 answers are lines given to several questions, word for word."
        assert said in of(told, "a").weighs
        assert said not in of(told, "b").weighs


def refusing(rows: Sequence[Row], refused: Callable[[str, int], bool]) -> Iterator[Row]:
    order = {question: at for at, question in enumerate(dict.fromkeys(row[2] for row in rows))}
    for model, theme, question, answer, judge, level in rows:
        said = "I'm sorry, but I can't help with that." if refused(model, order[question]) else answer
        yield model, theme, question, said, judge, level


@pytest.mark.parametrize("declined", [30, 0])
def test_that_a_target_that_declines_more_than_all_others_is_told(tmp_path: Path, declined: int) -> None:
    rows = list(refusing(list(drawn()), lambda model, at: at < (declined if model == "a" else 2)))
    with page(tmp_path, rows) as told:
        found = of(told, "a")
        assert (ConclusionTag.REFUSALS_DIFFER in found.conclusion.tags) == (declined == 30)
        if declined:
            assert any(
                each.startswith("The model a declined 30 of 60 questions; the others 2 of 60 at most.")
                for each in found.further
            )
        assert all(ConclusionTag.REFUSALS_DIFFER not in each.conclusion.tags for each in told.told if each.name != "a")


def test_that_two_models_are_too_few_to_hold_a_third_against(tmp_path: Path) -> None:
    with page(tmp_path, list(drawn(models="abc"))) as told:
        for each in told.told:
            assert each.conclusion.outcome is ConclusionOutcome.TOO_FEW
            assert "Too few models to compare with: 2 of 3" in each.sentence
