"""Lists and tables of all options of which one is marked as the answer, and no other."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gpf_desktop.domain.patterns import regex
from gpf_desktop.methods.contextual_stereoset.answer_words import OPTION_WORDS
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS

_BULLET: Final = r"[\s>•·+-]{0,9}(?:\*\s)?(?:\d[.)]\s)?"
_BOX: Final = r"(?P<box>\[ ?\]|\[[xX✓✔]\]|[☐☑☒✅❌✓✔✗✘])?\s{0,3}"
_ROW: Final = regex(
    rf"(?P<row>\|)?{_BULLET}{_BOX}(?P<bold>\*\*|__)?[(*_]{{0,2}}(?:(?i:{OPTION_WORDS})\s)?(?P<letter>[ABC])[*_]{{0,2}}"
    r"(?:\s{0,3}[.)\]:：]|\s{0,9}(?=\|)|\s[–—=-]+(?=\s))[*_]{0,2}(?P<rest>[^\n]*)"
)
_YES_WORDS: Final = (
    r"yes|true|correct|typical|most typical|the most typical|typical (?:one|choice|answer)|answer|chosen"
)
_NO_WORDS: Final = (
    r"no|false|incorrect|wrong|un-?typical|atypical|not typical|less typical|least typical|unrelated|irrelevant"
    r"|not (?:related|relevant|correct)"
)
_SIGN_YES: Final = r"[✓✔✅☑]\ufe0f?"
_SIGN_NO: Final = r"[❌✗✘✖×]\ufe0f?"
_YES: Final = regex(
    rf"[\W_]*(?:{_YES_WORDS})[\W_]*|.*(?:{_SIGN_YES}|\((?:{_YES_WORDS})\)|(?:<?[-–—=]+\s?|[←⟵⇐]\s?)(?:{_YES_WORDS}))[\s*_.|!]*",
    re.IGNORECASE,
)
_NO: Final = regex(
    rf"[\W_]*(?:{_NO_WORDS})[\W_]*|.*(?:{_SIGN_NO}|\((?:{_NO_WORDS})\)|(?:<?[-–—=]+\s?|[←⟵⇐]\s?)(?:{_NO_WORDS}))[\s*_.|!]*",
    re.IGNORECASE,
)
_HEADS: Final = regex(
    r"^\|?[^\S\n]{0,9}A[^\S\n]{0,9}\|[^\S\n]{0,9}B[^\S\n]{0,9}\|[^\S\n]{0,9}C"
    r"[^\S\n]{0,9}\|?[^\S\n]{0,9}\n[ :|-]{3,60}\n"
    r"(?P<cells>[^\n]{1,400})$",
    re.MULTILINE,
)
_TURNED: Final = regex(r"\b(?:least|wrong|incorrect|not|un-?typical|atypical|stereotyp\w+|offensive)\b", re.IGNORECASE)
"""A heading that asks for the other end of the list."""


def marked(text: str) -> tuple[str, str]:
    """(the letters of the options that are marked, *text* without the list); no letters: it has no such list."""
    if table := _HEADS.search(text):
        cells = table["cells"].strip().strip("|").split("|")
        left = text[: table.start()] + text[table.end() :]
        return ("" if _TURNED.search(left) else _chosen(LETTERS, map(_told, cells))), left
    lines = text.splitlines()
    rows = [(at, row) for at, row in enumerate(map(_ROW.fullmatch, lines)) if row]
    letters = [row["letter"] for _, row in rows]
    if letters != list(LETTERS):
        return "", text
    first, last = rows[0][0], rows[-1][0]
    heading = [at for at in (first - 1, first - 2) if rows[0][1]["row"] and at >= 0 and "|" in lines[at]]
    left = "\n".join((*lines[: min([first, *heading])], *lines[last + 1 :]))
    asked = " ".join(lines[at] for at in heading)
    if _TURNED.search(asked) or _TURNED.search(left):
        return "", text
    return _chosen(LETTERS, _verdicts([row for _, row in rows])), left


def _verdicts(rows: Sequence[re.Match[str]]) -> Iterator[bool | None]:
    """True or False for each row that is marked yes or no; None for a row that says nothing."""
    bold = [bool(row["bold"]) and row["rest"].rstrip().endswith(row["bold"]) for row in rows]
    for row, heavy in zip(rows, bold, strict=True):
        told = _told(row["rest"].rpartition("|")[0].rpartition("|")[2] if row["row"] else row["rest"])
        box = row["box"]
        if told is None and box:
            told = box in "[x][X][✓][✔]☑☒✅✓✔" and box not in ("[]", "[ ]")
        yield told if told is not None else (True if heavy and sum(bold) == 1 else None)


def _told(words: str) -> bool | None:
    if _NO.fullmatch(words.strip()):
        return False
    return True if _YES.fullmatch(words.strip()) else None


def _chosen(letters: Sequence[str], verdicts: Iterator[bool | None]) -> str:
    told = list(verdicts)
    return "".join(letter for letter, each in zip(letters, told, strict=False) if each) if len(told) == 3 else ""
