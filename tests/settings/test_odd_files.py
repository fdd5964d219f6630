"""Files of settings as other programs, hands and full disks leave them."""

from pathlib import Path

import pytest

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.settings.accounts import Accounts
from gpf_desktop.settings.pairings import Pairing, Pairings
from gpf_desktop.settings.preferences import Preferences

ENDPOINT = Endpoint(provider="openai-compatible", model="m", base_url="https://a.example/v1", key_account="mine")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"settings":' * 100_000, '[["a", "b", "\\ud800"]]', "[[1, 2]]", "7"])
def test_that_an_odd_file_keeps_nothing_from_being_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.json"
    for keep in (
        lambda: Accounts(path).remember(ENDPOINT),
        lambda: Accounts(path).forget(ENDPOINT),
        lambda: Pairings(path).confirm(Pairing("KEY", "openai-compatible", "https://a.example/v1")),
        lambda: Preferences(path).set("rounds.spend_cap", 2.0),
    ):
        path.write_text(text, encoding="ascii")
        keep()


def test_that_half_a_pair_of_surrogates_in_one_preference_does_not_keep_another_from_being_set(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"file": "gpf-desktop", "settings": {"of.another": "\\ud800"}}', encoding="ascii")
    Preferences(path).set("rounds.spend_cap", 2.0)
    assert Preferences(path).get("rounds.spend_cap") == 2.0
