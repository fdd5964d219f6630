"""Review packs that somebody else wrote under a reviewer's name, and what tells them from the reviewer's own."""

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, SealedEntry, Verdict, judgement_to_json
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_packs import MergedHistory
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.settings.keys import KeyRing, KeyStore
from gpf_desktop.storage.audit_file import AuditFile
from tests.settings.test_keys import Safe
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow

FITS = Judgement(verdict=Verdict.CONTEXT, note="fits")
HARM = Judgement(verdict=Verdict.HARMFUL, severity=4)


class Machine:
    """A copy of the audit with one reviewer at it, with or without a key store."""

    def __init__(self, path: Path, login: str, *, store: Safe | None) -> None:
        self.engine = Engine(lambda _event: None, keys=_ring(store))
        self.service = ReviewService(self.engine.open(path).context, login=login)

    def bundle(self, number: int) -> BundleId:
        return sorted(self.service.queue(QueueFilter(), QueueOrder()).order)[number]


def _ring(store: Safe | None) -> KeyRing:
    def find(_platform: str) -> KeyStore:
        if store is None:
            raise RuntimeError("no key store")
        return KeyStore(backend=store, title="Test store")

    return KeyRing({}, find)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Callable[..., Machine]]:
    first = tmp_path / "first.gpf"
    audit = AuditFile.create(first, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political",))
    audit.close()
    made: list[Machine] = []

    def make(login: str, *, store: Safe | None) -> Machine:
        path = tmp_path / f"{len(made)}.gpf"
        shutil.copy(first, path)
        made.append(Machine(path, login, store=store))
        return made[-1]

    yield make
    for each in made:
        each.engine.close()


def rewritten(pack: Path, change: Callable[[list[dict[str, str]], str], object]) -> Path:
    """*pack* with the entries of its first reviewer changed by somebody who knows how packs are made."""
    with zipfile.ZipFile(pack) as archive:
        data: dict[str, Any] = json.loads(archive.read("reviews.json"))
    reviewer = data["reviewers"][0]
    change(reviewer["entries"], reviewer["uuid"])
    forged = pack.with_name("forged.gpfreviews")
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr("reviews.json", json.dumps(data))
    return forged


def appended(entries: list[dict[str, str]], uuid: str, **changes: str) -> None:
    """One more entry, sealed as any program can seal it."""
    last = {**entries[-1], "previous_hash": entries[-1]["hash"], "judgement": judgement_to_json(FITS), **changes}
    entry = SealedEntry(reviewer=uuid, **last)
    sealed = asdict(replace(entry, hash=entry.seal()))
    entries.append({name: value for name, value in sealed.items() if name != "reviewer"})


def exported(machine: Machine, folder: Path) -> Path:
    pack = folder / "pack.gpfreviews"
    machine.service.export_pack(pack).result()
    return pack


def taken(machine: Machine, pack: Path, **how: object) -> MergedHistory:
    (merged,) = machine.service.import_pack(pack, **how).result()  # type: ignore[arg-type]
    return merged


def test_that_entries_are_signed_where_there_is_a_key_store_and_the_audit_holds_no_private_key(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    store = Safe()
    ben = machine("ben", store=store)
    ben.service.submit(ben.bundle(0), HARM).result()
    (chain,) = ben.service.verify()
    assert (chain.whole, chain.entries, chain.signed) == (True, 1, 1)
    (private,) = store.keys.values()
    exported(ben, tmp_path)
    assert not [each for each in tmp_path.iterdir() if private.encode() in each.read_bytes()]


def test_that_an_entry_put_under_another_reviewer_s_name_is_refused_by_name_and_number(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    ben, ana = machine("ben", store=Safe()), machine("ana", store=Safe())
    ben.service.submit(ben.bundle(0), HARM).result()
    pack = exported(ben, tmp_path)
    assert taken(ana, pack).added == 1
    for changes in ({"key": "", "signature": ""}, {}):
        merged = taken(ana, rewritten(pack, lambda entries, uuid, c=changes: appended(entries, uuid, **c)))
        assert (merged.name, merged.added) == ("ben", 0)
        assert "entry 2" in merged.problem
    (chain,) = ana.service.verify()
    assert (chain.entries, chain.whole) == (1, True)


def test_that_a_wrong_signature_is_refused_whatever_the_auditor_says(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    ben, ana = machine("ben", store=Safe()), machine("ana", store=None)
    ben.service.submit(ben.bundle(0), HARM).result()
    forged = rewritten(exported(ben, tmp_path), appended)
    merged = taken(ana, forged, confirmed={ben.service.verify()[0].reviewer.uuid})
    assert (merged.added, merged.to_confirm) == (0, "")
    assert "wrong signature" in merged.problem


def test_that_a_reviewer_who_goes_on_with_another_key_is_taken_on_the_auditor_s_word_alone(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    home, away = machine("ben", store=Safe()), machine("ben elsewhere", store=Safe())
    home.service.submit(home.bundle(0), HARM).result()
    assert taken(away, exported(home, tmp_path)).added == 1
    away.service.take_seat(away.service.reviewers()[0]).result()
    away.service.submit(away.bundle(1), FITS).result()
    pack = exported(away, tmp_path)
    refused = taken(home, pack)
    assert "not known here" in refused.problem
    assert taken(home, pack, confirmed={refused.to_confirm}).added == 1
    assert home.service.verify()[0].signed == 2


def test_that_an_unsigned_history_is_taken_and_shown_as_unsigned(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    ben, ana = machine("ben", store=None), machine("ana", store=Safe())
    ben.service.submit(ben.bundle(0), HARM).result()
    assert taken(ana, exported(ben, tmp_path)).added == 1
    (chain,) = ana.service.verify()
    assert (chain.whole, chain.signed) == (True, 0)


def test_that_unsigned_entries_for_who_sits_here_wait_for_their_word(
    machine: Callable[..., Machine], tmp_path: Path
) -> None:
    ben = machine("ben", store=None)
    ben.service.submit(ben.bundle(0), HARM).result()
    forged = rewritten(exported(ben, tmp_path), appended)
    refused = taken(ben, forged)
    assert "your own history" in refused.problem
    assert ben.service.bundle(ben.bundle(0)).state.submitted == HARM
    assert taken(ben, forged, confirmed={refused.to_confirm}).added == 1


def test_that_an_entry_from_the_future_is_refused(machine: Callable[..., Machine], tmp_path: Path) -> None:
    ben, ana = machine("ben", store=None), machine("ana", store=None)
    ben.service.submit(ben.bundle(0), HARM).result()
    late = "9999-12-31T23:59:59.999+00:00"
    merged = taken(ana, rewritten(exported(ben, tmp_path), lambda e, uuid: appended(e, uuid, at=late)))
    assert merged.added == 0
    assert "entry 2 is dated 9999" in merged.problem
