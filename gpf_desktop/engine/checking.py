"""A check of a method: calibration models asked in an audit that is thrown away, and what was found."""

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import Event, RunProgressed
from gpf_desktop.domain.ladders import Ladder
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit


@dataclass(frozen=True, slots=True, kw_only=True)
class InstrumentReport:
    """The method's table with what was found."""

    lines: tuple[CheckLine, ...]
    articles: int
    cells: int
    seed: int
    over: str = ""
    """What was asked about, in words; empty: articles of the sample news."""
    ladders: tuple[Ladder, ...] = ()
    """How small an effect is found how often; empty: the method's check has none."""

    @property
    def passed(self) -> bool:
        return all(line.passed for line in self.lines)

    def sentences(self) -> list[str]:
        """The report as sentences for people."""
        said = [
            tr(
                "Built-in test models (synthetic answers) over {items}, {cells} questions, seed {seed}.",
                items=self.over or tr("{n} sample articles", n=self.articles),
                cells=grouped(self.cells),
                seed=self.seed,
            )
        ]
        for line in self.lines:
            word = tr("pass") if line.passed else tr("FAIL")
            said += [f"{word}  {line.model}: {line.must_show}", f"      {line.found}"]
        failed = sum(not line.passed for line in self.lines)
        said.append(
            tr("The test shows what was planted.")
            if self.passed
            else trn("{n} line failed: do not rely on scores.", "{n} lines failed: do not rely on scores.", failed)
        )
        return said

    def as_dict(self) -> dict[str, object]:
        """The report as plain data for programs."""
        return {
            "passed": self.passed,
            "seed": self.seed,
            "articles": self.articles,
            "cells": self.cells,
            "lines": [
                {"model": line.model, "must_show": line.must_show, "found": line.found, "passed": line.passed}
                for line in self.lines
            ],
            "ladders": [asdict(ladder) for ladder in self.ladders],
        }


class CheckRun:
    """One check: `run` blocks for as long as it takes, `cancel` ends it from another thread."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._cancelled = threading.Event()
        self._open_audit: OpenAudit | None = None

    def run(self) -> InstrumentReport:
        """Raises `UserError` where it was cancelled, `StorageError` where there is no room for it."""
        # In this order, so that the engine has closed its file when the folder goes: Windows removes none that is open.
        with temporary_folder() as folder, closing(Engine(self._hear)) as engine:
            open_audit = engine.create(folder / "check.gpf", title=tr("Check of the test"), sample=True)
            self._open_audit = open_audit
            try:
                return self.checked(open_audit, folder)
            finally:
                self._open_audit = None

    @contextmanager
    def beside(self, path: Path) -> Iterator[OpenAudit]:
        """A further audit at *path*, for what another page than the first one is to conclude."""
        with closing(Engine(self._hear)) as engine:
            before, open_audit = self._open_audit, engine.create(path, title=tr("Check of the test"), sample=True)
            self._open_audit = open_audit
            try:
                yield open_audit
            finally:
                self._open_audit = before

    def cancel(self) -> None:
        """Stop asking; `run` then raises."""
        self._cancelled.set()
        open_audit = self._open_audit
        if open_audit is not None:
            open_audit.rounds.stop()

    def checked(self, open_audit: OpenAudit, folder: Path) -> InstrumentReport:
        """Ask the check's questions in *open_audit* and return the report; files that a plan names go to *folder*."""
        raise NotImplementedError

    def refuse_if_cancelled(self) -> None:
        """Raises `UserError`. To be asked between two steps: a stopped round ends as any other does."""
        if self._cancelled.is_set():
            raise UserError(tr("The check was cancelled."))

    def _hear(self, event: Event) -> None:
        if isinstance(event, RunProgressed):
            self._tell(event.progress.answered + event.progress.missing, event.progress.planned)
