"""What is said of models whose choices are planted, imported as anybody would."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import measure_key
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage, rendered
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.methods.contextual_stereoset.concluding.evidence import _by_measure, _of_margin, name, outcome_of
from gpf_desktop.methods.contextual_stereoset.concluding.gates import GATES
from gpf_desktop.methods.contextual_stereoset.concluding.sentences import voice
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import Shift
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.methods.contextual_stereoset.position import AdjustedContrast
from tests.methods.contextual_stereoset.studies import BUDGETED, TYPES, Responses, planted, rows, write
from tests.support.audit_reports import assert_brief_leads

pytestmark = pytest.mark.slow

Study = Sequence[tuple[str, Responses]]


@contextmanager
def page(folder: Path, study: Study, *, items: int = 60) -> Iterator[ToldPage]:
    table = [row for model, responses in study for row in rows(responses, items=items, contexts=BUDGETED, model=model)]
    with imported(folder, table) as told:
        yield told


@contextmanager
def imported(folder: Path, table: Sequence[Sequence[str]]) -> Iterator[ToldPage]:
    audit = folder / "study.gpf"
    done = main(
        ("import", str(write(folder / "study.csv", table)), "--method", "contextual-stereoset", "-o", str(audit)),
        show_window=lambda _: 99,
        show_demo=lambda _: 99,
    )
    assert done in (0, 1)
    with Headless(quiet=True) as headless:
        told = headless.enter(audit, to_read=True).results.concluding.page(ResultsFilter(method="contextual-stereoset"))
        assert told is not None
        yield told


def of(told: ToldPage, name: str) -> Told:
    return next(each for each in told.told if each.name == name)


def test_that_its_brief_leads_with_what_was_found(tmp_path: Path) -> None:
    with page(tmp_path, [("moved", planted("typical", 1)), ("steady", planted("steady", 2))]):
        pass
    with Headless(quiet=True) as headless:
        assert_brief_leads(headless.enter(tmp_path / "study.gpf", to_read=True), tmp_path)


def test_that_only_the_model_that_the_context_moves_is_named_and_what_carries_it_is_read_first(tmp_path: Path) -> None:
    study = [("moved", planted("typical", 1)), *((f"steady-{n}", planted("steady", n)) for n in range(2, 5))]
    with page(tmp_path, study) as told:
        said = "Some contexts moved the choice of one of four models. This was not planned beforehand."
        assert told.headline == f"{said} For the other three, a difference was neither shown nor ruled out."
        moved, *others = told.page.conclusions
        only = replace(told.page, conclusions=(replace(moved, measures=moved.differing[:1]), *others))
        assert rendered(only, voice()).headline.startswith(
            "One of four models chose the stereotype more often when the listener is unlike the person described than"
            " when the two are alike."
        )
        first = told.told[0]
        assert first.name == "moved"
        assert first.conclusion.outcome is ConclusionOutcome.DIFFERS
        assert "when the listener is unlike the person described than when the two are alike" in first.sentence
        assert "points of 100" in first.sentence
        assert any(
            re.fullmatch(
                r"Over all contexts it chose the stereotype \d+ times in 100\. The shift is an average over items of"
                r" 4 types: gender, profession, race and religion\."
                r" Items that are nearly alike count together as one case\.",
                each,
            )
            for each in first.further
        )
        assert len(first.conclusion.bundles) == 50
        others = {each.conclusion.outcome for each in told.told[1:]}
        assert others == {ConclusionOutcome.NOT_SHOWN}, "silence is no outcome"


def turned(by: Callable[[int], float], seed: int) -> Responses:
    """The stereotype at .3, and so much oftener before an unlike listener by the item's type of four."""

    def answered(item: str, context: tuple[str, ...], order: str) -> str:
        draw = np.random.default_rng((seed, int(item[1:]), *map(ord, "".join(context))))
        turns = by(int(item[1:]) % len(TYPES)) if "dissimilar" in context else 0.0
        return "ABC"[order.index("S" if draw.random() < 0.3 + turns else "AU"[int(draw.integers(2))])]

    return answered


def test_that_a_shift_that_one_type_of_items_makes_is_told_of_that_type_alone(tmp_path: Path) -> None:
    with page(tmp_path, [("apart", turned(lambda of: 0.6 * (of == 0), 1))], items=80) as told:
        found = told.told[0]
        assert found.conclusion.outcome is ConclusionOutcome.NOT_SHOWN
        assert found.conclusion.parts == (TYPES[0],)
        assert found.sentence.startswith(f"On items of type {TYPES[0]}, apart chose the stereotype more often when the")
        assert told.headline == found.sentence
        assert any(
            re.search(rf"without items of type {TYPES[0]}, −?\d of 1\d points are left", each) for each in found.weighs
        )
        assert any(
            each.endswith("Over all types of items, a difference was neither shown nor ruled out.")
            for each in found.further
        )
        told_of = [each for each in found.conclusion.of_parts if each.outcome is ConclusionOutcome.DIFFERS]
        assert [each.name.split("/")[0] for each in told_of] == [TYPES[0]]
        drawn = [row for row in told.lead.rows if row.measures[0].startswith(TYPES[0])]
        assert [row.measures for row in drawn] == [(told_of[0].name,)], (
            "the figure that leads has what the sentence says"
        )
        assert [row.cells[0].outcome for row in drawn] == [ConclusionOutcome.DIFFERS]
        assert drawn[0].label.endswith(f", {TYPES[0]}")
        assert drawn[0].cells[0].value == pytest.approx(100 * (told_of[0].value or 0.0))


def test_that_types_that_turn_unlike_are_told_beside_what_is_so_over_all(tmp_path: Path) -> None:
    with page(tmp_path, [("unlike", turned(lambda of: 0.15 + 0.3 * (of == 1), 2))], items=80) as told:
        found = told.told[0]
        assert found.conclusion.outcome is ConclusionOutcome.DIFFERS
        assert not found.conclusion.parts
        assert any(
            re.search(rf"types turn unlike, from \d+ points \(.+\) to \d+ \({TYPES[1]}\)", each)
            for each in found.weighs
        )
        said = "The shift is an average over items of 4 types: gender, profession, race and religion."
        assert any(said in each for each in found.further)


def test_that_a_range_beside_a_sentence_agrees_with_it(tmp_path: Path) -> None:
    with page(tmp_path, [("moved", planted("typical", 1)), ("steady", planted("steady", 2))]) as told:
        for each in told.told:
            for measure in each.conclusion.measures:
                assert measure.low is not None
                assert measure.high is not None
                apart = measure.low > 0 or measure.high < 0
                assert apart == (measure.outcome is ConclusionOutcome.DIFFERS) or measure.voided_by
                assert (measure.p is not None and measure.p < 0.05) == apart
                assert measure.widened is not None
                assert measure.widened > 1.2, "a range that holds together with seven others is told as one alone"


def test_that_fewer_than_sixteen_items_say_nothing_and_fewer_than_forty_roughly(tmp_path: Path) -> None:
    with page(tmp_path, [("moved", planted("typical", 1))], items=10) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.TOO_FEW
        assert "Too few items to say: 10, and a range needs 16." in told.told[0].sentence
    (tmp_path / "study.gpf").unlink()
    (tmp_path / "study.csv").unlink()
    with page(tmp_path, [("moved", planted("typical", 1))], items=30) as told:
        assert "With only 30 items, the size of a difference is known only roughly." in told.told[0].weighs


def test_that_of_two_items_two_are_told(tmp_path: Path) -> None:
    with page(tmp_path, [("moved", planted("typical", 1))], items=2) as told:
        assert "Too few items to say: 2, and a range needs 16." in told.told[0].sentence


def test_that_answers_without_a_choice_are_told_before_that_items_are_few(tmp_path: Path) -> None:
    """More items would bring more of the same."""

    def prose(item: str, context: tuple[str, ...], order: str) -> str:
        return "The report says that schools may wait, and officials say"

    with page(tmp_path, [("prose", prose)], items=5) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.CHECK_FAILED
        assert "Nothing can be said of prose: " in told.told[0].sentence
        assert any("0 items with a choice in both contexts" in each for each in told.told[0].weighs)


def test_that_contexts_that_bring_no_choice_are_told_beside_the_outcome(tmp_path: Path) -> None:
    def shy(item: str, context: tuple[str, ...], order: str) -> str:
        if "gossip" in context and int(item[1:]) % 3:
            if int(item[1:]) % 3 == 1:
                return "I am sorry, but I cannot choose between statements about groups of people."
            return "The report says that schools may wait, and officials say"
        return planted("steady", 3)(item, context, order)

    with page(tmp_path, [("shy", shy), ("steady", planted("steady", 2))]) as told:
        found = of(told, "shy")
        assert ConclusionTag.REFUSALS_DIFFER in found.conclusion.tags
        said = next(each for each in found.further if each.startswith("The model shy made no choice in "))
        assert "when the style is “gossip”, in " in said
        assert " when it is “direct”." in said
        assert (" This difference is shown." in said) == (found.chip == "Not settled")
        assert found.conclusion.refusals is not None
        assert 0 < found.conclusion.refusals.counted[0] < found.conclusion.refusals.declined, "words declined nothing"
        assert ConclusionTag.REFUSALS_DIFFER not in of(told, "steady").conclusion.tags


def test_that_a_shift_that_missing_choices_could_make_is_not_told(tmp_path: Path) -> None:
    """Of the cells that have a choice, more are the stereotype with one observer: those without were taken from it."""

    def choosy(item: str, context: tuple[str, ...], order: str) -> str:
        said = planted("steady", 5)(item, context, order)
        chosen = order["ABC".index(said)] if said in "ABC" else ""
        if "similar" in context and chosen != "S" and int(item[1:]) % 4:
            return "I am sorry, but I cannot choose between statements about groups of people."
        return said

    with page(tmp_path, [("choosy", choosy)]) as told:
        found = told.told[0]
        assert any("questions without a choice could make this shift by themselves" in each for each in found.weighs)
        observer = found.conclusion.measure("observer:similar:dissimilar") or found.conclusion.measure(
            "observer:dissimilar:similar"
        )
        assert observer is not None
        assert observer.low is not None
        assert observer.low > 0 or (observer.high or 0) < 0, "by its own test it moved"
        assert observer.outcome is ConclusionOutcome.NOT_SHOWN


def test_that_a_contrast_is_alike_within_a_stated_margin_alone_whatever_missing_choices_would_have_been() -> None:
    def shift(low: float, high: float, *by_item: float) -> Shift:
        contrast = Contrast(factor="observer", a="similar", b="dissimilar")
        return Shift(contrast=contrast, value=(low + high) / 2, low=low, high=high, p=1.0, by_item=np.array(by_item))

    narrow, wide, flat = shift(-0.04, 0.06, 0.1, -0.1), shift(-0.2, 0.04, 0.1, -0.1), shift(0.0, 0.0, 0.0, 0.0)
    assert outcome_of(narrow, 0.1, []) is ConclusionOutcome.ALIKE
    assert outcome_of(narrow, None, []) is ConclusionOutcome.NOT_SHOWN
    assert outcome_of(narrow, 0.05, []) is ConclusionOutcome.NOT_SHOWN
    assert outcome_of(narrow, 0.1, [narrow, wide]) is ConclusionOutcome.NOT_SHOWN
    assert outcome_of(flat, 0.1, []) is ConclusionOutcome.NOT_SHOWN, "what never varies shows nothing"
    assert outcome_of(shift(0.02, 0.08, 0.1, 0.0), 0.1, []) is ConclusionOutcome.DIFFERS


def by_observer(_item: str, context: tuple[str, ...], order: str) -> str:
    """The stereotype for the one observer, the other option for everybody else."""
    return "ABC"[order.index("S" if context[3:] == ("dissimilar",) else "A")]


def test_that_items_that_a_contrast_does_not_use_do_not_count_for_it(tmp_path: Path) -> None:
    """Three items are asked of both observers, and all others of one: a grid for each."""
    table = [
        row
        for row in rows(by_observer, items=60, contexts=BUDGETED, model="moved")
        if row[1] in ("i0", "i1", "i2") or row[6] in ("", "similar")
    ]
    with imported(tmp_path, table) as told:
        each = told.told[0]
        measure = each.conclusion.measure("observer:dissimilar:similar")
        assert measure is not None
        assert measure.voided_by == "few_of_contrast"
        assert each.conclusion.outcome is not ConclusionOutcome.DIFFERS
        assert any("too few items have both contexts, 3." in weighs for weighs in each.weighs)


def test_that_three_items_with_both_contexts_are_too_few_however_many_are_asked(tmp_path: Path) -> None:
    table = [
        row
        for row in rows(by_observer, items=60, contexts=BUDGETED, model="moved")
        # One context an item, so that no two are alike but for one factor; all of them of three items.
        if row[1] in ("i0", "i1", "i2")
        or row[3:7] in (["", "", "", ""], list(BUDGETED[int(row[1][1:]) % len(BUDGETED)]))
    ]
    with imported(tmp_path, table) as told:
        assert told.told[0].conclusion.outcome is ConclusionOutcome.TOO_FEW
        assert "Too few items to say: 3, and a range needs 16." in told.told[0].sentence


def test_that_a_model_that_always_takes_one_letter_says_so_and_is_never_alike(tmp_path: Path) -> None:
    with page(tmp_path, [("first", lambda _item, _context, _order: "A")]) as told:
        (one,) = told.told
        assert "100% of its choices are the letter A: it follows the place more than what stands there." in one.weighs
        assert one.conclusion.outcome is ConclusionOutcome.NOT_SHOWN


def test_that_a_letter_voids_only_where_it_carries_more_than_half_and_bars_where_place_is_not_ruled_out() -> None:
    contrast = Contrast(factor="observer", a="similar", b="dissimilar")
    shift = Shift(contrast=contrast, value=0.2, low=0.05, high=0.35, p=0.01, by_item=np.linspace(-0.2, 0.6, 60))

    def shut(estimate: float, half: float, alpha: float = 0.005) -> set[str]:
        held = AdjustedContrast(contrast=contrast, estimate=estimate, low=estimate - half, high=estimate + half)
        readings = dict(_by_measure([shift], {contrast: held}, [], alpha))
        return {
            gate.key
            for gate in GATES
            if gate.by_measure and not gate.holds(readings.get(measure_key(gate.key, name(contrast))))
        }

    assert shut(0.19, 0.05) == set()
    assert shut(0.19, 0.15) == {"place_held"}, "beyond nothing by one test, and not by all of the page"
    assert shut(0.19, 0.15, alpha=0.05) == set()
    assert shut(0.05, 0.15) == {"follows_the_letter", "place_held"}
    assert shut(np.nan, 0.15) == {"place_held"}, "the option's place changes with the contexts"


def test_that_a_shift_is_not_told_that_a_few_more_items_would_undo() -> None:
    gate = next(each for each in GATES if each.key == "few_more")
    contrast = Contrast(factor="observer", a="similar", b="dissimilar")
    for items, value, holds in (
        (16, 0.12, False),
        (16, -0.12, False),
        (16, 0.13, True),
        (28, 0.085, False),
        (28, 0.095, True),
        (40, 0.07, False),
        (40, 0.08, True),
        (100, 0.035, True),
    ):
        low, high = (0.01, 0.2) if value > 0 else (-0.2, -0.01)
        shift = Shift(contrast=contrast, value=value, low=low, high=high, p=0.01, by_item=np.full(items, value))
        held = AdjustedContrast(contrast=contrast, estimate=value, low=low, high=high)
        readings = dict(_by_measure([shift], {contrast: held}, [], 0.05))
        assert gate.holds(readings[measure_key("few_more", name(contrast))]) == holds


def test_that_a_shift_that_reaches_into_the_margin_may_be_too_small_to_matter() -> None:
    contrast = Contrast(factor="observer", a="similar", b="dissimilar")
    shift = Shift(contrast=contrast, value=-0.2, low=-0.35, high=-0.05, p=0.01, by_item=np.zeros(3))
    gate = next(each for each in GATES if each.key == "into_margin")
    for margin, holds in ((0.04, True), (0.06, False)):
        assert gate.holds(dict(_of_margin([shift], margin))[measure_key("into_margin", name(contrast))]) == holds
    assert not dict(_of_margin([shift], None))


def test_that_an_import_is_concluded_from_while_it_is_scored_though_its_table_is_no_file_of_items(
    tmp_path: Path,
) -> None:
    with page(tmp_path, [("moved", planted("typical", 1))], items=12):
        pass
    with closing(sqlite3.connect(tmp_path / "study.gpf")) as audit, audit:
        assert audit.execute("UPDATE run SET state = 'paused', finished_at = NULL").rowcount == 1
    with Headless(quiet=True) as headless:
        opened = headless.enter(tmp_path / "study.gpf", to_read=True)
        told = opened.results.concluding.page(ResultsFilter(method="contextual-stereoset"))
        assert told is not None
        assert [each.name for each in told.told] == ["moved"]
        service = opened.protocols_of("contextual-stereoset")
        asked = service.protocol(service.versions()[0].hash)
        assert asked.items == "study.csv"
        assert len(service.items(asked)) == 12
