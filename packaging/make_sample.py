#!/usr/bin/env python3
"""Makes the sample audit that Home opens a copy of, the way `gpf-desktop demo` makes it, and packs it.

    .venv/bin/python packaging/make_sample.py

Writes resources/sample/sample-audit.gpf.xz. Run it after a change to the schema, the scorer, the protocol, the sample
news or the calibration models; tests/engine/test_shipped_sample.py says when it is out of date.
"""

import lzma
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TARGET = PROJECT / "resources" / "sample" / "sample-audit.gpf.xz"
# Answers are text: literal context bits for letters, no alignment.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0}]


def main() -> int:
    sys.path.insert(0, str(PROJECT))
    from gpf_desktop.engine.commands.headless import Headless
    from gpf_desktop.engine.commands.sample import make_sample

    with tempfile.TemporaryDirectory() as folder:
        path, copy = Path(folder) / "Sample audit.gpf", Path(folder) / "copy.gpf"
        with Headless(quiet=False) as headless:
            summary = make_sample(headless, path)
            if not summary.done:
                sys.stderr.write(f"The sample audit was not finished: {summary.why}\n")
                return 3
            headless.engine.open_audit.save_copy(copy)
        with closing(sqlite3.connect(copy)) as connection:
            # What was deleted on the way stands in free pages, and would be packed along.
            connection.execute("VACUUM")
        whole = copy.read_bytes()
        for place in (folder, str(PROJECT), str(Path.home())):
            if place.encode() in whole:
                sys.stderr.write(f"The sample audit holds the path {place}.\n")
                return 3
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_bytes(lzma.compress(whole, format=lzma.FORMAT_XZ, filters=FILTERS))
    sys.stdout.write(f"{TARGET}: {len(whole):,} bytes packed into {TARGET.stat().st_size:,}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
