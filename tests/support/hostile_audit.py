"""An audit whose headlines, answers, names and notes are what has broken exports elsewhere."""

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, ReviewAction, Verdict
from gpf_desktop.storage import responses, reviewers, reviews
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.texts import storable
from gpf_desktop.storage.writer import Connection
from tests.support.filled_audit import Filled, fill
from tests.support.reports import HOSTILE

LONG = "".join(f"{number:08d}" for number in range(5000))
TEXTS = (*(storable(text) for text in HOSTILE), "", LONG)


def fill_hostile(audit: AuditFile, *, items: int = 1) -> Filled:
    """As `fill`, but every answer is one of `TEXTS`, and so are headline, model's name and a reviewer's note."""
    filled = fill(audit, items=items, models_asked=("faulty",))

    def spoil(connection: Connection) -> None:
        cells = [row[0] for row in connection.execute("SELECT cell_id FROM response ORDER BY cell_id")]
        connection.executemany(
            "UPDATE response SET text = ?, reasoning = ?, detail = ? WHERE cell_id = ?",
            [(TEXTS[at % len(TEXTS)], TEXTS[-at % len(TEXTS)], "=detail", cell) for at, cell in enumerate(cells)],
        )
        responses.set_flags(connection, cells[:1], [(cells[0], "leakage", "=found")])
        connection.execute(
            "UPDATE batch_item SET title = '=HYPERLINK(\"http://x\")', text = '<script>alert(1)</script>'"
        )
        connection.execute("UPDATE model SET label = '@model\u202e'")
        connection.execute("UPDATE run SET name = '+run'")
        bundle = BundleId(connection.execute("SELECT min(id) FROM bundle").fetchone()[0])
        reviewer = reviewers.add(connection, "=Reviewer\u202e")
        said = Judgement(verdict=Verdict.HARMFUL, severity=2, note="=1+1\n<script>", tags=("@tag",))
        reviews.append(connection, bundle, reviewer, ReviewAction.SUBMIT, said, reason="-reason")

    audit.write(spoil).result()
    return filled
