"""Under a brief's headline: what is shown one by one, the rest in a line, and nothing that weighs is lost."""

from collections import Counter
from dataclasses import replace

import pandas as pd

from gpf_desktop.domain.conclusions.conclusion import Caveat, CaveatEffect, ConclusionOutcome, Standing
from gpf_desktop.domain.conclusions.gates import Gate, GateReading, ModelEvidence, PageEvidence, page_of
from gpf_desktop.domain.conclusions.rendering import ToldPage, chips, rendered
from gpf_desktop.domain.conclusions.sureness import how_sure
from gpf_desktop.domain.findings import BundleFilter, Row
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.briefs.answer import answer_lines
from gpf_desktop.engine.reporting.briefs.brief_maker import chance_column, often
from gpf_desktop.engine.reporting.briefs.drawing import lead_drawing
from gpf_desktop.engine.reporting.incomplete_sets import missing_answers
from gpf_desktop.engine.reporting.what_next import SetsRead, next_steps, too_little
from tests.domain.test_conclusions import GATES, VOICE, A, D, N, evidence
from tests.figures.pages import FAILED, conclusion, measure, told

SEVERAL = tuple(Gate(key=key, most=0) for key in ("first", "second", "third"))
SHUT = {gate.key: GateReading(value=1) for gate in SEVERAL}


def page(*of: ModelEvidence, gates: tuple[Gate, ...] = GATES) -> ToldPage:
    caveats = {**VOICE.caveats, **{gate.key: lambda caveat: f"{caveat.key}." for gate in SEVERAL}}
    return rendered(page_of("toy", "?", PageEvidence(of=of, tests=4), gates, ""), replace(VOICE, caveats=caveats))


def test_that_what_weighs_on_models_told_in_one_line_stands_under_it() -> None:
    hangs, failed = {"one": GateReading(value=1)}, {"judge": GateReading(value=0.1)}
    lines = answer_lines(
        page(
            evidence(D, model="maker/a"),
            evidence(N, model="maker/b", readings=hangs),
            evidence(N, D, model="maker/c", readings={**hangs, **failed}),
            evidence(N, model="maker/d", readings={"note": GateReading(value=1)}),
        )
    )
    assert lines == [
        "The model a differs.",
        "Not settled by any measure: b, c and d.",
        "one (b and c).",
        "judge (c).",
    ]


def test_that_every_weakening_sentence_stands_in_print() -> None:
    (line,) = answer_lines(page(evidence(D, readings=SHUT), gates=(*GATES, *SEVERAL)))
    assert all(f"{gate.key}." in line for gate in SEVERAL)
    first, second = answer_lines(
        page(evidence(D, readings=SHUT), evidence(D, model="maker/b", readings={}), gates=(*GATES, *SEVERAL))
    )
    assert all(f"{gate.key}." in first for gate in SEVERAL)
    assert second == "The model b differs."


def test_that_what_weighs_alike_on_several_judges_is_said_once() -> None:
    caveats = tuple(
        Caveat(key="noisy", effect=CaveatEffect.VOIDS, measures=(name,), numbers={"judge": name, "low": low})
        for name, low in (("first", 0.3), ("second", 0.3), ("third", 0.4))
    )
    failed = tuple(measure(each.measures[0], outcome=FAILED, voided_by="noisy") for each in caveats)
    noisy = told(conclusion(measures=(measure(), *failed), caveats=caveats))
    said = tuple(f"Judge {each.numbers['judge']} wavers: {each.numbers['low']}." for each in caveats)
    noisy = replace(noisy, told=(replace(noisy.told[0], weighs=said),))
    (line,) = answer_lines(noisy)
    assert line == "Judge first wavers: 0.3. The same holds of judge model second. Judge third wavers: 0.4."


def test_that_a_part_on_which_one_differs_is_not_folded_away() -> None:
    partly = replace(evidence(N, model="maker/c"), parts={"words": ("“A”",)})
    of = page(evidence(N), evidence(N, model="maker/b"), partly)
    assert of.told[0].conclusion.outcome is ConclusionOutcome.NOT_SHOWN
    assert any(line.startswith("Not settled: c.") for line in answer_lines(of))


def test_that_only_a_larger_round_settles_what_too_little_was_asked_for() -> None:
    method = catalogue.method("contextual-stereoset")
    assert isinstance(method, Concludes)

    def told_of(items: int, model: str = "maker/a") -> ModelEvidence:
        few = GateReading(value=items, numbers={"n": items})
        its = replace(evidence(N, model=model, readings={"few_items": few}), standing=Standing(items=items))
        return replace(its, numbers={"items": items})

    def page_with(*of: ModelEvidence) -> ToldPage:
        return rendered(page_of(method.name, "?", PageEvidence(of=of, tests=4), method.gates, ""), method.voice)

    little = page_with(told_of(8), told_of(8, "maker/b"))
    assert too_little(little) == "A larger round. Too few items to say: 8, and a range needs 16."
    assert too_little(page_with(told_of(8), told_of(20, "maker/b"))) == ""


def test_that_its_figure_keeps_what_differs_and_a_row_of_each_model_and_says_what_it_left_out() -> None:
    two = (measure("words"), measure("meaning"))
    apart = (measure("words", outcome=D), measure("meaning", outcome=D))
    many = (*two, *(measure(f"way {n}") for n in range(4)))
    every = lead_drawing(told(conclusion("a/elm", apart, D), conclusion("b/oak", many), conclusion("c/ash", many)))
    assert every is not None
    assert (every.subtitle, every.svg.count(">By meaning<")) == ("", 3), "as high as it is"
    ways = (every, *every.lower)
    assert [each.height / each.width for each in ways] == sorted(each.height / each.width for each in ways)[::-1]
    few = every.within(0.6)
    assert few.subtitle == "10 further rows, none shown to differ: annex."
    assert (few.svg.count(">By words<"), few.svg.count(">By meaning<")) == (3, 1)
    assert every.within(0.1) is every.lower[-1], "there is no lower one"
    alone = lead_drawing(told(conclusion(measures=two)))
    assert alone is not None
    assert {(each.subtitle, each.svg.count(">By meaning<")) for each in (alone, *alone.lower)} == {("", 1)}


def test_that_a_brief_says_how_sure_it_is_for_every_outcome() -> None:
    def differing(*p: float) -> ToldPage:
        return told(*(conclusion(f"a/m{n}", (replace(measure(outcome=D), p=n),), outcome=D) for n in p))

    assert how_sure(differing(0.004)).startswith(
        "If nothing differed, chance alone would show as much in fewer than 1 in 100"
    )
    assert how_sure(differing(0.004, 0.03)).startswith(
        "If nothing differed, chance alone would show as much in 3 in 100 such audits"
    )
    silent = how_sure(page(evidence(N)))
    assert silent == "Not settled means that a difference was neither shown nor ruled out."
    part = how_sure(page(replace(evidence(N), parts={"words": ("“A”",)})))
    assert part == "If nothing differed, at most 5 in 100 such audits would still write “differs” by chance."
    alike = how_sure(page(evidence(A)))
    assert alike == "Alike means that the whole range lies within what is too small to matter."
    # Nothing was tested, and the headline says why.
    assert how_sure(page(evidence(D, standing=Standing(items=4, next_at=10, of=3)))) == ""


def test_that_a_brief_says_what_to_do_and_not_what_lacks() -> None:
    main = pd.DataFrame({"model": ["maker/a", "maker/b"], "planned": [10, 10], "valid": [9, 4]})
    lost = missing_answers(main, Counter({"refused": 4, "empty": 2}))
    nobody, one = SetsRead(), SetsRead.of([1, 2, 3])

    def of(outcome: ConclusionOutcome) -> ToldPage:
        made = page(replace(evidence(outcome), carrying={"words": (1, 2, 3, 4)}))
        return replace(made, page=replace(made.page, method="saged"))

    alone = missing_answers(main[main["model"] == "maker/b"], Counter({"refused": 6}))
    every = "Ask again what is missing: 6 answers, all of b (6 declined)."
    assert list(next_steps(of(N), alone, nobody, draft=True))[1] == every
    assert list(next_steps(of(N), lost, nobody, draft=True)) == [
        "Have two people, each alone, read the four sets of compared answers on which this rests most.",
        "Ask again what is missing: 7 answers, most of them of b (4 declined, 2 empty, 1 unreadable).",
        "Plan a larger round and register it: what is not settled here may be settled then.",
        "Fill in the declarations, under Reports, and sign: until then this is a draft.",
    ]
    assert list(next_steps(of(D), missing_answers(main.assign(valid=10), Counter()), one, draft=False)) == [
        "Have a second person read the three sets that one person alone has read.",
        "Have two people, each alone, read the one set of compared answers on which this rests most.",
    ]


def test_that_a_table_says_how_often_chance_gives_as_much_only_where_something_differs() -> None:
    differs, open_ = chips()[ConclusionOutcome.DIFFERS], chips()[ConclusionOutcome.NOT_SHOWN]

    def row(chance: str, counts: str) -> Row:
        return Row(values={"by_chance": chance, "counts": counts, "p": 0.01}, bundles=BundleFilter())

    assert chance_column([row("0", differs), row("0", open_)]) == "often"
    unlikely = replace(row("0", open_), values={"by_chance": "0", "counts": open_, "p": 0.24})
    failed = row("0", chips()[FAILED])
    assert [often(each) for each in (row("0", differs), row("0", open_), unlikely, failed)] == [
        "1 in 100",
        "",
        "more than 5 in 100",
        "not counted",
    ]
    assert chance_column([row("0", open_), row("0", open_)]) == "by_chance", "a column without a word"
    assert chance_column([row("0.00 to 0.42", open_)]) == "by_chance"
    assert chance_column([row("0.1", differs), row("0.2", open_)]) == "by_chance"
