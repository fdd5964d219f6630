"""Keys in a file that a passphrase seals, where there is no key store."""

import json
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.settings import key_file
from gpf_desktop.settings.key_file import KeyFile
from gpf_desktop.settings.keys import Kept, KeyRing, KeyStore

ENDPOINT = Endpoint(provider="openai", model="small")
NAME = KeyRing.name_of(ENDPOINT)
RIGHT, KEY = "grüne Wiese", "canary-7391-juniper"


@pytest.fixture(autouse=True)
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousandth of the work for each guess."""
    made = classmethod(lambda cls: cls(key_file._text(os.urandom(16)), n=2**7))
    monkeypatch.setattr(key_file._Stretch, "new", made)


def without_store(_platform: str) -> KeyStore:
    raise RuntimeError("none here")


def ring(path: Path, *typed: str) -> tuple[KeyRing, list[bool]]:
    """A start of the program at which somebody types *typed*, and each time that it asked: whether again."""
    asked: list[bool] = []
    answers = iter(typed)

    def ask(again: bool) -> str:
        asked.append(again)
        return next(answers, "")

    made = KeyRing({}, without_store, file=KeyFile(path))
    made.ask_passphrase_with(ask)
    return made, asked


def key_of(ring: KeyRing, name: str = NAME) -> str:
    found = ring.kept(name)
    return "" if found is None else found.reveal()


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file with a key in it that was typed before the file was begun."""
    path = tmp_path / "data" / "keys.encrypted"
    first, asked = ring(path)
    assert first.save(NAME, Secret(KEY)) is Kept.SESSION
    first.begin_file(RIGHT)
    assert (first.where(ENDPOINT), first.persistent, asked) == (Kept.STORE, True, [])
    return path


def test_that_a_later_start_asks_once_and_has_the_key(kept: Path) -> None:
    later, asked = ring(kept, RIGHT)
    assert not asked, "not before a key is wanted"
    assert key_of(later) == KEY
    assert later.save("other at https://x.example", Secret("second")) is Kept.STORE
    assert asked == [False]
    # Accents are typed in two ways.
    again, _ = ring(kept, "gru\u0308ne Wiese")
    assert key_of(again, "other at https://x.example") == "second"
    again.forget(NAME)
    gone, _ = ring(kept, RIGHT)
    assert gone.where(ENDPOINT) is Kept.NOWHERE


def test_that_neither_key_nor_passphrase_stands_in_the_file_which_is_the_users_alone(kept: Path) -> None:
    text = kept.read_text(encoding="ascii")
    assert KEY not in text
    assert "Wiese" not in text
    assert NAME not in text
    if sys.platform != "win32":
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_that_a_wrong_passphrase_is_asked_again_and_who_types_none_goes_on_without(kept: Path) -> None:
    later, asked = ring(kept, "wrong one", RIGHT)
    assert key_of(later) == KEY
    assert asked == [False, True]
    without, asked = ring(kept, "wrong one")
    assert without.find(ENDPOINT) is None
    assert without.locked
    assert without.find(ENDPOINT) is None
    assert without.save(NAME, Secret("typed anew")) is Kept.SESSION
    assert asked == [False, True], "once a start"
    assert "passphrase was not typed" in without.trouble


def test_that_unlocking_asks_again_and_takes_the_keys_of_the_session_in(kept: Path) -> None:
    answers = iter(["", RIGHT])
    later, _ = ring(kept)
    later.ask_passphrase_with(lambda _again: next(answers, ""))
    assert later.find(ENDPOINT) is None
    assert later.save("other", Secret("typed meanwhile")) is Kept.SESSION
    assert later.unlock()
    assert not later.locked
    anew, _ = ring(kept, RIGHT)
    assert key_of(anew, "other") == "typed meanwhile"


@pytest.mark.parametrize(
    "change",
    [
        lambda said: {**said, "keys": said["keys"][:-8] + "AAAAAA=="},
        lambda said: {**said, "scrypt": {**said["scrypt"], "n": 2**40}},
        lambda said: {**said, "scrypt": {**said["scrypt"], "more": 1}},
        lambda said: {**said, "scrypt": {**said["scrypt"], "n": 3}},
        lambda said: {**said, "scrypt": {**said["scrypt"], "salt": []}},
        lambda said: {name: value for name, value in said.items() if name != "nonce"},
        lambda _said: [],
    ],
)
def test_that_a_damaged_file_is_told_and_left_alone(kept: Path, change: Callable[..., object]) -> None:
    kept.write_text(json.dumps(change(json.loads(kept.read_text()))))
    before = kept.read_bytes()
    later, _ = ring(kept, RIGHT)
    assert later.find(ENDPOINT) is None
    assert later.trouble.startswith("Keys cannot be had from your key file: ")
    assert later.save(NAME, Secret("typed anew")) is Kept.SESSION
    assert kept.read_bytes() == before


def test_that_what_another_program_keeps_meanwhile_stays(kept: Path) -> None:
    one, _ = ring(kept, RIGHT)
    two, _ = ring(kept, RIGHT)
    assert key_of(one) == key_of(two) == KEY
    one.save("of one", Secret("1111"))
    two.save("of two", Secret("2222"))
    later, _ = ring(kept, RIGHT)
    assert (key_of(later, "of one"), key_of(later, "of two")) == ("1111", "2222")


def test_that_a_short_passphrase_and_a_folder_that_is_none_are_said(tmp_path: Path) -> None:
    made, _ = ring(tmp_path / "keys.encrypted")
    with pytest.raises(UserError, match="too short"):
        made.begin_file("seven77")
    (tmp_path / "file").write_text("")
    made, _ = ring(tmp_path / "file" / "keys.encrypted")
    with pytest.raises(UserError, match="cannot be written"):
        made.begin_file(RIGHT)
    assert not made.persistent


def test_that_nobody_is_asked_where_no_terminal_is(kept: Path) -> None:
    headless = KeyRing({}, without_store, file=KeyFile(kept))
    assert headless.find(ENDPOINT) is None
    assert headless.locked
