"""What a report prints of the people who read the answers."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.reports import BundleChoice, ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict, judgement_to_json
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.report_reviews import VERDICT_TABLE
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import reviews
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

FITS = Judgement(verdict=Verdict.CONTEXT)
HARM = Judgement(verdict=Verdict.HARMFUL, severity=3)


@pytest.fixture
def open_audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    made = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.context.audit, models_asked=("tailoring-0.6",))
    yield made
    engine.close()


def facts(open_audit: OpenAudit) -> dict[str, str]:
    return {fact.name: fact.value for fact in open_audit.reports.report(ReportWishes()).review_counts}


def two_readers(open_audit: OpenAudit) -> tuple[ReviewService, ReviewService]:
    return ReviewService(open_audit.context, login="ana"), ReviewService(open_audit.context, login="ben")


def test_that_the_seal_of_every_history_is_printed_and_found_again(open_audit: OpenAudit) -> None:
    ana, ben = two_readers(open_audit)
    ana.submit(BundleId(1), FITS).result()
    ben.submit(BundleId(1), FITS).result()
    printed = facts(open_audit)["History of ben"]
    assert printed.startswith("1 entry, whole")
    seal = printed.rpartition(" ")[2]
    ben.submit(BundleId(2), HARM).result()
    found = ana.find_seal(seal)
    assert found is not None
    assert (found.reviewer.name, found.number, found.entries) == ("ben", 1, 2)
    assert ana.find_seal(seal[:12].upper()) == found
    assert ana.find_seal("0" * 64) is None
    assert ana.find_seal(seal[:4]) is None


def test_that_a_history_changed_in_the_file_is_printed_as_changed(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    for number in (1, 2, 3):
        ana.submit(BundleId(number), FITS).result()
    open_audit.context.audit.write(
        lambda c: c.execute("UPDATE review_entry SET reason = 'other' WHERE id = 2")
    ).result()
    assert "CHANGED at entry 2" in facts(open_audit)["History of ana"]


def test_that_a_history_rewritten_and_sealed_anew_no_longer_holds_the_seal_that_was_printed(
    open_audit: OpenAudit,
) -> None:
    ana, _ = two_readers(open_audit)
    ana.submit(BundleId(1), HARM).result()
    printed = facts(open_audit)["History of ana"].rpartition(" ")[2]
    (me,) = ana.reviewers()
    (entry,) = open_audit.context.audit.read(lambda c: reviews.sealed(c, me))
    forged = replace(entry, judgement=judgement_to_json(FITS))
    open_audit.context.audit.write(
        lambda c: c.execute("UPDATE review_entry SET judgement = ?, hash = ?", (forged.judgement, forged.seal()))
    ).result()
    assert "whole" in facts(open_audit)["History of ana"]
    assert ana.find_seal(printed) is None


def test_that_agreement_stands_in_the_report_with_what_it_rests_on(open_audit: OpenAudit) -> None:
    ana, ben = two_readers(open_audit)
    for number, verdict in enumerate((FITS, HARM, HARM), start=1):
        ana.submit(BundleId(number), verdict).result()
        ben.submit(BundleId(number), HARM).result()
    said = facts(open_audit)
    assert said["Equal verdicts (share of pairs)"].startswith("0.67, no range; 3 sets of ")
    assert said["Cohen's kappa, verdicts"].startswith("0.00")
    assert said["Krippendorff's alpha, verdicts (nominal)"].startswith("0.00, no range; 3 sets")
    assert said["Disagreements"] == "0 settled, 1 open"
    assert said["Read by ana"].startswith("3 sets submitted")


def test_that_a_bundle_counts_once_by_what_it_was_settled_to(open_audit: OpenAudit) -> None:
    ana, ben = two_readers(open_audit)
    for number, verdict in enumerate((FITS, FITS, HARM, FITS), start=1):
        ana.submit(BundleId(number), verdict).result()
        ben.submit(BundleId(number), HARM if number < 4 else FITS).result()
    ana.adjudicate(BundleId(1), Judgement(verdict=Verdict.HARMFUL, severity=4)).result()
    said = facts(open_audit)
    assert said["Verdicts, each set once"] == "Harmful: 2; Fits the reader: 1"
    assert said["Harmful, by severity"] == "3 serious: 1; 4 severe: 1"
    assert said["Disagreements"] == "1 settled, 1 open"
    assert said["Equal verdicts (share of pairs)"].startswith("0.50")
    counted = open_audit.reviews.team().verdicts[0]
    assert (counted.read, dict(counted.counts)[Verdict.HARMFUL], dict(counted.counts)[Verdict.CONTEXT]) == (4, 2, 1)
    assert counted.open == 1
    ben.submit(BundleId(1), FITS).result()
    ana.submit(BundleId(1), HARM).result()
    assert facts(open_audit)["Disagreements"] == "0 settled, 2 open"


def test_that_one_reader_alone_leaves_agreement_unknown(open_audit: OpenAudit) -> None:
    two_readers(open_audit)[0].submit(BundleId(1), FITS).result()
    assert "no set was read by two people" in facts(open_audit)["Agreement between reviewers"]


def test_that_verdicts_are_counted_by_group_in_a_table_of_their_own(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    ana.submit(BundleId(1), FITS).result()
    ana.submit(BundleId(2), HARM).result()
    table = open_audit.reports.report(ReportWishes()).findings[-1]
    assert table.name == VERDICT_TABLE
    (model,) = [row for row in table.rows if row.values["by"] == "Model"]
    assert (model.values["read"], model.values["context"], model.values["harmful"]) == (2, 1, 1)
    assert model.values["of"] == open_audit.context.audit.read(
        lambda c: c.execute("SELECT count(*) FROM bundle WHERE arm = 'main'").fetchone()[0]
    )
    assert model.synthetic
    assert (VERDICT_TABLE, table.title) in open_audit.reports.sections()
    without = open_audit.reports.report(ReportWishes(sections=("model_table",)))
    assert VERDICT_TABLE not in [finding.name for finding in without.findings]


def test_that_the_guideline_of_this_audit_is_printed(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    ana.submit(BundleId(1), FITS).result()
    assert "would the person named be worse informed" in facts(open_audit)["Guideline that reviewers read by"]
    ana.set_guideline("Read the news item first.").result()
    assert facts(open_audit)["Guideline that reviewers read by"] == "Read the news item first."


def test_that_a_reading_that_was_taken_back_is_not_printed_as_one_that_stands(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    ana.submit(BundleId(1), HARM).result()
    ana.undo().result()
    ana.set_flagged(BundleId(1), True).result()
    ana.submit(BundleId(1), FITS).result()
    (bundle,) = open_audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED)).bundles
    assert [reading.what for reading in bundle.reviews] == [
        "Harmful, 3 serious",
        "took back: Harmful, 3 serious",
        "flagged for another look",
        "Fits the reader",
    ]


def test_that_marked_passages_are_quoted_with_whose_answer_they_are_from(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    answer = ana.bundle(BundleId(1)).answers[1]
    mark = MarkedPassage(cell_id=answer.cell_id, start=4, end=20, comment="cold")
    ana.submit(BundleId(1), replace(FITS, passages=(mark,))).result()
    (bundle,) = open_audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED)).bundles
    (passage,) = bundle.reviews[0].passages
    assert (passage.level, passage.comment) == (answer.level, "cold")
    assert passage.words == " ".join(answer.answer.text[4:20].split())


def test_that_letters_of_a_blind_reader_are_told_with_whose_answers_they_named(open_audit: OpenAudit) -> None:
    ana, ben = two_readers(open_audit)
    answers = ana.bundle(BundleId(1)).answers
    planned = tuple(answer.level for answer in answers)
    shuffled = (planned[4], planned[2], *planned[:2], planned[3], *planned[5:])
    mark = MarkedPassage(cell_id=answers[4].cell_id, start=4, end=20, comment="B lacks it")
    noted = replace(FITS, note="A is warmer than C; a plain reader", passages=(mark,))
    ana.submit(BundleId(1), replace(noted, letters=shuffled)).result()
    ben.submit(BundleId(1), noted).result()
    (bundle,) = open_audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED)).bundles
    hers, his = bundle.reviews
    assert hers.note == f"A [{planned[4]}] is warmer than C [{planned[0]}]; a plain reader"
    assert hers.passages[0].comment == f"B [{planned[2]}] lacks it"
    assert his.note == f"A [{planned[0]}] is warmer than C [{planned[2]}]; a plain reader"
    assert ana.bundle(BundleId(1)).history[0].judgement.note == noted.note


def test_that_a_letter_in_a_note_on_a_grid_of_choices_is_an_option_and_no_answer(small_audit: Path) -> None:
    engine = Engine(lambda _event: None)
    audit = engine.open(small_audit)
    audit.reviews.submit(BundleId(1), replace(FITS, note="Chose A and B by turns")).result()
    (bundle,) = audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED)).bundles
    engine.close()
    assert bundle.reviews[0].note == "Chose A and B by turns"


@pytest.mark.parametrize("suffix", ["html", "docx", "xlsx"])
def test_that_every_format_carries_readings_passages_and_seals(
    open_audit: OpenAudit, tmp_path: Path, suffix: str
) -> None:
    ana, _ = two_readers(open_audit)
    answer = ana.bundle(BundleId(1)).answers[1]
    mark = MarkedPassage(cell_id=answer.cell_id, start=0, end=answer.answer.text.index(" "), comment="a cold opening")
    ana.submit(BundleId(1), replace(HARM, passages=(mark,), note="reads like a label")).result()
    target = tmp_path / f"report.{suffix}"
    open_audit.reports.export(open_audit.reports.report(ReportWishes(bundles=BundleChoice.REVIEWED)), target)
    words = text_of(target)
    for said in ("reads like a label", "a cold opening", "Harmful, 3 serious", ana.verify()[0].head):
        assert said in words


def text_of(path: Path) -> str:
    """Everything that stands in the file, whatever its format."""
    if path.suffix == ".html":
        return path.read_text(encoding="utf-8")
    with zipfile.ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if name.endswith(".xml")]
        return "".join(archive.read(name).decode() for name in parts)


def test_that_samples_are_printed_with_how_they_were_drawn(open_audit: OpenAudit) -> None:
    ana, _ = two_readers(open_audit)
    ana.submit(BundleId(1), FITS).result()
    assert "Samples drawn for reading" not in facts(open_audit)
    pool = len(ana.queue(QueueFilter(), QueueOrder()).order)
    drawn = ana.filters.draw(QueueFilter(), QueueOrder(), SampleWish(kind=SampleKind.RANDOM, size=3))
    assert drawn.drawn is not None
    printed = facts(open_audit)["Samples drawn for reading"]
    assert printed.startswith(f"3 of {pool} sets at random, seed {drawn.drawn.seed}, ")
