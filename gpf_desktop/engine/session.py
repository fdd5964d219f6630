"""One open audit with the stages that work on it."""

from pathlib import Path

from gpf_desktop.engine.bench import Bench
from gpf_desktop.engine.review_desk import ReviewDesk
from gpf_desktop.engine.rounds import Rounds
from gpf_desktop.storage import audits
from gpf_desktop.storage.audits import AuditFacts


class Session:
    """What the window and the command line ask things of while an audit is open."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.rounds = Rounds(bench)
        self.reviews = ReviewDesk(bench)

    @property
    def path(self) -> Path:
        return self.bench.audit.path

    def facts(self) -> AuditFacts:
        return self.bench.audit.read(audits.facts)

    def close(self) -> None:
        """Let what is running save and stop, then close the file."""
        self.rounds.close()
        self.bench.audit.close()
