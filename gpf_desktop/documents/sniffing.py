"""The kind of a document by its first few kilobytes, whatever its name and declared type say."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpf_desktop.documents.encodings import utf8
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.text import tr

_LOOK = 1 << 16
_DOCTYPE = re.compile(rb"<!DOCTYPE\s++([A-Za-z_][\w.-]*+)")
# No possessive groups, `(...)?+`: Python 3.11.0 to 3.11.4 (Debian 12 has 3.11.2) match them wrongly (gh-106052).
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*+:)?([A-Za-z_][\w.-]*+)")
_NO_TEXT = frozenset({*range(1, 9), *range(14, 27), *range(28, 32)})
ZIP = b"PK\x03\x04"
PARQUET_MARK = b"PAR1"


def head(document: Document) -> bytes:
    """The beginning of the body as UTF-8 without leading white space."""
    # Told that it is cut: half a character at the end would else make UTF-8 look like another encoding.
    part = replace(document, body=document.body[:_LOOK], cut=len(document.body) > _LOOK or document.cut)
    return utf8(part).lstrip()


def root_element(document: Document) -> str:
    """Local name, lower-case, of the first element; empty where the document is not markup."""
    start = head(document)
    at = 0
    while start.startswith(b"<", at):
        for opening, closing in ((b"<?", b"?>"), (b"<!--", b"-->"), (b"<!", b">")):
            if start.startswith(opening, at):
                end = _end_of_doctype(start, at) if opening == b"<!" else start.find(closing, at)
                break
        else:
            match = _ROOT.match(start, at)
            return match[2].decode().lower() if match else ""
        if end < 0:
            # A document type longer than what is looked at still names the element that it is for.
            declared = _DOCTYPE.match(start, at)
            return declared[1].decode().lower() if declared else ""
        at = end + len(closing)
        while start[at : at + 1].isspace():
            at += 1
    return ""


def is_html(document: Document) -> bool:
    """A web page rather than a document for programs."""
    root = root_element(document)
    start = head(document)[:512].lower()
    return root in {"html", "head", "body"} or b"<!doctype html" in start or (not root and b"<html" in start)


def is_binary(document: Document) -> bool:
    """Neither text nor markup in any encoding that documents come in."""
    sample = document.body[:4096]
    # Letters of ASCII in UTF-16 have a zero on one side, which is no sign of a binary file.
    wide = sample[:2] in {b"\xff\xfe", b"\xfe\xff"} or (
        len(sample) > 3 and 0 in (sample[0], sample[1]) and any(sample[:2])
    )
    return not wide and sample.count(0) > 0


_BEFORE: Final = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
"""Marks of an encoding and blanks."""


def kind_of(path: Path, meant: bytes | None = None) -> str:
    """The kind of the file at *path* in words, where its first bytes say that it is no text of a table; else empty.
    Empty too where it begins as *meant*."""
    with path.open("rb") as file:
        body = file.read(_LOOK)
    if meant and body.startswith(meant):
        return ""
    kinds = {
        ZIP: tr("a workbook or another archive (ZIP)"),
        b"\x1f\x8b": tr("a file packed by gzip"),
        b"\xd0\xcf\x11\xe0": tr("a workbook of an older Excel, or one with a password"),
        PARQUET_MARK: tr("a Parquet file"),
        b"SQLite format 3": tr("a database or an audit"),
        b"%PDF": tr("a PDF"),
        b"\x89PNG": tr("a picture"),
        b"\xff\xd8\xff": tr("a picture"),
        b"GIF8": tr("a picture"),
        b"+/v8": tr("text in UTF-7, which nothing reads any more"),
        b"BZh": tr("a packed file"),
        b"\xfd7zXZ": tr("a packed file"),
        b"\x28\xb5\x2f\xfd": tr("a packed file"),
        b"7z\xbc\xaf": tr("a packed file"),
        b"Rar!": tr("a packed file"),
        b"{\\rtf": tr("a text of a word processor (RTF)"),
        b"\x7fELF": tr("a program"),
        b"MZ\x90": tr("a program"),
    }
    found = next((kind for mark, kind in kinds.items() if body.startswith(mark)), "")
    if not found and _is_ebcdic(body):
        return tr("text of a mainframe (EBCDIC)")
    if not found and _is_noise(body):
        return tr("what no program for tables writes")
    # A page may stand in an answer's place too, where a gateway said in one that it failed.
    begins = body.lstrip(_BEFORE).startswith(b"<")
    return found or (tr("a web page") if begins and is_html(Document(body=body, address=str(path))) else "")


def _is_ebcdic(body: bytes) -> bool:
    """Letters lie beyond ASCII there, and lines end by signs of their own."""
    if b"\n" in body or b"\r" in body or not (b"\x15" in body or b"\x25" in body):
        return False
    letters = sum(0x81 <= each <= 0xE9 for each in body)
    return letters > len(body) // 2 and body.count(b"\x6b") > body.count(b",")


def _is_noise(body: bytes) -> bool:
    """Whether nearly all signs that no text has occur, as in what is packed, encrypted or compiled."""
    unmarked = not body.startswith((b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff"))
    return unmarked and len(_NO_TEXT.intersection(body)) > len(_NO_TEXT) * 3 // 4


def _end_of_doctype(start: bytes, at: int) -> int:
    # Declarations in brackets have ends of their own, so that the first “>” need not be the document type's.
    plain_end, subset = start.find(b">", at), start.find(b"[", at)
    if subset < 0 or plain_end < subset:
        return plain_end
    closing = start.find(b"]", subset)
    return start.find(b">", closing) if closing >= 0 else -1
