"""Texts moved into files beside the audit: read as before, refused where the files are not, back as they were."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

import gpf_desktop
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.ids import BundleId, FitGroupId, RunId
from gpf_desktop.domain.reading_plans import PlannedReader
from gpf_desktop.storage import (
    archived_texts,
    assignments,
    ledger,
    moving_texts,
    quotes,
    replies,
    responses,
    run_deletion,
    search,
    soundness,
    stages,
    stored_relation,
)
from gpf_desktop.storage.archived_texts import MOVED, MovedRound
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.relations import stored_relations
from tests.support.filled_audit import fill

RUN = RunId(1)
READS: dict[str, Callable[[sqlite3.Connection], object]] = {
    "scoring": partial(responses.fit_group, group=FitGroupId(1)),
    "flags": partial(responses.to_flag, group=FitGroupId(1)),
    "review": partial(responses.of_bundle, bundle_id=BundleId(1)),
    "stages": partial(stages.ended, group=FitGroupId(1)),
    "replies": partial(replies.of_method, method="gpf-livenews"),
    "quotes": partial(quotes.answers_of, bundle_ids=[BundleId(1)]),
    "calls": lambda c: ledger.answer(c, c.execute("SELECT min(cell_id) FROM response").fetchone()[0]),
    "export": lambda c: list(stored_relation.rows(c, stored_relations()["answers"])),
}


@pytest.fixture(autouse=True)
def no_other_audits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other tests hold the same texts in files of the same names and check codes."""
    monkeypatch.setattr(archived_texts, "_folders", {})


@pytest.fixture
def filled(no_other_audits: None, audit: AuditFile) -> AuditFile:
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political",))
    index(audit)
    return audit


def index(audit: AuditFile) -> None:
    while audit.read(search.behind):
        audit.write(search.index_some).result()


def move(audit: AuditFile) -> MovedRound:
    folder = audit.path.with_name("texts")
    told = audit.read(partial(moving_texts.write_out, run_id=RUN, folder=folder))
    assert told is not None
    assert audit.write(partial(moving_texts.take_out, run_id=RUN, told=told)).result()
    index(audit)
    return told


def back(audit: AuditFile) -> None:
    audit.write(partial(moving_texts.bring_back, run_id=RUN)).result()
    index(audit)


def whole_index(audit: AuditFile) -> bool:
    """Whether the index of answers has the words of its texts and no others. Raises `sqlite3.DatabaseError`."""

    def compared(connection: sqlite3.Connection) -> bool:
        connection.execute("INSERT INTO answer_index (answer_index, rank) VALUES ('integrity-check', 1)")
        return True

    return audit.write(compared).result()


def test_that_texts_that_were_moved_are_read_as_before_and_come_back_as_they_were(filled: AuditFile) -> None:
    before = {name: filled.read(read) for name, read in READS.items()}
    raw = filled.read(lambda c: c.execute("SELECT cell_id, text, reasoning FROM response").fetchall())
    word = next(each for each in raw[0][1].casefold().split() if each.isalpha() and len(each) > 4)
    found = filled.read(partial(search.answers, words=[word], begun=False))
    move(filled)
    assert filled.read(lambda c: {row[0] for row in c.execute("SELECT text FROM response")}) == {MOVED}
    assert {name: filled.read(read) for name, read in READS.items()} == before
    assert filled.read(soundness.problem) == ""
    assert not filled.read(partial(search.answers, words=[word], begun=False))
    back(filled)
    assert filled.read(lambda c: c.execute("SELECT cell_id, text, reasoning FROM response").fetchall()) == raw
    assert {name: filled.read(read) for name, read in READS.items()} == before
    assert found
    assert sorted(hit.cell_id for hit in filled.read(partial(search.answers, words=[word], begun=False))) == sorted(
        hit.cell_id for hit in found
    )
    assert whole_index(filled)
    assert filled.read(archived_texts.rounds) == {}


@pytest.mark.parametrize("name", READS)
def test_that_nobody_reads_a_text_that_is_not_at_hand_as_an_empty_one(filled: AuditFile, name: str) -> None:
    told = move(filled)
    shutil.rmtree(filled.path.with_name(told.folder))
    with pytest.raises(StorageError, match="not beside the audit") as caught:
        filled.read(READS[name])
    assert caught.value.fault is StorageFault.APART
    assert "texts" in caught.value.remedy


def test_that_another_file_in_its_place_is_refused(filled: AuditFile) -> None:
    told = move(filled)
    place = filled.path.with_name(told.folder) / told.file
    data = bytearray(place.read_bytes())
    data[len(data) // 2] ^= 1
    place.write_bytes(data)
    with pytest.raises(StorageError, match="is not the file"):
        filled.read(READS["review"])
    with pytest.raises(StorageError, match="is not the file"):
        back(filled)
    assert RUN in filled.read(archived_texts.rounds)


def test_that_no_text_is_taken_out_that_the_file_does_not_hold(filled: AuditFile) -> None:
    folder = filled.path.with_name("texts")
    told = filled.read(partial(moving_texts.write_out, run_id=RUN, folder=folder))
    assert told is not None
    filled.write(lambda c: c.execute("UPDATE response SET text = 'another' WHERE cell_id = 1")).result()
    assert not filled.write(partial(moving_texts.take_out, run_id=RUN, told=told)).result()
    assert filled.read(archived_texts.rounds) == {}
    assert filled.read(lambda c: c.execute("SELECT count(*) FROM response WHERE text = ?", (MOVED,)).fetchone()[0]) == 0


def test_that_an_answer_of_the_very_mark_is_given_as_it_is(filled: AuditFile) -> None:
    filled.write(lambda c: c.execute("UPDATE response SET text = ? WHERE cell_id = 1", (MOVED,))).result()
    before = filled.read(READS["review"])
    move(filled)
    assert filled.read(READS["review"]) == before
    back(filled)
    assert filled.read(READS["review"]) == before


def test_that_a_moved_round_can_be_deleted_and_leaves_its_words_nowhere(filled: AuditFile) -> None:
    move(filled)
    filled.write(partial(run_deletion.delete, run_id=RUN)).result()
    index(filled)
    assert whole_index(filled)
    assert filled.read(archived_texts.rounds) == {}


def test_that_an_assignment_has_its_texts_in_itself(filled: AuditFile, tmp_path: Path) -> None:
    before = [each.text for each in responses_of(filled)]
    filled.write(assignments.keep_secret).result()
    move(filled)
    cut = tmp_path / "elsewhere" / "ada.gpf"
    cut.parent.mkdir()
    filled.save_copy(cut)
    assignments.cut(cut, PlannedReader(uuid="a", name="Ada"), [BundleId(1)])
    with closing(sqlite3.connect(cut)) as connection:
        texts = connection.execute("SELECT text FROM response ORDER BY cell_id").fetchall()
    assert [text for (text,) in texts] == before


def responses_of(audit: AuditFile) -> list[responses.Answer]:
    return sorted(audit.read(partial(responses.of_bundle, bundle_id=BundleId(1))), key=lambda each: each.cell_id)


def test_that_no_statement_names_a_text_but_by_what_finds_it_elsewhere() -> None:
    """One that did would take an answer that was moved for the few characters in its place."""
    package = Path(gpf_desktop.__file__).parent
    own = {"archived_texts.py", "moving_texts.py"}
    # Of a protocol; whether a response is there; what an answer is that was withheld.
    may = re.compile(r"p\.text AS protocol|\"p\.text\", _TEXT, tr\(\"The whole protocol|p\.text IS NULL,|p\.text GLOB ")
    names = re.compile(r"\b[pqd]\.(?:text|reasoning)\b|SELECT (?:cell_id, )?text(?:, reasoning)? FROM response")
    found = [
        f"{path.relative_to(package)}: {line.strip()}"
        for path in sorted(package.rglob("*.py"))
        if path.name not in own and "migrations" not in path.parts
        for line in path.read_text(encoding="utf-8").splitlines()
        if names.search(may.sub("", line)) and ('"' in line and ("SELECT" in line or "FROM" in line or ", p." in line))
    ]
    assert not found
