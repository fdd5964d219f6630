"""What is said of a round's figures."""

from dataclasses import replace

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import ModelProgress, RunProgress, RunState, Spread
from gpf_desktop.ui.runs.run_detail import _model_columns
from gpf_desktop.ui.runs.run_words import figures_of

ROUND = RunProgress(
    run_id=RunId(1),
    state=RunState.RUNNING,
    planned=10,
    answered=8,
    missing=0,
    bundles_planned=5,
    bundles_scored=4,
    bundles_provisional=1,
    left=None,
    spent=0.0,
    spend_cap=None,
    models=(),
)


def test_that_money_is_told_in_the_digits_of_the_cap_with_what_is_in_doubt() -> None:
    capped = replace(ROUND, spend_cap=0.0285, in_doubt=0.025)
    assert figures_of(capped)[2] == ("$0.00", "of $0.0285 cap · up to $0.0250 in doubt")
    assert figures_of(replace(ROUND, in_doubt=0.3))[2] == ("$0.00", "no cap · up to $0.30 in doubt")
    held = replace(ROUND, spend_cap=0.005, held=0.0015)
    assert figures_of(held)[2][1] == "of $0.005 cap · $0.002 held for the next answers"


def test_that_provisional_scores_are_told_of_where_there_are_any() -> None:
    assert figures_of(ROUND)[3] == ("4 of 5", "sets scored, 1 may still change")
    assert figures_of(replace(ROUND, bundles_scored=5, bundles_provisional=0))[3] == ("5 of 5", "sets scored")


def test_that_a_round_that_asks_judges_alone_has_no_bundles_to_score() -> None:
    nothing = replace(ROUND, state=RunState.FINISHED, bundles_planned=0, bundles_scored=0, bundles_provisional=0)
    assert figures_of(nothing)[3] == ("none", "sets to score: judge models alone are asked")


def test_that_a_round_with_every_answer_says_until_when_it_scores() -> None:
    scoring = replace(ROUND, answered=10, left=Spread(low=120.0, high=180.0))
    assert figures_of(scoring)[1] == ("2 to 3 min", "until all sets are scored")
    assert figures_of(replace(scoring, left=None))[1] == ("not known yet", "until all sets are scored")
    assert figures_of(replace(ROUND, state=RunState.FINISHED), 84.2)[1] == ("84 s", "from start to end")


def test_that_declined_answers_are_told_with_how_many_were_so_by_words_not_known() -> None:
    line = ModelProgress(
        model="p/m",
        planned=10,
        answered=6,
        missing=4,
        by_reason=(("refused", 3), ("empty", 1)),
        unknown_refusals=2,
        in_flight=0,
        limit=1,
        rate=0.0,
        left=None,
        spent=0.0,
        priced=True,
    )
    told = "3 declined (2 by words that this program does not know)"
    (gaps,) = (each for each in _model_columns({}) if each.title == "Gaps")
    assert gaps.text(line) == f"{told} and 1 more"
    assert gaps.tip is not None
    assert gaps.tip(line) == f"{told}\n1 empty"
    other = replace(line, model="p/n", by_reason=(("refused", 1),), missing=1, unknown_refusals=1)
    assert figures_of(replace(ROUND, missing=5, models=(line, other)))[4] == (
        "5 gaps",
        "4 declined (3 by words that this program does not know), 1 empty",
    )
