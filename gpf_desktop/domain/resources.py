"""Finds the files that ship with the program: in a checkout, in a wheel and in a frozen build."""

import sys
from functools import cache
from pathlib import Path


@cache
def resources() -> Path:
    """The folder of shipped files (default protocol, sample news, price list, icons, templates)."""
    package = Path(__file__).resolve().parent.parent
    bundle = getattr(sys, "_MEIPASS", None)
    candidates = [package / "resources", package.parent / "resources"]
    if bundle is not None:
        candidates.insert(0, Path(bundle) / "gpf_desktop" / "resources")
    for folder in candidates:
        if (folder / "protocols").is_dir():
            return folder
    raise FileNotFoundError(f"the program's own files are missing: looked in {', '.join(map(str, candidates))}")
