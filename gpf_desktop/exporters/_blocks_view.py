"""Blocks of a report's sections as templates want them: words and numbers, no markup."""

from hashlib import sha256
from typing import Final, assert_never

from gpf_desktop.domain.report_blocks import (
    Bar,
    BigNumbers,
    Block,
    Brief,
    Bullets,
    DrawnFigure,
    FactList,
    Paragraph,
    Quotes,
    Section,
    SignatureLines,
    WordTable,
)
from gpf_desktop.domain.text import printable, tr, unbroken
from gpf_desktop.exporters._finding_view import View

_NARROWEST: Final = 8
_WIDEST: Final = 56
"""Characters."""
_EDGES: Final = 2
"""Characters that have room in what lies between two columns."""


def brief_view(brief: Brief) -> View:
    """The values for a template of *brief*; sections in their order."""
    return {
        "title": printable(" ".join(brief.title.split())) or tr("Report"),
        "head": [{"name": each.name, "value": printable(each.value)} for each in brief.head],
        "draft": printable(brief.draft),
        "bands": [printable(each) for each in brief.bands],
        "sections": [section_view(each) for each in brief.sections],
        "footnote": printable(brief.footnote),
        "day": brief.day,
    }


def drawing_name(figure: DrawnFigure) -> str:
    """The name by which a page that cannot hold *figure* asks for it; another for every drawing."""
    return f"report:drawing/{sha256(figure.svg.encode()).hexdigest()}"


def section_view(section: Section) -> View:
    return {
        "id": f"brief-{section.name}",
        "name": section.name,
        "title": printable(section.title),
        "blocks": [block_view(each) for each in section.blocks],
    }


def block_view(block: Block) -> View:
    """*block* with its ``kind``."""
    view: View
    match block:
        case Paragraph():
            lead, text = printable(block.lead), unbroken(printable(block.text))
            view = {"kind": "paragraph", "lead": lead, "text": text, "voice": str(block.voice)}
        case Bullets():
            view = {"kind": "bullets", "items": [unbroken(printable(each)) for each in block.items]}
        case FactList():
            facts = [{"name": printable(each.name), "value": printable(each.value)} for each in block.facts]
            view = {"kind": "facts", "facts": facts}
        case BigNumbers():
            view = {
                "kind": "numbers",
                "numbers": [{"value": n.value, "words": printable(n.words)} for n in block.numbers],
            }
        case DrawnFigure():
            words = {name: printable(getattr(block, name)) for name in ("subtitle", "alt")}
            size = {"width": block.width, "height": block.height}
            lower = [block_view(each) for each in block.lower]
            view = {"kind": "drawing", "name": drawing_name(block), "svg": block.svg, **size, **words, "lower": lower}
        case Bar():
            parts = [{"count": p.count, "words": p.words, "below": p.below} for p in block.parts]
            view = {"kind": "bar", "parts": parts, "whole": sum(part.count for part in block.parts)}
        case Quotes():
            view = {
                "kind": "quotes",
                "quotes": [
                    {
                        "verdict": each.verdict,
                        "place": printable(each.place),
                        "words": printable(each.words),
                        "said": [printable(one) for one in each.said],
                        "code": each.code,
                    }
                    for each in block.quotes
                ],
            }
        case WordTable():
            view = {
                "kind": "table",
                "columns": [printable(each) for each in block.columns],
                "weights": weights(block),
                "rows": [
                    {"cells": [printable(each) for each in row], "chapter": chapter}
                    for row, chapter in zip(block.rows, block.chapters or ("",) * len(block.rows), strict=True)
                ],
            }
        case SignatureLines():
            view = {"kind": "signatures", "signers": [printable(each) for each in block.signers]}
        case _:
            assert_never(block)
    return view


def weights(table: WordTable) -> list[float]:
    """How wide its columns are to each other: by their longest cell, within bounds, so that short ones stay whole; a
    title may take two lines."""
    titles = [max(len(each) / 2, *map(len, each.split()), 1) for each in table.columns]
    longest = [max(title, *map(len, cells)) for title, *cells in zip(titles, *table.rows, strict=True)]
    return [_EDGES + min(max(each, _NARROWEST), _WIDEST) for each in longest]
