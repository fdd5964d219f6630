"""A copy of an audit a day: what is copied, what is kept, and what is never touched."""

import os
from datetime import date, timedelta
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import GpfError, StorageError, UserError
from gpf_desktop.engine.exchange.daily_copies import DailyCopies, all_copies, restore
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile

MONDAY = date(2026, 11, 23)


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    made = tmp_path / "copies"
    made.mkdir()
    HERE.set("folders.copies", str(made))
    return made


def titled(path: Path) -> str:
    opened = AuditFile.open(path)
    try:
        return opened.read(audits.facts).title
    finally:
        opened.close()


def written(audit: AuditFile, title: str, at: int) -> None:
    """Change *audit*, *at* seconds from now by the clock of its files."""
    audit.write(lambda connection: audits.rename(connection, title)).result()
    log = audit.path.with_name(f"{audit.path.name}-wal")
    # There alone: what was written is not in the audit's own file before it is folded in.
    stamp = log.stat().st_mtime + at
    os.utime(log, (stamp, stamp))
    os.utime(audit.path, (1.0, 1.0))


def test_that_each_day_has_its_copy_and_the_oldest_go(tmp_path: Path, copies: Path) -> None:
    HERE.set("work.daily_copies", 3)
    audit = AuditFile.create(tmp_path / "evening.gpf", title="day 0")
    its = DailyCopies(audit.path)
    for number in range(5):
        written(audit, f"day {number}", 100 * (number + 1))
        today = MONDAY + timedelta(days=number)
        assert its.make(audit, today) is not None
        assert its.make(audit, today) is None
    audit.close()
    assert [each.day for each in its.listed()] == [MONDAY + timedelta(days=number) for number in (4, 3, 2)]
    restore(its.listed()[1], tmp_path / "again.gpf")
    assert titled(tmp_path / "again.gpf") == "day 3"
    assert titled(tmp_path / "evening.gpf") == "day 4"
    assert [each.audit for each in all_copies()] == ["evening"] * 3


def test_that_copies_before_deletions_are_kept_beside_those_of_days(tmp_path: Path, copies: Path) -> None:
    HERE.set("work.daily_copies", 1)
    audit = AuditFile.create(tmp_path / "evening.gpf", title="day 0")
    its = DailyCopies(audit.path)
    assert its.make(audit, MONDAY) is not None
    for number in range(4):
        written(audit, f"before {number}", 100 * (number + 1))
        made = its.make_before_deletion(audit, MONDAY)
        assert made is not None
        os.utime(made, (number, number))
    written(audit, "tuesday", 900)
    assert its.make(audit, MONDAY + timedelta(days=1)) is not None
    audit.close()
    kept = its.listed()
    assert [(each.day.day, each.before_deletion) for each in kept] == [(24, False), *[(23, True)] * 3]
    restore(min(kept[1:], key=lambda each: each.path.stat().st_mtime), tmp_path / "again.gpf")
    assert titled(tmp_path / "again.gpf") == "before 1"
    # By a clock that was set back all others are newer.
    for each in kept:
        os.utime(each.path, (4e9, 4e9))
    again = AuditFile.open(audit.path)
    made = its.make_before_deletion(again, MONDAY)
    assert made is not None
    assert made.exists()
    again.close()
    HERE.set("work.daily_copies", 0)
    again = AuditFile.open(tmp_path / "again.gpf")
    assert its.make_before_deletion(again, MONDAY) is None
    again.close()


def test_that_an_audit_that_nobody_changed_keeps_the_copies_that_it_has(tmp_path: Path, copies: Path) -> None:
    audit = AuditFile.create(tmp_path / "evening.gpf", title="one")
    its = DailyCopies(audit.path)
    assert its.make(audit, MONDAY) is not None
    for path in audit.path.parent.glob("evening.gpf*"):
        os.utime(path, (1.7e9, 1.7e9))
    assert its.make(audit, MONDAY + timedelta(days=1)) is None
    audit.close()


def test_that_none_is_made_where_none_is_wanted_and_those_there_stay(tmp_path: Path, copies: Path) -> None:
    audit = AuditFile.create(tmp_path / "evening.gpf", title="one")
    its = DailyCopies(audit.path)
    its.make(audit, MONDAY)
    HERE.set("work.daily_copies", 0)
    written(audit, "two", 100)
    assert its.make(audit, MONDAY + timedelta(days=1)) is None
    assert len(its.listed()) == 1
    audit.close()


def test_that_audits_of_one_name_have_copies_of_their_own_and_strangers_stay(tmp_path: Path, copies: Path) -> None:
    HERE.set("work.daily_copies", 1)
    (tmp_path / "other").mkdir()
    one = AuditFile.create(tmp_path / "evening.gpf", title="one")
    two = AuditFile.create(tmp_path / "other" / "evening.gpf", title="two")
    for each in (one, two):
        DailyCopies(each.path).make(each, MONDAY)
    stranger = DailyCopies(one.path).folder / "my own 2026.gpf"
    stranger.write_bytes(b"mine")
    written(one, "later", 100)
    DailyCopies(one.path).make(one, MONDAY + timedelta(days=1))
    for each in (one, two):
        each.close()
    assert stranger.read_bytes() == b"mine"
    assert [each.day for each in DailyCopies(one.path).listed()] == [MONDAY + timedelta(days=1)]
    assert [each.day for each in DailyCopies(two.path).listed()] == [MONDAY]


def test_that_a_copy_is_not_worked_on_by_itself_and_takes_no_file_s_place(tmp_path: Path, copies: Path) -> None:
    audit = AuditFile.create(tmp_path / "evening.gpf", title="one")
    its = DailyCopies(audit.path)
    its.make(audit, MONDAY)
    audit.close()
    (copy,) = its.listed()
    assert not copy.path.stat().st_mode & 0o222
    with pytest.raises(UserError, match="is there already"):
        restore(copy, audit.path)


def test_that_a_folder_that_cannot_be_used_is_said(tmp_path: Path, copies: Path) -> None:
    audit = AuditFile.create(tmp_path / "evening.gpf", title="one")
    copies.rmdir()
    copies.write_text("a file in the folder's place")
    with pytest.raises(GpfError, match="cannot be used"):
        DailyCopies(audit.path, copies).make(audit, MONDAY)
    audit.close()


def test_that_a_full_disk_is_said_before_anything_is_copied(
    tmp_path: Path, copies: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit = AuditFile.create(tmp_path / "evening.gpf", title="one")
    monkeypatch.setattr("gpf_desktop.engine.exchange.daily_copies._ROOM", 2**62)
    with pytest.raises(StorageError, match="too little room"):
        DailyCopies(audit.path).make(audit, MONDAY)
    assert DailyCopies(audit.path).listed() == ()
    audit.close()
