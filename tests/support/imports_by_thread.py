"""``python -m tests.support.imports_by_thread FOLDER``: starts the window as before Python 3.12, makes the pages ready
and shows Results, and prints the modules with widgets that were imported on another thread than the window's."""

import sys
from pathlib import Path
from threading import current_thread, main_thread

from gpf_desktop.ui import qt_classes

FAR: list[str] = []
_WIDGETS = ("gpf_desktop.ui", "pyqtgraph", "PySide6")


def watch(event: str, arguments: tuple[object, ...]) -> None:
    if event == "import" and current_thread() is not main_thread() and str(arguments[0]).startswith(_WIDGETS):
        FAR.append(str(arguments[0]))


def main(folder: Path) -> None:
    qt_classes.ON_ANY_THREAD = False  # type: ignore[misc]
    sys.addaudithook(watch)
    from tests.screenshots.stage import Stage

    with Stage(folder, 100) as stage:
        stage.desktop.ahead.begin()
        stage.wait_for(lambda: stage.desktop.ahead.done)
        stage.window.files.create(folder / "evening.gpf", "gpf-livenews")
        stage.settle()
        stage.page("results")
    print(*FAR)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
