#!/usr/bin/env python3
"""Makes the picture in the README: the review page of the sample audit, as `python -m tests.screenshots` takes it.

    .venv/bin/python packaging/make_picture.py

Writes packaging/review.png. Run it when the review page looks different, and look at the picture.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TARGET = PROJECT / "packaging" / "review.png"
TAKE = ["--only", "review", "--states", "sample", "--size", "1280x720", "--theme", "light"]
NAME = "sample-review-first-light-1280x720.png"
SMALLEST = 0
"""Of Qt's qualities of a PNG, which loses nothing at any of them."""


def main() -> int:
    from PySide6.QtGui import QImage

    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        take = [sys.executable, "-m", "tests.screenshots", folder, *TAKE]
        subprocess.run(take, cwd=PROJECT, env=surroundings, check=True)
        picture = QImage(str(Path(folder) / NAME))
        if picture.isNull() or not picture.save(str(TARGET), "PNG", SMALLEST):
            sys.stderr.write(f"{TARGET} could not be written.\n")
            return 3
    sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
