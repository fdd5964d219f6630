"""Names for files made of words from outside: one plain name, inside the folder that was chosen."""

import os
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final

LONGEST: Final = 80
"""Characters, so that four bytes each and a suffix stay within every file system's 255 bytes."""
_UNSAFE: Final = re.compile(r'[<>:"/\\|?*\s.]+')
# Windows takes superscript digits for digits here: COM¹ is a device too.
_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³")}
)
"""Names that mean a device on Windows, whatever the suffix."""
_WORDS_AND_BETWEEN: Final = re.compile(r"[^\W_]+|[\W_]+")
_BETWEEN_AT_ENDS: Final = re.compile(r"^[\W_]+|[\W_]+$")


def safe_name(words: str, fallback: str = "file") -> str:
    """*words* as a file name without folder and suffix: no separator, control or bidi character, device or dot."""
    kept = "".join(
        character for character in unicodedata.normalize("NFC", words) if unicodedata.category(character)[0] != "C"
    )
    name = _UNSAFE.sub(" ", kept).strip(" -")
    # Four bytes are the most that a character takes; the cut may leave a blank at the end.
    name = name[:LONGEST].rstrip(" -")
    if not name:
        return fallback
    return f"{name} file" if name.casefold() in _DEVICES else name


def shared_name(files: Sequence[Path]) -> str:
    """One name for all of *files*: the words that their names begin or end with alike, else that of their folder."""
    if len({file.stem for file in files}) == 1:
        return files[0].stem
    stems = [_WORDS_AND_BETWEEN.findall(file.stem) for file in files]
    begin, end = _alike(stems), _alike([stem[::-1] for stem in stems])[::-1]
    named = (_BETWEEN_AT_ENDS.sub("", "".join(words)) for words in (begin, end))
    return next(filter(None, named), "") or _folder(files) or files[0].stem


def own_name(file: Path, files: Sequence[Path]) -> str:
    """The part of *file*'s name that is its own among *files*, which it is one of: ``llama3`` of ``llama3_answers``
    beside ``llama4_answers``; its whole stem where that is empty, and its folder's name where all stems are one."""
    if len(files) > 1 and len({each.stem for each in files}) == 1:
        return file.absolute().parent.name
    stems = [_WORDS_AND_BETWEEN.findall(each.stem) for each in files]
    begin, end = len(_alike(stems)), len(_alike([stem[::-1] for stem in stems]))
    its = _WORDS_AND_BETWEEN.findall(file.stem)
    return _BETWEEN_AT_ENDS.sub("", "".join(its[begin : len(its) - end])) or file.stem


def _alike(names: Iterable[Sequence[str]]) -> list[str]:
    """The words with which all *names* begin."""
    places = zip(*names, strict=False)
    return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, places)]


def _folder(files: Iterable[Path]) -> str:
    """The innermost folder that holds all of *files*; empty on drives of their own."""
    try:
        return Path(os.path.commonpath([file.absolute().parent for file in files])).name
    except ValueError:
        return ""
