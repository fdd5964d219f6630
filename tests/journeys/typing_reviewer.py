"""The child of `test_review_survives_a_kill`: types a note without a pause and says when a second has passed."""

import sys
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QSettings
from PySide6.QtTest import QTest

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.workshop import Workshop
from gpf_desktop.ui.review.review_page import ReviewPage


def main(path: str, note: str) -> None:
    settings = QSettings(str(Path(path).with_name("window.ini")), QSettings.Format.IniFormat)
    window = Desktop(make_application(), settings, Workshop).window
    window.show()
    window.files.open(Path(path))
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    while page.model.bundle is None:
        QTest.qWait(20)
    page.set_folded(False)
    QTest.qWait(2000)  # the page shows the bundle twice while the audit opens
    QTest.keyClicks(page.form.note, note)
    clock = QElapsedTimer()
    clock.start()
    while clock.elapsed() < 1000:
        # Never a pause: a program that waits for one would not have saved anything yet.
        QTest.keyClicks(page.form.note, ".")
        QTest.qWait(20)
    print("a second has passed", flush=True)
    while True:
        QTest.keyClicks(page.form.note, ".")
        QTest.qWait(20)


if __name__ == "__main__":
    main(*sys.argv[1:])
