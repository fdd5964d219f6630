#!/usr/bin/env python3
"""Makes the pictures in the README and in the manual, as `python -m tests.screenshots` takes them.

    LOGNAME=reviewer .venv/bin/python packaging/make_picture.py

Writes packaging/review.png, resources/manual/pictures and those of every further language of the manual. Run it when a
page looks different, and look at the pictures.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MANUAL = PROJECT / "resources" / "manual"
OF_THE_MANUAL = {
    "home.png": "closed-home",
    "set-up.png": "sample-runs-setup",
    "review.png": "sample-review-form",
    "results.png": "sample-results",
}
TAKE = ["--only", "home", "runs", "review", "results", "--states", "closed", "sample", "--size", "1280x720"]
SMALLEST = 0
"""Of Qt's qualities of a PNG, which loses nothing at any of them."""


def main() -> int:
    further = [each.name for each in MANUAL.iterdir() if each.is_dir() and each.name != "pictures"]
    english = {MANUAL / "pictures" / name: scene for name, scene in OF_THE_MANUAL.items()}
    english[PROJECT / "packaging" / "review.png"] = "sample-review-first"
    done = [take(english, "en")]
    for language in further:
        its = {MANUAL / language / "pictures" / name: scene for name, scene in OF_THE_MANUAL.items()}
        done.append(take(its, language))
    return max(done)


def take(targets: dict[Path, str], language: str) -> int:
    """Write each of *targets*, which shows the scene named with it; 3 where one could not be written."""
    from PySide6.QtGui import QImage

    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        told = [sys.executable, "-m", "tests.screenshots", folder, *TAKE, "--theme", "light", "--language", language]
        subprocess.run(told, cwd=PROJECT, env=surroundings, check=True)
        for target, scene in targets.items():
            picture = QImage(str(Path(folder) / f"{scene}-light-1280x720.png"))
            target.parent.mkdir(exist_ok=True)
            if picture.isNull() or not picture.save(str(target), "PNG", SMALLEST):
                sys.stderr.write(f"{target} could not be written.\n")
                return 3
            sys.stdout.write(f"{target}: {target.stat().st_size:,} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
