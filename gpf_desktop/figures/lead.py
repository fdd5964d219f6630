"""The figure that leads a page of conclusions, whole: finding, marks, what weighs on them, what they mean."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.lead import LeadRow, PointShape
from gpf_desktop.domain.conclusions.rendering import ROW_CAVEATS, Told, ToldPage, chips
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.axes import NumberColumn, head, head_height, number_columns, scales
from gpf_desktop.figures.lead_key import chip_words, key
from gpf_desktop.figures.lead_words import finding, outcome_of, rows_differing, says, tags, weighing, weighing_on_all
from gpf_desktop.figures.marks import (
    beside_names,
    chip,
    chip_width,
    ground,
    names_of_ends,
    row_marks,
    sign,
    tag,
    triangle,
)
from gpf_desktop.figures.shapes import Figure, Line, Shape, Spot, Words, moved
from gpf_desktop.figures.text_widths import balanced, fitted, middle_fitted, width_of, wrapped

WIDE: Final = 1160.0
PAPER: Final = 720.0
NARROW: Final = 900.0
"""Narrower than this, what weighs on a row stands under it."""
_EDGE: Final = 20.0
_LINE: Final = 16.0
_NUMBERS: Final = 0.4
"""Of the room of the scales, the most that numbers take with their ranges beside them."""
_CROWDED: Final = 0.52
"""Of the same, from which on numbers stand without their ranges: marks must be told apart."""
_NAME: Final = 14
_SMALL: Final = 12.0
_FOOT: Final = 12
_SIGN: Final = 24.0
"""Of the sign of a row's own outcome, before its label where the chip stands at the head of a model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Heights:
    """The least heights of rows."""

    row: float = 38.0
    of_measure: float = 34.0
    of_model: float = 40.0
    around_words: float = 10.0


_DENSE: Final = _Heights(row=32.0, of_measure=24.0, of_model=27.0, around_words=5.0)
"""As low as marks, names and numbers with their ranges beside them allow."""
_OF_TWO_LINES: Final = 32.0
"""The least height where ranges stand below their numbers."""


def lead_figure(
    told: ToldPage, width: float = WIDE, *, with_title: bool = True, weighed: bool = True, dense: bool = False
) -> Figure:
    """The lead figure of *told*, *width* pixels across and as high as it needs.

    *with_title*: with question, finding and footnote inside, as a file of its own has them; else rows and key alone,
    for a page that says these around it. *weighed*: with what weighs on each row; False: the page says that elsewhere.
    *dense*: with rows as low as they may be.
    """
    return _Lead(told, width, with_title=with_title, weighed=weighed, dense=dense).figure()


class StripKind(StrEnum):
    """The kind of a strip of the figure."""

    HEAD = "head"
    """The scales."""
    MODEL = "model"
    """The head of a model's rows."""
    ROW = "row"
    KEY = "key"
    """What the marks mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """A part of the figure over its whole width, for a page that lays its parts out itself; places from its own top."""

    kind: StripKind
    height: float
    shapes: tuple[Shape, ...]
    says: str = ""
    conclusion: int = -1
    """Of the page's; -1: of none."""
    row: int = -1
    """Of the lead's (`Lead.rows`)."""
    marks: tuple[float, float] = (0.0, 0.0)
    """Where marks and their numbers begin and end, from left to right."""


def row_strips(told: ToldPage) -> list[Strip]:
    """The rows that `lead_strips` will have, and the heads of models among them, before any of them is drawn."""
    return [
        Strip(kind=kind, height=0.0, shapes=(), conclusion=conclusion, row=row) for kind, conclusion, row in _rows(told)
    ]


def _rows(told: ToldPage) -> Iterator[tuple[StripKind, int, int]]:
    """(what it is, number of its conclusion, of its row), from top to bottom."""
    before, headed = None, told.lead.by_measure and len(told.told) > 1
    for at, row in enumerate(told.lead.rows):
        if headed and row.conclusion != before:
            yield StripKind.MODEL, row.conclusion, -1
        before = row.conclusion
        yield StripKind.ROW, row.conclusion, at


def lead_strips(told: ToldPage, width: float, *, dense: bool = False) -> list[Strip]:
    """The lead figure of *told* in parts, from top to bottom, without what a page says around it; *dense*: as low as
    it may be, for a low window."""
    return _Lead(told, width, with_title=False, dense=dense).strips()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Columns:
    """The places where columns begin and end."""

    name: float
    chip: float
    panels: tuple[tuple[float, float], ...]
    weighs: float
    end: float


class _Lead:
    def __init__(
        self, told: ToldPage, width: float, *, with_title: bool, weighed: bool = True, dense: bool = False
    ) -> None:
        self._heights = _DENSE if dense else _Heights()
        self._told, self._lead, self._width = told, told.lead, width
        self._with_title, self._weighed = with_title, weighed
        self._wide = weighed and width >= NARROW
        self._several = self._lead.by_measure and len(told.told) > 1
        self._columns, taken = self._placed()
        self._scales = scales(self._lead, self._columns.panels, taken)
        self._shapes: list[Shape] = []
        self._y = 0.0

    def figure(self) -> Figure:
        title, second = finding(self._told)
        shapes: list[Shape] = []
        spots: list[Spot] = []
        y = 0.0
        if self._with_title:
            y = self._part(partial(self._titles, title, second), start=_EDGE)
            shapes += self._shapes
        for each in self.strips():
            if each.kind is StripKind.KEY:
                shapes.append(self._rule(y))
            shapes += moved(each.shapes, 0, y)
            if each.kind is StripKind.ROW:
                left, width = self._columns.name, self._columns.end - self._columns.name
                spots.append(Spot(x=left, y=y, width=width, height=each.height, says=each.says, row=each.row))
            y += each.height
        if self._with_title:
            height = self._part(self._footnote)
            shapes += moved(self._shapes, 0, y)
            y += height
        description = " ".join(says(self._told, row) for row in self._lead.rows)
        return Figure(
            width=self._width,
            height=round(y),
            shapes=tuple(shapes),
            title=title,
            description=" ".join(filter(None, (self._told.page.question, second, description))),
            spots=tuple(spots),
        )

    def strips(self) -> list[Strip]:
        made = [self._strip(StripKind.HEAD, self._axis)]
        for kind, number, at in _rows(self._told):
            if kind is StripKind.MODEL:
                words = " ".join((self._told.told[number].sentence, *tags(self._told, number)))
                made.append(self._strip(kind, partial(self._model, number), says=words, conclusion=number))
            else:
                row = self._lead.rows[at]
                draw = partial(self._row, at, row)
                made.append(self._strip(kind, draw, says=says(self._told, row), conclusion=number, row=at))
        return [*made, self._strip(StripKind.KEY, self._key)]

    def _strip(
        self, kind: StripKind, draw: Callable[[], object], *, says: str = "", conclusion: int = -1, row: int = -1
    ) -> Strip:
        height = self._part(draw)
        marks = (self._columns.panels[0][0], self._columns.panels[-1][1]) if kind is StripKind.ROW else (0.0, 0.0)
        return Strip(
            kind=kind,
            height=height,
            shapes=tuple(self._shapes),
            says=says,
            conclusion=conclusion,
            row=row,
            marks=marks,
        )

    def _part(self, draw: Callable[[], object], *, start: float = 0.0) -> float:
        """Let *draw* fill `_shapes` anew from *start* down; how high that is."""
        self._shapes, self._y = [], start
        draw()
        return self._y

    def _placed(self) -> tuple[_Columns, Sequence[NumberColumn]]:
        """The places of columns, and the room that numbers take in each panel."""
        left, right = (_EDGE, self._width - _EDGE) if self._with_title else (12.0, self._width - 12.0)
        names = [self._label(row) for row in self._lead.rows]
        longest = max((width_of(name, _NAME, bold=True) for name in names), default=60.0)
        # Names of measures are words of a sentence, and on paper there is no room for them and what weighs on them.
        share = 0.34 if self._several else 0.26 if self._lead.by_measure and not self._wide else 0.2
        names_end = left + min(max(96.0, longest + 40 + (_SIGN if self._several else 0.0)), share * self._width)
        chip_at = names_end
        if not self._several:
            words = [chips()[outcome_of(self._told, row)[0]] for row in self._lead.rows]
            names_end += max(map(chip_width, words), default=90.0) + 16
        weighs = right - (0.225 * self._width if self._wide and not self._several else 0.0)
        gap, first, last = 26.0, names_end + 8, weighs - (0.0 if self._several else 22.0)
        taken = number_columns(self._lead, below=False)
        if sum(each.width for each in taken) > _NUMBERS * (last - first):
            taken = number_columns(self._lead, below=True)
        if sum(each.width for each in taken) > _CROWDED * (last - first):
            taken = [replace(each, reach=0.0) for each in taken]
        panels = [(first, last)]
        if len(self._lead.panels) > 1:
            # The first scale has more room: what is concluded of all methods is read there.
            marks = last - first - gap - sum(each.width for each in taken)
            middle = first + 0.58 * marks + taken[0].width
            panels = [(first, middle), (middle + gap, last)]
        return _Columns(name=left, chip=chip_at, panels=tuple(panels), weighs=weighs, end=right), taken

    def _label(self, row: LeadRow) -> str:
        return row.label or self._told.told[row.conclusion].name

    def _write(self, x: float, y: float, text: str, size: float, ink: str = "text", *, bold: bool = False) -> None:
        if text:
            self._shapes.append(Words(x=x, y=y, text=text, size=size, ink=ink, bold=bold))

    def _lines(self, text: str, size: float, step: float, ink: str = "text", *, bold: bool = False) -> None:
        for line in wrapped(text, size, self._columns.end - self._columns.name, bold=bold) if text else ():
            self._write(self._columns.name, self._y + size, line, size, ink, bold=bold)
            self._y += step

    def _titles(self, title: str, second: str) -> None:
        large = 22.0 if self._wide else 18.0
        if self._told.synthetic:
            # First, and whole: made-up answers must not be read as a model's.
            self._lines(self._told.synthetic, _SMALL, 17, "synthetic", bold=True)
            self._y += 4
        self._lines(self._told.page.question, 13, 20, "text_secondary")
        self._lines(title, large, large * 1.28, bold=True)
        self._lines(second, 14 if self._wide else 13, 20)
        self._y += 10

    def _axis(self) -> None:
        height = head_height(self._lead, self._scales)
        bottom = self._y + height
        for panel, scale in zip(self._lead.panels, self._scales, strict=True):
            self._shapes += head(panel, scale, bottom)
        columns = self._columns
        early = all(each.conclusion.outcome is ConclusionOutcome.TOO_EARLY for each in self._told.told)
        if not self._several:
            measured = tr("Measured") if self._lead.by_measure else tr("Model")
            self._write(columns.name, bottom - 7, measured, _SMALL, "text_secondary")
            shown = tr("So far") if early else tr("What it shows")
            self._write(columns.chip, bottom - 7, shown, _SMALL, "text_secondary")
        if self._wide and not self._several:
            self._write(columns.weighs, bottom - 7, tr("What weighs on it"), _SMALL, "text_secondary")
        self._y = bottom

    def _rule(self, y: float) -> Line:
        columns = self._columns
        return Line(x1=columns.name, y1=y, x2=columns.end, y2=y, ink="border", opacity=0.8)

    def _model(self, at: int) -> None:
        """The head of a model's rows."""
        one = self._told.told[at]
        self._shapes.append(self._rule(self._y))
        y = self._y + self._heights.of_model / 2
        x = self._columns.name
        if one.conclusion.synthetic:
            self._shapes.append(triangle(x, y))
            x += 18
        name = one.name if not one.conclusion.about else f"{one.name} · {one.conclusion.about}"
        name = fitted(name, 14, 0.4 * self._width, bold=True)
        self._write(x, y + 5, name, 14, bold=True)
        x += width_of(name, 14, bold=True) + 14
        early = one.conclusion.outcome is ConclusionOutcome.TOO_EARLY
        outcome = chips()[one.conclusion.said]
        self._shapes += chip(one.conclusion.said, outcome, x, y, hollow=early)
        x += chip_width(outcome)
        if within := rows_differing(self._told, at):
            self._write(x, y + 4.5, within, _SMALL, "text_secondary")
            x += width_of(within, _SMALL)
        x = self._tagged(at, x + 12, y)
        self._y += self._heights.of_model
        weighs = weighing_on_all(self._told, at)[:ROW_CAVEATS] if self._weighed else ()
        if width_of(" ".join(weighs), _SMALL) <= self._columns.end - x:
            self._write(x, y + 4, " ".join(weighs), _SMALL)
            return
        for said in weighs:
            for line in wrapped(said, _SMALL, self._columns.end - self._columns.name):
                self._write(self._columns.name, self._y + 7, line, _SMALL)
                self._y += _LINE
        self._y += 6

    def _tagged(self, at: int, x: float, y: float) -> float:
        for words in tags(self._told, at):
            shapes, wide = tag(words, x, y)
            if x + wide > self._columns.end:
                break
            self._shapes += shapes
            x += wide + 8
        return x

    def _row(self, at: int, row: LeadRow) -> None:
        one, columns = self._told.told[row.conclusion], self._columns
        heights = self._heights
        height = heights.of_measure if self._several else heights.row
        if any(scale.below and scale.ranged for scale in self._scales):
            height = max(height, _OF_TWO_LINES)
        before = _SIGN if self._several else 18 if one.conclusion.synthetic else 0
        room = columns.chip - columns.name - 10 - before
        label = self._label_lines(row, room)
        weighs = self._weighs(row)
        aside = max(len(weighs), bool(self._row_tags(row))) if self._wide and not self._several else 0
        height = max(height, heights.around_words + _LINE * max(len(label), aside))
        strokes = any(each.shape is PointShape.STROKE for cell in row.cells for each in cell.points)
        named = strokes and at == 0
        height += 12 if named else 0
        self._shapes.append(self._rule(self._y))
        top, y = self._y, self._y + height / 2 + (6 if named else 0)
        # No line of the scale goes through names above the marks, nor beside them.
        ground_top = y - 11 if named else top
        hollow = one.conclusion.outcome is ConclusionOutcome.TOO_EARLY
        for panel, scale, cell in zip(self._lead.panels, self._scales, row.cells, strict=True):
            names = names_of_ends(cell, scale, y, "text")
            self._shapes += beside_names(ground(panel, scale, ground_top, top + height), names, y)
            self._shapes += row_marks(
                cell,
                scale,
                y,
                hollow=hollow,
                named=named,
            )
        self._names(label, one, row, y)
        if not self._several:
            outcome, early = outcome_of(self._told, row)
            self._shapes += chip(outcome, chips()[outcome], columns.chip, y, hollow=early)
        self._y += height
        self._aside(row, weighs, y)

    def _label_lines(self, row: LeadRow, room: float) -> list[str]:
        bold = not self._several
        if row.label:
            return wrapped(row.label, _NAME, room, bold=bold, most=3)
        return [middle_fitted(self._label(row), _NAME, room, bold=bold)]

    def _names(self, label: Sequence[str], one: Told, row: LeadRow, y: float) -> None:
        x = self._columns.name
        if one.conclusion.synthetic and not self._several:
            self._shapes.append(triangle(x, y))
            x += 18
        if self._several:
            outcome, early = outcome_of(self._told, row)
            self._shapes += sign(outcome, x + 8, y, hollow=early)
            x += _SIGN
        first = y + 4.5 - _LINE * (len(label) - 1) / 2
        for line, words in enumerate(label):
            self._write(x, first + _LINE * line, words, _NAME, bold=not self._several)

    def _row_tags(self, row: LeadRow) -> tuple[str, ...]:
        first = next(each for each in self._lead.rows if each.conclusion == row.conclusion)
        # Of rows that are measures, those of the whole conclusion stand in the first.
        return tags(self._told, row.conclusion) if self._weighed and not self._several and row is first else ()

    def _weighs(self, row: LeadRow) -> list[str]:
        said = weighing(self._told, row) if self._weighed else ()
        if not said:
            return []
        beside = self._wide and not self._several
        room = self._columns.end - (self._columns.weighs if beside else self._columns.name)
        # Words begin behind the tags that stand in their first line.
        before = self._tags_wide(row, room) if beside else 0.0
        # A sentence is whole or left out.
        while len(said) > 1 and len(wrapped(" ".join(said), _SMALL, room, first=before)) > 4:
            said = said[:-1]
        return balanced(" ".join(said), _SMALL, room, first=before)

    def _tags_wide(self, row: LeadRow, room: float) -> float:
        """The width of the tags of *row* that have *room*, with what keeps words off them."""
        wide = 0.0
        for words in self._row_tags(row):
            one = tag(words, 0, 0)[1]
            if wide + one > room:
                break
            wide += one + 8
        return wide

    def _aside(self, row: LeadRow, weighs: Sequence[str], middle: float) -> None:
        """Write what weighs on the row, whose marks stand at *middle*: beside it, or under it where
        there is no room."""
        columns = self._columns
        row_tags = self._row_tags(row)
        if self._wide and not self._several:
            y = middle + 4 - _LINE * (max(len(weighs), 1) - 1) / 2
            behind = self._tagged(row.conclusion, columns.weighs, y - 4) if row_tags else columns.weighs
            for at, line in enumerate(weighs):
                self._write(columns.weighs if at else behind, y + _LINE * at, line, _SMALL)
            return
        if row_tags:
            self._tagged(row.conclusion, columns.name, self._y + 8)
            self._y += 22
        for line in weighs:
            self._write(columns.name, self._y + 13, line, _SMALL, "text_secondary")
            self._y += _LINE
        self._y += self._heights.around_words if weighs or row_tags else 0

    def _key(self) -> None:
        """One line that says what marks are."""
        x, self._y = self._columns.name, self._y + 14
        meant = chip_words(self._told) if self._with_title or not self._weighed else ""
        for shapes, words in (*key(self._told, self._scales), *((([], meant),) if meant else ())):
            wide = 24 + width_of(words, _FOOT) + 14
            if x > self._columns.name and x + wide > self._columns.end:
                x, self._y = self._columns.name, self._y + 19
            self._shapes += [each.moved(x + 8, self._y) for each in shapes]
            self._write(x + (24 if shapes else 0), self._y + 4, words, _FOOT, "text_secondary")
            x += wide - (0 if shapes else 24)
        self._y += 10

    def _footnote(self) -> None:
        self._y += 4
        for line in self._told.footnote:
            self._lines(line, _FOOT, 15.5, "text_secondary")
        self._y += _EDGE - 8
