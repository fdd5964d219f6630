"""What is said of single themes: only by measures whose checks held, and as what it is."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.plain import plain_page
from gpf_desktop.domain.conclusions.rendering import too_often
from gpf_desktop.domain.conclusions.sureness import how_sure
from gpf_desktop.engine.reporting.briefs.brief_maker import often
from gpf_desktop.figures.lead_table import lead_table
from gpf_desktop.figures.lead_words import weighing_on_all
from tests.methods.relative_bias.test_conclusions import Row, of, page

_WORDS = ["river", "stone", "harbour", "winter", "bridge", "market", "garden", "window", "candle", "letter", "morning"]


def on_one_theme(*, second_follows: bool) -> Iterator[Row]:
    """Of six models the first is marked four levels higher on one theme of six; by the second judge too, or by dice."""
    draw = np.random.default_rng(7)
    own = draw.normal(0, 0.15, 6)
    for theme in range(6):
        for question in range(10):
            for place, model in enumerate("abcdef"):
                level = 4 + own[place] + draw.normal(0, 0.4) + (4 if theme == 2 and not place else 0)
                answer = " ".join(draw.choice(_WORDS[place % 2 :], 12))
                for judge in ("first", "second"):
                    marked = level + draw.normal(0, 0.2)
                    if judge == "second" and not second_follows:
                        marked = draw.uniform(1, 10)
                    yield (
                        model,
                        f"Theme {theme}",
                        f"Question {theme}.{question}",
                        answer,
                        judge,
                        int(np.clip(round(marked), 1, 10)),
                    )


def test_that_a_judge_whose_check_failed_says_nothing_of_a_theme(tmp_path: Path) -> None:
    with page(tmp_path, list(on_one_theme(second_follows=False))) as told:
        found = of(told, "a")
        voided = [one for one in found.conclusion.measures if one.voided_by]
        assert {one.name for one in voided} == {"first", "second"}
        said = " ".join((told.headline, found.sentence, *found.further, *found.why))
        assert "Theme 2" not in said
        assert "differently" not in said
        parts = plain_page(told)["conclusions"][told.told.index(found)]["of_parts"]
        assert {one["outcome"] for one in parts if one["voided_by"]} == {"check_failed"}
        assert sum(bool(one["voided_by"]) for one in parts) == 2 * 6, "every theme of both"


def test_that_a_difference_on_one_theme_says_that_it_was_not_planned(tmp_path: Path) -> None:
    with page(tmp_path, list(on_one_theme(second_follows=True))) as told:
        found = of(told, "a")
        assert found.conclusion.outcome is ConclusionOutcome.NOT_SHOWN
        ranged = re.search(
            r"on “Theme 2”, its distance less the others' own is \d+\.\d+ \((\d+\.\d+) to \d+\.\d+\)\.",
            "".join(found.why),
        )
        assert ranged is not None, found.why
        assert float(ranged[1]) > 1, "the range lies beyond the margin, as the sentence says"
        assert told.told[0] is found, "who differs on a theme is read before those of whom nothing is shown"
        assert weighing_on_all(told, 0)[0] == found.sentence, "its row says so, and needs no unfolding"
        assert (
            found.sentence
            == "On one of six themes, “Theme 2”, a answered differently. This was not planned beforehand."
        )
        assert found.further == (
            "On the other five, and over all themes, a difference was neither shown nor ruled out.",
        )
        assert all("differently" not in each.sentence for each in told.told if each.name != "a")
        rows = lead_table(told).rows
        assert len(rows) == told.page.tests - len(told.told), (
            "each comparison has its row, but for that of who declined"
        )
        themes = [row for row in rows if "Theme 2" in str(row.values["measure"]) and row.values["counts"] == "Differs"]
        assert themes
        ps = [row.values["p"] for row in themes]
        assert all(isinstance(p, float) and 0 <= p < 0.05 for p in ps), "a theme's row says how sure it is"
        assert all(often(row) for row in themes)
        assert {often(row) for row in rows if row not in themes} <= {"", too_often()}
        parts = plain_page(told)["conclusions"][0]["of_parts"]
        assert {one["name"] for one in parts} == {one.name for one in found.conclusion.of_parts}, "files have them too"
        assert {one["words"].partition("on ")[2] for one in parts if one["outcome"] == "differs"} == {"“Theme 2”"}
        assert how_sure(told).startswith("If nothing differed, "), how_sure(told)


def unmoved(mark: int) -> Iterator[Row]:
    """Five models that one judge always marks alike, and a sixth that it marks otherwise."""
    for theme in range(6):
        for question in range(8):
            for model in "abcdef":
                level = mark + question % 2 if model == "a" else 4
                yield model, f"Theme {theme}", f"Question {theme}.{question}", "", "first", level


def test_that_baselines_that_nothing_sets_apart_are_no_scale_and_it_is_said_what_to_do(tmp_path: Path) -> None:
    with page(tmp_path, list(unmoved(7))) as told:
        found = of(told, "a")
        assert found.conclusion.outcome is ConclusionOutcome.CHECK_FAILED
        assert "nothing sets the 5 models compared apart" in found.sentence
        assert "Too few" not in " ".join((found.sentence, *found.weighs))
        assert any("compare with others too, or ask what divides them" in each for each in found.weighs)
