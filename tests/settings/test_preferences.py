"""Preferences are kept in one file, by what their options declare."""

import errno
import json
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import speaking
from gpf_desktop.settings.preferences import Preferences, declared, option


@pytest.fixture
def kept(tmp_path: Path) -> Preferences:
    return Preferences(tmp_path / "settings.json")


def test_that_a_value_outlives_the_program_and_goes_back_to_its_default(kept: Preferences) -> None:
    kept.set("look.text_size", 150)
    assert Preferences(kept.path).get("look.text_size") == 150
    kept.reset("look.text_size")
    assert Preferences(kept.path).get("look.text_size") == 100
    assert not Preferences(kept.path).is_set("look.text_size")


def test_that_a_number_is_told_and_typed_in_the_signs_of_the_language() -> None:
    cap = option("rounds.spend_cap")
    with speaking(resources() / "languages", "de"):
        assert "0,01 bis 1.000.000" in cap.takes
        assert cap.read("1,5") == cap.read("1.5") == 1.5
    assert "0.01 to 1,000,000" in cap.takes
    with pytest.raises(UserError):
        cap.read("1,5")


@pytest.mark.parametrize("name", list(declared()))
def test_that_every_default_is_taken_by_its_own_option(name: str) -> None:
    one = option(name)
    assert one.accepted(one.default) == one.default
    assert one.read(one.written(one.default)) == one.default
    assert one.shown.label
    assert one.shown.help
    assert one.takes


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("look.theme", "purple"),
        ("look.theme", 3),
        ("look.text_size", 99),
        ("look.text_size", True),
        ("look.text_size", None),
        ("look.text_size", "150"),
        ("rounds.spend_cap", float("nan")),
        ("rounds.spend_cap", -1),
        ("rounds.spend_cap", 10**400),
        ("rounds.calls_at_once", 1.5),
        ("network.proxy", "proxy.example:8080"),
        ("network.proxy", "ftp://proxy.example"),
        ("network.proxy", "http://auditor:secret@proxy.example:8080"),
        ("network.proxy", "http://proxy.example:99999"),
        ("network.certificates", "no-such-file.pem"),
        ("folders.audits", "no-such-folder"),
        ("no.such", 1),
    ],
)
def test_that_a_value_that_does_not_do_is_refused_and_the_old_one_kept(
    name: str, value: object, kept: Preferences
) -> None:
    with pytest.raises(UserError):
        kept.set(name, value)
    assert not kept.path.exists()


def test_that_a_file_without_certificates_is_refused(kept: Preferences, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no certificate")
    with pytest.raises(UserError, match="holds no certificates"):
        kept.set("network.certificates", str(tmp_path / "notes.txt"))


@pytest.mark.parametrize("value", ["purple", None, [], {"a": 1}, 1e400])
def test_that_what_cannot_be_used_counts_as_the_default_and_stays_in_the_file(value: object, kept: Preferences) -> None:
    kept.path.write_text(json.dumps({"settings": {"look.theme": value, "of.a_newer_program": 7}}))
    assert kept.get("look.theme") == "system"
    kept.set("look.text_size", 125)
    assert json.loads(kept.path.read_bytes())["settings"]["of.a_newer_program"] == 7


def test_that_a_folder_that_cannot_be_made_is_told_and_the_value_stays(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    kept = Preferences(tmp_path / "taken" / "settings.json")
    with pytest.raises(StorageError, match="cannot be written") as told:
        kept.set("look.text_size", 150)
    assert told.value.fault is StorageFault.READ_ONLY
    assert kept.get("look.text_size") == 100


def test_that_what_cannot_be_read_just_now_is_not_written_over(
    kept: Preferences, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, other, *_ = declared()
    kept.set(first, kept.get(first))
    before = kept.path.read_text()

    def refused(_: Path) -> bytes:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(StorageError, match="cannot be written: Permission denied"):
        kept.set(other, kept.get(other))
    assert kept.path.read_text() == before
    monkeypatch.undo()
    kept.set(other, kept.get(other))
    assert kept.path.read_text() != before


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b'{"settings": 3}', b"[" * 100_000])
def test_that_a_damaged_file_is_laid_aside_and_not_lost(content: bytes, kept: Preferences) -> None:
    kept.path.write_bytes(content)
    assert kept.get("look.theme") == "system"
    kept.set("look.theme", "dark")
    assert kept.get("look.theme") == "dark"
    assert kept.path.with_suffix(".damaged.json").read_bytes() == content


def test_that_what_another_program_changed_meanwhile_is_kept(kept: Preferences) -> None:
    kept.set("look.theme", "dark")
    Preferences(kept.path).set("look.text_size", 200)
    kept.set("network.proxy", "direct")
    assert Preferences(kept.path).chosen() == {
        "look.theme": "dark",
        "look.text_size": 200,
        "network.proxy": "direct",
    }


def test_that_who_follows_hears_of_what_really_changed(kept: Preferences) -> None:
    heard: list[str] = []
    leave = kept.follow(heard.append)
    kept.set("look.theme", "dark")
    kept.set("look.theme", "dark")
    kept.set("look.text_size", 100)
    leave()
    kept.reset("look.theme")
    assert heard == ["look.theme"]


def test_that_one_file_carries_settings_and_keys_of_commands_to_another_computer(
    kept: Preferences, tmp_path: Path
) -> None:
    kept.set("rounds.spend_cap", 5)
    kept.write_to(tmp_path / "mine.json", {"file.open": "Ctrl+L"})
    other = Preferences(tmp_path / "other" / "settings.json")
    other.set("look.theme", "dark")
    assert other.read_from(tmp_path / "mine.json") == {"file.open": "Ctrl+L"}
    # Of the command line, which knows no keys: those of the window stay.
    kept.write_to(tmp_path / "mine.json")
    assert other.read_from(tmp_path / "mine.json") is None
    assert other.chosen() == {"rounds.spend_cap": 5.0}


@pytest.mark.parametrize(
    "content",
    ["not json", "[]", '{"settings": {}}', '{"file": "gpf-desktop settings", "settings": {"look.theme": "purple"}}'],
)
def test_that_a_file_that_does_not_do_changes_nothing(content: str, kept: Preferences, tmp_path: Path) -> None:
    kept.set("look.text_size", 200)
    (tmp_path / "bad.json").write_text(content)
    with pytest.raises(UserError):
        kept.read_from(tmp_path / "bad.json")
    assert kept.chosen() == {"look.text_size": 200}
