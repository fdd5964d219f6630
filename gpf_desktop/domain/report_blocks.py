"""The blocks of a report's sections: words, numbers and drawings, and nothing of how a format sets them."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from gpf_desktop.domain.text import in_quotes


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFact:
    """One line of the description: what was run, with what."""

    name: str
    value: str


class Loudness(StrEnum):
    """The loudness of a paragraph."""

    QUESTION = "question"
    HEADLINE = "headline"
    LEAD = "lead"
    """Directly under a headline."""
    PLAIN = "plain"
    SMALL = "small"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph of some sentences."""

    text: str
    lead: str = ""
    """Bold, before them."""
    voice: Loudness = Loudness.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """Sentences of one rank."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactList:
    """A name and what there is to say of it, line by line."""

    facts: tuple[ReportFact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BigNumber:
    """A number and the words under it."""

    value: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BigNumbers:
    """A few numbers beside each other."""

    numbers: tuple[BigNumber, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFigure:
    """A figure as SVG, whose words are in it; the finding stands above it."""

    subtitle: str
    """What is left out of it; empty: nothing is."""
    svg: str
    width: float
    """Of the drawing, in its own pixels."""
    height: float
    alt: str
    """For who does not see it; it says the finding first."""
    lower: tuple["DrawnFigure", ...] = ()
    """The same as a page draws it that has less room, each lower than the one before."""

    def within(self, most: float) -> "DrawnFigure":
        """The first that is no higher than *most* times its width; the lowest where none is."""
        ways = (self, *self.lower)
        return next((each for each in ways if each.height <= most * each.width), ways[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPart:
    """A piece of a bar, as long as its count."""

    count: int
    words: str
    below: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """The counts of the parts of one whole; the parts in their order."""

    parts: tuple[BarPart, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Words of an answer that a person read and judged."""

    verdict: str
    """With its severity."""
    place: str
    """To whom, about what, which model."""
    words: str
    """The answer's own, cut with “…”; empty: nothing was marked."""
    said: tuple[str, ...] = ()
    """By reviewers, each with who said it."""
    code: str = ""
    """Check code of the whole answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotes:
    """Quotes, those to be read first before the others."""

    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTable:
    """A small table of words: no number in it is computed with."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chapters: tuple[str, ...] = ()
    """By row, the chapter that it points to, empty for none; where there are pages, its page is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignatureLines:
    """Lines for signatures, one for each signer."""

    signers: tuple[str, ...]


Block = Paragraph | Bullets | FactList | BigNumbers | DrawnFigure | Bar | Quotes | WordTable | SignatureLines


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it."""

    name: str
    """Stable: of anchors and tests."""
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """The brief that a board reads, on two to four pages."""

    title: str
    head: tuple[ReportFact, ...]
    """Title block: versions, dates, who, for whom."""
    draft: str
    """Why it is a draft; empty: it is final."""
    bands: tuple[str, ...] = ()
    """What has to be known before anything else: made-up answers, filters."""
    sections: tuple[Section, ...] = field(default=())
    footnote: str = ""
    """On every page: what a number shows, and what it does not."""
    day: str = ""
    """Of the report, in words."""

    def section(self, name: str) -> Section | None:
        return next((each for each in self.sections if each.name == name), None)


def lines_of_block(block: Block) -> tuple[str, ...]:
    """*block* as lines of plain words, for formats that set nothing: a drawing is what it says to who does not see."""
    lines: tuple[str, ...]
    match block:
        case Paragraph():
            lines = (f"{block.lead} {block.text}".strip(),)
        case Bullets():
            lines = block.items
        case FactList():
            lines = tuple(f"{each.name}: {each.value}" for each in block.facts)
        case BigNumbers():
            lines = tuple(f"{each.value} {each.words}" for each in block.numbers)
        case DrawnFigure():
            lines = (block.alt,)
        case Bar():
            lines = tuple(" ".join(filter(None, (str(each.count), each.words, each.below))) for each in block.parts)
        case Quotes():
            lines = tuple(_quoted(each) for each in block.quotes)
        case WordTable():
            lines = tuple("; ".join(filter(None, row)) for row in block.rows)
        case SignatureLines():
            lines = block.signers
        case _:
            assert_never(block)
    return lines


def _quoted(quote: Quote) -> str:
    words = in_quotes(quote.words) if quote.words else ""
    return " ".join(filter(None, (f"{quote.verdict}.", f"{quote.place}.", words, *quote.said)))
