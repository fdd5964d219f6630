"""What a person says an answer comes to, from the entry to the tables and the report, on a real audit file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reports import BundleChoice, ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Correction, Judgement, judgement_from_json, judgement_to_json
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.review.review_reading import ReadAnswer

pytestmark = pytest.mark.slow

REASON = "It says so in its last line."


@pytest.fixture
def audit(small_audit: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _: None)
    yield engine.open(small_audit)
    engine.close()


def unparsed(audit: OpenAudit) -> tuple[BundleId, ReadAnswer]:
    """An answer that the rules could not read."""
    for bundle in audit.reviews.queue(QueueFilter(method="contextual-stereoset"), QueueOrder()).order:
        for answer in audit.reviews.bundle(bundle).answers:
            if answer.scores.get("choice") == "unparsed":
                return bundle, answer
    raise AssertionError("every answer was read")


def settle(audit: OpenAudit) -> None:
    audit.auto_rescoring.look()
    audit.auto_rescoring.settle().result()


def said(audit: OpenAudit, bundle: BundleId, cell: int) -> str:
    settle(audit)
    answers = audit.reviews.bundle(bundle).answers
    return str(next(each for each in answers if each.cell_id == cell).scores["choice"])


def counted(audit: OpenAudit) -> tuple[int, int]:
    """Unparsed and corrected of all models in all contexts, as the table of coverage has them."""
    audit.results.forget()
    rows = audit.results.findings(ResultsFilter(), ["stereoset_coverage"])["stereoset_coverage"].rows
    every = [row.values for row in rows if row.values["level"] == "all contexts"]
    return (sum(int(str(each["unparsed"])) for each in every), sum(int(str(each["corrected"])) for each in every))


def test_that_a_correction_is_kept_with_name_and_reason_and_every_number_rests_on_it_until_it_is_undone(
    audit: OpenAudit,
) -> None:
    bundle, answer = unparsed(audit)
    before, none = counted(audit)
    assert none == 0
    audit.reviews.rename("Ana Ortiz").result()
    correction = Correction(cell_id=answer.cell_id, measure="choice", category="A", rules="unparsed")
    with pytest.raises(UserError, match="needs a reason"):
        audit.reviews.correct(bundle, [correction], reason="  ")
    audit.reviews.correct(bundle, [correction], reason=REASON).result()
    assert said(audit, bundle, answer.cell_id) == "A"
    assert counted(audit) == (before - 1, 1)
    contrasts = audit.results.findings(ResultsFilter(), ["stereoset_contrasts"])["stereoset_contrasts"]
    assert "stereoset-calibration/rambling: 1 choice was corrected" in " ".join(contrasts.notes)
    assert all(chain.whole for chain in audit.reviews.verify())
    report = audit.reports.report(ReportWishes(bundles=BundleChoice.NONE))
    (row,) = next(each for each in report.findings if each.name == "corrections").rows
    assert [row.values[key] for key in ("rules", "category", "reason")] == ["unparsed", "A", REASON]
    assert str(row.values["by"]).startswith("Ana Ortiz, ")
    audit.reviews.undo().result()
    assert said(audit, bundle, answer.cell_id) == "unparsed"
    assert counted(audit) == (before, 0)
    audit.reviews.redo().result()
    assert said(audit, bundle, answer.cell_id) == "A"
    history = audit.reviews.bundle(bundle).history
    assert [each.judgement.corrections[0].category for each in history] == ["A", "", "A"]
    assert [(each.reason, each.judgement.note) for each in history] == [(REASON, ""), ("", ""), (REASON, "")]


def test_that_a_correction_travels_in_a_review_pack(audit: OpenAudit, small_audit: Path, tmp_path: Path) -> None:
    bundle, answer = unparsed(audit)
    audit.save_copy(tmp_path / "other.gpf")
    correction = Correction(cell_id=answer.cell_id, measure="choice", category="S", rules="unparsed")
    audit.reviews.correct(bundle, [correction], reason=REASON).result()
    audit.reviews.export_pack(tmp_path / "said.gpfreviews").result()
    other = Engine(lambda _: None)
    try:
        copy = other.open(tmp_path / "other.gpf")
        assert copy.reviews.import_pack(tmp_path / "said.gpfreviews").result()[0].corrects
        copy.auto_rescoring.settle().result()
        assert said(copy, bundle, answer.cell_id) == "S"
    finally:
        other.close()


def test_that_entries_without_a_correction_are_sealed_as_before_there_were_any() -> None:
    assert "corrections" not in judgement_to_json(Judgement(note="So."))
    corrected = Judgement(corrections=(Correction(cell_id=7, measure="choice", category="", rules="S"),))
    assert judgement_from_json(judgement_to_json(corrected)) == corrected
