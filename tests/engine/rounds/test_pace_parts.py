"""The parts of the pace, each by itself: how bad a slowing down was, probes, pauses, and the tests of refusals."""

from math import log

import pytest

from gpf_desktop.engine.rounds.answer_rate import Delivery, MeasuredAllowance, Traffic
from gpf_desktop.engine.rounds.pace_probes import FIRST_GAIN, Probes
from gpf_desktop.engine.rounds.pauses import LONGEST_PAUSE, Pauses
from gpf_desktop.engine.rounds.refusals import HIGHEST_FLOOR, Floor, RefusalEvidence, RefusalStreak, Trial
from gpf_desktop.engine.rounds.slowing import Slowing


def slowed(*, cuts: int = 1, ended: int, refused: int) -> Slowing:
    slowing = Slowing()
    slowing.begin(7, before=(8.0, 2.0), share=0.3, ended=ended, refused=refused, measured=None)
    slowing.cuts = cuts
    return slowing


@pytest.mark.parametrize(
    ("cuts", "refused", "floor", "slight"),
    [(1, 11, 0.0, True), (1, 12, 0.0, False), (1, 15, 0.1, True), (2, 1, 0.0, False), (0, 1, 0.0, False)],
)
def test_that_few_refusals_and_one_cut_are_slight(cuts: int, refused: int, floor: float, slight: bool) -> None:
    assert slowed(cuts=cuts, ended=40, refused=refused).was_slight(floor) is slight


def test_that_calls_of_the_epoch_before_tell_how_bad_it_was_and_no_others() -> None:
    slowing = slowed(ended=6, refused=3)
    slowing.seen(7, refused=False)
    slowing.seen(7, refused=True)
    slowing.seen(8, refused=True)
    assert slowing.share_in_all == 4 / 8


@pytest.mark.parametrize(
    ("refused", "ended", "expected", "luck"),
    [(3, 3, 0.01, False), (3, 5, 0.01, False), (3, 5, 0.07, True), (7, 41, 0.13, True), (13, 17, 0.18, False)],
)
def test_that_an_alarm_was_luck_where_such_strays_are_usual(
    refused: int, ended: int, expected: float, luck: bool
) -> None:
    assert slowed(ended=ended, refused=refused).was_luck(expected) is luck


def test_that_what_the_floor_would_be_leaves_it_as_it_is() -> None:
    floor = Floor()
    assert floor.with_slow(10, 100).share > 0.05
    assert floor.share == 0.0


def test_that_what_four_cuts_did_not_change_is_outlasted_but_once_a_minute() -> None:
    slowing = slowed(cuts=3, ended=6, refused=3)
    assert not slowing.was_outlasted(10.0)
    slowing.cuts = 4
    assert [slowing.was_outlasted(now) for now in (10.0, 60.0, 70.0)] == [True, False, True]


def test_that_an_alarm_begins_without_cuts() -> None:
    slowing = slowed(cuts=3, ended=6, refused=3)
    slowing.begin(8, before=(8.0, 2.0), share=0.3, ended=6, refused=3, measured=None)
    assert slowing.cuts == 0


def test_that_a_withdrawn_packet_sends_nothing_more() -> None:
    probes = Probes()
    probes.begin(8.0, 0.0)
    assert probes.send()
    probes.withdraw()
    assert not probes.send()


def test_that_what_was_learnt_of_the_floor_is_never_taken_off_by_many_slow_calls_at_once() -> None:
    floor = Floor()
    floor.seen_slow(100, 1_000)
    floor.seen_slow(0, 100_000)
    assert 0.0 < floor.share < 0.001


def test_that_packets_are_boldest_where_nothing_was_measured() -> None:
    probes = Probes()
    assert (probes.gain, probes.bold) == (2.0, False)
    probes.passed = 1
    assert (probes.gain, probes.bold) == (2.0, True)


def test_that_packets_grow_bolder_while_calls_are_short() -> None:
    probes = Probes()
    probes.blind = False
    gains = []
    for passed in range(6):
        probes.passed = passed
        gains.append(probes.gain)
    assert gains == [FIRST_GAIN, 1.5, 1.5, 1.5, 1.5, 1.5]
    for _ in range(30):
        probes.answered(5.0)
    assert probes.gain == FIRST_GAIN
    for _ in range(30):
        probes.answered(0.1)
    assert probes.gain == 1.5


def test_that_a_packet_has_its_calls_and_is_over_when_they_have_ended() -> None:
    probes = Probes()
    probes.begin(saved=0.0, floor=0.0)
    assert [probes.send() for _ in range(9)] == [True] * 8 + [False]
    for _ in range(7):
        probes.ended()
    assert not probes.over
    probes.ended()
    assert probes.over


@pytest.mark.parametrize(("saved", "floor", "calls"), [(20.0, 0.0, 20), (1e9, 0.0, 64), (0.0, 0.1, 23)])
def test_that_a_packet_uses_up_what_was_saved(saved: float, floor: float, calls: int) -> None:
    probes = Probes()
    probes.begin(saved, floor)
    assert sum(probes.send() for _ in range(100)) == calls


@pytest.mark.parametrize(("rate", "gaps"), [(10.0, [2.0, 4.0, 7.0, 7.0]), (40.0, [2.0, 4.0, 4.0]), (1e3, [2.0, 2.0])])
def test_that_failing_packets_come_ever_rarer_but_not_after_a_bold_one(rate: float, gaps: list[float]) -> None:
    probes = Probes()
    assert [probes.gap(rate) for _ in gaps] == gaps
    probes.too_bold()
    assert probes.gap(rate) == 2.0


def test_that_an_account_s_clock_stands_still_while_it_is_paused() -> None:
    pauses = Pauses()
    pauses.begin(5.0, 3, 100.0)
    assert pauses.until == 105.0
    assert pauses.active(103.0) == pauses.active(100.0) == 100.0
    pauses.begin(1.0, 3, 101.0)
    assert (pauses.until, pauses.active(107.0)) == (105.0, 102.0)


def test_that_pauses_without_a_word_double_in_proportion_to_the_trouble() -> None:
    pauses = Pauses()
    waits = []
    for in_a_row in range(4):
        before = pauses.until
        pauses.begin(None, in_a_row, before)
        waits.append(pauses.until - before)
    assert waits == [0.25, 0.5, 1.0, 1.0]
    pauses.darken(1000.0)
    pauses.darken(1500.0)
    pauses.begin(None, 16, 1200.0)
    assert pauses.until == 1220.0
    pauses.begin(None, 16, 9000.0)
    assert pauses.until == 9000.0 + LONGEST_PAUSE
    assert pauses.dark
    pauses.answered(9100.0)
    assert (pauses.dark, pauses.dark_for) == (False, 8100.0)


def test_that_a_rate_is_taken_over_the_last_second() -> None:
    delivery = Delivery()
    assert delivery.lately(5.0) == 0.0
    for tenth in range(30):
        delivery.add(tenth / 10)
    assert delivery.lately(2.9) == pytest.approx(11.0)
    assert delivery.count == 30


def test_that_an_allowance_is_measured_between_two_moments_when_it_was_used_up() -> None:
    allowance = MeasuredAllowance()
    assert allowance.measured(10.0, 100, 0.0) is None
    assert (allowance.since(10.0), allowance.strays) == (0.0, 0)
    allowance.strays = 3
    allowance.used_up(10.0, 100, 0.0)
    assert allowance.strays == 0
    assert allowance.since(14.0) == 4.0
    assert allowance.measured(12.0, 119, 0.0) is None
    assert allowance.measured(12.0, 120, 0.0) == pytest.approx(19 / 2)
    allowance.strays = 8
    assert allowance.stray_share(120) == 8 / 28
    assert allowance.measured(12.0, 120, 0.1) == pytest.approx(21 / 2)
    assert allowance.measured(12.0, 120, 0.9) == pytest.approx(27 / 2)
    allowance.used_up(12.5, 119, 0.0)
    assert (allowance.since(14.0), allowance.strays) == (4.0, 8), "nineteen answers are no measure"
    allowance.forget()
    assert allowance.measured(12.0, 140, 0.0) is None


def test_that_three_refusals_in_a_row_are_enough_where_none_is_expected() -> None:
    evidence = RefusalEvidence()
    alarms = [evidence.take(0.01, number, after) for number, after in ((7, 3.0), (8, 2.0), (9, None))]
    assert alarms == [False, False, True]
    assert (evidence.refused, evidence.ended, evidence.share, evidence.shortest) == (3, 3, 1.0, 2.0)
    evidence.forget()
    assert (evidence.refused, evidence.ended, evidence.share, evidence.shortest) == (0, 0, 0.0, None)


def test_that_strays_among_answers_raise_no_alarm_and_are_noise() -> None:
    evidence = RefusalEvidence()
    # Refused at once, while the calls sent between them are still out.
    assert not any(evidence.take(0.01, number) for number in range(0, 2000, 25))
    evidence.answered(0.01, 2000)
    assert evidence.dismissed() == 80
    assert evidence.dismissed() == 0


def test_that_calls_refused_late_count_in_the_place_where_they_were_sent() -> None:
    in_turn, late = RefusalEvidence(), RefusalEvidence()
    assert [in_turn.take(0.01, number) for number in (5, 6, 7)] == [False, False, True]
    assert [late.take(0.01, number) for number in (5, 7, 6)] == [False, False, True]
    assert (late.ended, late.share) == (3, 1.0)


def test_that_a_run_is_of_calls_that_were_sent_one_after_the_other() -> None:
    run = RefusalStreak()
    lengths = []
    for number in (3, 9, 4, 20, 5):
        run.refused(number)
        lengths.append(run.length)
    assert lengths == [1, 1, 2, 1, 3]
    run.answered()
    assert run.length == 0


def test_that_an_allowance_is_guessed_as_if_a_second_s_worth_had_been_saved_up() -> None:
    traffic = Traffic()
    for twentieth in range(31):
        traffic.started(twentieth / 40)
    for number in range(25):
        traffic.ended()
        traffic.answered(0.7, number)
    assert traffic.accepted == 31
    # 25 answers and 6 calls out, of which one is not sure, in the 0.75 s and the second before.
    assert traffic.guess(1, 0.1, 0.75) == pytest.approx(0.97 * 30 / 1.75)


def test_that_a_trial_ends_when_one_share_is_twenty_times_as_likely() -> None:
    high, low = Trial(0.1, 0.8), Trial(0.1, 0.8)
    high.take(refused=True)
    assert high.odds == pytest.approx(log(0.8 / 0.1))
    assert not high.says_high
    high.take(refused=True)
    assert (high.says_high, high.says_low, high.refused, high.ended) == (True, False, 2, 2)
    low.take(refused=False)
    assert low.odds == pytest.approx(log((1 - 0.8) / (1 - 0.1)))
    assert not low.says_low
    low.take(refused=False)
    assert (low.says_high, low.says_low, low.refused, low.ended) == (False, True, 0, 2)


def test_that_the_floor_is_learnt_from_slow_calls_and_capped() -> None:
    floor = Floor()
    assert (floor.share, floor.expected) == (0.0, 0.01)
    for _ in range(20):
        floor.seen_slow(10, 100)
    assert floor.share == pytest.approx(0.1, abs=0.005)
    for _ in range(20):
        floor.seen_slow(90, 100)
    assert floor.share == HIGHEST_FLOOR
    assert floor.expected == pytest.approx(0.01 + 1.25 * HIGHEST_FLOOR)
    for _ in range(600):
        floor.seen(refused=False)
    assert floor.share < 0.01
