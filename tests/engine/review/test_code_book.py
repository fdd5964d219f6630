"""The code book and memos on real audit files: made, changed, sealed, quoted, and carried to other machines."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.codes import Code, CodeBook, book_of, code_from_json, code_to_json
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import StudyNotesChanged
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict, judgement_from_json, judgement_to_json
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.engine.commands.artifact_commands import open_artifact, verify_artifact
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.data_export import DataWishes
from gpf_desktop.engine.review.histories import find_seal, study_chains
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import study_entries
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.review_steps import StepKind
from tests.engine.exchange.artifacts import artifact_of
from tests.support.filled_audit import fill
from tests.support.qda import check_schema, read_project


class Desk:
    """A copy of an audit with one reviewer at it."""

    def __init__(self, path: Path, login: str) -> None:
        self.path = path
        self.events: list[object] = []
        self.engine = Engine(self.events.append)
        self.open_audit = self.engine.open(path)
        self.service = ReviewService(self.open_audit.context, login=login)
        self.codes = self.service.codes

    def bundle(self, at: int = 0) -> BundleId:
        return self.service.queue(QueueFilter(), QueueOrder()).order[at]

    def passage(self, bundle: BundleId, *codes: str, end: int = 12) -> MarkedPassage:
        cell = self.service.bundle(bundle).answers[0].cell_id
        return MarkedPassage(cell_id=cell, start=0, end=end, codes=codes)

    def read(self, bundle: BundleId, *codes: str, submitted: bool = True, verdict: Verdict = Verdict.CONTEXT) -> None:
        said = Judgement(verdict=verdict, passages=(self.passage(bundle, *codes),))
        if submitted:
            self.service.submit(bundle, said).result()
        else:
            self.service.save_draft(bundle, said, StepKind.CODES).result()


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    first = tmp_path / "ana.gpf"
    audit = AuditFile.create(first, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political", "Religion"))
    audit.close()
    shutil.copy(first, tmp_path / "ben.gpf")
    pair = Desk(first, "ana"), Desk(tmp_path / "ben.gpf", "ben")
    yield pair
    for desk in pair:
        desk.engine.close()


def test_that_what_is_coded_says_so_in_its_json_and_what_is_not_is_sealed_as_before() -> None:
    plain = Judgement(passages=(MarkedPassage(cell_id=3, start=1, end=4),))
    assert "codes" not in judgement_to_json(plain)
    coded = Judgement(passages=(MarkedPassage(cell_id=3, start=1, end=4, codes=("a", "b")),))
    assert judgement_from_json(judgement_to_json(coded)) == coded
    assert judgement_from_json(judgement_to_json(plain)) == plain


def test_that_a_merged_code_is_stood_for_however_long_the_chain_and_a_circle_ends() -> None:
    a, b, c = (Code(id=each, name=each) for each in "abc")
    book = book_of([a, b, c, replace(a, merged_into="b"), replace(b, merged_into="c")])
    assert [each.id for each in book.standing_of(("a", "b", "c", "nobody"))] == ["c"]
    assert [each.id for each in book.offered] == ["c"]
    circle = CodeBook(codes=(replace(a, merged_into="b"), replace(b, merged_into="a")))
    assert circle.standing("a") is not None


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"id":"","name":"x","definition":"","examples":[],"retired":false,"merged_into":""}',
        '{"id":"1","name":" x ","definition":"","examples":[],"retired":false,"merged_into":""}',
        '{"id":"1","name":"x","definition":7,"examples":[],"retired":false,"merged_into":""}',
    ],
)
def test_that_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError, TypeError)):
        code_from_json(text)


def test_that_a_code_is_made_renamed_merged_retired_and_put_back(desks: tuple[Desk, Desk]) -> None:
    ana, _ = desks
    code = ana.codes.create("  Talks   down ", definition="Explains what was not asked").result()
    assert code.name == "Talks down"
    with pytest.raises(UserError):
        ana.codes.create("talks DOWN").result()
    with pytest.raises(UserError):
        ana.codes.create("   ")
    other = ana.codes.create("Stereotype").result()
    with pytest.raises(UserError):
        ana.codes.change(replace(other, name="Talks down")).result()
    before = ana.codes.change(replace(code, name="Condescends")).result()
    assert before == code
    ana.codes.change(replace(other, merged_into=code.id)).result()
    with pytest.raises(UserError):
        ana.codes.change(replace(code, merged_into=other.id)).result()
    book = ana.codes.book()
    assert [each.name for each in book.offered] == ["Condescends"]
    assert book.standing(other.id) == replace(code, name="Condescends")
    ana.codes.change(other).result()
    ana.codes.change(replace(code, retired=True)).result()
    assert [each.name for each in ana.codes.book().offered] == ["Stereotype"]
    assert len(ana.codes.changes()) == 6
    assert sum(isinstance(event, StudyNotesChanged) for event in ana.events) == 6
    (chain,) = ana.open_audit.context.audit.read(study_chains)
    assert (chain.entries, chain.whole) == (6, True)
    assert ana.open_audit.context.audit.read(lambda c: find_seal(c, chain.head[:12])) is not None


def test_that_quotes_have_the_words_and_all_that_they_are_looked_for_by(desks: tuple[Desk, Desk]) -> None:
    ana, _ = desks
    code = ana.codes.create("Talks down").result()
    bundle = ana.bundle()
    ana.read(bundle, code.id, verdict=Verdict.CONTEXT)
    (quote,) = ana.codes.quotes()
    answer = ana.service.bundle(bundle).answers[0]
    assert quote.words == answer.answer.text[:12]
    assert (quote.bundle_id, quote.codes, quote.reviewer, quote.draft) == (bundle, (code.id,), "ana", False)
    assert quote.verdict == Verdict.CONTEXT
    assert quote.model
    assert quote.item
    assert list(quote.varying)


def test_that_a_draft_is_quoted_to_its_author_alone_and_instead_of_what_was_submitted(desks: tuple[Desk, Desk]) -> None:
    ana, _ = desks
    code = ana.codes.create("Talks down").result()
    bundle = ana.bundle()
    ana.read(bundle, code.id)
    ana.read(bundle, submitted=False)
    (draft,) = ana.codes.quotes()
    assert draft.draft
    assert not draft.codes
    eve = ReviewService(ana.open_audit.context, login="eve")
    eve.newcomer("eve").result()
    (said,) = eve.codes.quotes()
    assert said.codes == (code.id,)
    assert not said.draft
    assert eve.codes.quotes(blind=True) == []


def test_that_codes_and_memos_go_with_a_pack_and_arrive_once(desks: tuple[Desk, Desk], tmp_path: Path) -> None:
    ana, ben = desks
    code = ben.codes.create("Talks down").result()
    ben.codes.keep_memo(STUDY, "Readers are told less.").result()
    ben.codes.set_groups(["Pensioners"]).result()
    ben.read(ben.bundle(), code.id)
    ben.service.export_pack(tmp_path / "b.gpfreviews").result()
    (merged,) = ana.service.import_pack(tmp_path / "b.gpfreviews").result()
    assert (merged.added, merged.study, merged.problem) == (1, 2, "")
    assert ana.codes.book().called("talks down") == code
    assert [each.text for each in ana.codes.memos()] == ["Readers are told less."]
    assert ana.codes.memos(blind=True) == ()
    (again,) = ana.service.import_pack(tmp_path / "b.gpfreviews").result()
    assert (again.added, again.study, again.known) == (0, 0, 3)
    told = ana.open_audit.context.audit.read(study_entries.groups)
    assert list(told.values()) == [("Pensioners",)]
    # What others gave to this audit goes no further with its reader's pack.
    ana.codes.set_groups(["Students"]).result()
    ana.service.export_pack(tmp_path / "a.gpfreviews").result()
    assert b"Pensioners" not in _inside(tmp_path / "a.gpfreviews")
    assert b"Students" in _inside(tmp_path / "a.gpfreviews")


def _inside(pack: Path) -> bytes:
    import zipfile

    with zipfile.ZipFile(pack) as opened:
        return opened.read("reviews.json")


def test_that_a_history_of_codes_that_went_on_in_two_places_is_one_again(
    desks: tuple[Desk, Desk], tmp_path: Path
) -> None:
    ana, ben = desks
    ben.codes.create("First").result()
    ben.service.export_pack(tmp_path / "1.gpfreviews").result()
    ana.service.import_pack(tmp_path / "1.gpfreviews").result()
    seat = next(each for each in ana.service.reviewers() if each.name == "ben")
    ana.service.take_seat(seat).result()
    ana.codes.create("Here").result()
    ben.codes.create("There").result()
    ben.service.export_pack(tmp_path / "2.gpfreviews").result()
    (asked,) = ana.service.import_pack(tmp_path / "2.gpfreviews").result()
    assert asked.to_confirm == seat.uuid
    (merged,) = ana.service.import_pack(tmp_path / "2.gpfreviews", confirmed=[seat.uuid]).result()
    assert merged.study == 1
    assert [each.name for each in ana.codes.book().offered] == ["First", "Here", "There"]
    (chain,) = ana.open_audit.context.audit.read(study_chains)
    assert chain.whole


def test_that_a_changed_code_in_a_pack_is_found_out(desks: tuple[Desk, Desk], tmp_path: Path) -> None:
    import zipfile

    ana, ben = desks
    ben.codes.create("Talks down").result()
    ben.service.export_pack(tmp_path / "b.gpfreviews").result()
    text = _inside(tmp_path / "b.gpfreviews").replace(b"Talks down", b"Talks up")
    with zipfile.ZipFile(tmp_path / "bad.gpfreviews", "w") as pack:
        pack.writestr("reviews.json", text)
    (refused,) = ana.service.import_pack(tmp_path / "bad.gpfreviews").result()
    assert "codes and memos" in refused.problem
    assert ana.codes.book() == CodeBook()


def test_that_a_memo_holds_as_it_was_said_last_and_can_be_taken_back(desks: tuple[Desk, Desk]) -> None:
    ana, _ = desks
    ana.codes.keep_memo("item-1", "One").result()
    ana.codes.keep_memo("item-1", "Two").result()
    ana.codes.keep_memo("item-1", "Two").result()
    assert ana.codes.own_memo("item-1") == "Two"
    ana.codes.keep_memo("item-1", "").result()
    assert ana.codes.memos() == ()
    (chain,) = ana.open_audit.context.audit.read(study_chains)
    assert chain.entries == 3


def test_that_an_assignment_has_the_codes_and_nobodys_memos(desks: tuple[Desk, Desk], tmp_path: Path) -> None:
    ana, _ = desks
    code = ana.codes.create("Talks down").result()
    ana.codes.keep_memo(STUDY, "A private thought about tailoring-0.6").result()
    ana.service.assignments.draw(["Ben"], each=1, by_all=100, seed=3, bundles=[ana.bundle()]).result()
    (path,) = ana.service.assignments.write(tmp_path / "out").result()
    assert b"private thought" not in path.read_bytes()
    desk = Desk(path, "ben")
    assert desk.codes.book().offered == (code,)
    with pytest.raises(UserError):
        desk.codes.change(replace(code, name="Mine now")).result()
    own = desk.codes.create("New here").result()
    desk.read(desk.bundle(), own.id)
    desk.service.export_pack(tmp_path / "back.gpfreviews").result()
    desk.engine.close()
    (merged,) = ana.service.import_pack(tmp_path / "back.gpfreviews").result()
    assert (merged.added, merged.study, merged.problem) == (1, 1, "")
    assert [each.name for each in ana.codes.book().offered] == ["New here", "Talks down"]
    assert [quote.codes for quote in ana.codes.quotes()] == [(own.id,)]


@pytest.mark.slow
def test_that_an_artifact_holds_codes_and_memos_and_groups_only_where_chosen(
    desks: tuple[Desk, Desk], tmp_path: Path
) -> None:
    ana, _ = desks
    code = ana.codes.create("Talks down").result()
    ana.codes.keep_memo(STUDY, "Less for some.").result()
    ana.codes.set_groups(["Pensioners"]).result()
    ana.read(ana.bundle(), code.id)
    ana.engine.close_audit()
    artifact_of(ana.path, tmp_path / "a.zip")
    assert b"Pensioners" not in b"".join(_members(tmp_path / "a.zip"))
    found = verify_artifact(tmp_path / "a.zip")
    assert found.passed
    assert any("codes and memos of ana: 2 entries" in line.words for line in found.lines)
    again = Desk(open_artifact(tmp_path / "a.zip", tmp_path / "again.gpf"), "ana")
    assert again.codes.book().offered == (code,)
    assert [quote.codes for quote in again.codes.quotes()] == [(code.id,)]
    assert [each.text for each in again.codes.memos()] == ["Less for some."]
    again.engine.close()
    artifact_of(again.path, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "a.zip").read_bytes()
    artifact_of(ana.path, tmp_path / "g.zip", ArtifactChoices(groups=True, pseudonyms=True))
    told = b"".join(_members(tmp_path / "g.zip"))
    assert b"Pensioners" in told
    assert b'"ana"' not in told
    with closing(sqlite3.connect(open_artifact(tmp_path / "g.zip", tmp_path / "g.gpf"))) as connection:
        assert connection.execute("SELECT name FROM reviewer_group").fetchall() == [("Pensioners",)]


def _members(path: Path) -> list[bytes]:
    import zipfile

    with zipfile.ZipFile(path) as opened:
        return [opened.read(name) for name in opened.namelist()]


def test_that_an_export_has_the_code_book_and_its_quotes(desks: tuple[Desk, Desk], tmp_path: Path) -> None:
    ana, _ = desks
    code = ana.codes.create("Talks down", definition="=explains", examples=["You see, dear"]).result()
    ana.read(ana.bundle(), code.id)
    ana.open_audit.data.start(
        DataWishes(folder=tmp_path / "out", what=("code_book", "quotes"), formats=("csv",))
    ).result()
    book = (tmp_path / "out" / "code_book.csv").read_text(encoding="utf-8")
    assert "Talks down,'=explains,You see\\, dear" in book.replace('"You see, dear"', "You see\\, dear")
    assert ",1,1,1" in book
    quotes = (tmp_path / "out" / "quotes.csv").read_text(encoding="utf-8")
    assert "Talks down" in quotes
    assert ",ana,Fits the reader,," in quotes, "in the words of the window"
    assert code_to_json(code)


def test_that_doctor_finds_a_code_that_is_none(desks: tuple[Desk, Desk]) -> None:
    from gpf_desktop.storage import soundness

    ana, _ = desks
    ana.codes.create("Talks down").result()
    audit = ana.open_audit.context.audit
    assert audit.read(soundness.problem) == ""
    audit.write(lambda c: c.execute("UPDATE study_entry SET action = 'none'")).result()
    assert "study_entry.action" in audit.read(soundness.problem)


def test_that_an_export_has_a_qdpx_of_what_was_submitted_and_says_where_there_is_nothing(
    desks: tuple[Desk, Desk], tmp_path: Path
) -> None:
    ana, _ = desks
    only = DataWishes(folder=tmp_path / "out", formats=("qdpx",))
    with pytest.raises(UserError, match="QDPX"):
        ana.open_audit.data.write(only)
    code, merged = ana.codes.create("Talks down").result(), ana.codes.create("Condescends").result()
    ana.codes.change(replace(merged, merged_into=code.id)).result()
    item = ana.service.bundle(ana.bundle()).facts.items
    ana.codes.keep_memo(next(iter(item.values())).key, "This item is odd.").result()
    ana.read(ana.bundle(), merged.id)
    ana.read(ana.bundle(1), code.id, submitted=False)
    done = ana.open_audit.data.write(only)
    assert done.files == ("coded.qdpx",)
    check_schema(tmp_path / "out" / "coded.qdpx")
    read = read_project(tmp_path / "out" / "coded.qdpx", tmp_path / "read")
    first = ana.service.bundle(ana.bundle()).answers[0]
    assert list(read.codes) == ["Talks down"]
    assert [(each.words, each.codes) for each in read.passages] == [(first.answer.text[:12], {"Talks down"})]
    assert len(read.sources) == len(ana.service.bundle(ana.bundle()).answers)
    assert read.memos == ("This item is odd.",)
    assert ana.open_audit.data.standing(only) == [tmp_path / "out" / "coded.qdpx"]
