"""Audits of which artifacts are made, for the tests of artifacts."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Correction, Judgement, ReviewAction, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.data_export import DataWishes
from gpf_desktop.storage import reviewers, reviews, scores
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.restoring import doubt_scores
from tests.support.filled_audit import fill

WITHHOLDING = ArtifactChoices(withheld=frozenset({"calibration"}), pseudonyms=True, creator="Some desk")


def artifact_of(audit: Path, target: Path, choices: ArtifactChoices | None = None) -> str:
    engine = Engine(lambda _event: None)
    try:
        artifacts = engine.open(audit, read_only=True).artifacts
        return artifacts.start(target, choices or ArtifactChoices()).result().seal
    finally:
        engine.close()


def made(folder: Path, filling: Callable[[AuditFile], object]) -> Path:
    audit = AuditFile.create(folder / "a.gpf", title="Evening news")
    filling(audit)
    # As a round leaves an audit: answers flagged, every score computed by the workers.
    doubt(audit)
    audit.close()
    engine = Engine(lambda _event: None)
    engine.open(folder / "a.gpf").auto_rescoring.settle().result()
    engine.close()
    return folder / "a.gpf"


def doubt(audit: AuditFile) -> None:
    """Have every score of *audit* computed anew when it is opened."""
    audit.write(lambda connection: doubt_scores(connection, [each.id for each in scores.settings(connection)])).result()


def reviewed(audit: AuditFile) -> None:
    fill(audit, items=2, repeats=2, models_asked=("tailoring-0.6", "faulty"))

    def review(connection: sqlite3.Connection) -> None:
        someone = reviewers.add(connection, "Ada Example")
        said = Judgement(verdict=Verdict.CONTEXT, note="Fits the news.")
        for bundle in (1, 2, 3):
            reviews.append(connection, BundleId(bundle), someone, ReviewAction.SUBMIT, said)
        reviews.append(connection, BundleId(2), someone, ReviewAction.WITHDRAW, said)
        corrected = Correction(cell_id=1, measure="choice", category="B", rules="A")
        mended = Judgement(corrections=(corrected,))
        reviews.append(connection, BundleId(1), someone, ReviewAction.CORRECT, mended, reason="It says B.")
        told = ('[[0, "B", {"B": -0.1}]]',)
        connection.execute("UPDATE response SET sent = json_set(sent, '$.letters', json(?)) WHERE cell_id = 1", told)

    audit.write(review).result()


def exported(audit: Path, folder: Path) -> Path:
    return written(audit, DataWishes(folder=folder, formats=("csv", "jsonl")))


def written(audit: Path, wishes: DataWishes) -> Path:
    engine = Engine(lambda _event: None)
    try:
        engine.open(audit, read_only=True).data.write(wishes)
    finally:
        engine.close()
    return wishes.folder


def held(audit: Path, target: Path) -> dict[str, object]:
    """What an artifact of *audit* holds, structures as such: their spelling is SQLite's or Python's."""
    artifact_of(audit, target)

    def read(line: str) -> object:
        row = json.loads(line)
        return {name: json.loads(each) if str(each)[:1] in "[{" and each else each for name, each in row.items()}

    with ZipFile(target) as artifact:
        texts = {name: artifact.read(name).decode() for name in artifact.namelist()}
    return {
        name: [read(line) for line in text.splitlines()] if name.startswith("data/") else text
        for name, text in texts.items()
        if name not in {"manifest.json", "croissant.json"}
    }
