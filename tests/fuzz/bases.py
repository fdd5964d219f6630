"""The audits that are damaged, with what leaves them: made once for many targets."""

from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, ReviewAction, Verdict
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.review.review_packs import export_pack
from gpf_desktop.storage import reviewers, reviews
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from tests.fuzz.targets import Target, artifact_target, audit_target, review_pack_target
from tests.support.asked_in_contexts import ask_in_contexts
from tests.support.filled_audit import fill


def news_audit(folder: Path) -> Path:
    """A small audit of GPF-LiveNews with a reviewer's readings in it, closed."""
    path = folder / "news.gpf"
    audit = AuditFile.create(path, title="Evening")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic",), families=("Impact",))

    def write(connection: Connection) -> None:
        reviewer = reviewers.add(connection, "Ada")
        said = Judgement(verdict=Verdict.HARMFUL, severity=2, note="Odd.", tags=("tone",))
        reviews.append(connection, BundleId(1), reviewer, ReviewAction.SUBMIT, said, reason="read")
        reviews.append(connection, BundleId(2), reviewer, ReviewAction.FLAG, Judgement(flagged=True))

    audit.write(write).result()
    audit.close()
    return path


def contexts_audit(folder: Path) -> Path:
    """One of Contextual StereoSet."""
    return ask_in_contexts(folder)


def artifact_of(audit: Path, target: Path) -> Path:
    with Headless(quiet=True) as headless:
        return headless.enter(audit).artifacts.start(target, ArtifactChoices()).result().path


def pack_of(audit: Path, target: Path) -> Path:
    opened = AuditFile.open(audit)
    opened.read(lambda connection: export_pack(connection, target))
    opened.close()
    return target


def targets_in(folder: Path) -> Mapping[str, Target]:
    """By name, those whose sound files are made in *folder*."""
    audit = news_audit(folder)
    every = (
        audit_target("an audit", audit),
        audit_target("an audit of contexts", contexts_audit(folder)),
        artifact_target(artifact_of(audit, folder / "artifact.zip")),
        review_pack_target(audit, pack_of(audit, folder / "pack.gpfreviews")),
    )
    return {target.name: target for target in every}
