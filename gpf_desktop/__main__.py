"""Start: the command line where a command is named, else the window."""

import multiprocessing
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gpf_desktop import linear_algebra, temporary_files


def main(argv: Sequence[str] | None = None) -> int:
    """The command `gpf-desktop`; returns its exit code."""
    multiprocessing.freeze_support()
    linear_algebra.in_one_thread()
    temporary_files.in_one_place()
    from gpf_desktop import cli
    from gpf_desktop.cli.exits import crashed
    from gpf_desktop.cli.printing import any_text_printed, no_work_lost_for_words

    any_text_printed()
    no_work_lost_for_words()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        return cli.main(arguments, show_window=partial(_in_window, "main"), show_demo=partial(_in_window, "demo"))
    except Exception as error:
        return crashed(error, arguments)


def _in_window(start: str, audit: Path | None) -> int:
    try:
        from gpf_desktop import app
    except ImportError as error:
        # The linker's failure names the extension alone ("QtCore") and lies in Qt's folder.
        if not (error.name or "").startswith("PySide6") and "PySide6" not in (error.path or ""):
            raise
        # Qt is there, a library of the system that it needs is not.
        from gpf_desktop.cli.exits import COULD_NOT_RUN
        from gpf_desktop.domain.text import tr

        sentence = tr(
            "GPF Desktop cannot show its window because a library is missing ({error}); "
            "use the commands run, score and report, or demo with --no-window.",
            error=str(error),
        )
        print(sentence, file=sys.stderr)
        return COULD_NOT_RUN
    return app.demo(audit) if start == "demo" else app.main(audit)


if __name__ == "__main__":
    sys.exit(main())
