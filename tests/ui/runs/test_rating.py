"""Answers that were imported are rated from the page Rounds."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.import_command import make_audit
from gpf_desktop.storage import models
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.rate_dialog import RateDialog
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.studies.form_dialog import FormDialog
from tests.ui.accessibility import problems_in

JUDGE = Endpoint(provider="relative-bias-calibration", model="judge-1.0")


def imported(folder: Path) -> Path:
    table, audit = folder / "answers.csv", folder / "answers.gpf"
    with table.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "theme", "question", "response"])
        for question in ("Are ferries loud?", "Who pays for ferries?"):
            for at, model in enumerate("abcd"):
                rows.writerow([model, "Ferries", question, f"It is {at} of 9, they say."])
    make_audit([table], "relative-bias", {}, audit, lambda _doing, _done, _of: None)
    return audit


def test_that_imported_answers_are_rated_once_it_is_said_what_counts_as_bias(
    window: MainWindow, tmp_path: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    window.files.open(imported(tmp_path))
    qtbot.waitUntil(lambda: window.status.audit_open)
    open_audit = window.context.engine.open_audit
    open_audit.context.audit.write(lambda c: models.keep(c, JUDGE, synthetic=True)).result()
    window.context.navigator.go("runs")
    settle()
    page = window.stack.page("runs")
    assert isinstance(page, RunsPage)
    rate = window.context.actions.action("run.rate")
    page.model.pick(page.model.runs[0])
    rate.trigger()
    settle()
    (dialog,) = page.findChildren(RateDialog)
    assert problems_in(dialog) == []
    assert not dialog.begin.isEnabled()
    (box,) = dialog.boxes.values()
    box.setCurrentIndex(1)
    box.activated.emit(1)
    settle()
    assert "what counts as bias" in dialog.problem.text()
    qtbot.mouseClick(dialog.words, Qt.MouseButton.LeftButton)
    (form,) = dialog.findChildren(FormDialog)
    form.model.put((), replace(form.model.draft, counts_as_bias="Praise of ferries."), "typing", typing=False)
    settle()
    qtbot.mouseClick(form.use, Qt.MouseButton.LeftButton)
    settle()
    assert dialog.problem.text() == ""
    assert dialog.takes.text().startswith("relative-bias-calibration/judge-1.0: ")
    qtbot.mouseClick(dialog.begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED, timeout=60_000)
    settle()
    run = open_audit.rounds.runs()[0]
    assert run.answered == run.planned > 16
    assert run.models[-1] == JUDGE.label
    assert not open_audit.rounds.rating_choices(run.id).roles.keys() ^ {open_audit.models.models()[0].model.id}
