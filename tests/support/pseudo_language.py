"""A language that nobody speaks, for what is shown: every sentence stands in brackets and is a third longer."""

import re
import sys
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog

from gpf_desktop.domain import text

PSEUDO: Final = "pseudo"
LANGUAGE: Final = "eo"
"""One with two forms for numbers, as English has, for which no catalogue is shipped."""
_PACKAGING: Final = str(Path(__file__).parents[2] / "packaging")
"""Of pytest's own path, and not of a command's."""
_BRACKETED: Final = re.compile("⟦[^⟦⟧]*⟧")


def pseudo(sentence: str) -> str:
    """*sentence* as it is said: its fields stay, and dots make it 35% longer."""
    return f"⟦{sentence}{'·' * round(0.35 * len(sentence))}⟧"


def speak_pseudo(folder: Path) -> None:
    """Make the catalogue under *folder*, and speak it in this process."""
    if _PACKAGING not in sys.path:
        sys.path.append(_PACKAGING)
    from make_catalogues import DOMAIN, compiled, renewed, sentences

    catalogue = renewed(Catalog(locale=LANGUAGE, domain=DOMAIN), sentences())
    for message in catalogue:
        if message.id:
            message.string = pseudo(message.id) if isinstance(message.id, str) else tuple(map(pseudo, message.id))
    place = folder / LANGUAGE / "LC_MESSAGES"
    place.mkdir(parents=True)
    (place / f"{DOMAIN}.mo").write_bytes(compiled(catalogue))
    text.install(folder, [LANGUAGE])


def unsaid(shown: str) -> str:
    """What of *shown* stands outside all brackets: data, or a sentence that nobody can translate."""
    while (less := _BRACKETED.sub("", shown)) != shown:
        shown = less
    return shown.strip()
