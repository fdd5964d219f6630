"""Review packs between two machines, and what must not get in."""

import json
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Chain, Judgement, Verdict, first_break, judgement_to_json
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_packs import MergedHistory
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage import reviews
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

FITS = Judgement(verdict=Verdict.CONTEXT, note="fits")
HARM = Judgement(verdict=Verdict.HARMFUL, severity=2)
UNSURE = Judgement(verdict=Verdict.UNSURE)


class Machine:
    """A copy of the audit with one reviewer at it."""

    def __init__(self, path: Path, login: str) -> None:
        self.engine = Engine(lambda _event: None)
        self.open_audit = self.engine.open(path)
        self.service = ReviewService(self.open_audit.context, login=login)

    def bundles(self, tab: QueueTab = QueueTab.TO_DO) -> list[BundleId]:
        return self.service.queue(QueueFilter(), QueueOrder()).tabs[tab]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[tuple[Machine, Machine]]:
    first = tmp_path / "ana.gpf"
    audit = AuditFile.create(first, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political", "Religion"))
    audit.close()
    shutil.copy(first, tmp_path / "ben.gpf")
    pair = Machine(first, "ana"), Machine(tmp_path / "ben.gpf", "ben")
    yield pair
    for machine in pair:
        machine.engine.close()


def test_that_what_another_reviewer_said_arrives_once_however_often_the_pack_is_imported(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    ana, ben = machines
    bundle, other = ana.bundles()[:2]
    ana.service.submit(bundle, FITS).result()
    ben.service.submit(bundle, HARM).result()
    ben.service.submit(other, FITS).result()
    pack = tmp_path / "ben.gpfreviews"
    assert ben.service.export_pack(pack).result() == 2
    (merged,) = ana.service.import_pack(pack).result()
    assert (merged.name, merged.added, merged.known, merged.problem) == ("ben", 2, 0, "")
    (again,) = ana.service.import_pack(pack).result()
    assert (again.added, again.known) == (0, 2)
    assert ana.bundles(QueueTab.DISAGREE) == [bundle]
    assert all(chain.whole for chain in ana.service.verify())
    assert [entry.reviewer for entry in ana.service.bundle(bundle).history] == ["ana", "ben"]
    assert other in ana.bundles(QueueTab.TO_DO)


def test_that_a_longer_history_adds_only_what_is_new(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    ana, ben = machines
    first, second = ben.bundles()[:2]
    pack = tmp_path / "ben.gpfreviews"
    ben.service.submit(first, FITS).result()
    ben.service.export_pack(pack).result()
    ana.service.import_pack(pack).result()
    ben.service.submit(second, HARM).result()
    ben.service.undo().result()
    ben.service.export_pack(pack).result()
    (merged,) = ana.service.import_pack(pack).result()
    assert (merged.added, merged.known) == (2, 1)
    assert len(ana.service.bundle(second).history) == 2
    assert ana.service.team().pace[0].done == 1


@pytest.fixture
def services(machines: tuple[Machine, Machine], tmp_path: Path) -> tuple[ReviewService, ReviewService]:
    """The same reviewer at two machines that both know their first reading."""
    ana, ben = machines
    pack = tmp_path / "first.gpfreviews"
    ben.service.submit(ben.bundles()[0], FITS).result()
    ben.service.export_pack(pack).result()
    ana.service.import_pack(pack).result()
    travelling = ReviewService(ana.open_audit.context, login="ben on another machine")
    travelling.take_seat(next(each for each in travelling.reviewers() if each.name == "ben")).result()
    return ben.service, travelling


def handed_over(giver: ReviewService, taker: ReviewService, folder: Path) -> MergedHistory:
    pack = folder / "handed.gpfreviews"
    giver.export_pack(pack).result()
    everyone = {each.uuid for each in taker.reviewers()}
    return next(each for each in taker.import_pack(pack, confirmed=everyone).result() if each.name == "ben")


def chain_of(service: ReviewService) -> Chain:
    return next(chain for chain in service.verify() if chain.reviewer.name == "ben")


def test_that_a_history_continued_in_two_places_is_joined_and_the_later_reading_holds(
    services: tuple[ReviewService, ReviewService], tmp_path: Path
) -> None:
    home, away = services
    one, two, three = (BundleId(number) for number in sorted(home.queue(QueueFilter(), QueueOrder()).order)[-3:])
    home.submit(one, FITS).result()
    home.submit(two, HARM).result()
    away.submit(three, FITS).result()
    away.submit(two, UNSURE).result()
    merged = handed_over(away, home, tmp_path)
    assert (merged.added, merged.known, merged.problem) == (2, 1, "")
    assert merged.joined
    assert merged.both == (two,)
    assert [home.bundle(bundle).state.submitted for bundle in (one, two, three)] == [FITS, UNSURE, FITS]
    assert [entry.action for entry in home.bundle(two).history] == ["submit", "submit", "join"]
    assert chain_of(home).whole


def test_that_two_machines_that_took_each_others_packs_hold_one_and_the_same_history(
    services: tuple[ReviewService, ReviewService], tmp_path: Path
) -> None:
    home, away = services
    one, two = (BundleId(number) for number in sorted(home.queue(QueueFilter(), QueueOrder()).order)[-2:])
    home.submit(one, FITS).result()
    away.submit(two, HARM).result()
    pack = tmp_path / "home.gpfreviews"
    home.export_pack(pack).result()
    handed_over(away, home, tmp_path)
    away.import_pack(pack, confirmed={each.uuid for each in away.reviewers()}).result()
    assert chain_of(home) == replace(chain_of(away), reviewer=chain_of(home).reviewer)
    again = handed_over(home, away, tmp_path)
    assert (again.added, again.joined) == (0, False)
    away.submit(one, HARM).result()
    home.submit(two, FITS).result()
    assert handed_over(away, home, tmp_path).both == ()
    assert handed_over(home, away, tmp_path).added == 2
    assert chain_of(home).head == chain_of(away).head


def test_that_taking_back_a_reading_leaves_the_one_from_the_other_machine(
    services: tuple[ReviewService, ReviewService], tmp_path: Path
) -> None:
    home, away = services
    bundle = home.queue(QueueFilter(), QueueOrder()).order[-1]
    home.submit(bundle, HARM).result()
    away.submit(bundle, UNSURE).result()
    home.undo().result()
    handed_over(away, home, tmp_path)
    assert home.bundle(bundle).state.submitted == UNSURE


def test_that_a_strand_put_in_afterwards_is_found_out(
    machines: tuple[Machine, Machine], services: tuple[ReviewService, ReviewService]
) -> None:
    home, machine = services[0], machines[1]
    first, second = home.queue(QueueFilter(), QueueOrder()).order[-2:]
    home.submit(first, FITS).result()
    home.submit(second, FITS).result()
    ben = next(each for each in home.reviewers() if each.name == "ben")
    entries = machine.open_audit.context.audit.read(lambda c: reviews.sealed(c, ben))
    forged = replace(entries[1], judgement=judgement_to_json(HARM))
    strand = replace(forged, hash=forged.seal())
    assert first_break(entries) is None
    assert first_break([*entries[:2], strand, entries[2]]) == 3
    assert first_break([*entries, strand]) == 3
    assert first_break([entries[0], entries[2]]) == 2
    assert first_break([*entries[:2], replace(entries[2], reason="later")]) == 3


def rewritten(pack: Path, change: object) -> Path:
    with zipfile.ZipFile(pack) as archive:
        data = json.loads(archive.read("reviews.json"))
    change(data)  # type: ignore[operator]
    changed = pack.with_name("changed.gpfreviews")
    with zipfile.ZipFile(changed, "w") as archive:
        archive.writestr("reviews.json", json.dumps(data))
    return changed


@pytest.fixture
def pack(machines: tuple[Machine, Machine], tmp_path: Path) -> Path:
    _, ben = machines
    ben.service.submit(ben.bundles()[0], FITS).result()
    target = tmp_path / "ben.gpfreviews"
    ben.service.export_pack(target).result()
    return target


def test_that_a_verdict_changed_on_the_way_is_found_out(machines: tuple[Machine, Machine], pack: Path) -> None:
    def change(data: dict[str, list[dict[str, list[dict[str, str]]]]]) -> None:
        entry = data["reviewers"][0]["entries"][0]
        entry["judgement"] = entry["judgement"].replace("fitting context", "unsure")

    (merged,) = machines[0].service.import_pack(rewritten(pack, change)).result()
    assert "changed after its check code was made" in merged.problem
    assert machines[0].service.reviewers() == []


def test_that_reviews_of_another_audit_are_not_taken(pack: Path, tmp_path: Path) -> None:
    engine = Engine(lambda _event: None)
    try:
        open_audit = engine.create(tmp_path / "other.gpf", title="Another")
        (merged,) = open_audit.reviews.import_pack(pack).result()
        assert "does not hold" in merged.problem
    finally:
        engine.close()


def test_that_a_pack_holds_no_answer_and_no_login(pack: Path) -> None:
    with zipfile.ZipFile(pack) as archive:
        assert archive.namelist() == ["reviews.json"]
        text = archive.read("reviews.json").decode()
    assert "bus lanes" not in text


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["../reviews.json"], "should hold one file"),
        (["/etc/reviews.json"], "should hold one file"),
        (["reviews.json", "REVIEWS.JSON"], "should hold one file"),
        (["reviews.json", "run.exe"], "should hold one file"),
        ([], "should hold one file"),
    ],
)
def test_that_a_zip_with_anything_else_in_it_is_refused(
    machines: tuple[Machine, Machine], tmp_path: Path, names: list[str], words: str
) -> None:
    target = tmp_path / "planted.gpfreviews"
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            archive.writestr(name, "{}")
    with pytest.raises(UserError, match=words):
        machines[0].service.import_pack(target).result()
    assert sorted(path.suffix for path in tmp_path.iterdir() if not path.name.startswith(".")) != []


def test_that_a_link_and_a_bomb_are_refused(machines: tuple[Machine, Machine], tmp_path: Path) -> None:
    link = zipfile.ZipInfo("reviews.json")
    link.external_attr = 0o120777 << 16
    target = tmp_path / "link.gpfreviews"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(link, "../../somewhere")
    with pytest.raises(UserError, match="no plain file"):
        machines[0].service.import_pack(target).result()
    bomb = tmp_path / "bomb.gpfreviews"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("reviews.json", "w") as inside:
        for _ in range(257):
            inside.write(b" " * 2**20)
    with pytest.raises(UserError, match="larger than"):
        machines[0].service.import_pack(bomb).result()


@pytest.mark.parametrize("body", [b"", b"no zip", b"PK\x03\x04 cut off"])
def test_that_a_file_that_is_no_zip_is_refused(machines: tuple[Machine, Machine], tmp_path: Path, body: bytes) -> None:
    target = tmp_path / "no.gpfreviews"
    target.write_bytes(body)
    with pytest.raises(UserError, match="not a review pack"):
        machines[0].service.import_pack(target).result()


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"format": "gpf-review-pack", "version": 1, "reviewers": [{"uuid": 1}]}', "[" * 100_000]
)
def test_that_strange_content_is_refused(machines: tuple[Machine, Machine], tmp_path: Path, text: str) -> None:
    target = tmp_path / "strange.gpfreviews"
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("reviews.json", text)
    with pytest.raises(UserError, match="not a review pack"):
        machines[0].service.import_pack(target).result()


def test_that_a_disagreement_is_settled_and_what_each_said_stays(
    machines: tuple[Machine, Machine], tmp_path: Path
) -> None:
    ana, _ = machines
    ben = ReviewService(ana.open_audit.context, login="ben")
    bundle = ana.bundles()[0]
    ana.service.submit(bundle, FITS).result()
    ben.submit(bundle, HARM).result()
    assert ana.bundles(QueueTab.DISAGREE) == [bundle]
    ana.service.adjudicate(bundle, Judgement(verdict=Verdict.UNSURE, note="both have a point")).result()
    assert ana.bundles(QueueTab.DISAGREE) == []
    assert {entry.judgement.verdict for entry in ana.service.bundle(bundle).history} == {
        Verdict.CONTEXT,
        Verdict.HARMFUL,
        Verdict.UNSURE,
    }
    ana.service.undo().result()
    assert ana.bundles(QueueTab.DISAGREE) == [bundle]
    ana.service.redo().result()
    assert ana.bundles(QueueTab.DISAGREE) == []
    ben.submit(bundle, replace(HARM, note="Not for me.")).result()
    assert ana.bundles(QueueTab.DISAGREE) == [bundle], "who speaks after it was settled is heard"


def test_that_an_overlap_is_the_same_for_everybody_and_grows_by_adding(machines: tuple[Machine, Machine]) -> None:
    ana, ben = machines

    def draw(machine: Machine, size: int) -> QueueFilter:
        wish = SampleWish(kind=SampleKind.RANDOM, size=size)
        return machine.service.filters.draw(QueueFilter(), QueueOrder(), wish)

    drawn = draw(ana, 3)
    assert drawn == draw(ben, 3)
    assert draw(ana, 2).bundle_ids == (drawn.bundle_ids or ())[:2]
    assert sorted(ana.service.queue(drawn, QueueOrder()).order) == sorted(drawn.bundle_ids or ())


def test_that_the_team_report_counts_and_compares(machines: tuple[Machine, Machine]) -> None:
    ana, _ = machines
    ben = ReviewService(ana.open_audit.context, login="ben")
    assert ana.service.team().comparison is None
    for number, bundle in enumerate(ana.bundles()[:3]):
        ana.service.submit(bundle, FITS).result()
        ben.submit(bundle, FITS if number else HARM).result()
    report = ana.service.team()
    assert [(pace.reviewer.name, pace.done, pace.to_do) for pace in report.pace] == [("ana", 3, 1), ("ben", 3, 1)]
    assert report.disagreements == 1
    comparison = report.comparison
    assert comparison is not None
    assert comparison.raw.value == pytest.approx(2 / 3)
    assert comparison.raw.units == 3
    assert comparison.raw.low is None
    assert comparison.kappa is not None
    assert comparison.kappa.value == pytest.approx(0.0)
    by_name = {(counts.kind, counts.name): counts for counts in report.verdicts}
    assert by_name["model", "calibration/tailoring-0.6"].read == 3
    assert by_name["model", "calibration/tailoring-0.6"].of == 4
    assert sum(counts.of for counts in report.verdicts if counts.kind == "dimension") == 4
    assert dict(by_name["model", "calibration/tailoring-0.6"].counts)[Verdict.CONTEXT] == 2
    assert by_name["model", "calibration/tailoring-0.6"].open == 1
