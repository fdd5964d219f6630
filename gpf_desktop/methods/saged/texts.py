"""Texts of an auditor's own files: TXT, Markdown, HTML, PDF and DOCX, each as paragraphs apart by a blank line."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final
from zipfile import ZipFile

from gpf_desktop.documents.encodings import text as decoded
from gpf_desktop.documents.plain_text import plain
from gpf_desktop.documents.targets import there
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

LARGEST: Final = 64 * 1024 * 1024
"""Bytes of one file."""
LARGEST_UNPACKED: Final = 256 * 1024 * 1024
"""Bytes of all parts of one DOCX file, which is a zip."""
MOST_FILES: Final = 2000
_BLOCK: Final = re.compile(
    r"</?(?:p|div|h[1-6]|li|ul|ol|td|th|tr|table|section|article|header|footer|blockquote|pre|figcaption|title|br)\b[^<>]*>",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)\s*$", re.MULTILINE | re.DOTALL)
_MARKDOWN: Final = (
    (re.compile(r"!\[[^\]\n]*\]\([^)\n]*\)"), ""),
    (re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)"), r"\1"),
    (re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE), r"\n\1\n"),
    (re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+", re.MULTILINE), "\n"),
    (re.compile(r"^\s*>\s?", re.MULTILINE), ""),
    (re.compile(r"(\*\*|__|`)(.+?)\1"), r"\2"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A text that sentences are taken from, and where it is from."""

    name: str
    text: str
    source_tag: str
    address: str = ""
    revision: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class UnreadFile:
    """A file that gave no text, and why."""

    name: str
    why: str


def read_place(place: Path) -> Iterator[SourceText | UnreadFile]:
    """The file *place*, or the files of the folder *place* and those below it, by name. Raises `UserError`."""
    if not there(place):
        raise UserError(tr("There is no file or folder {path}.", path=str(place)), tr("Check the name."))
    files = [place] if place.is_file() else sorted(each for each in place.rglob("*") if _counts(each, place))
    if not files:
        raise UserError(
            tr("{path} holds no file that can be read.", path=str(place)),
            tr("Read are {endings}.", endings=", ".join(sorted(_READERS))),
        )
    for number, path in enumerate(files):
        name = path.name if place.is_file() else path.relative_to(place).as_posix()
        if number >= MOST_FILES:
            yield UnreadFile(name, tr("more than {n} files", n=MOST_FILES))
            continue
        yield _read(path, name, tag=place.stem if place.is_file() else place.name)


def _counts(path: Path, under: Path) -> bool:
    hidden = any(part.startswith(".") for part in path.relative_to(under).parts)
    return path.is_file() and not hidden and path.suffix.lower() in _READERS


def _read(path: Path, name: str, *, tag: str) -> SourceText | UnreadFile:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        return UnreadFile(name, tr("not a kind of file that is read"))
    try:
        if path.stat().st_size > LARGEST:
            return UnreadFile(name, tr("larger than {n} MB", n=LARGEST >> 20))
        text = reader(path).replace("\0", " ").strip()
    except Exception as error:  # readers of documents raise whatever they like
        return UnreadFile(name, _why(error))
    if not text:
        return UnreadFile(name, tr("no text in it; a scan needs recognition of its letters first"))
    return SourceText(name=name, text=text, source_tag=tag, address=str(path))


def _why(error: Exception) -> str:
    if isinstance(error, UserError):
        return error.what
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return tr("damaged or protected ({kind})", kind=type(error).__name__)


def _plain_text(path: Path) -> str:
    return decoded(Document(body=path.read_bytes(), address=str(path)))


def _lines(path: Path) -> str:
    return with_headings_apart(_plain_text(path))


def _markdown(path: Path) -> str:
    text = with_headings_apart(_FENCE.sub("", _plain_text(path)))
    for pattern, instead in _MARKDOWN:
        text = pattern.sub(instead, text)
    return text


def html_text(markup: str) -> str:
    """*markup* as paragraphs: what blocks set apart stays apart."""
    parts = (plain(part) for part in _BLOCK.split(_without_head(markup)))
    return "\n\n".join(part for part in parts if part)


def _without_head(markup: str) -> str:
    """Scripts and styles go before blocks are cut, since cutting would set their content free."""
    return re.sub(
        r"<(script|style|noscript|template)\b.*?(?:</\1\s*>|\Z)", " ", markup, flags=re.IGNORECASE | re.DOTALL
    )


def _html(path: Path) -> str:
    return html_text(_plain_text(path))


def _docx(path: Path) -> str:
    import docx
    from docx.table import Table

    with ZipFile(path) as parts:
        # By the sizes that the archive states: `zipfile` unpacks no part beyond its own.
        if sum(part.file_size for part in parts.infolist()) > LARGEST_UNPACKED:
            raise UserError(tr("it would unpack to more than {n} MB", n=LARGEST_UNPACKED >> 20))
    found: list[str] = []
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, Table):
            found += dict.fromkeys(cell.text for row in block.rows for cell in row.cells)  # merged cells come twice
        else:
            found.append(block.text)
    return "\n\n".join(found)


def _pdf(path: Path) -> str:
    from pypdf import PdfReader
    from pypdf.errors import LimitReachedError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is wrong with a file is said once, by us
    try:
        pages = [page.extract_text() for page in PdfReader(path).pages]
    except LimitReachedError as error:
        raise UserError(tr("a part of it would unpack to more than is read")) from error
    # A line of a page ends where its column does; a hyphen there is seldom the word's own.
    return with_headings_apart("\n".join(re.sub(r"(\w)-\n(\w)", r"\1\2", page) for page in pages))


_READERS: Final[dict[str, Callable[[Path], str]]] = {
    ".txt": _lines,
    ".md": _markdown,
    ".markdown": _markdown,
    ".html": _html,
    ".htm": _html,
    ".docx": _docx,
    ".pdf": _pdf,
}
ENDINGS: Final = frozenset(_READERS)
"""Of files that are read."""


_MOST_WORDS: Final = 14
_LOOKED_AT: Final = 4
"""Lines below a heading by which the width of the text is told."""
_UNDERLINE: Final = re.compile(r"([=\-~_*#^+])\1{2,}")
_ENTRY: Final = re.compile(r"[*•·▪◦‣⁃–—-]\s+(?=[^\W\d_])(?![a-zß-ÿ])")
_LABEL: Final = re.compile(r"(?:[^\s:]+\s+){0,3}[^\s:]+:")
"""A word or a few with a colon on a line of their own: "Economy:"."""
_ENDS: Final = re.compile(r"[.!?…。！？؟:]['\"”’»)\]]*$")
"""Nothing that such a line says is under way below it."""
_OPEN: Final = tuple(",;،؛–—-‐([{“„«")
_ROOM: Final = 0.8
"""Of the width of a line, which letters of unequal widths fill unevenly."""


def with_headings_apart(text: str) -> str:
    """*text* with a blank line behind each line that is a heading; lines of marks below one go, and marks of a list's
    entries, each of which begins a paragraph.

    A heading begins where no sentence is under way, ends without a mark, and was broken off by hand: the line below
    begins with no small letter and, in a text whose lines are of one width, its first word would have had room.
    """
    lines = [line.strip() for line in text.splitlines()]
    of_one_width = any(_goes_on(*pair) for pair in pairwise(lines))
    found: list[str] = []
    under_way = False
    for at, whole in enumerate(lines):
        entry = _ENTRY.match(whole)
        line = whole[entry.end() :] if entry else whole
        if _UNDERLINE.fullmatch(line):
            found.append("")
            under_way = False
            continue
        if entry:
            found.append("")
            under_way = False
        found.append(line)
        below = lines[at + 1 : at + 1 + _LOOKED_AT] if of_one_width else lines[at + 1 : at + 2]
        label = bool(_LABEL.fullmatch(line)) and bool(below) and below[0][:1].isupper()
        if not under_way and (label or _is_heading(line, below, of_one_width=of_one_width)):
            found.append("")
        else:
            under_way = bool(line) and not _ENDS.search(line)
    return "\n".join(found)


def _goes_on(line: str, below: str) -> bool:
    """Whether a sentence of *line* goes on *below*; where letters have no case it may."""
    return bool(line and below) and not _ENDS.search(line) and below[0].isalpha() and not below[0].isupper()


def _is_heading(line: str, below: Sequence[str], *, of_one_width: bool) -> bool:
    if not line or len(line.split()) > _MOST_WORDS or _ENDS.search(line) or line.endswith(_OPEN):
        return False
    if not below or not below[0] or _UNDERLINE.fullmatch(below[0]):
        return True
    if below[0][0].islower():
        return False
    block = below[: below.index("")] if "" in below else below
    room = _ROOM * max(map(len, block)) - len(line) - 1
    return not of_one_width or len(block[0].split()[0]) <= room
