"""XML from outside, read as a stream of elements: no tree, no entities, no depth beyond reason.

For formats that must be well-formed (sitemaps, OPML); feeds, which often are not, go another way.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from xml.parsers import expat

from gpf_desktop.documents.character_references import CONTROLS, with_escaped_ampersands, with_whole_characters
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr

DEEPEST = 200
"""Levels of elements; real documents stay under thirty."""

_PIECE = 1 << 16
_LONGEST_TEXT = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element that has ended: names without namespace and in lower case, text of its own only."""

    name: str
    path: tuple[str, ...]
    """Names of the elements around it, outermost first."""
    attributes: Mapping[str, str]
    text: str


def too_deep() -> SourceError:
    return SourceError(
        tr("The document nests its elements more than {depth} levels deep.", depth=DEEPEST),
        tr("No news source needs that; it was not read further."),
    )


def defines_entities() -> SourceError:
    return SourceError(
        tr("The document defines entities of its own."),
        tr("They can be used to fill the memory or to read files, so the document was refused."),
    )


def read_elements(body: bytes, ended: Callable[[Element], None]) -> str:
    """Calls *ended* for every element of *body* (UTF-8), inner before outer.

    An ampersand or a “<” of its own is text, and neither controls nor white space at the very beginning end the parse.

    Returns an empty string, or, where the document stops being well-formed, a sentence saying where; what came
    before has then been handed out. Raises `SourceError` for entities and absurd depth.
    """
    body = with_whole_characters(body.lstrip().translate(None, CONTROLS))
    body = with_escaped_ampersands(body, lone_brackets=True)
    reader = _Reader(ended)
    # The encoding is given, because the body is recoded and its declaration may still name the old one. Namespaces are
    # not looked up: nothing here depends on them, and some publishers forget to declare theirs.
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    # What a handler raises ends the parse: entities are refused where they are declared, before any is expanded.
    parser.EntityDeclHandler = reader.entity
    try:
        for start in range(0, len(body), _PIECE):
            parser.Parse(body[start : start + _PIECE], False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        line, reason = error.lineno, expat.ErrorString(error.code)
        return tr("line {line}: {reason}", line=line, reason=reason)
    return ""


class _Open:
    """An element that has begun: its text grows until it ends or is long enough."""

    __slots__ = ("attributes", "name", "pieces", "room")

    def __init__(self, name: str, attributes: Mapping[str, str]) -> None:
        self.name = name
        self.attributes = attributes
        self.pieces: list[str] = []
        self.room = _LONGEST_TEXT


class _Reader:
    def __init__(self, ended: Callable[[Element], None]) -> None:
        self._ended = ended
        self._open: list[_Open] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if len(self._open) >= DEEPEST:
            raise too_deep()
        self._open.append(_Open(_local(name), {_local(key): value for key, value in attributes.items()}))

    def text(self, data: str) -> None:
        # Text of an element comes in pieces; a cap on the sum keeps one endless element from being held whole.
        if self._open and (innermost := self._open[-1]).room > 0:
            innermost.pieces.append(data[: innermost.room])
            innermost.room -= len(data)

    def end(self, _name: str) -> None:
        ended = self._open.pop()
        path = tuple(outer.name for outer in self._open)
        text = "".join(ended.pieces).strip()
        self._ended(Element(name=ended.name, path=path, attributes=ended.attributes, text=text))

    def entity(self, *_declaration: object) -> None:
        raise defines_entities()


def _local(name: str) -> str:
    return name.rpartition(":")[2].lower()
