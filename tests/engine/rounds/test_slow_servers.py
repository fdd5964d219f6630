"""Servers that work on one call at a time: none is given up while they work on it. Time is virtual."""

import random

import pytest

from gpf_desktop.domain.models import Limits
from gpf_desktop.engine.models.addresses import is_local
from gpf_desktop.engine.rounds.answer_wait import AnswerWait
from gpf_desktop.engine.rounds.concurrency import Crowding
from tests.support.slot_server import SlotRound


def test_that_a_server_of_one_slot_is_asked_each_question_once() -> None:
    asked = SlotRound(1, lambda _: 36.0, cells=60)
    assert (asked.asked, asked.timed_out, asked.answered) == (60, 0, 60)
    assert asked.most_out <= 2
    assert asked.took < 61 * 36


def test_that_a_server_of_one_slot_whose_address_is_not_local_is_soon_asked_one_at_a_time() -> None:
    asked = SlotRound(1, lambda _: 36.0, cells=60, local=False)
    assert asked.answered == 60
    assert asked.timed_out <= 4
    assert asked.limit <= 2


def test_that_an_answer_that_takes_longer_than_is_waited_at_first_comes_all_the_same() -> None:
    asked = SlotRound(1, lambda _: 200.0, cells=20)
    assert asked.answered == 20
    assert asked.timed_out <= 2


@pytest.mark.parametrize(("slots", "fewest", "most"), [(2, 2, 4), (4, 4, 8), (16, 12, 32)])
def test_that_as_many_are_asked_at_once_as_bring_more_answers(slots: int, fewest: int, most: int) -> None:
    rng = random.Random(slots)
    asked = SlotRound(slots, lambda _: rng.uniform(10.0, 60.0), cells=50 * slots)
    assert asked.timed_out == 0
    assert fewest <= asked.limit <= asked.most_out <= most
    assert asked.took < 1.5 * 50 * 35.0
    # Half of the answers waited for no other.
    assert sorted(asked.taken)[len(asked.taken) // 2] < 60.0


def test_that_a_server_that_manages_all_is_asked_many_at_once_soon() -> None:
    rng = random.Random(3)
    asked = SlotRound(1_000, lambda _: rng.uniform(0.02, 0.08), cells=882)
    assert asked.limit >= 64
    assert asked.took < 2.5


def test_that_a_quick_server_of_one_slot_is_asked_few_at_once() -> None:
    asked = SlotRound(1, lambda _: 0.2, cells=200, limits=Limits(timeout=1.0))
    assert (asked.asked, asked.timed_out) == (200, 0)
    assert asked.most_out <= 2


def test_that_answers_of_very_different_lengths_do_not_pass_for_a_use_of_more_at_once() -> None:
    rng = random.Random(7)
    asked = SlotRound(1, lambda _: rng.choice((2.0, 5.0, 40.0)), cells=200)
    assert (asked.timed_out, asked.answered) == (0, 200)
    assert asked.most_out <= 4


def test_that_one_lost_call_among_many_slows_nobody() -> None:
    asked = SlotRound(50, lambda _: 5.0, cells=1_000, local=False, stuck=frozenset({100}))
    assert asked.timed_out == 1
    assert not any("slow" in said for said in asked.said)
    assert asked.wait == 120.0


def test_that_words_say_slow_and_not_too_many_refusals() -> None:
    said = SlotRound(1, lambda _: 36.0, cells=60, local=False).said
    assert any("slow" in each for each in said)
    assert not any("turned away" in each for each in said)


def test_that_an_auditors_own_number_at_once_falls_too_where_answers_do_not_come_in_time() -> None:
    asked = SlotRound(1, lambda _: 36.0, cells=60, limits=Limits(in_flight=8))
    assert asked.answered == 60
    assert asked.timed_out <= 8
    assert asked.limit <= 2


def test_that_the_wait_is_never_shorter_than_the_auditor_allows_and_at_most_ten_times_as_long() -> None:
    wait = AnswerWait(10.0)
    for _ in range(50):
        wait.answered(0.1, 1.0)
    assert wait.seconds == 10.0
    for _ in range(50):
        wait.answered(1_000.0, 2.0)
    assert wait.seconds == 100.0


def test_that_the_wait_doubles_where_nothing_is_answered_and_not_where_others_are() -> None:
    wait = AnswerWait(10.0)
    wait.late(started=0.0)
    assert wait.seconds == 20.0
    wait.answered(1.0, now=30.0)
    wait.late(started=25.0)
    assert wait.seconds == 20.0


def test_that_calls_that_do_not_fill_the_slots_say_nothing_of_more() -> None:
    crowding = Crowding(1, 8)
    for at in range(20):
        crowding.answered(1.0, float(at), full=False)
    assert crowding.level == 1


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://localhost:11434", True),
        ("http://[::1]:1234/v1", True),
        ("http://192.168.1.20:8000/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://studio.local:1234/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("", False),
    ],
)
def test_that_local_addresses_are_known(address: str, local: bool) -> None:
    assert is_local(address) is local
