"""Start: the command line where a command is named, else the window."""

import multiprocessing
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """What `gpf-desktop` runs; returns the exit code."""
    multiprocessing.freeze_support()
    arguments = list(sys.argv[1:] if argv is None else argv)
    from gpf_desktop import cli

    wants_window = arguments[:1] == ["demo"] and "--no-window" not in arguments and "--json" not in arguments
    if wants_window and not {"-h", "--help"} & set(arguments):
        from gpf_desktop import app

        return app.demo([argument for argument in arguments[1:] if argument != "--"])
    if arguments and (arguments[0] in cli.COMMANDS or arguments[0] in {"-h", "--help", "--version"}):
        return cli.main(arguments)
    from gpf_desktop import app

    return app.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
