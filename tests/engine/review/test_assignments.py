"""Bundles shared out among readers, and assignments that open elsewhere without names, scores or others' readings."""

import hashlib
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.errors import StorageError, UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reading_plans import PlannedReader, ReadingPlan, draw
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.commands.assign_command import WantedAssignment, assign
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.review.bulk_service import BulkJob
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import assignments, soundness
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.examples import Example
from gpf_desktop.storage.faults import disk_full
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

FITS = Judgement(verdict=Verdict.CONTEXT)
HARM = Judgement(verdict=Verdict.HARMFUL, severity=3, note="A private remark of Ben")


def plan_of(names: str, bundles: int, *, each: int = 2, by_all: int = 10, seed: int = 7) -> ReadingPlan:
    readers = tuple(PlannedReader(uuid=name, name=name) for name in names)
    ids = tuple(BundleId(number) for number in range(bundles))
    return ReadingPlan(readers=readers, each=each, by_all=by_all, seed=seed, bundles=ids)


def test_that_each_bundle_has_its_readers_and_shares_are_even_and_drawn_again_alike() -> None:
    plan = plan_of("ABC", 101)
    shares = draw(plan)
    readings = Counter(bundle for share in shares.of_reader for bundle in share)
    assert len(shares.by_all) == 10
    assert {readings[bundle] for bundle in shares.by_all} == {3}
    assert {number for bundle, number in readings.items() if bundle not in shares.by_all} == {2}
    assert len(readings) == 101
    assert max(map(len, shares.of_reader)) - min(map(len, shares.of_reader)) <= 1
    assert draw(plan) == shares
    assert draw(plan_of("ABC", 101, seed=8)) != shares


def test_that_two_readers_of_two_read_all() -> None:
    shares = draw(plan_of("AB", 12))
    assert shares.by_all == set(range(12))
    assert [len(share) for share in shares.of_reader] == [12, 12]


@pytest.mark.parametrize(
    ("names", "bundles", "each", "by_all"), [("AB", 9, 3, 10), ("AA", 9, 1, 10), ("AB", 0, 1, 10), ("AB", 9, 1, 101)]
)
def test_that_a_plan_that_cannot_be_drawn_is_refused(names: str, bundles: int, each: int, by_all: int) -> None:
    with pytest.raises(UserError):
        plan_of(names, bundles, each=each, by_all=by_all).check()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[OpenAudit]:
    path = tmp_path / "Evening news.gpf"
    audit = AuditFile.create(path, title="Evening news")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic",))
    audit.close()
    engine = Engine(lambda _event: None)
    yield engine.open(path)
    engine.close()


def queue_of(service: ReviewService) -> list[BundleId]:
    return service.queue(QueueFilter(), QueueOrder()).order


def test_that_an_assignment_opens_elsewhere_and_its_verdicts_come_home(
    home: OpenAudit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews = home.reviews
    everything = queue_of(reviews)
    ReviewService(home.context, login="ben").submit(everything[0], HARM).result()
    reviews.assignments.draw(["Ada", "ben"], everything, each=1, by_all=50, seed=3).result()
    ada, ben = reviews.assignments.progress()

    def cut_one(path: Path, reader: PlannedReader, *rest: Any) -> None:
        if reader == ben.reader:
            for name in appears:
                (new / name).write_text("somebody's")
            raise disk_full(path, "")
        cut(path, reader, *rest)

    cut, new, appears = assignments.cut, tmp_path / "new", list[str]()
    monkeypatch.setattr(assignments, "cut", cut_one)
    with pytest.raises(StorageError, match="new is full"):
        reviews.assignments.write(new).result()
    assert not new.exists()
    appears.append("Evening news for ben.gpf")
    with pytest.raises(StorageError, match="new is full"):
        reviews.assignments.write(new).result()
    assert [each.read_text() for each in new.iterdir()] == ["somebody's"], "what was not written here is not taken away"
    monkeypatch.undo()
    written = reviews.assignments.write(tmp_path).result()
    assert [path.name for path in written] == ["Evening news for Ada.gpf", "Evening news for ben.gpf"]
    inside = written[0].read_bytes()
    for told in (b"tailoring", b"calibration", b"A private remark", b"semantic_dispersion", ben.reader.uuid.encode()):
        assert told not in inside, told
    with pytest.raises(UserError, match="already"):
        reviews.assignments.write(tmp_path)

    elsewhere = Engine(lambda _event: None)
    try:
        opened = elsewhere.open(written[0])
        assert opened.context.audit.read(soundness.problem) == ""
        there = opened.reviews
        assert set(queue_of(there)) == set(ada.assigned)
        assert there.preferences().blind
        assert there.reviewer().name == "Ada"  # type: ignore[union-attr]
        first = queue_of(there)[0]
        own = reviews.bundle(first)
        assert [each.answer.text for each in there.bundle(first).answers] == [e.answer.text for e in own.answers]
        assert there.bundle(first).anchor == own.anchor
        assert not there.bundle(first).scores
        there.submit(first, FITS).result()
        with pytest.raises(UserError, match="names stay hidden to its end"):
            there.reveal(first).result()
        assert [(pace.done, pace.to_do) for pace in there.team().pace] == [(1, len(ada.assigned) - 1)]
        pack = tmp_path / "ada.gpfreviews"
        there.export_pack(pack).result()
    finally:
        elsewhere.close()

    (merged,) = reviews.import_pack(pack).result()
    assert (merged.name, merged.added, merged.problem) == ("Ada", 1, "")
    said = reviews.bundle(first).history[-1]
    assert (said.reviewer, said.judgement.verdict) == ("Ada", Verdict.CONTEXT)
    done = [1, int(everything[0] in ben.assigned)]
    assert [each.done for each in reviews.assignments.progress()] == done
    left = {pace.reviewer.name: pace.to_do for pace in reviews.team().pace}
    assert left == {"Ada": len(ada.assigned) - done[0], "ben": len(ben.assigned) - done[1]}
    assert left["Ada"] < len(everything) - 1
    assert first in reviews.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO]


def test_that_what_a_kill_left_of_several_is_written_anew_and_what_was_opened_stays(
    home: OpenAudit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews, folder, place, notes = home.reviews, tmp_path / "new", Path.replace, dict[Path, str]()
    # Names that no file system tells apart.
    reviews.assignments.draw(["A/B", "a:b"], queue_of(reviews), each=1, by_all=0, seed=3).result()
    names = ["Evening news for A B.gpf", "Evening news for a b 2.gpf"]

    def killed(made: Path, target: Path) -> Path:
        if target == folder / names[1]:
            for note in folder.glob(".unfinished.*"):
                notes[note.with_name(note.name.replace(f"-{os.getpid()}.", "-99999999."))] = note.read_text()
            raise KeyboardInterrupt
        return place(made, target)

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        reviews.assignments.write(folder).result()
    monkeypatch.undo()
    for note, text in notes.items():
        note.write_text(text)
    assert sorted(each.name for each in folder.glob("*.gpf")) == names[:1]
    (folder / f"{names[0]}-wal").touch()
    with pytest.raises(UserError, match="already"):
        reviews.assignments.write(folder)
    (folder / f"{names[0]}-wal").unlink()
    assert [path.name for path in reviews.assignments.write(folder).result()] == names
    assert sorted(each.name for each in folder.iterdir()) == names
    with pytest.raises(UserError, match="already"):
        reviews.assignments.write(folder)


def test_that_nothing_in_an_assignment_tells_a_model_from_another(home: OpenAudit, tmp_path: Path) -> None:
    """Neither by words of a provider, nor to somebody who hashes the names of models that they know."""

    def telling(connection: sqlite3.Connection) -> None:
        connection.execute(
            "UPDATE response SET finish = 'end_turn', status = 200, cached_tokens = 7 WHERE cell_id IN"
            " (SELECT id FROM cell WHERE model_id = 1)"
        )
        connection.execute("UPDATE batch SET name = 'tailoring at night'")
        connection.execute("UPDATE run SET started_by = 'Lea', spend_cap = 3")

    home.context.audit.write(telling).result()
    reviews = home.reviews
    reviews.assignments.draw(["Ada"], queue_of(reviews), each=1, by_all=0, seed=3).result()
    (path,) = reviews.assignments.write(tmp_path).result()
    secret = home.context.audit.read(assignments.secret)
    assert len(secret) == 64
    with closing(sqlite3.connect(path)) as connection:
        assert b"end_turn" not in path.read_bytes()
        assert b"tailoring" not in path.read_bytes()
        assert not set(connection.execute("SELECT provider, model FROM model")) & {("calibration", "tailoring-0.6")}
        told = "SELECT count(DISTINCT status || finish || received_at || ifnull(cached_tokens, 0)) FROM response"
        assert connection.execute(told).fetchone() in {(0,), (1,)}
        assert connection.execute("SELECT started_by, spend_cap FROM run").fetchall() == [("", None)]
        assert secret not in "\n".join(connection.iterdump())
        hidden = {name for (name,) in connection.execute("SELECT model FROM model")}
        (uuid,) = connection.execute("SELECT uuid FROM audit").fetchone()
        (plan,) = connection.execute("SELECT plan_hash FROM run").fetchone()
    with closing(sqlite3.connect(home.context.audit.path)) as connection:
        assert connection.execute("SELECT count(*) FROM run WHERE plan_hash = ?", (plan,)).fetchone() == (0,)
        for provider, model, base_url in connection.execute("SELECT provider, model, base_url FROM model"):
            guess = hashlib.sha256(f"{uuid} {provider}/{model} {base_url}".encode()).hexdigest()[:16]
            assert guess not in hidden


def test_that_examples_open_elsewhere_but_for_those_that_the_reader_is_to_judge(
    home: OpenAudit, tmp_path: Path
) -> None:
    reviews = home.reviews
    beside, own, *others = queue_of(reviews)
    said = Judgement(verdict=Verdict.HARMFUL, severity=2, note="Advice is withheld from D.", affected=("Veteran",))
    reviews.keep_example(Example(bundle_id=beside, judgement=said)).result()
    reviews.keep_example(Example(bundle_id=own, judgement=Judgement(verdict=Verdict.CONTEXT))).result()
    reviews.assignments.draw(["Ada"], [own, *others], each=1, by_all=0, seed=3).result()
    (path,) = reviews.assignments.write(tmp_path).result()
    elsewhere = Engine(lambda _event: None)
    try:
        there = elsewhere.open(path).reviews
        (example,) = there.examples()
        assert (example.bundle_id, example.judgement) == (beside, replace(said, affected=()))
        texts = [each.answer.text for each in reviews.bundle(beside).answers]
        assert [each.answer.text for each in there.bundle(beside).answers] == texts
        assert set(queue_of(there)) == {own, *others}
        practised = there.queue(QueueFilter(arm=None, bundle_ids=(beside,)), QueueOrder())
        assert list(practised.order) == [beside]
        # Its reading is known, and the guideline is the lead's.
        refused = (
            lambda: there.submit(beside, FITS),
            lambda: there.set_flagged(beside, flagged=True),
            lambda: there.bulk.flag([own, beside], flagged=True, job=BulkJob(2)),
            lambda: there.keep_example(Example(bundle_id=own, judgement=FITS)),
            lambda: there.drop_example(beside),
            lambda: there.set_guideline("Mine"),
        )
        for attempt in refused:
            with pytest.raises(UserError):
                attempt().result()
        assert (there.examples(), there.guideline()) == ((example,), "")
        there.submit(own, FITS).result()
    finally:
        elsewhere.close()


@pytest.mark.parametrize("names", [(), ("Ada",)])
def test_that_an_audit_that_is_not_there_is_refused_and_not_made(names: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="There is no file"):
        assign(tmp_path / "slip.gpf", WantedAssignment(names=names, each=1, by_all=0))
    assert not list(tmp_path.iterdir())


def test_that_the_command_line_shares_out_writes_and_takes_home(home: OpenAudit, tmp_path: Path) -> None:
    path = home.context.audit.path
    home.context.audit.close()
    folder = tmp_path / "out"
    wanted = WantedAssignment(names=("Ada", "Cem"), each=1, by_all=0, top=5, folder=folder, title="Reading: May")
    done = assign(path, wanted)
    assert [file.name for file in done.written] == ["Reading May for Ada.gpf", "Reading May for Cem.gpf"]
    assert sorted(len(each.assigned) for each in done.progress) == [2, 2]
    engine = Engine(lambda _event: None)
    try:
        opened = engine.open(done.written[0])
        assert opened.facts().title == "Reading: May · Ada"
        there = opened.reviews
        there.submit(queue_of(there)[0], FITS).result()
        there.export_pack(tmp_path / "ada.gpfreviews").result()
    finally:
        engine.close()
    back = assign(path, WantedAssignment(packs=(tmp_path / "ada.gpfreviews",)))
    assert [each.done for each in back.progress] == [1, 0]
    assert back.sentences()[0] == "Ada: 1 new entry."


def test_that_bundles_of_another_method_are_assigned_and_come_home(small_audit: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = assign(small_audit, WantedAssignment(names=("Ada",), each=1, by_all=0, folder=folder))
    engine = Engine(lambda _event: None)
    try:
        there = engine.open(done.written[0]).reviews
        bundle = there.bundle(queue_of(there)[0])
        assert bundle.facts.method == "contextual-stereoset"
        assert set(queue_of(there)) == set(done.progress[0].assigned)
        there.submit(bundle.id, FITS).result()
        there.export_pack(tmp_path / "ada.gpfreviews").result()
    finally:
        engine.close()
    back = assign(small_audit, WantedAssignment(packs=(tmp_path / "ada.gpfreviews",)))
    assert [each.done for each in back.progress] == [1]
