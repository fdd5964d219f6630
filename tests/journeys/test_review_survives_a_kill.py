"""A reviewer types a note, and the program is killed in the middle of it."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gpf_desktop.domain.reviews import ReviewStatus
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill

TYPED = "D speaks to a student and to a retired person in one answer"


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_that_a_note_is_saved_without_a_pause_and_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "audit.gpf"
    audit = AuditFile.create(path, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political",))
    audit.close()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.journeys.typing_reviewer", str(path), TYPED],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert child.stdout is not None
    with child.stdout:
        said = child.stdout.readline().strip()
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert said == "saved"
    engine = Engine(lambda _event: None)
    try:
        service: ReviewService = engine.open(path).reviews
        (bundle,) = (step.bundle_id for step in (service.steps().undo,) if step is not None)
        state = service.bundle(bundle).state
        assert state.status is ReviewStatus.DRAFT
        assert state.judgement.note.startswith(TYPED)
    finally:
        engine.close()
