"""Bytes from outside as text, whatever their encoding is said to be."""

import codecs
import re
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.documents.guessed_encodings import guessed, label
from gpf_desktop.documents.targets import not_read
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr

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
_DECLARED_IN_TYPE = re.compile(r"""charset\s*=\s*["']?([\w.:-]{1,40})""", re.IGNORECASE)
# Only encodings of documents: Python has others (punycode, unicode_escape) that are slow or mean something else.
_OF_DOCUMENTS = re.compile(r"^(?:utf-8|cp\d+|iso8859-\d+|gb\w+|hz|big5\w*|iso2022_\w+|mac-\w+|johab|ptcp154|kz1048)$")
# What browsers take a label of the first name for holds more characters than Python's codec of that name.
_WIDER = {
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "tis-620": "cp874",
    "iso8859-1": "cp1252",
}
_MARK_OF_UTF7 = b"+/v8"
_UTF7 = re.compile(r"(?:unicode-1-1-)?utf-?7|csunicode11utf7|cp65000", re.IGNORECASE)
_TWICE = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)
"""A first byte of UTF-8 and a second one, each read as a character."""
_OF_ONE_BYTE = frozenset({"utf-8", "cp1252", "cp1250", "iso8859-2", "iso8859-15"})
_PIECE = 1 << 20
_SURROGATES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]")
_STRAY = "gpf-stray-bytes"
_JAPANESE = "gpf-japanese-rows"
_CONTROLS = "gpf-controls"
_ESCAPE = 0x1B


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEncoding:
    """How bytes are read as text."""

    codec: str
    """Python's name."""
    note: str = ""
    """In words, where the encoding was guessed or mended; empty where it is stated or certain."""


def utf8(document: Document) -> bytes:
    """The body as valid UTF-8 without a byte order mark; what cannot be decoded becomes U+FFFD. See `decoding`.

    Raises `SourceError` of UTF-7."""
    if _is_utf7(document):
        raise SourceError(
            tr("It is written in UTF-7, an encoding that no browser reads any more."),
            tr("Its publisher has to send it in UTF-8; it is tried again at the next fetch."),
        )
    body, how = document.body, decoding(document)
    for mark, _ in _MARKS:
        if body.startswith(mark):
            body = body[len(mark) :]
            break
    if how.codec != "utf-8":
        return _recoded(body, how.codec)
    if not how.note and _is_utf8(body, cut=document.cut):
        # Only the character at the cut can be broken here, and half of it tells nothing.
        return body if not document.cut else body.decode("utf-8", "ignore").encode()
    # Java and MySQL write what is beyond U+FFFF as two surrogates of three bytes each.
    body = _SURROGATES.sub(_joined, body)
    return body.decode("utf-8", _STRAY).encode("utf-8", "replace")


def decoding(document: Document) -> TextEncoding:
    """How the body is read, as browsers would read it.

    A byte order mark decides; else bytes beyond ASCII that are valid UTF-8, or are but for a few, are UTF-8, whatever
    is declared (declarations are wrong more often than chance makes valid UTF-8); else the declaration in the
    document, then the server's, by the labels of the WHATWG's encoding standard; else it is guessed, by the
    language that the document says it is in, then by which encoding makes words of it.
    """
    body = document.body
    marked = next((encoding for mark, encoding in _MARKS if body.startswith(mark)), "") or _wide(body)
    if marked:
        return TextEncoding(codec=marked)
    declared = _declared(document)
    if body.isascii():
        # These write other scripts in bytes of ASCII, by escapes; everything else that is ASCII is UTF-8 as it stands.
        return TextEncoding(codec=declared if declared.startswith(("iso2022", "hz")) else "utf-8")
    if _is_utf8(body, cut=document.cut):
        return TextEncoding(codec="utf-8")
    if _is_mostly_utf8(body, declared):
        return TextEncoding(codec="utf-8", note=tr("its text mixes encodings: UTF-8, with bytes of windows-1252 in it"))
    # A declaration of UTF-8 is no answer here, since the body is not valid UTF-8.
    codec, note = declared, ""
    if declared in {"", "utf-8"}:
        codec = guessed(body)
        note = tr("its encoding is not stated rightly: {encoding} was guessed", encoding=label(codec))
    return TextEncoding(codec=codec, note=note)


def _is_utf7(document: Document) -> bool:
    """A declaration of it beside text that is nothing else, or its mark."""
    if document.body.startswith(_MARK_OF_UTF7):
        return True
    if not any(_UTF7.fullmatch(name) for name in _labels(document)):
        return False
    try:
        return document.body.decode("utf-7").replace("+", "") != document.body.decode("ascii").replace("+-", "")
    except UnicodeDecodeError:
        return False


def decoded_once(words: str) -> str:
    """*words* without an encoding into UTF-8 that came on top of another, as “cafÃ©” and “itâ€™s” show it."""
    if not _TWICE.search(words):
        return words
    try:
        return words.encode("cp1252", _CONTROLS).decode("utf-8")
    except UnicodeError:
        return words


def text(document: Document) -> str:
    """The body as text, decoded as `utf8` says."""
    return utf8(document).decode("utf-8", "replace")


def file_text(path: Path) -> str:
    """The text of the file at *path*, decoded as `utf8` says. Raises `UserError` where it cannot be read."""
    try:
        return text(Document(body=path.read_bytes(), address=str(path)))
    except OSError as error:
        raise not_read(path, error) from error


def _labels(document: Document) -> list[str]:
    """The names of the encoding: the document's own first, then the server's."""
    head = document.body[:2048]
    in_document = _DECLARED_IN_XML.search(head) or _DECLARED_IN_HTML.search(head)
    in_type = _DECLARED_IN_TYPE.search(document.content_type)
    named = (in_document and in_document[1].decode("ascii", "ignore"), in_type and in_type[1])
    return [name for name in named if name]


def _declared(document: Document) -> str:
    for name in _labels(document):
        found = _codec(name)
        # A declaration that can be read byte by byte is not in a text of wide characters, whatever it says.
        if found and not found.startswith(("utf-16", "utf-32")):
            return found
    return ""


def _codec(name: str) -> str:
    """Python's codec for a label as browsers know it, else as Python does where it is one of documents; else empty."""
    import webencodings

    known = webencodings.lookup(name)
    # What browsers refuse to decode ("replacement": iso-2022-kr, hz) is text all the same; user-defined is no encoding.
    if known is not None and known.name not in {"replacement", "x-user-defined"}:
        found = str(known.codec_info.name)
    else:
        try:
            found = codecs.lookup(name).name
        except LookupError:
            return ""
        if not _OF_DOCUMENTS.match(found):
            return ""
    return _WIDER.get(found, found)


def _joined(match: re.Match[bytes]) -> bytes:
    return match[0].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()


def _stray_bytes(error: UnicodeError) -> tuple[str, int]:
    """Bytes that are no UTF-8 are nearly always those of windows-1252, pasted into the rest."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", "replace"), error.end


codecs.register_error(_STRAY, _stray_bytes)


def _as_browsers(error: UnicodeError) -> tuple[bytes, int]:
    """Browsers know characters for all bytes of windows-1252: five are controls, which Python's codec leaves out."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return error.object[error.start : error.end].encode("latin-1"), error.end


codecs.register_error(_CONTROLS, _as_browsers)


def _japanese_rows(error: UnicodeError) -> tuple[str, int]:
    """The rows of JIS X 0208 that NEC and IBM filled (① ㈱ 髙), which Python's codec has in Shift_JIS alone: without
    them the second byte is taken for the first of the next character, and so on."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    first, second = (*error.object[error.start : error.start + 2], 0, 0)[:2]
    row, cell = (first & 0x7F) - 0x20, (second & 0x7F) - 0x20
    if first == _ESCAPE or (first ^ second) & 0x80 or not (1 <= row <= 94 and 1 <= cell <= 94):
        return "\ufffd", error.end
    lead = (row - 1) // 2 + (0x81 if row <= 62 else 0xC1)
    trail = cell + 0x9E if row % 2 == 0 else cell + 0x3F + (cell >= 64)
    return bytes((lead, trail)).decode("cp932", "replace")[:1], error.start + 2


codecs.register_error(_JAPANESE, _japanese_rows)


def _wide(body: bytes) -> str:
    """UTF-16 without a mark shows itself by a zero beside the first ``<``, ``{`` or ``[``."""
    if len(body) >= 4 and body[1] == 0 and body[0] in b"<{[" and body[2]:
        return "utf-16-le"
    if len(body) >= 4 and body[0] == 0 and body[1] in b"<{[":
        return "utf-16-be"
    return ""


def _recoded(body: bytes, encoding: str) -> bytes:
    errors = _JAPANESE if encoding in {"euc_jp", "iso2022_jp"} else "replace"
    # Lone surrogates cannot stand in UTF-8; "replace" on the way back turns them into question marks.
    return body.decode(encoding, errors).encode("utf-8", "replace")


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


def _is_mostly_utf8(body: bytes, declared: str) -> bool:
    """A few broken places in what is otherwise UTF-8: better some of them mended than every letter wrong."""
    decoded = _SURROGATES.sub(_joined, body[:_PIECE]).decode("utf-8", "replace")
    good = sum(1 for character in decoded if ord(character) > 127 and character != "\ufffd")
    # Texts of one byte a letter hold no pairs that look like UTF-8; those of two bytes do by chance. What is no UTF-8
    # is read as windows-1252 anyway: where that, or UTF-8, is declared a few pairs are enough.
    least = 1 / 3 if declared in {"utf-8", "cp1252"} else 1 if declared in _OF_ONE_BYTE else 4
    return good > 0 and good >= least * decoded.count("\ufffd")
