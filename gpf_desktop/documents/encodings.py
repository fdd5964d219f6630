"""Bytes from outside as text, whatever their encoding is said to be."""

import codecs
import re
from pathlib import Path

from gpf_desktop.documents.tables import not_read
from gpf_desktop.domain.ports import Document

# UTF-32's mark in little endian begins with UTF-16's, so it is looked for first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED_IN_XML = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']""")
_DECLARED_IN_HTML = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
_DECLARED_IN_TYPE = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""")
# Only encodings of documents: Python has others (punycode, unicode_escape) that are slow or mean something else.
_OF_DOCUMENTS = re.compile(
    r"^(?:utf-(?:8|16|32)(?:-[lb]e)?|ascii|iso8859-\d+|cp\d+|koi8-[rut]|gb\w+|hz|big5\w*|euc_\w+|shift_jis\w*|iso2022_\w+|"
    r"mac-\w+|johab|tis-620|ptcp154|kz1048)$"
)
# A server or editor that says Latin-1 or ASCII nearly always means the superset that Windows uses.
_MEANT = {"iso8859-1": "cp1252", "ascii": "cp1252"}
_PIECE = 1 << 20


def utf8(document: Document) -> bytes:
    """The body as valid UTF-8 without a byte order mark; what cannot be decoded becomes U+FFFD.

    A byte order mark decides; else bytes beyond ASCII that are valid UTF-8 are UTF-8, whatever is declared
    (declarations are wrong more often than chance makes valid UTF-8); else the declaration in the document, then
    the server's, then windows-1252.
    """
    body = document.body
    for mark, encoding in _MARKS:
        if body.startswith(mark):
            return _recoded(body[len(mark) :], encoding)
    wide = _wide(body)
    if wide:
        return _recoded(body, wide)
    declared = _declared(document)
    if body.isascii():
        # These write other scripts in bytes of ASCII, by escapes; everything else that is ASCII is UTF-8 as it stands.
        return _recoded(body, declared) if declared.startswith(("iso2022", "hz")) else body
    if _is_utf8(body, cut=document.cut):
        # Only the character at the cut can be broken here, and half of it tells nothing.
        return body if not document.cut else body.decode("utf-8", "ignore").encode()
    # A declaration of UTF-8 is no answer here, since the body is not valid UTF-8.
    return _recoded(
        body, declared if declared not in {"", "utf-8"} else "cp1252" if not _is_mostly_utf8(body) else "utf-8"
    )


def text(document: Document) -> str:
    """The body as text, decoded as `utf8` says."""
    return utf8(document).decode("utf-8", "replace")


def file_text(path: Path) -> str:
    """What the file at *path* says, decoded as `utf8` says. Raises `UserError` where it cannot be read."""
    try:
        return text(Document(body=path.read_bytes(), address=str(path)))
    except OSError as error:
        raise not_read(path, error) from error


def _declared(document: Document) -> str:
    head = document.body[:2048]
    in_document = _DECLARED_IN_XML.search(head) or _DECLARED_IN_HTML.search(head)
    in_type = _DECLARED_IN_TYPE.search(document.content_type)
    for name in (in_document and in_document[1].decode("ascii", "ignore"), in_type and in_type[1]):
        if name:
            try:
                found = codecs.lookup(name).name
            except LookupError:
                continue
            # A declaration that can be read byte by byte is not in a text of wide characters, whatever it says.
            if _OF_DOCUMENTS.match(found) and not found.startswith(("utf-16", "utf-32")):
                return _MEANT.get(found, found)
    return ""


def _wide(body: bytes) -> str:
    """UTF-16 without a mark shows itself by a zero beside the first ``<``, ``{`` or ``[``."""
    if len(body) >= 4 and body[1] == 0 and body[0] in b"<{[" and body[2]:
        return "utf-16-le"
    if len(body) >= 4 and body[0] == 0 and body[1] in b"<{[":
        return "utf-16-be"
    return ""


def _recoded(body: bytes, encoding: str) -> bytes:
    # Lone surrogates cannot stand in UTF-8; "replace" on the way back turns them into question marks.
    return body.decode(encoding, "replace").encode("utf-8", "replace")


def _is_utf8(body: bytes, *, cut: bool) -> bool:
    """Tried piece by piece, so that no second copy of a large body is made."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(body), _PIECE):
            decoder.decode(body[start : start + _PIECE])
        if not cut:
            decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _is_mostly_utf8(body: bytes) -> bool:
    """A few broken places in what is otherwise UTF-8: better some U+FFFD than every letter wrong."""
    sample = body[:_PIECE]
    decoded = sample.decode("utf-8", "replace")
    good = sum(1 for character in decoded if ord(character) > 127 and character != "\ufffd")
    return good > 4 * decoded.count("\ufffd")
