"""Choices as arrays, from how an audit's cells ended."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import Endings
from gpf_desktop.methods.contextual_stereoset.choices import NOT_ASKED, REFUSED_CODE, UNPARSED_CODE, Choices, code_of
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING, Context
from gpf_desktop.methods.contextual_stereoset.protocol_data import CONTEXT, PLAIN

REPEAT: Final = "repeat"


def choices_of(
    endings: Endings, factors: Sequence[str], chances: Mapping[str, Mapping[int, float]] = MappingProxyType({})
) -> Iterator[Choices]:
    """The choices of each model that was asked items, then of each that was asked vignettes.

    Generations of all runs are counted through; of the cells without context, the first of each item counts. *chances*:
    by label and cell, how likely the model made it, where a provider told.
    """
    frame = _told(endings)
    if not len(frame):
        return
    frame, places = _placed(frame, endings.coordinates, tuple(factors))
    items = {key: ChoiceItem.of(item) for key, item in endings.items.items()}
    batch_item = list(zip(frame["batch_id"], frame["item_id"], strict=True))
    frame["item"] = [items[each].id for each in batch_item]
    frame["labels"] = [items[each].labels for each in batch_item]
    frame["corrected"] = frame["cell_id"].isin(list(endings.corrected))
    of_items = {item.id: item for item in items.values()}
    vignettes = sorted(set(frame["labels"]) - {STEREOTYPE_LABELS})
    for labels in (STEREOTYPE_LABELS, *vignettes):
        kind = frame[frame["labels"] == labels]
        if len(kind):
            told = [chances.get(label, {}) for label in labels]
            if any(told):
                kind = kind.assign(**{f"p{at}": kind["cell_id"].map(its) for at, its in enumerate(told)})
            yield from _of_kind(kind, places, factors, of_items, labels)


def of_other_grids(endings: Endings, factors: Sequence[str]) -> int:
    """Cells that `choices_of` leaves out: they were asked by a grid of other factors."""
    frame = _told(endings)
    pairs, counts = np.unique(frame[["fixed", "varying"]].to_numpy(np.int64), axis=0, return_counts=True)
    contexts = (_context(endings.coordinates, fixed, varying, factors) for fixed, varying in pairs.tolist())
    return sum(n for n, context in zip(counts.tolist(), contexts, strict=True) if not all(context))


def _told(endings: Endings) -> Any:
    # What was answered and is not scored yet has neither a choice nor a reason for lacking one.
    return endings.frame[endings.frame["category"].notna() | (endings.frame["missing"] != "")]


def _context(sets: Mapping[int, Coordinates], fixed: int, varying: int, factors: Sequence[str]) -> Context:
    """Empty without any context; without a level of some factor where the grid was of other ones."""
    levels = dict(sets[fixed].joined(sets[varying]))
    return () if levels.get(CONTEXT, PLAIN) == PLAIN else tuple(levels.get(factor, "") for factor in factors)


def _placed(
    frame: Any, sets: Mapping[int, Coordinates], factors: tuple[str, ...]
) -> tuple[Any, list[tuple[Context, str]]]:
    """*frame* with the number of each cell's place, and the places: (context with wording, order of the options)."""
    # A few hundred sets of coordinates serve hundreds of thousands of cells: each is read once.
    pairs, numbers = np.unique(frame[["fixed", "varying"]].to_numpy(np.int64), axis=0, return_inverse=True)
    places: list[tuple[Context, str]] = []
    known: list[bool] = []
    for fixed, varying in pairs.tolist():
        levels = dict(sets[fixed].joined(sets[varying]))
        context = _context(sets, fixed, varying, factors)
        wording, order = levels.get(WORDING, "" if context else PLAIN), levels.get(ORDER, "")
        # What lacks one of these was asked by a grid of other factors, or a damaged audit says so: it is left out.
        known.append(all((*context, wording, order)))
        places.append(((*context, wording) if context else (), order))
    # NumPy 2.0 gave this inverse a second axis.
    numbers = numbers.reshape(-1)
    keep = np.array(known, dtype=np.bool_)[numbers]
    return frame[keep].assign(place=numbers[keep]), places


def _of_kind(
    frame: Any,
    places: Sequence[tuple[Context, str]],
    factors: Sequence[str],
    items: Mapping[str, ChoiceItem],
    labels: str,
) -> Iterator[Choices]:
    contexts = {context: number for number, context in enumerate(dict.fromkeys(context for context, _ in places))}
    numbers = np.array([contexts[context] for context, _ in places])
    frame = frame.assign(context=numbers[frame["place"].to_numpy()])
    frame = frame.assign(generation=frame.groupby(["model", "item", "context"], observed=True).cumcount())
    if () in contexts:
        frame = frame[(frame["context"] != contexts[()]) | (frame["generation"] == 0)]
    orders = np.array([[order.find(label) for label in labels] for _, order in places], dtype=np.int8)
    kept = _kept(frame, [context for context in contexts if context], len(factors))
    named = (*factors, WORDING, REPEAT)
    for model, of_model in frame.groupby("model", observed=True, sort=False):
        yield _of_model(str(model), of_model, list(contexts), [named[at] for at in kept], kept, orders, items, labels)


def _kept(frame: Any, contexts: Sequence[Context], factors: int) -> list[int]:
    """Wording and repeat are left out where there is only one of it."""
    asked = set(frame["context"].unique().tolist())
    wordings = {context[-1] for number, context in enumerate(contexts) if number in asked}
    several = [len(wordings) > 1, bool(frame["generation"].max())]
    return [*range(factors), *(factors + at for at, more in enumerate(several) if more)]


def _of_model(
    model: str,
    frame: Any,
    contexts: Sequence[Context],
    factors: Sequence[str],
    kept: Sequence[int],
    orders: NDArray[np.int8],
    items: Mapping[str, ChoiceItem],
    labels: str,
) -> Choices:
    columns, column = np.unique(frame[["context", "generation"]].to_numpy(np.int64), axis=0, return_inverse=True)
    row, names = frame["item"].factorize()
    at = row, column.reshape(-1)
    shape = len(names), len(columns)
    codes = np.full(shape, NOT_ASKED, dtype=np.int8)
    codes[at] = _codes(frame, labels)
    places = np.zeros((*shape, len(labels)), dtype=np.int8)
    places[at] = orders[frame["place"].to_numpy()]
    corrected = np.zeros(shape, dtype=np.bool_)
    corrected[at] = frame["corrected"].to_numpy()
    chances = np.full((*shape, len(labels)), np.nan) if "p0" in frame else None
    if chances is not None:
        chances[at] = frame[[f"p{place}" for place in range(len(labels))]].to_numpy(np.float64)
    whole = [(contexts[number], str(generation + 1)) for number, generation in columns.tolist()]
    return Choices(
        model=model,
        items=tuple(map(str, names)),
        groups=tuple(items[str(name)].group for name in names),
        factors=tuple(factors),
        contexts=tuple(
            tuple((*context, generation)[at] for at in kept) if context else () for context, generation in whole
        ),
        codes=codes,
        places=places,
        labels=labels,
        corrected=corrected,
        chances=chances if chances is not None and not np.isnan(chances).all() else None,
    )


def _codes(frame: Any, labels: str) -> NDArray[np.int8]:
    missing, category = frame["missing"], frame["category"]
    of_answers = {str(each): code_of(str(each), labels) for each in category.cat.categories}
    of_missing = {each: REFUSED_CODE if each == Missing.REFUSED else UNPARSED_CODE for each in missing.cat.categories}
    answered = category.astype(object).map(of_answers)
    codes: NDArray[np.int8] = np.where(
        missing.to_numpy() == "", answered.fillna(UNPARSED_CODE), missing.astype(object).map(of_missing)
    ).astype(np.int8)
    return codes
