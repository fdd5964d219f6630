"""Keys live in the key store, in memory, or in a named variable, and nowhere else."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail, null
from keyring.errors import KeyringLocked

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.settings.accounts import Accounts
from gpf_desktop.settings.keys import Kept, KeyRing, KeyStore, open_store
from gpf_desktop.settings.pairings import Pairings
from tests.settings.secret_service import CANARY, run_in_audit

ENDPOINT = Endpoint(provider="openai", model="some-model")
NAME = KeyRing.name_of(ENDPOINT)


class Safe(KeyringBackend):
    """A store that keeps what it is given, in this object."""

    priority = 1

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.keys.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.keys[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.keys[service, username]


def ring(backend: KeyringBackend) -> KeyRing:
    return KeyRing({}, lambda _platform: KeyStore(backend=backend, title="Test store"))


@pytest.fixture(scope="module")
def open_audit(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("session")
    seen = run_in_audit(folder)
    seen["folder"] = folder
    return seen


linux = pytest.mark.skipif(sys.platform != "linux", reason="the Secret Service is Linux's key store")


@pytest.mark.slow
@linux
def test_that_the_secret_service_keeps_a_key_for_later_programs(open_audit: dict[str, Any]) -> None:
    assert open_audit["title"] == "Secret Service"
    assert open_audit["persistent"]
    assert not open_audit["before"]
    assert open_audit["kept"] == Kept.STORE
    assert open_audit["found"]
    assert open_audit["where"] == Kept.STORE


@linux
def test_that_another_address_of_the_provider_has_a_key_of_its_own(open_audit: dict[str, Any]) -> None:
    assert not open_audit["elsewhere"]


@linux
def test_that_a_locked_store_is_said_and_the_key_lasts_for_the_session(open_audit: dict[str, Any]) -> None:
    assert not open_audit["locked_find"]
    assert "unlock" in open_audit["locked_trouble"]
    assert open_audit["locked_kept"] == Kept.SESSION


@linux
def test_that_no_file_of_the_session_holds_the_key(open_audit: dict[str, Any]) -> None:
    folder: Path = open_audit["folder"]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    assert not any(CANARY.encode() in path.read_bytes() for path in files)


@linux
def test_that_without_a_store_keys_last_for_the_session_and_it_is_said() -> None:
    keys = KeyRing({})
    assert keys.save(NAME, Secret("sk-123456")) is Kept.SESSION
    found = keys.find(ENDPOINT)
    assert found is not None
    assert found.reveal() == "sk-123456"
    assert keys.where(ENDPOINT) is Kept.SESSION
    assert not keys.persistent
    assert keys.backend_title == "this session only"
    assert keys.trouble
    assert KeyRing({}).find(ENDPOINT) is None


def test_that_a_store_that_keeps_nothing_is_found_out() -> None:
    keys = ring(null.Keyring())
    assert keys.save(NAME, Secret("sk-123456")) is Kept.SESSION
    assert "was not kept by" in keys.trouble


def test_that_a_store_that_fails_is_no_reason_to_lose_the_key() -> None:
    keys = ring(fail.Keyring())
    assert keys.save(NAME, Secret("sk-123456")) is Kept.SESSION
    assert keys.find(ENDPOINT) is not None
    keys.forget(NAME)
    assert keys.find(ENDPOINT) is None


def test_that_keyring_s_own_choice_of_backend_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    with pytest.raises(Exception, match=r"\S"):
        open_store("linux")


def test_that_a_forgotten_key_is_gone_from_the_store() -> None:
    store = Safe()
    keys = ring(store)
    assert keys.save(NAME, Secret(" sk-123456\n")) is Kept.STORE
    assert list(store.keys.values()) == ["sk-123456"]
    keys.forget(NAME)
    assert not store.keys
    assert keys.where(ENDPOINT) is Kept.NOWHERE
    keys.forget(NAME)


def test_that_a_plan_s_variable_wins_over_the_store() -> None:
    endpoint = Endpoint(provider="openai", model="some-model", key_env="SOME_VARIABLE")
    keys = KeyRing({"SOME_VARIABLE": " sk-env "}, lambda _platform: KeyStore(backend=Safe(), title="Test store"))
    keys.save(keys.name_of(endpoint), Secret("sk-stored"))
    keys.allow(endpoint)
    found = keys.find(endpoint)
    assert found is not None
    assert found.reveal() == "sk-env"
    assert keys.where(endpoint) is Kept.ENVIRONMENT


def test_that_an_unset_variable_never_falls_back_on_another_key() -> None:
    endpoint = Endpoint(provider="openai", model="some-model", key_env="SOME_VARIABLE")
    keys = ring(Safe())
    keys.save(keys.name_of(endpoint), Secret("sk-stored"))
    keys.allow(endpoint)
    assert keys.find(endpoint) is None


def test_that_a_variable_is_for_the_one_address_that_was_confirmed(tmp_path: Path) -> None:
    file = tmp_path / "settings" / "pairs.json"
    environment = {"SOME_VARIABLE": "sk-env", "OTHER": "sk-other"}
    mine = Endpoint(provider="openai-compatible", model="m", base_url="http://a.test/v1", key_env="SOME_VARIABLE")
    others = [
        replace(mine, base_url="http://b.test/v1"),
        replace(mine, base_url=""),
        replace(mine, provider="openai"),
        replace(mine, key_env="OTHER"),
    ]
    keys = KeyRing(environment, pairings=Pairings(file))
    assert keys.find(mine) is None
    assert keys.where(mine) is Kept.UNCONFIRMED
    keys.confirm(mine)
    later = KeyRing(environment, pairings=Pairings(file))
    found = later.find(mine)
    assert found is not None
    assert found.reveal() == "sk-env"
    assert [later.find(other) for other in others] == [None] * 4
    assert "sk-env" not in file.read_text()


@pytest.mark.parametrize("text", ["", "{", "[1]", '[["a"]]', '{"a": 1}', "\xff"])
def test_that_settings_that_cannot_be_read_confirm_nothing(tmp_path: Path, text: str) -> None:
    file = tmp_path / "pairs.json"
    file.write_text(text, encoding="latin-1")
    endpoint = Endpoint(provider="openai", model="m", key_env="SOME_VARIABLE")
    keys = KeyRing({"SOME_VARIABLE": "sk-env"}, pairings=Pairings(file))
    assert keys.find(endpoint) is None
    keys.confirm(endpoint)
    assert KeyRing({"SOME_VARIABLE": "sk-env"}, pairings=Pairings(file)).find(endpoint) is not None


@pytest.mark.parametrize("text", ["", "   ", "two\nlines", "schlüssel", "tab\tinside"])
def test_that_what_cannot_be_a_key_is_refused_in_words(text: str) -> None:
    with pytest.raises(UserError, match="not a key"):
        ring(Safe()).save(NAME, Secret(text))


def test_that_a_key_shows_nowhere_by_itself() -> None:
    secret = Secret(CANARY)
    assert CANARY not in f"{secret} {secret!r} {[secret]} { ({'key': secret}) }"


class Lockable(Safe):
    """A store that may be locked, and opens when it is asked while its password is known."""

    def __init__(self) -> None:
        super().__init__()
        self.locked = self.refuses = True
        self.prompts = 0
        """How often it asked for its password in vain."""

    def get_password(self, service: str, username: str) -> str | None:
        self._open()
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()
        super().set_password(service, username, password)

    def _open(self) -> None:
        if self.locked and self.refuses:
            self.prompts += 1
            raise KeyringLocked("the collection is locked")
        self.locked = False


def test_that_a_locked_store_says_so_and_takes_the_session_s_keys_once_it_is_unlocked() -> None:
    store = Lockable()
    store.keys["GPF Desktop", KeyRing.name_of(replace(ENDPOINT, base_url="http://a/v1"))] = "sk-inside"
    keys = ring(store)
    assert keys.find(replace(ENDPOINT, base_url="http://a/v1")) is None
    assert keys.locked
    assert keys.save(NAME, Secret("sk-typed")) is Kept.SESSION
    assert not keys.unlock()
    store.refuses = False
    assert keys.unlock()
    assert not keys.locked
    assert keys.where(ENDPOINT) is Kept.STORE
    assert store.keys["GPF Desktop", NAME] == "sk-typed"
    found = keys.find(replace(ENDPOINT, base_url="http://a/v1"))
    assert found is not None
    assert found.reveal() == "sk-inside"


def test_that_a_store_that_was_left_locked_asks_again_only_for_what_needs_a_key_of_it() -> None:
    store = Lockable()
    store.keys["GPF Desktop", NAME] = "sk-inside"
    keys = ring(store)
    for letters in ("http://a", "http://ab", "http://abc"):
        assert keys.find(replace(ENDPOINT, base_url=letters)) is None
    keys.save(KeyRing.name_of(replace(ENDPOINT, base_url="http://b/v1")), Secret("sk-typed"))
    keys.unlock_for([replace(ENDPOINT, base_url="http://b/v1"), replace(ENDPOINT, key_env="A_VARIABLE")])
    assert store.prompts == 1
    keys.unlock_for([ENDPOINT])
    assert store.prompts == 2
    store.refuses = False
    keys.unlock_for([ENDPOINT])
    found = keys.find(ENDPOINT)
    assert found is not None
    assert found.reveal() == "sk-inside"


def test_that_accounts_at_one_address_have_keys_of_their_own_that_every_audit_shares(tmp_path: Path) -> None:
    work, own = replace(ENDPOINT, key_account="Work"), replace(ENDPOINT, key_account="Own")
    store, kept = Safe(), Accounts(tmp_path / "accounts.json")
    keys = ring(store)
    for endpoint, text in ((work, "sk-work"), (own, "sk-own")):
        keys.save(KeyRing.name_of(endpoint), Secret(text))
        kept.remember(endpoint)
    later = ring(store)
    assert [found.reveal() for each in (work, own) if (found := later.find(each))] == ["sk-work", "sk-own"]
    assert later.find(ENDPOINT) is None
    assert Accounts(tmp_path / "accounts.json").names("openai", "") == ("Own", "Work")
    assert "sk-" not in (tmp_path / "accounts.json").read_text(encoding="utf-8")
    kept.forget(own)
    assert kept.names("openai", "") == ("Work",)
    assert work.account != own.account
