"""Runs the checks of the code in turn, and all of them even if one fails; run by .venv's own Python."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CHECKS = (
    ("ruff", "check", "."),
    ("ruff", "format", "--check", "."),
    ("mypy", "--strict"),
    ("lint-imports",),
)


def main(programs_asked: Sequence[str]) -> int:
    """1 where a check failed, with the names of those that did; only those of *programs_asked*, if any are."""
    programs = Path(sys.executable).parent
    failed = []
    for check in CHECKS:
        if programs_asked and check[0] not in programs_asked:
            continue
        print(f"--- {' '.join(check)}", flush=True)
        if subprocess.run([programs / check[0], *check[1:]], check=False).returncode:
            failed.append(" ".join(check))
    print(f"Failed: {', '.join(failed)}" if failed else "All checks passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
