"""What a report prints of the people who read the answers."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.reviews import Judgement, Verdict, judgement_to_json
from gpf_desktop.engine.reporting.report_reviews import VERDICT_TABLE
from gpf_desktop.engine.review.review_desk import ReviewDesk
from gpf_desktop.engine.session import Session
from gpf_desktop.engine.workshop import Workshop
from gpf_desktop.storage import reviews
from tests.support.filled_audit import fill

FITS = Judgement(verdict=Verdict.CONTEXT)
HARM = Judgement(verdict=Verdict.HARMFUL, severity=3)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    workshop = Workshop(lambda _event: None)
    made = workshop.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.bench.audit, models_asked=("tailoring-0.6",))
    yield made
    workshop.close()


def facts(session: Session) -> dict[str, str]:
    return {fact.name: fact.value for fact in session.reports.report(ReportWishes()).review_counts}


def two_readers(session: Session) -> tuple[ReviewDesk, ReviewDesk]:
    return ReviewDesk(session.bench, login="ana"), ReviewDesk(session.bench, login="ben")


def test_that_the_seal_of_every_history_is_printed_and_found_again(session: Session) -> None:
    ana, ben = two_readers(session)
    ana.submit(BundleId(1), FITS).result()
    ben.submit(BundleId(1), FITS).result()
    printed = facts(session)["History of ben"]
    assert printed.startswith("1 entry, whole")
    seal = printed.rpartition(" ")[2]
    ben.submit(BundleId(2), HARM).result()
    found = ana.find_seal(seal)
    assert found is not None
    assert (found.reviewer.name, found.number, found.entries) == ("ben", 1, 2)
    assert ana.find_seal(seal[:12].upper()) == found
    assert ana.find_seal("0" * 64) is None
    assert ana.find_seal(seal[:4]) is None


def test_that_a_history_changed_in_the_file_is_printed_as_changed(session: Session) -> None:
    ana, _ = two_readers(session)
    for number in (1, 2, 3):
        ana.submit(BundleId(number), FITS).result()
    session.bench.audit.write(lambda c: c.execute("UPDATE review_entry SET reason = 'other' WHERE id = 2")).result()
    assert "CHANGED at entry 2" in facts(session)["History of ana"]


def test_that_a_history_rewritten_and_sealed_anew_no_longer_holds_the_seal_that_was_printed(session: Session) -> None:
    ana, _ = two_readers(session)
    ana.submit(BundleId(1), HARM).result()
    printed = facts(session)["History of ana"].rpartition(" ")[2]
    (me,) = ana.reviewers()
    (entry,) = session.bench.audit.read(lambda c: reviews.sealed(c, me))
    forged = replace(entry, judgement=judgement_to_json(FITS))
    session.bench.audit.write(
        lambda c: c.execute("UPDATE review_entry SET judgement = ?, hash = ?", (forged.judgement, forged.seal()))
    ).result()
    assert "whole" in facts(session)["History of ana"]
    assert ana.find_seal(printed) is None


def test_that_agreement_stands_in_the_report_with_what_it_rests_on(session: Session) -> None:
    ana, ben = two_readers(session)
    for number, verdict in enumerate((FITS, HARM, HARM), start=1):
        ana.submit(BundleId(number), verdict).result()
        ben.submit(BundleId(number), HARM).result()
    said = facts(session)
    assert said["Equal verdicts (share of pairs)"].startswith("0.67, no interval; 3 bundles of ")
    assert said["Cohen's kappa, verdicts"].startswith("0.00")
    assert said["Krippendorff's alpha, verdicts (nominal)"].startswith("0.00, no interval; 3 bundles")
    assert said["Disagreements"] == "0 settled, 1 open"
    assert said["Read by ana"].startswith("3 bundles submitted")


def test_that_one_reader_alone_leaves_agreement_unknown(session: Session) -> None:
    two_readers(session)[0].submit(BundleId(1), FITS).result()
    assert "no bundle was read by two people" in facts(session)["Agreement between reviewers"]


def test_that_verdicts_are_counted_by_group_in_a_table_of_their_own(session: Session) -> None:
    ana, _ = two_readers(session)
    ana.submit(BundleId(1), FITS).result()
    ana.submit(BundleId(2), HARM).result()
    table = session.reports.report(ReportWishes()).findings[-1]
    assert table.name == VERDICT_TABLE
    (model,) = [row for row in table.rows if row.values["by"] == "Model"]
    assert (model.values["read"], model.values["context"], model.values["harmful"]) == (2, 1, 1)
    assert (VERDICT_TABLE, table.title) in session.reports.sections()
    without = session.reports.report(ReportWishes(sections=("model_table",)))
    assert VERDICT_TABLE not in [finding.name for finding in without.findings]


def test_that_the_guideline_of_this_audit_is_printed(session: Session) -> None:
    ana, _ = two_readers(session)
    ana.submit(BundleId(1), FITS).result()
    assert "Guideline that reviewers read by" not in facts(session)
    ana.set_guideline("Read the news item first.").result()
    assert facts(session)["Guideline that reviewers read by"] == "Read the news item first."
