"""Artifacts of one open audit."""

from concurrent.futures import Future
from pathlib import Path
from typing import Final

from gpf_desktop.documents.targets import guard
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell, waited_for
from gpf_desktop.engine.core.threaded_task import ThreadedTask
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.artifact.packing import MadeArtifact, make
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.engine.scoring.auto_rescoring import AutoRescoring
from gpf_desktop.engine.scoring.stale_scores import stale_settings
from gpf_desktop.storage import models
from gpf_desktop.storage.fit_groups import being_asked
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.writer import Connection

ARTIFACT_TASK: Final = "artifact"


class ArtifactService:
    """Makes them; one at a time."""

    def __init__(self, context: EngineContext, reports: ReportService, auto_rescoring: AutoRescoring) -> None:
        self._context = context
        self._reports = reports
        self._auto_rescoring = auto_rescoring
        self._task = ThreadedTask(context, ARTIFACT_TASK)

    def providers(self) -> tuple[str, ...]:
        """Providers whose answers the audit holds. Reads the store."""
        return self._context.audit.read(_providers)

    def current(self) -> bool:
        """Whether every score rests on every answer, so that whoever computes them anew gets the same."""
        return not self._context.audit.read(
            lambda connection: being_asked(connection) or stale_settings(connection, {})
        )

    def start(self, target: Path, choices: ArtifactChoices) -> "Future[MadeArtifact]":
        """Write the artifact to *target* in the background, once scores are current; told as the task `ARTIFACT_TASK`.

        Raises `UserError` while one is under way or a round is asked, for a target that is never written over, where a
        provider to withhold gave no answer, and where there is nothing to put in.
        """
        guard(target)
        there = self.providers()
        if not there:
            raise UserError(
                tr("{audit} holds no answers.", audit=self._context.audit.path.name), tr("Run a round first.")
            )
        for name in sorted(choices.withheld.difference(there)):
            raise UserError(
                tr("No answer in this audit is of a provider called “{name}”.", name=name),
                tr("Use one of: {names}.", names=", ".join(there)),
            )

        if self._context.audit.read(being_asked):
            raise UserError(
                tr("A round is being asked."),
                tr(
                    "Pause it, or wait until it ends: its scores change with every answer, and a shared file is "
                    "to hold."
                ),
            )

        def work(tell: Tell) -> tuple[MadeArtifact, str]:
            waited_for(self._auto_rescoring.settle(), lambda: tell(0, 0))
            made = make(self._context, self._reports, target, choices, tell)
            return made, made_words(made)

        return self._task.start(
            work, busy=tr("A shared file is being made already."), trouble=tr("The shared file could not be written.")
        )

    def cancel(self) -> None:
        """Stop; what was at its place stays."""
        self._task.cancel()

    def close(self) -> None:
        self._task.close()


def made_words(made: MadeArtifact) -> str:
    return tr(
        "The shared file is in {path}. Keep its check code elsewhere: {seal}", path=str(made.path), seal=made.seal
    )


def _providers(connection: Connection) -> tuple[str, ...]:
    found = (model.endpoint.provider for run in run_stamps(connection) for model in models.of_run(connection, run.id))
    return tuple(sorted(set(found)))
