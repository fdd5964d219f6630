#!/usr/bin/env python3
"""Sets GPF Desktop up in this folder, then starts it, tests it or checks it. Needs Python alone.

    python3 packaging/bootstrap.py demo [AUDIT.gpf]     the sample audit; without a display, without the window
    python3 packaging/bootstrap.py run -- ARGUMENTS     any command of gpf-desktop
    python3 packaging/bootstrap.py test [-- ARGUMENTS]  the tests, offscreen; ARGUMENTS go to pytest
    python3 packaging/bootstrap.py test --quick         those of them that are not slow
    python3 packaging/bootstrap.py check                ruff, mypy --strict, import-linter; -- NAMES: those named
    python3 packaging/bootstrap.py constraints          the newest versions into packaging/constraints.txt, to be tested

Everything goes into the folder .venv beside pyproject.toml. Exit code 2: this Python is too old or too new, or the
command is unknown; 3: the set-up failed; else that of what was started.
"""

# This file keeps to what Python 2.7 can read, so that an old Python gets a sentence instead of a syntax error.

import os
import subprocess
import sys

LOWEST = (3, 11)
FIRST_TOO_NEW = (3, 15)


def complaint(version, works):
    """One sentence where Python *version* will not do, else None; *works* tells whether a command starts."""
    if LOWEST <= tuple(version[:2]) < FIRST_TOO_NEW:
        return None
    sentence = "GPF Desktop needs Python 3.11 to 3.14, and this is Python %d.%d" % tuple(version[:2])
    for name in ("python3.14", "python3.13", "python3.12", "python3.11"):
        if works(name):
            return sentence + "; run the same command with " + name + "."
    return sentence + "; install one of them and run the same command with it."


def runs(name):
    """Whether there is a Python called *name* that starts; a version manager's stand-in may not."""
    with open(os.devnull, "w") as nowhere:
        try:
            return subprocess.call([name, "-c", ""], stdout=nowhere, stderr=nowhere) == 0
        except OSError:
            return False


def main(arguments):
    sentence = complaint(sys.version_info, runs)
    if sentence is not None:
        sys.stderr.write(sentence + "\n")
        return 2
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from bootstrapping.start import start

    return start(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
