"""`gpf-desktop doctor`: what was done to an audit by hand is told, and nothing is changed."""

import io
import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, ReviewAction
from gpf_desktop.engine.commands import doctor_command, doctor_machine
from gpf_desktop.engine.commands.doctor_kept import made_anew
from gpf_desktop.engine.commands.doctor_rounds import departures
from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.scoring import auto_rescoring
from gpf_desktop.storage import reviewers, reviews, soundness
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.faults import disk_full
from tests.support.filled_audit import fill
from tests.support.http_server import LoopbackServer

pytestmark = pytest.mark.slow

_OTHER_ANSWER = (
    "UPDATE response SET text = 'Nothing to see here, move on please.' WHERE cell_id = (SELECT c.id FROM cell c"
    " JOIN bundle b ON b.id = c.bundle_id WHERE b.arm = 'main' AND c.state = 'answered' LIMIT 1)"
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An audit of a few sets: each test has all its scores computed anew."""
    path = tmp_path_factory.mktemp("few") / "few.gpf"
    audit = AuditFile.create(path, title="A few sets")
    fill(audit, dimensions=("Socioeconomic",), items=2)
    audit.close()
    return path


@pytest.fixture
def audit(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / "audit.gpf"))


def _change(audit: Path, statement: str) -> None:
    with closing(sqlite3.connect(audit, isolation_level=None)) as connection:
        assert connection.execute(statement).rowcount == 1


def _examined(audit: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[dict[str, object]]]:
    before = audit.read_bytes()
    code = main(["doctor", str(audit), "--json"])
    assert audit.read_bytes() == before
    assert not [each.name for each in audit.parent.iterdir() if each.name.endswith(("-wal", "-shm", ".part"))]
    found = json.loads(capsys.readouterr().out)
    lines = found["lines"]
    assert "a title, a batch's name, or an article in all its places" in found["beyond"]
    assert all(line["remedy"] for line in lines if not line["passed"])
    return code, lines


@pytest.mark.parametrize("of", ["the sample", "a few sets"])
def test_that_nothing_is_wrong_with_an_audit_that_nobody_touched(
    of: str, request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    untouched = unpack_sample(tmp_path / "sample.gpf") if of == "the sample" else request.getfixturevalue("audit")
    code, lines = _examined(untouched, capsys)
    assert code == 0, lines
    assert any("computed anew" in str(line["words"]) for line in lines)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE score SET value = value + 0.25 WHERE rowid_free = 1",
            "scores that do not come out of their answers: 1 of",
        ),
        (
            _OTHER_ANSWER,
            "scores that do not come out of their answers",
        ),
        ("UPDATE cell SET bundle_id = 999999 WHERE id = 1", "rows that refer to nothing: cell 1"),
        ("UPDATE response SET seconds = 9e999 WHERE cell_id = 1", "response.seconds holds what cannot be read: inf"),
        ("UPDATE run SET controls = '[]' WHERE id = 1", "run.controls holds what cannot be read: no object"),
        (
            "UPDATE cell SET item_id = (SELECT max(id) FROM item) WHERE id = 1",
            "a cell is of another round, model or item",
        ),
        ("DELETE FROM audit", "the file does not say which audit it is"),
        ("UPDATE fit_group SET answers = answers + 1 WHERE id = 1", "a fit counts other answers than its cells have"),
        ("UPDATE fit_group SET unended = 3 WHERE id = 2", "a fit counts other cells without an end than it has (2)"),
        ("UPDATE fit_group SET bundles = 99 WHERE id = 2", "a fit counts other sets of answers than it has (2)"),
        ("UPDATE bundle SET planned = planned - 1 WHERE id = 5", "a set of answers counts other cells than it has (5)"),
    ],
)
def test_that_what_was_changed_by_hand_is_told(
    audit: Path, capsys: pytest.CaptureFixture[str], statement: str, said: str
) -> None:
    one = (
        "unit_kind = 'bundle' AND (setting_id, unit_id, name) = (SELECT setting_id, unit_id, name FROM score"
        " WHERE unit_kind = 'bundle' AND value IS NOT NULL AND NOT provisional LIMIT 1)"
    )
    _change(audit, statement.replace("rowid_free = 1", one))
    code, lines = _examined(audit, capsys)
    assert code == 1
    assert any(str(line["words"]).startswith(said) for line in lines if not line["passed"]), lines


def test_that_what_contradicts_the_rest_is_told(audit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = {
        "UPDATE protocol SET text = replace(text, 'news', 'lies')": "is not the one that was asked",
        "UPDATE run SET controls = '{\"nonsense\": 1}' WHERE id = 1": "cannot be read: the sizes of a round",
        "UPDATE model SET synthetic = 0 WHERE id = 1": "is marked as a real one",
        "UPDATE model SET model = 'gpt-9' WHERE id = 2": "a model is called otherwise than it was asked",
        "UPDATE call SET microdollars = -1 WHERE cell_id = 1": "call.microdollars holds what cannot be read: -1",
        "UPDATE run SET spend_cap = -1.0 WHERE id = 1": "run.spend_cap holds what cannot be read: -1.0",
        "UPDATE run_model SET role = 'king' WHERE run_id = 1": "run_model.role holds what cannot be read",
        "UPDATE score_setting SET measures = '[]' WHERE id = 1": "a score setting has scores of none of its measures",
        "UPDATE score_setting SET options = '{}' WHERE id = 1": "have other options than they were made with",
        "UPDATE model SET label = 'calibration/best' WHERE id = 1": "is called calibration/best",
        "UPDATE response SET finish = 'length' WHERE cell_id = 1": "“length” is kept as another ending (1)",
        "UPDATE response SET truncated = 1 WHERE cell_id = 2": "“stop” is kept as another ending (2)",
    }
    for statement in said:
        with closing(sqlite3.connect(audit, isolation_level=None)) as connection:
            connection.execute("PRAGMA ignore_check_constraints = ON")
            assert connection.execute(statement).rowcount
    code, lines = _examined(audit, capsys)
    assert code == 1
    words = [str(line["words"]) for line in lines if not line["passed"]]
    assert [each for each in said.values() if not any(each in word for word in words)] == [], words


def test_that_what_is_kept_and_marked_beside_the_answers_is_looked_at(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = Engine(lambda _event: None)
    try:
        opened = engine.open(audit)
        made_anew(opened)
    finally:
        engine.close()
    assert _examined(audit, capsys)[0] == 0
    with closing(sqlite3.connect(audit)) as connection, connection:
        (data,) = connection.execute("SELECT data FROM run_table WHERE content = 'said'").fetchone()
        counts, changed = dict(np.load(io.BytesIO(data))), io.BytesIO()
        np.savez(changed, **counts | {"deflected": counts["deflected"] + 1})
        connection.execute("UPDATE run_table SET data = ? WHERE content = 'said'", (changed.getvalue(),))
    _change(audit, "INSERT INTO flag (cell_id, name) VALUES (1, 'refusal')")
    code, lines = _examined(audit, capsys)
    assert code == 1
    words = [str(line["words"]) for line in lines if not line["passed"]]
    assert [each.partition(" give: 1")[0] for each in words] == [
        "what is kept to be read at once is not what the answers and scores give: said",
        "1 answer is marked otherwise than its words",
    ]


@pytest.mark.parametrize("part", ["title", "text", "data"])
@pytest.mark.parametrize("table", ["item", "batch_item"])
def test_that_an_article_changed_on_one_side_is_told(audit: Path, part: str, table: str) -> None:
    with closing(sqlite3.connect(audit)) as connection:
        assert list(soundness.agreements(connection)) == []
        key = "id" if table == "item" else "item_id"
        connection.execute(f"UPDATE {table} SET {part} = {part} || ' ' WHERE {key} = 2")
        assert list(soundness.agreements(connection)) == [
            "an article says something else than when it was asked about (2)"
        ]


def test_that_a_round_is_held_against_its_plan(tmp_path: Path) -> None:
    sample = unpack_sample(tmp_path / "sample.gpf")
    edits = (
        "UPDATE cell SET seed = seed + 1 WHERE id = 1",
        "UPDATE cell SET position = position + 1 WHERE id = 2",
        "UPDATE cell SET repeat = 9 WHERE id = 3",
        "UPDATE bundle SET arm = 'paraphrase' WHERE id = (SELECT bundle_id FROM cell WHERE id = 4)",
        "UPDATE run SET plan = replace(plan, '\"seed\": ', '\"seed\": 1') WHERE id = 2",
    )
    for each in edits:
        _change(sample, each)
    audit = AuditFile.open(sample, read_only=True)
    try:
        found = audit.read(lambda connection: list(departures(connection)))
    finally:
        audit.close()
    assert found[0].startswith("round Sample round 1: ")
    assert found[0].endswith(" questions are not what its plan gives")
    assert found[1:] == ["round Sample round 2: its plan is not the one that it was started with"]


def test_that_a_review_history_that_was_changed_by_hand_is_told(
    audit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = AuditFile.open(audit)

    def write(connection: sqlite3.Connection) -> None:
        reviewer = reviewers.add(connection, "Ada")
        for bundle in (1, 2):
            reviews.append(connection, BundleId(bundle), reviewer, ReviewAction.FLAG, Judgement(flagged=True))

    opened.write(write).result()
    opened.close()
    _change(audit, "UPDATE review_entry SET reason = 'nothing' WHERE id = 1")
    code, lines = _examined(audit, capsys)
    assert code == 1
    assert ["broken at entry 1" in str(line["words"]) for line in lines if not line["passed"]] == [True]


def test_that_scores_which_this_machine_cannot_compute_are_not_said_to_be_changed(
    audit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shared = str(audit.with_suffix(".zip"))
    assert main(["artifact", str(audit), "-o", shared]) == 0
    capsys.readouterr()

    async def no_worker(*_: object) -> None:
        raise OSError("No process could be started.")

    monkeypatch.setattr(auto_rescoring, "refresh", no_worker)
    code, lines = _examined(audit, capsys)
    (fault,) = [line for line in lines if not line["passed"]]
    assert (code, "could not be brought up to date" in str(fault["words"])) == (1, True)
    assert main(["verify", shared]) == 3
    said = capsys.readouterr()
    assert (said.out, "memory and disk" in said.err) == ("", True)


def test_that_a_full_disk_of_this_machine_is_no_word_about_the_audit(
    audit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextmanager
    def full(place: Path, _: object) -> Iterator[None]:
        raise disk_full(place, "")
        yield

    monkeypatch.setattr(doctor_command, "scored_anew", full)
    assert main(["doctor", str(audit)]) == 3
    told = capsys.readouterr()
    assert "Do not rely" not in told.out
    assert "the folder for temporary files, is full" in told.err


def test_that_without_an_audit_the_machine_is_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = " ".join(str(line["words"]) for line in json.loads(capsys.readouterr().out)["lines"])
    for part in ("Python", f"SQLite {sqlite3.sqlite_version}", "PySide6", "GB free", "key store:", "display:"):
        assert part in found
    assert main(["doctor"]) == 0
    assert "Nothing is wrong." in capsys.readouterr().out


def test_that_an_address_is_asked_for_where_it_is_named_alone(
    http_server: LoopbackServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--reach", http_server.url("/nothing-here")]) == 1
    assert "FAULT" in capsys.readouterr().out


def test_that_a_folder_that_may_not_be_written_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor_machine.os, "access", lambda *_: False)
    # One that the system does not even look at, as where its parent may not be entered.
    monkeypatch.setattr(doctor_machine.platformdirs, "user_config_path", lambda *_, **__: tmp_path / ("n" * 300))
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 1
    assert "nothing can be written in" in capsys.readouterr().out


def test_that_what_is_no_audit_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.gpf"
    path.write_text("notes")
    assert main(["doctor", str(path)]) == 2
    assert "not an audit" in capsys.readouterr().err
