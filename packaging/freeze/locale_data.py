"""Babel's files of languages that the program does not speak, with what it reads of them: names of months and days."""

import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_READ: Final = ("months", "days")
_ROOT: Final = "root"
"""What all languages inherit from."""


def trim(folder: Path, spoken: Iterable[str]) -> None:
    """Write *folder*'s files anew, all but those of the languages *spoken*. Reading one runs code: only Babel's."""
    whole = {_ROOT, "en", *spoken}
    for file in folder.glob("*.dat"):
        if file.stem.partition("_")[0] not in whole:
            with file.open("rb") as packed:
                held = pickle.load(packed)  # noqa: S301
            file.write_bytes(pickle.dumps({name: held[name] for name in _READ if name in held}, protocol=5))
