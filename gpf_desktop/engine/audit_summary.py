"""An open audit at a glance, as Home shows it."""

from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.runs import Run, RunState
from gpf_desktop.engine.core.protocols import protocol_hash
from gpf_desktop.engine.rounds.rounds import with_unpriced
from gpf_desktop.storage import audits, run_deletion, runs, sources, writings
from gpf_desktop.storage.audit_counts import AuditCounts, audit_counts
from gpf_desktop.storage.audits import AuditFacts
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSummary:
    """Facts and counts of one audit file, the protocol in force for its next round, and its rounds."""

    path: Path
    facts: AuditFacts
    counts: AuditCounts
    protocol: str
    """Title of the protocol in force."""
    protocol_hash: str
    rounds: tuple[Run, ...] = ()
    """The newest first."""
    failing: tuple[str, ...] = ()
    """Titles of the sources whose last fetch failed."""

    writers: float = 0.0
    """US dollars that writer models cost."""
    deleted: float = 0.0
    """US dollars that rounds cost which are deleted now."""
    deleted_unpriced: bool = False
    """A model of theirs had no known price."""

    @property
    def spent(self) -> float:
        """US dollars of every round, those that are deleted among them."""
        return self.deleted + sum(run.spent for run in self.rounds)

    @property
    def unpriced(self) -> bool:
        """A model of any round has no known price."""
        return self.deleted_unpriced or any(run.unpriced for run in self.rounds)

    @property
    def open_round(self) -> Run | None:
        """The round that is being asked, else the newest that rests before its end, else the newest that waits for its
        start; none that was archived."""
        left = [run for run in self.shown if run.state.active or run.state.resumable]
        return min(left, key=lambda run: (not run.state.active, run.state is RunState.DRAFT), default=None)

    @property
    def shown(self) -> tuple[Run, ...]:
        """The rounds that were not archived."""
        return tuple(run for run in self.rounds if not run.archived)

    @property
    def synthetic(self) -> bool:
        """Whether no real model said anything in it: the sample, a practice run, or calibration models alone."""
        return self.facts.sample or 0 < self.counts.models == self.counts.synthetic


def audit_summary(connection: Connection, path: Path, protocol: StudyProtocol) -> AuditSummary:
    return AuditSummary(
        path=path,
        facts=audits.facts(connection),
        counts=audit_counts(connection),
        protocol=protocol.title,
        protocol_hash=protocol_hash(protocol),
        rounds=tuple(with_unpriced(connection, run) for run in runs.every(connection)),
        writers=writings.dollars(connection),
        deleted=run_deletion.dollars(connection),
        deleted_unpriced=run_deletion.unpriced(connection),
        failing=tuple(row.title or row.target for row in sources.every(connection) if row.active and row.error),
    )
