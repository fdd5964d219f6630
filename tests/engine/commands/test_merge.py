"""What `gpf-desktop merge` refuses before it makes anything; parts that are merged stand in tests/journeys."""

import os
import shutil
import sqlite3
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands import merge_command
from gpf_desktop.engine.commands.merge_command import merge_parts
from gpf_desktop.engine.scoring.auto_rescoring import AutoRescoring
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.faults import disk_full
from tests.support.filled_audit import fill


@pytest.fixture
def part(tmp_path: Path) -> Path:
    audit = AuditFile.create(tmp_path / "part.gpf", title="Evening news")
    fill(audit, items=1)
    audit.close()
    return audit.path


def refused(parts: list[Path], target: Path) -> GpfError:
    before = {each: each.read_bytes() for each in parts}
    there = set(target.parent.iterdir())
    with pytest.raises(GpfError) as caught:
        merge_parts(parts, target, quiet=True)
    assert {each: each.read_bytes() for each in parts} == before
    assert {each for each in target.parent.iterdir() if each.suffix != ".lock"} <= there
    return caught.value


@pytest.mark.parametrize("way", ["itself", "another spelling", "a link", "a hard link"])
def test_that_one_file_named_twice_is_told_as_such(part: Path, tmp_path: Path, way: str) -> None:
    """It is open in no other window: this very command has it open."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.gpf").symlink_to(part)
    os.link(part, tmp_path / "hard.gpf")
    again = {
        "itself": part,
        "another spelling": tmp_path / "sub" / ".." / "part.gpf",
        "a link": tmp_path / "link.gpf",
        "a hard link": tmp_path / "hard.gpf",
    }[way]
    error = refused([part, again], tmp_path / "whole.gpf")
    assert isinstance(error, UserError)
    assert error.what == f"{part} and {again} are one file."


def test_that_what_was_put_at_its_place_meanwhile_stays(
    part: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "whole.gpf"

    def meanwhile(*_: object, **__: object) -> dict[RunId, RunState]:
        target.write_text("another program's")
        return {}

    monkeypatch.setattr(merge_command, "_fill", meanwhile)
    with pytest.raises(UserError, match="is there already"):
        merge_parts([part], target, quiet=True)
    assert target.read_text() == "another program's"
    assert not list(tmp_path.glob(".whole*.part"))


def test_that_nothing_stands_there_before_it_is_scored(
    part: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a kill just then left an audit behind that the same command refuses."""
    target, seen = tmp_path / "whole.gpf", []

    def looked(audit: AutoRescoring) -> Future[None]:
        seen.append(target.exists())
        return settle(audit)

    settle = AutoRescoring.settle
    monkeypatch.setattr(AutoRescoring, "settle", looked)
    merge_parts([part], target, quiet=True)
    assert seen == [False]
    assert target.exists()


def test_that_of_a_full_disk_the_audit_is_named_that_was_asked_for(
    part: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: AuditFile, target: Path) -> None:
        raise disk_full(target, "")

    monkeypatch.setattr(AuditFile, "save_copy", full)
    error = refused([part], tmp_path / "whole.gpf")
    assert error.what == f"The disk that holds {tmp_path / 'whole.gpf'} is full."


@pytest.mark.parametrize("place", [0, 1])
def test_that_a_part_whose_counts_were_edited_is_named(part: Path, tmp_path: Path, place: int) -> None:
    other = Path(shutil.copy(part, tmp_path / "other.gpf"))
    with closing(sqlite3.connect(other, isolation_level=None)) as connection:
        connection.execute("UPDATE fit_group SET answers = answers + 1 WHERE id = 1")
    error = refused([other, part] if place == 0 else [part, other], tmp_path / "whole.gpf")
    assert "other.gpf" in error.what
    assert "a fit counts other answers than its cells have (1)" in error.what


_REVIEWED = """
INSERT INTO reviewer (id, uuid, name, created_at) VALUES (1, 'u', 'Ada', '2026-11-20T12:00:00+00:00');
INSERT INTO review_entry (bundle_id, reviewer_id, subject, action, judgement, at, previous_hash, hash)
VALUES (1, 1, 's', 'submitted', '{}', '2026-11-20T12:00:00+00:00', '', 'h')"""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("UPDATE run SET plan_hash = 'another'", "are not of the same plan"),
        ("UPDATE model SET base_url = 'https://other.example' WHERE id = 2", "froze different questions"),
        ("UPDATE cell SET state = 'submitted' WHERE id = 1", "has a batch job under way with 1 question"),
        (_REVIEWED, "holds 1 entry of reviewers"),
    ],
)
def test_that_what_is_no_part_of_the_same_plan_or_would_be_lost_is_refused(
    part: Path, tmp_path: Path, changed: str, said: str
) -> None:
    other = Path(shutil.copy(part, tmp_path / "other.gpf"))
    change(other, changed)
    assert said in refused([part, other], tmp_path / "whole.gpf").what


def test_that_calls_and_what_is_known_of_answers_come_from_every_part(part: Path, tmp_path: Path) -> None:
    one, two = (Path(shutil.copy(part, tmp_path / f"{name}.gpf")) for name in ("one", "two"))
    for path, unasked, run in ((one, 2, "2026-11-30T12:00:00+00:00"), (two, 1, "2026-11-30T11:00:00+00:00")):
        of_group = f"(SELECT c.id FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE b.fit_group_id = {unasked})"
        change(
            path,
            f"UPDATE cell SET state = 'open' WHERE id IN {of_group}; DELETE FROM response WHERE cell_id IN {of_group};"
            f"DELETE FROM call WHERE cell_id IN {of_group}; UPDATE run SET state = 'paused', started_at = '{run}';"
            "UPDATE run SET plan = json_object('spend_cap', 4);"
            f"INSERT INTO served VALUES (1, 'served by {path.stem}', '', '');"
            # Of before the copies, which both have: paid once.
            "INSERT INTO call (cell_id, attempt, started_at, finished_at, outcome, microdollars)"
            " VALUES (2, 7, '2026-11-30T10:00:00+00:00', '2026-11-30T10:00:01+00:00', 'HTTP error', 5)",
        )
    change(
        two,
        # Of cells of the second group: one was cut off, of one it is known who answered, and one is flagged; of the
        # first group this machine once asked a question, and nobody saw its end.
        "DELETE FROM response WHERE cell_id = 91; UPDATE cell SET state = 'asked' WHERE id = 91;"
        "UPDATE response SET served_id = 1 WHERE cell_id = 92; INSERT INTO flag VALUES (93, 'cut', '');"
        "INSERT INTO call (cell_id, attempt, started_at, at_most) VALUES (1, 1, '2026-11-30T11:00:01+00:00', 9)",
    )
    half, whole = tmp_path / "half.gpf", tmp_path / "whole.gpf"
    assert not merge_parts([one, two], half, quiet=True).whole
    assert read(half, "SELECT state FROM cell WHERE id = 91") == [("open",)]
    assert read(half, "SELECT attempt, at_most, outcome FROM call WHERE cell_id = 1") == [
        (1, 0.0, "answered"),
        (2, 9.0, "outcome unknown"),
    ]
    assert read(half, "SELECT count(*), sum(microdollars) FROM call WHERE cell_id = 2 AND outcome = 'HTTP error'") == [
        (1, 5.0)
    ]
    assert read(half, "SELECT s.model FROM response p JOIN served s ON s.id = p.served_id") == [("served by two",)]
    assert read(half, "SELECT cell_id, name FROM flag") == [(93, "cut")]
    assert read(half, "SELECT state, started_at FROM run") == [("paused", "2026-11-30T11:00:00+00:00")]
    change(two, "UPDATE cell SET state = 'missing' WHERE id = 91")
    (merged,) = merge_parts([one, two], whole, quiet=True).rounds
    assert (merged.state, merged.missing) == (RunState.FINISHED_WITH_GAPS, 1)


def change(path: Path, statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(statements)


def read(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()
