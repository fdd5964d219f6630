#!/usr/bin/env python3
"""Makes the pictures in the README and in the manual, as `python -m tests.screenshots` takes them.

    .venv/bin/python packaging/make_picture.py

Writes packaging/review.png and resources/manual/pictures. Run it when a page looks different, and look at the pictures.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MANUAL = PROJECT / "resources" / "manual" / "pictures"
TARGETS = {
    PROJECT / "packaging" / "review.png": "sample-review-first",
    MANUAL / "home.png": "closed-home",
    MANUAL / "set-up.png": "sample-runs-setup",
    MANUAL / "review.png": "sample-review-form",
    MANUAL / "results.png": "sample-results",
}
TAKE = ["--only", "home", "runs", "review", "results", "--states", "closed", "sample", "--size", "1280x720"]
SMALLEST = 0
"""Of Qt's qualities of a PNG, which loses nothing at any of them."""


def main() -> int:
    from PySide6.QtGui import QImage

    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        take = [sys.executable, "-m", "tests.screenshots", folder, *TAKE, "--theme", "light"]
        subprocess.run(take, cwd=PROJECT, env=surroundings, check=True)
        for target, scene in TARGETS.items():
            picture = QImage(str(Path(folder) / f"{scene}-light-1280x720.png"))
            target.parent.mkdir(exist_ok=True)
            if picture.isNull() or not picture.save(str(target), "PNG", SMALLEST):
                sys.stderr.write(f"{target} could not be written.\n")
                return 3
            sys.stdout.write(f"{target}: {target.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
