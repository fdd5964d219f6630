"""Answers of a word or two that choose among options, folded by what they chose: a report has no pages of letters."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.choosing import GridAxis
from gpf_desktop.domain.reports import ReportAnswer
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.choice_grid import ChoiceGrid, Square, choice_grid
from gpf_desktop.engine.review.review_reading import ReadBundle

FEWEST: Final = 13
"""Answers of a bundle from which on they are folded: up to a dozen are read one by one."""
LONGEST: Final = 24
"""Characters that say no more than which option: a letter, perhaps with a word before it."""


def folded(read: ReadBundle, answers: Sequence[ReportAnswer]) -> tuple[ReportAnswer, ...]:
    """The *answers* of the set *read*, folded into one for each option, followed by those that say more; empty: they
    stay as they are.

    Each tells at how many of a factor's levels the option was chosen; which answer it was at which place is left to the
    window and the exports.
    """
    grid = choice_grid(read) if len(answers) >= FEWEST else None
    if grid is None:
        return ()
    short = {
        each.answer.cell_id: each
        for each in grid.squares.values()
        if not each.answer.missing and len(each.answer.text.strip()) <= LONGEST
    }
    long = [given for given, each in zip(answers, read.answers, strict=True) if each.cell_id not in short]
    chosen = {
        option.category: [each for each in short.values() if each.category == option.category]
        for option in grid.options
    }
    return (*(_answer(grid, category, some) for category, some in chosen.items() if some), *long)


def _answer(grid: ChoiceGrid, category: str, chosen: Sequence[Square]) -> ReportAnswer:
    every = list(grid.squares.values())
    axes = [axis for axis in (grid.down, *grid.across) if axis.ranked]
    title = grid.title_of(category)
    own = [tr("“{option}”", option=each.text) for each in grid.options if each.category == category and each.text]
    return ReportAnswer(
        level=tr("{option}: {some} of {all} answers", option=title, some=len(chosen), all=len(every)),
        text="\n".join((*own, *(_by_level(axis, chosen, every) for axis in axes))),
        missing="",
        flags=(),
    )


def _by_level(axis: GridAxis, chosen: Sequence[Square], every: Sequence[Square]) -> str:
    """Words that say in how many squares of the factor *axis* the option was chosen, level by level."""
    asked, there = (Counter(dict(each.place)[axis.title] for each in some) for some in (every, chosen))
    levels = (
        tr("{level} ({some} of {all})", level=level, some=there[level], all=asked[level])
        for level in axis.levels
        if asked[level]
    )
    return tr("{factor}: {levels}", factor=axis.title, levels=", ".join(levels))
