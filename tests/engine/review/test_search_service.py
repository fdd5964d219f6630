"""Full-text search: what is found, what is not indexed yet, and what a blind reader must not learn."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import search
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill
from tests.support.long_answers import long_answers


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ReviewService]:
    path = tmp_path / "search.gpf"
    audit = AuditFile.create(path, title="Search")
    fill(
        audit,
        models_asked=("tailoring-0.6",),
        dimensions=("Socioeconomic",),
        families=("Impact", "Significance"),
        identity_free=False,
        says=long_answers(),
    )
    audit.close()
    engine = Engine(lambda _event: None)
    open_audit = engine.open(path)
    open_audit.reviews.search.index_all()
    yield open_audit.reviews
    engine.close()


def write(service: ReviewService, sql: str, *values: object) -> None:
    service._context.audit.write(lambda c: c.execute(sql, values)).result()


def test_that_words_are_found_as_a_phrase_in_any_case_and_from_their_beginning(service: ReviewService) -> None:
    assert service.search.find("Hardship Fund", blind=False).answers == 2
    assert service.search.find("hardsh", blind=False).answers == 2
    assert service.search.find("fund hardship", blind=False).answers == 0
    assert service.search.find("hardship fund", blind=False).bundles == (BundleId(1), BundleId(2))
    assert service.search.find('"; DROP', blind=False).answers == 0


def test_that_news_notes_tags_and_comments_are_found(service: ReviewService) -> None:
    assert service.search.find("bus lanes after two years", blind=False).news == 2
    service.submit(BundleId(2), Judgement(verdict=Verdict.UNSURE, note="Odd warmth", tags=("100 %_tone",))).result()
    assert service.search.find("odd WARM", blind=False).bundles == (BundleId(2),)
    assert service.search.find("100 %_t", blind=False).notes == 1
    assert service.search.find("100 x_t", blind=False).notes == 0


def test_that_an_answer_that_changes_or_goes_is_found_as_it_is_now(service: ReviewService) -> None:
    cell = service._context.audit.read(lambda c: search.answers(c, ["hardship"], begun=False))[0].cell_id
    write(service, "UPDATE response SET text = 'A zeppelin lands.' WHERE cell_id = ?", cell)
    found = service.search.find("hardship", blind=False)
    assert (found.answers, found.waiting) == (1, 1)
    service.search.index_all()
    assert service.search.find("zeppelin", blind=False).answers == 1
    write(service, "INSERT OR REPLACE INTO response (cell_id, text, received_at) VALUES (?, 'A balloon.', '')", cell)
    assert service.search.find("zeppelin", blind=False).answers == 0
    service.search.index_all()
    assert service.search.find("balloon", blind=False).answers == 1
    write(service, "DELETE FROM response WHERE cell_id = ?", cell)
    assert service.search.find("balloon", blind=False).answers == 0
    write(service, "INSERT INTO answer_index (answer_index) VALUES ('integrity-check')")


def test_that_a_blind_reader_finds_only_what_is_in_sight(service: ReviewService) -> None:
    hidden = {word: service.search.find(word, blind=False).answers for word in ("student", "veterans", "disabled")}
    assert hidden["student"] > 0
    assert [service.search.find(word, blind=True).answers for word in hidden] == [0, 0, 0]
    assert service.search.find("stud", blind=True).answers == 0
    assert service.search.find("Your student ticket", blind=True).bundles == ()
    assert service.search.find("hardship fund", blind=True).answers == 2


def test_that_a_blind_reader_finds_no_notes_of_others(service: ReviewService) -> None:
    ben = ReviewService(service._context, login="ben")
    ben.submit(BundleId(1), Judgement(verdict=Verdict.UNSURE, note="patronising")).result()
    service.submit(BundleId(2), Judgement(verdict=Verdict.UNSURE, note="patronising")).result()
    assert service.search.find("patronising", blind=False).bundles == (BundleId(1), BundleId(2))
    assert service.search.find("patronising", blind=True).bundles == (BundleId(2),)
