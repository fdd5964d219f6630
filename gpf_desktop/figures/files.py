"""Drawings as files of their own: pictures, a page, a slide."""

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Final, Literal

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.shapes import Figure
from gpf_desktop.figures.svg import svg

DENSITY: Final = 144
"""Pixels of a picture per inch of its drawing: twice as many as the drawing has itself."""


class FigureFile(StrEnum):
    """The kinds of file that a figure can be saved as."""

    PNG = "png"
    SVG = "svg"
    PDF = "pdf"
    SLIDE = "slide"
    """One page of PDF, 16 to 9, which every program for slides places or shows."""

    @property
    def suffix(self) -> str:
        return "pdf" if self is FigureFile.SLIDE else self.value


def figure_bytes(figure: Figure, kind: FigureFile) -> bytes:
    """*figure* as a file, in the light palette: it is printed and pasted.

    Raises `UserError` where it cannot be drawn.
    """
    drawing = svg(figure)
    match kind:
        case FigureFile.SVG:
            return drawing.encode()
        case FigureFile.PNG:
            return painted([drawing])[0]
        case FigureFile.PDF:
            return _compiled("pictures.typ", {"drawings": json.dumps([drawing])}, "pdf")[0]
        case FigureFile.SLIDE:
            inputs = {"drawing": drawing, "title": figure.title, "description": figure.description}
            return _compiled("slide.typ", inputs, "pdf")[0]


def painted(drawings: Sequence[str]) -> list[bytes]:
    """*drawings*, each an SVG, as PNG. Raises `UserError` where one cannot be drawn."""
    if not drawings:
        return []
    return _compiled("pictures.typ", {"drawings": json.dumps(drawings)}, "png")


def write_figure(figure: Figure, kind: FigureFile, path: Path) -> None:
    """*figure* at *path*, whole or not at all. Raises `UserError` and `OSError`."""
    made = figure_bytes(figure, kind)
    with whole_file(path) as beside:
        beside.write_bytes(made)


def _compiled(template: str, inputs: dict[str, str], form: Literal["pdf", "png"]) -> list[bytes]:
    from typst import Compiler, TypstError

    folder = resources() / "reports"
    compiler = Compiler(folder / template, root=folder, font_paths=[resources() / "fonts"], sys_inputs=inputs)
    try:
        made = compiler.compile(format=form, ppi=DENSITY) if form == "png" else compiler.compile(format=form)
    except TypstError as error:
        raise UserError(
            tr("A figure cannot be drawn."),
            tr("Save it as SVG, or write the report as a web page (.html)."),
            details=f"{error.message} {error.diagnostic}".strip(),
        ) from error
    # Typst gives a list where there are several pages, and the bytes themselves of a single one.
    pages = made if isinstance(made, list) else [made]
    return [page for page in pages if isinstance(page, bytes)]
