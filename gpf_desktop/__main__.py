"""Start: the command line where a command is named, else the window."""

import multiprocessing
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """What `gpf-desktop` runs; returns the exit code."""
    multiprocessing.freeze_support()
    arguments = list(sys.argv[1:] if argv is None else argv)
    from gpf_desktop import cli

    options = [argument for argument in arguments[1:] if argument.startswith("-") and argument != "--"]
    if arguments[:1] == ["demo"] and not options:
        return _in_window("demo", [argument for argument in arguments[1:] if argument != "--"])
    if arguments and (arguments[0] in cli.COMMANDS or arguments[0] in {"-h", "--help", "--version"}):
        return cli.main(arguments)
    if refusal := cli.refusal_of(arguments):
        print(refusal, file=sys.stderr)
        return cli.BAD_INPUT
    return _in_window("main", arguments)


def _in_window(start: str, arguments: Sequence[str]) -> int:
    try:
        from gpf_desktop import app
    except ImportError as error:
        if not (error.name or "").startswith("PySide6"):
            raise
        # Qt is there, a library of the system that it needs is not.
        from gpf_desktop.cli import COULD_NOT_RUN
        from gpf_desktop.domain.text import tr

        sentence = tr(
            "GPF Desktop cannot show its window because a library is missing ({error}); "
            "use the commands run, score and report, or demo with --no-window.",
            error=str(error),
        )
        print(sentence, file=sys.stderr)
        return COULD_NOT_RUN
    return app.demo(arguments) if start == "demo" else app.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
