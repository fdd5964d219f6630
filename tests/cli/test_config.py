"""`gpf-desktop config` lists, reads and changes what the page of preferences does."""

import json
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.settings.preferences import HERE, declared


def test_that_it_lists_what_there_is_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert "look.theme = system (default)" in listed
    assert len(listed) == len(declared())
    assert main(["config", "--json"]) == 0
    told = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert told["look.text_size"]["default"] == 100
    assert told["look.text_size"]["takes"] == "a whole number from 100 to 200"


def test_that_a_value_is_set_read_and_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "rounds.spend_cap", "2.50"]) == 0
    assert "rounds.spend_cap = 2.5" in capsys.readouterr().out
    assert main(["config", "rounds.spend_cap"]) == 0
    assert capsys.readouterr().out == "2.5\n"
    assert main(["config", "rounds.spend_cap", "none"]) == 0
    assert HERE.get("rounds.spend_cap") is None
    main(["config", "look.theme", "dark"])
    assert main(["config", "--reset"]) == 0
    assert HERE.chosen() == {}


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["look.them"], "Did you mean look.theme?"),
        (["look.theme", "purple"], "“system”, “light”, “dark”, “high contrast”"),
        (["look.text_size", "large"], "a whole number from 100 to 200"),
        (["rounds.spend_cap", "9" * 5000], "no value of rounds.spend_cap"),
        (["look.theme", "dark", "--reset"], "One thing at a time"),
        (["--import", "no-such-file.json"], "cannot be read"),
    ],
)
def test_that_what_does_not_do_is_said_with_what_would(
    typed: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", *typed]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""
    assert HERE.chosen() == {}


def test_that_one_file_takes_them_elsewhere(tmp_path: Path) -> None:
    main(["config", "look.theme", "dark"])
    assert main(["config", "--export", str(tmp_path / "mine.json")]) == 0
    main(["config", "--reset"])
    assert main(["config", "--import", str(tmp_path / "mine.json")]) == 0
    assert HERE.chosen() == {"look.theme": "dark"}
