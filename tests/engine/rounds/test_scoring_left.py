"""What is told of a round of which nothing is left to ask."""

from gpf_desktop.domain.ids import FitGroupId
from gpf_desktop.domain.runs import RunState, Spread
from gpf_desktop.engine.rounds.tracker import Tracker
from gpf_desktop.storage.runs import ModelCount
from gpf_desktop.storage.score_counts import GroupCount
from tests.support.running_round import MODEL, running

ANSWERS = 240
BUNDLES = 30
GROUPS = 4


def tracked(clock: list[float], answered: int) -> Tracker:
    """Of a round of one model with *answered* answers, none of whose bundles is scored."""
    count = ModelCount(model_id=MODEL.id, planned=ANSWERS, answered=answered, by_reason={}, spent=0.0)
    tracker = Tracker(running(planned=ANSWERS, answered=answered), [MODEL], [count], lambda: clock[0])
    tracker.count_bundles(
        GroupCount(group=FitGroupId(n), planned=BUNDLES, scored=0, provisional=0) for n in range(GROUPS)
    )
    return tracker


def test_that_the_time_left_to_score_is_told_once_some_bundles_are_scored() -> None:
    clock = [0.0]
    tracker = tracked(clock, ANSWERS)
    assert tracker.progress(RunState.RUNNING, None).left is None
    clock[0] = 10.0
    # Of the group's bundles some have too few answers for a score, and wait for none.
    tracker.assessed(FitGroupId(0), BUNDLES - 5, 0)
    now = tracker.progress(RunState.RUNNING, None)
    assert now.scoring
    assert now.left == Spread(low=27.0, high=33.0)
    for group in range(1, GROUPS):
        tracker.assessed(FitGroupId(group), BUNDLES, 0)
    assert tracker.progress(RunState.RUNNING, None).left == Spread(low=0.0, high=0.0)


def test_that_nothing_is_told_of_scoring_while_answers_are_to_come() -> None:
    tracker = tracked([0.0], ANSWERS - 1)
    tracker.assessed(FitGroupId(0), BUNDLES, 0)
    now = tracker.progress(RunState.RUNNING, None)
    assert not now.scoring
    assert now.left is None
