"""The answers of a bundle as a grid of choices: one square for each place in the grid of contexts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from types import MappingProxyType

from gpf_desktop.domain.choosing import BundleContrast, GridAxis, Option, ReadChoice
from gpf_desktop.domain.ports.method_abilities import ChoosesOptions
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.factor_words import level_words
from gpf_desktop.engine.review.review_reading import ReadBundle, sent_prompt
from gpf_desktop.storage.corrections import Corrected
from gpf_desktop.storage.responses import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Square:
    """One answer in the grid."""

    answer: Answer
    place: tuple[tuple[str, str], ...]
    """(factor's title, level in words); empty for the answer without a context."""
    category: str
    """What it counts as; empty while there is no answer."""
    rules: ReadChoice
    """What the rules make of it; `category` where nobody corrected it."""
    corrected: Corrected | None = None
    repeats: tuple[Answer, ...] = ()
    chances: Mapping[str, float] = field(default_factory=dict)
    """By category, how likely the model made it; empty where no provider told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceGrid:
    """Squares by row and column, and what stands above them."""

    measure: str
    down: GridAxis
    across: tuple[GridAxis, ...]
    """From the outermost."""
    columns: tuple[tuple[str, ...], ...]
    """Levels on *across* of each column that has a square."""
    squares: Mapping[tuple[int, int], Square] = field(default_factory=dict)
    """By row (a place in the levels of *down*) and column."""
    plain: Square | None = None
    """The answer without a context."""
    contrasts: Sequence[BundleContrast] = ()
    options: Sequence[Option] = ()
    blind: bool = False
    """It holds nothing that anchors: no contrasts, no probabilities, no one else's corrections."""

    def title_of(self, category: str) -> str:
        return next((each.title for each in self.options if each.category == category), category)


def choice_grid(bundle: ReadBundle, *, blind: bool = False) -> ChoiceGrid | None:
    """None where answers of the bundle choose nothing, or do not lie in a grid of one item.

    A *blind* reader sees what each answer chose, and of corrections their own.
    """
    if blind:
        bundle = _unanchored(bundle)
    method = catalogue.method(bundle.facts.method)
    if not isinstance(method, ChoosesOptions) or bundle.facts.article_id is None or len(bundle.answers) < 2:
        return None
    axes = [axis for axis in method.axes(bundle.protocol) if _varied(bundle, axis) > 1]
    if not axes:
        return None
    down = max(axes, key=lambda axis: _varied(bundle, axis))
    across = tuple(axis for axis in axes if axis is not down)
    squares = [_square(method, bundle, each.answer, each.repeats, axes, each.scores) for each in bundle.answers]
    at = [dict(each.answer.coordinates) for each in squares]
    used = {tuple(levels[axis.factor] for axis in across) for levels in at}
    # In the order of the levels, not of the answers; combinations that nobody was asked leave no empty column.
    columns = tuple(each for each in product(*(axis.levels for axis in across)) if each in used)
    rows = {level: number for number, level in enumerate(_present(bundle, down))}
    free = bundle.control.generations if bundle.control is not None else ()
    return ChoiceGrid(
        measure=method.choice_measure,
        down=_told(replace(down, levels=tuple(rows)), bundle),
        across=tuple(_told(axis, bundle) for axis in across),
        columns=tuple(
            level_words(bundle.facts.method, zip([axis.factor for axis in across], each, strict=True))
            for each in columns
        ),
        squares={
            (rows[levels[down.factor]], columns.index(tuple(levels[axis.factor] for axis in across))): each
            for levels, each in zip(at, squares, strict=True)
        },
        plain=_square(method, bundle, free[0], free[1:], ()) if free else None,
        contrasts=()
        if blind
        else method.bundle_contrasts(
            {each.answer.coordinates: each.category for each in squares if not each.answer.missing}, bundle.protocol
        ),
        blind=blind,
        options=method.options(bundle.facts.items[bundle.facts.article_id]),
    )


def _told(axis: GridAxis, bundle: ReadBundle) -> GridAxis:
    """*axis* with its levels as people read them."""
    return replace(axis, levels=level_words(bundle.facts.method, [(axis.factor, level) for level in axis.levels]))


def _unanchored(bundle: ReadBundle) -> ReadBundle:
    """*bundle* without scores of answers, and without corrections that are not the reader's own."""
    # By the moment of its entry: a correction has its reviewer's name, which two people may share.
    own = {entry.at for entry in bundle.history if entry.reviewer_id == bundle.reviewer_id}
    return replace(
        bundle,
        answers=tuple(replace(each, scores={}) for each in bundle.answers),
        corrected={cell: each for cell, each in bundle.corrected.items() if each.at in own},
    )


def chosen(bundle: ReadBundle, answer: Answer) -> Option | None:
    """The option of its item that *answer* came to; None if its method offers none, or if it came to none of them."""
    method = catalogue.method(bundle.facts.method)
    if not isinstance(method, ChoosesOptions):
        return None
    category = _square(method, bundle, answer, (), ()).category
    return next(
        (each for each in method.options(bundle.facts.items[answer.item_id]) if each.category == category), None
    )


def context_of(bundle: ReadBundle, answer: Answer) -> str:
    """The place of *answer* in the grid of contexts, in words, without the form in which it was asked; empty if it has
    none."""
    method = catalogue.method(bundle.facts.method)
    axes = method.axes(bundle.protocol) if isinstance(method, ChoosesOptions) else ()
    levels = ((axis.factor, answer.coordinates.get(axis.factor)) for axis in axes)
    return " · ".join(filter(None, level_words(bundle.facts.method, levels)))


def prompt_of(bundle: ReadBundle, square: Square) -> str:
    """The message as sent, the system's part first."""
    prompt = sent_prompt(bundle, square.answer).prompt
    return f"{prompt.system}\n\n{prompt.talk}" if prompt.system else prompt.talk


def _present(bundle: ReadBundle, axis: GridAxis) -> list[str]:
    there = {each.answer.coordinates.get(axis.factor) for each in bundle.answers}
    return [level for level in axis.levels if level in there]


def _varied(bundle: ReadBundle, axis: GridAxis) -> int:
    return len(_present(bundle, axis))


def _square(
    method: ChoosesOptions,
    bundle: ReadBundle,
    answer: Answer,
    repeats: Sequence[Answer],
    axes: Sequence[GridAxis],
    scores: Mapping[str, float | str | Unavailable] = MappingProxyType({}),
) -> Square:
    told = level_words(bundle.facts.method, [(axis.factor, answer.coordinates.get(axis.factor)) for axis in axes])
    place = tuple(zip((axis.title for axis in axes), told, strict=True))
    if answer.missing:
        return Square(answer=answer, place=place, category="", rules=ReadChoice(category="", how=""))
    where = bundle.facts.coordinates.joined(answer.coordinates)
    rules = method.read_choice(answer.text, where, bundle.facts.items[answer.item_id])
    corrected = bundle.corrected.get(answer.cell_id)
    said = "" if corrected is None else corrected.categories.get(method.choice_measure, "")
    return Square(
        answer=answer,
        place=place,
        category=said or rules.category,
        rules=rules,
        corrected=corrected if said else None,
        repeats=tuple(repeats),
        chances={
            category: value
            for category, name in method.probability_measures.items()
            if isinstance(value := scores.get(name), float)
        },
    )
