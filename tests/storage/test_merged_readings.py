"""A reading from another machine that is older than what was said here since."""

from dataclasses import replace

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, ReviewAction, Verdict
from gpf_desktop.storage import reviewers, reviews
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from tests.storage.rows import factors, planned, run


def test_that_of_what_one_said_at_two_machines_the_later_stands_whichever_came_first(audit: AuditFile) -> None:
    def write(connection: Connection) -> tuple[Judgement | None, int]:
        planned(connection, run(connection), factors("Left"))
        bundle, ada = BundleId(1), reviewers.add(connection, "Ada")
        later, earlier = Judgement(verdict=Verdict.HARMFUL, severity=2), Judgement(verdict=Verdict.CONTEXT)
        reviews.append(connection, bundle, ada, ReviewAction.SUBMIT, later)
        (here,) = reviews.sealed(connection, ada)
        there = replace(here, judgement=reviews.judgement_to_json(earlier), at="2020-01-01T00:00:00.000+00:00")
        reviews.merge(connection, ada.id, [(bundle, replace(there, hash=there.seal()))])
        return reviews.state(connection, bundle, ada.id).submitted, len(reviews.sealed(connection, ada))

    said, entries = audit.write(write).result()
    assert said is not None
    assert (said.verdict, entries) == (Verdict.HARMFUL, 2)
