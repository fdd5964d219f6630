"""The child of `test_review_survives_a_kill`: types a note without a pause and says when it is saved."""

import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.review.review_service import DraftSaved
from gpf_desktop.ui.review.review_page import ReviewPage


def main(path: str, note: str) -> None:
    settings = QSettings(str(Path(path).with_name("window.ini")), QSettings.Format.IniFormat)
    window = Desktop(make_application(), settings, Engine).window
    window.show()
    window.files.open(Path(path))
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    while page.model.bundle is None:
        QTest.qWait(20)
    page.folding.set_folded(False)
    kept: list[DraftSaved] = []
    page.model.draft.drafted.connect(kept.append)
    QTest.keyClicks(page.form.note, note)
    # Never a pause: a program that waits for one would never save anything.
    while not any(saved.state.judgement.note.startswith(note) for saved in kept):
        QTest.keyClicks(page.form.note, ".")
        QTest.qWait(20)
    print("saved", flush=True)
    while True:
        QTest.keyClicks(page.form.note, ".")
        QTest.qWait(20)


if __name__ == "__main__":
    main(*sys.argv[1:])
