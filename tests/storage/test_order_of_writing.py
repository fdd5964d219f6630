"""What holds is what was said last, on a clock that stands still and on one that is set back."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.registered import plan_facts, registration
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import study_entries, times
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.counted_verdicts import counted_verdicts, reviewed_bundles
from tests.support.filled_audit import fill

HARMFUL = Judgement(verdict=Verdict.HARMFUL, severity=2)
CONTEXT = Judgement(verdict=Verdict.CONTEXT)
LEGITIMATE = Judgement(verdict=Verdict.LEGITIMATE)
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
REGISTER = ("--register",)
STANDING, BACKWARDS = timedelta(0), timedelta(minutes=-1)


@pytest.fixture(params=[STANDING, BACKWARDS], ids=["standing", "backwards"])
def clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that does not run, or that every look finds a minute earlier."""
    moment = [START]

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            moment[0] += request.param
            return moment[0]

    monkeypatch.setattr(times, "datetime", Clock)


@pytest.fixture
def audit(tmp_path: Path, clock: None) -> Iterator[OpenAudit]:
    engine = Engine(lambda event: None)
    made = engine.create(tmp_path / "audit.gpf", title="Evening round")
    fill(made.context.audit, models_asked=("tailoring-0.6",), dimensions=("Political", "Religion"))
    yield made
    engine.close()


def people(audit: OpenAudit, *names: str) -> list[ReviewService]:
    return [ReviewService(audit.context, login=name) for name in names]


def to_do(service: ReviewService) -> list[BundleId]:
    return list(service.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO])


def counted(audit: OpenAudit, bundle: BundleId) -> str | None:
    (found,) = audit.context.audit.read(lambda c: counted_verdicts(c, [bundle]))
    return found.verdict


def test_that_a_settled_case_is_open_when_a_reader_disagrees_again(audit: OpenAudit) -> None:
    ana, ben, eva = people(audit, "ana", "ben", "eva")
    bundle, other = to_do(ana)[:2]
    ana.submit(bundle, HARMFUL).result()
    ben.submit(bundle, CONTEXT).result()
    ana.submit(other, replace(HARMFUL, severity=3)).result()
    assert counted(audit, bundle) is None
    eva.adjudicate(bundle, replace(HARMFUL, severity=4)).result()
    assert counted(audit, bundle) == Verdict.HARMFUL
    assert audit.context.audit.read(lambda c: reviewed_bundles(c, limit=9)) == [bundle, other]
    ben.submit(bundle, LEGITIMATE).result()
    assert counted(audit, bundle) is None
    assert audit.context.audit.read(lambda c: reviewed_bundles(c, limit=9)) == [other, bundle]
    ana.adjudicate(bundle, LEGITIMATE).result()
    assert counted(audit, bundle) == Verdict.LEGITIMATE


def test_that_the_newest_reading_stands_first_of_those_as_grave(audit: OpenAudit) -> None:
    (ana,) = people(audit, "ana")
    bundles = to_do(ana)[:4]
    for bundle in (bundles[2], bundles[0], bundles[3], bundles[1]):
        ana.submit(bundle, HARMFUL).result()
    wanted = [bundles[1], bundles[3], bundles[0], bundles[2]]
    assert audit.context.audit.read(lambda c: reviewed_bundles(c, limit=9)) == wanted


def test_that_a_pack_does_not_settle_again_what_somebody_opened_since(audit: OpenAudit, tmp_path: Path) -> None:
    ana, ben, eva = people(audit, "ana", "ben", "eva")
    bundle = to_do(ana)[0]
    ana.submit(bundle, HARMFUL).result()
    ben.submit(bundle, CONTEXT).result()
    eva.adjudicate(bundle, HARMFUL).result()
    ana.adjudicate(bundle, LEGITIMATE).result()
    audit.context.audit.save_copy(tmp_path / "ana.gpf")
    eva.undo().result()
    assert counted(audit, bundle) is None
    other = Engine(lambda event: None)
    (at_home,) = people(other.open(tmp_path / "ana.gpf"), "ana")
    at_home.set_flagged(bundle, True).result()
    at_home.export_pack(tmp_path / "ana.gpfreviews").result()
    other.close()
    everyone = {each.uuid for each in eva.reviewers()}
    merged = eva.import_pack(tmp_path / "ana.gpfreviews", confirmed=everyone).result()
    assert [(each.problem, each.added) for each in merged if each.name == "ana"] == [("", 1)]
    assert counted(audit, bundle) is None


def test_that_a_code_is_as_it_was_changed_last_and_older_readings_did_not_have_it(audit: OpenAudit) -> None:
    ana, ben = people(audit, "ana", "ben")
    early, late = to_do(ana)[:2]
    ana.submit(early, HARMFUL).result()
    code = ben.codes.create("Deficit").result()
    ana.codes.change(replace(code, name="Deficit frame")).result()
    ben.submit(late, HARMFUL).result()
    read = audit.context.audit.read
    assert [each.name for each in read(study_entries.code_book).codes] == ["Deficit frame"]
    since = min(each.at for each in read(study_entries.code_changes))
    told = dict(read(lambda c: c.execute("SELECT bundle_id, at FROM review_now").fetchall()))
    assert told[early] < since <= told[late]


def test_that_a_plan_registered_first_was_there_beforehand_and_each_round_after_it_is_a_reading(
    clock: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit, plan = tmp_path / "audit.gpf", tmp_path / "plan.toml"
    models = "".join(
        f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "{model}"\n'
        for model in ("evasive-0.9", "plain-a", "plain-b", "plain-c")
    )

    def gpf(*arguments: object) -> None:
        code = main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)
        assert code == 0, capsys.readouterr().err

    def ask(name: str, seed: int) -> None:
        head = f'name = "{name}"\nmethod = "relative-bias"\nprotocol = "Sugary drinks"\nseed = {seed}\n'
        plan.write_text(head + models, encoding="utf-8")
        gpf("plan" if name == "Planned" else "run", plan, "--audit", audit, *REGISTER * (name == "Planned"))

    ask("Planned", 1)
    ask("First", 1)
    ask("Second", 2)
    file = AuditFile.open(audit)
    found = file.read(partial(registration, method="relative-bias"))
    facts = file.read(partial(plan_facts, method="relative-bias", imported=False))
    file.close()
    assert found is not None
    assert (found.beforehand, facts.reading) == (True, 2)
