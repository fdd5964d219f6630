from gpf_desktop.storage.asked_again import AskedAgain, set_aside


def asked(bundle: int, run: int, question: int, decided: int) -> AskedAgain:
    return AskedAgain(bundle_id=bundle, run_id=run, question=question, decided=decided)


TWICE = (asked(1, 1, 1, 7), asked(2, 2, 1, 7), asked(3, 1, 2, 3), asked(4, 2, 2, 7))


def test_that_of_equal_rounds_the_first_counts_and_one_that_broke_off_gives_way() -> None:
    assert set_aside(TWICE, {1, 2}) == {2, 3}


def test_that_a_round_alone_in_the_window_counts_whole() -> None:
    assert set_aside(TWICE, {1}) == set_aside(TWICE, {2}) == set_aside(TWICE, {3}) == frozenset()
