"""How much of a long error is read, and that what is wrong is found at its head and in its last line."""

import pytest

from gpf_desktop.domain.account_faults import AccountFault, account_fault, without_echoes

READ = 620
"""Characters, whatever is sent: a thousand stems are looked for at each of them."""
FILLING = "  File 'a.py', line 3, in call\n"


@pytest.mark.parametrize("filling", [FILLING, "a", '"', " ", '{"message":"', "输入内容"])
def test_that_no_more_of_an_error_is_read_than_says_what_is_wrong(filling: str) -> None:
    for size in (4_000, 1_000_000):
        assert len(without_echoes((filling * size)[:size])) <= READ


@pytest.mark.parametrize(
    "said",
    ["The model has been decommissioned. " + FILLING * 200, FILLING * 1_000 + "The model has been decommissioned."],
)
def test_that_both_ends_of_an_error_are_read(said: str) -> None:
    assert account_fault(said) is AccountFault.MODEL


def test_that_what_is_said_back_counts_for_nothing() -> None:
    said = '{"content": "' + "my account is suspended, " * 30 + '"} is not what was expected. Your API key has expired.'
    assert account_fault(said) is AccountFault.KEY
