"""``python -m tests.screenshots.untranslated``: what the window shows that no catalogue could translate.

Every page is shown in a language that nobody speaks, in which all that is translated stands in brackets. What stands
outside them is printed, a line each: names and texts of the audit, or a sentence that was forgotten.
"""

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.engine.commands.sample import unpack_sample
from tests.screenshots.scenes import PAGES, STATES
from tests.screenshots.stage import Stage
from tests.support.pseudo_language import PSEUDO, unsaid
from tests.support.surroundings import use_throwaway_home

_PROPERTIES: Final = ("text", "title", "toolTip", "placeholderText", "accessibleName", "accessibleDescription")
_WORD: Final = re.compile("[A-Za-z]{3}")
_TAG: Final = re.compile("<[^>]*>")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.screenshots.untranslated", description="Untranslated words.")
    parser.add_argument("--only", nargs="+", default=list(PAGES), choices=PAGES, metavar="PAGE")
    parser.add_argument("--states", nargs="+", default=["new", "sample"], choices=list(STATES))
    wanted = parser.parse_args(argv)
    use_throwaway_home()
    found: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="gpf-untranslated-") as place:
        folder = Path(place)
        unpack_sample(folder / "Sample audit.gpf")
        with Stage(folder, 100, PSEUDO) as stage:
            for state in wanted.states:
                STATES[state].enter(stage)
                for scene in STATES[state].scenes:
                    if scene.page in wanted.only:
                        scene.set(stage)
                        for words in _outside():
                            if words not in found:
                                found.add(words)
                                print(f"{scene.name}: {words!r}", flush=True)
                        scene.strike(stage)
    return 0


def _outside() -> Iterator[str]:
    """What visible widgets say outside all brackets."""
    for widget in QApplication.allWidgets():
        if widget.isVisible():
            yield from filter(_WORD.search, (unsaid(_TAG.sub(" ", words)) for words in _said(widget)))


def _said(widget: QWidget) -> Iterator[str]:
    for name in _PROPERTIES:
        words = widget.property(name)
        if isinstance(words, str):
            yield words


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
