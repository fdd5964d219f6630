"""Codes in reports: with the quotes of the annex and the brief where people coded, and nowhere else."""

from pathlib import Path

import pytest

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.report_blocks import Paragraph, Quotes
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.briefs.people import people_read
from gpf_desktop.engine.reporting.report_codes import CODE_TABLE, GROUP_TABLE, MEMO_TABLE
from gpf_desktop.engine.reporting.report_readings import with_codes
from gpf_desktop.engine.review.coding_agreement import FEWEST_SETS
from gpf_desktop.engine.review.review_service import ReviewService
from tests.support.filled_audit import fill


def test_that_codes_stand_before_the_comment() -> None:
    marked = MarkedPassage(cell_id=1, start=0, end=4, codes=("unknown",))
    assert with_codes("so", marked, CodeBook()) == "so"


@pytest.mark.parametrize("coded", [True, False])
def test_that_quotes_name_their_codes_and_the_table_is_there_only_where_people_coded(
    tmp_path: Path, coded: bool
) -> None:
    engine = Engine(lambda _event: None)
    audit = engine.create(tmp_path / "audit.gpf", title="Evening round")
    fill(audit.context.audit, models_asked=("tailoring-0.6",))
    code = audit.reviews.codes.create("Talks down").result()
    cell = audit.context.audit.read(
        lambda c: c.execute(
            "SELECT c.id, c.bundle_id FROM cell c JOIN bundle b ON b.id = c.bundle_id JOIN response p ON p.cell_id ="
            " c.id WHERE b.arm = 'main' AND p.missing IS NULL LIMIT 1"
        ).fetchone()
    )
    passage = MarkedPassage(cell_id=cell[0], start=0, end=9, comment="so", codes=(code.id,) if coded else ())
    audit.reviews.submit(cell[1], Judgement(verdict=Verdict.CONTEXT, passages=(passage,))).result()
    report = audit.reports.report(ReportWishes())
    assert (CODE_TABLE in [each.name for each in report.findings]) is coded
    passages = [each for bundle in report.bundles for said in bundle.reviews for each in said.passages]
    assert [each.comment for each in passages] == ["[Talks down] so" if coded else "so"]
    read = people_read(audit.context, frozenset({cell[1]}), None, named=True)
    (quotes,) = [block for block in read.blocks if isinstance(block, Quotes)]
    assert ("Talks down" in quotes.quotes[0].verdict) is coded
    engine.close()


@pytest.mark.parametrize("noted", [True, False])
def test_that_memos_are_in_the_annex_and_those_on_the_study_in_the_brief(tmp_path: Path, noted: bool) -> None:
    engine = Engine(lambda _event: None)
    audit = engine.create(tmp_path / "audit.gpf", title="Evening round")
    fill(audit.context.audit, models_asked=("tailoring-0.6",))
    (item, title, bundle) = audit.context.audit.read(
        lambda c: c.execute(
            "SELECT i.key, t.title, b.id FROM bundle b JOIN item i ON i.id = b.item_id"
            " JOIN batch_item t ON t.item_id = i.id WHERE b.arm = 'main' LIMIT 1"
        ).fetchone()
    )
    audit.reviews.submit(bundle, Judgement(verdict=Verdict.UNSURE)).result()
    if noted:
        audit.reviews.codes.keep_memo(item, "Sport is told alike.").result()
        audit.reviews.codes.keep_memo("", "Jobs are left out\nfor the old.").result()
    tables = [each for each in audit.reports.report(ReportWishes()).findings if each.name == MEMO_TABLE]
    told = [row.values for each in tables for row in each.rows]
    study = {"about": "the study", "memo": "Jobs are left out for the old."}
    assert told == ([study, {"about": title, "memo": "Sport is told alike."}] if noted else [])
    blocks = people_read(audit.context, frozenset({bundle}), None, named=True).blocks
    said = [each.text for each in blocks if isinstance(each, Paragraph)]
    assert ("A reviewer on all of it: “Jobs are left out for the old.”" in said) is noted
    engine.close()


def test_that_a_report_tells_how_groups_of_two_agree_and_no_smaller_one(tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    audit = engine.create(tmp_path / "audit.gpf", title="Evening round")
    fill(audit.context.audit, models_asked=("tailoring-0.6",))
    groups = {"ana": "Students", "ben": "Students", "cem": "Pensioners"}
    for name, group in groups.items():
        reader = ReviewService(audit.context, login=name)
        reader.newcomer(name).result()
        reader.codes.set_groups([group]).result()
        for bundle in reader.queue(QueueFilter(), QueueOrder()).order[:FEWEST_SETS]:
            reader.submit(bundle, Judgement(verdict=Verdict.UNSURE)).result()
    (table,) = [each for each in audit.reports.report(ReportWishes()).findings if each.name == GROUP_TABLE]
    assert [row.values for row in table.rows] == [
        {"groups": "within Students", "sets": FEWEST_SETS, "agreement": "nothing varies"}
    ]
    engine.close()
